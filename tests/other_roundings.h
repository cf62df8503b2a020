// HOST with other roundings: each function of the C library that a projection calls gives a result
// one unit of the last place up or down, or as it is, by chance, as another library's may. How far
// a result moves then is how far CUDA's, whose functions round in their own way, may lie from
// HOST's: a formula that takes the arc cosine of nearly 1 makes the root of a rounding of it, a
// tenth of a metre on the Earth.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "gpu/source.h"

namespace judge {

// So many chances.
constexpr long long kRoundings = 64;

// What is included after this calls the functions that round otherwise. They do so while
// other_roundings::seed isn't 0; a kernel sets it. `source` must have nothing of projections yet.
inline void IncludeOtherRoundings(gpu::Source& source) {
    source.include("core/core.h").include("proj/angles.h");
    std::string text = R"(
#include <cstring>
namespace other_roundings {
static thread_local unsigned long long seed = 0;
static inline double of(double value) {
    // 0 and 1 are exact in every library, and no sine is beyond 1.
    if (seed == 0 || value == 0 || fabs(value) == 1 || !(fabs(value) < HUGE_VAL)) return value;
    unsigned long long bits;
    std::memcpy(&bits, &value, sizeof(bits));
    bits = (bits ^ seed * 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
    const unsigned chance = static_cast<unsigned>((bits ^ bits >> 31) >> 33) % 3;
    return chance == 0 ? value : std::nextafter(value, chance == 1 ? HUGE_VAL : -HUGE_VAL);
}
static inline void of_both(double& a, double& b) { a = of(a), b = of(b); }
}  // namespace other_roundings
#define sin_cos(angle, s, c) (sin_cos(angle, s, c), ::other_roundings::of_both(s, c))
#define reciprocal_sqrt(value) ::other_roundings::of(reciprocal_sqrt(value))
)";
    for (const char* name :
         {"sin",   "cos",   "tan",   "asin", "acos",  "atan", "atan2", "sinh", "cosh", "tanh",
          "asinh", "acosh", "atanh", "exp",  "expm1", "log",  "log1p", "pow",  "cbrt", "hypot"}) {
        text += std::string("#define ") + name + "(...) ::other_roundings::of(" + name +
                "(__VA_ARGS__))\n";
    }
    source.append(text);
}

// Of each point, what other roundings make of it.
struct Spread {
    std::vector<double> moved;    // the largest distance from the result as it is
    std::vector<bool> any_flags;  // some accept it, some don't
};

}  // namespace judge
