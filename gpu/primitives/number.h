// What HOST and CUDA share: how keys are ordered and made equal, how a value finds its bin.
#pragma once

#include <cstdint>
#include <cstring>

#include "gpu/primitives/primitives.h"

#if defined(__CUDACC__)
#define GPU_SHARED __host__ __device__ inline
#else
#define GPU_SHARED inline
#endif

namespace gpu::primitives {

template <typename Bits>
inline constexpr Bits kSignBit = Bits(1) << (sizeof(Bits) * 8 - 1);
template <typename Bits>
inline constexpr Bits kInfinity = sizeof(Bits) == 4 ? Bits(0x7f800000u) : Bits(0x7ff0000000000000u);
template <typename Bits>
inline constexpr Bits kQuietNaN = sizeof(Bits) == 4 ? Bits(0x7fc00000u) : Bits(0x7ff8000000000000u);

// How the 4 or 8 bytes of a number are read.
enum class NumberKind { Unsigned, Signed, Floating };

template <typename T>
inline constexpr NumberKind kNumberKind = std::is_floating_point_v<T> ? NumberKind::Floating
                                          : std::is_signed_v<T>       ? NumberKind::Signed
                                                                      : NumberKind::Unsigned;

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

// One bit pattern for all NaNs, and one for both zeros, where the bits are a float's or a double's.
template <typename Bits>
struct Canonical {
    NumberKind kind;

    GPU_SHARED Bits operator()(Bits bits) const {
        if (kind != NumberKind::Floating) return bits;
        const Bits magnitude = bits & ~kSignBit<Bits>;
        if (magnitude > kInfinity<Bits>) return kQuietNaN<Bits>;
        return magnitude == 0 ? Bits(0) : bits;
    }
};

// Canonical bits to unsigned integers in the same order as the numbers.
template <typename Bits>
struct ToOrdered {
    NumberKind kind;

    GPU_SHARED Bits operator()(Bits bits) const {
        bits = Canonical<Bits>{kind}(bits);
        if (kind == NumberKind::Unsigned) return bits;
        if (kind == NumberKind::Floating && (bits & kSignBit<Bits>)) return ~bits;
        return bits ^ kSignBit<Bits>;
    }
};

template <typename Bits>
struct FromOrdered {
    NumberKind kind;

    GPU_SHARED Bits operator()(Bits ordered) const {
        if (kind == NumberKind::Unsigned) return ordered;
        if (kind == NumberKind::Floating && !(ordered & kSignBit<Bits>)) return ~ordered;
        return ordered ^ kSignBit<Bits>;
    }
};

// The reduction's operation. Min and Max take the other operand where one is NaN.
template <typename W>
struct Combine {
    Reduction reduction;

    GPU_SHARED W operator()(W a, W b) const {
        if (reduction == Reduction::Sum) return a + b;
        if (reduction == Reduction::Min) return (b < a || a != a) ? b : a;
        return (b > a || a != a) ? b : a;
    }
};

// The bin of a value; -1 for none.
template <typename T>
struct ToBin {
    double lower;
    double upper;
    double scale;
    int bins;

    GPU_SHARED int operator()(T value) const {
        const double v = static_cast<double>(value);
        if (!(v >= lower && v < upper)) return -1;
        const int bin = static_cast<int>((v - lower) * scale);
        return bin < bins ? bin : bins - 1;
    }
};

}  // namespace gpu::primitives
