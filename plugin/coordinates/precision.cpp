#include "plugin/coordinates/precision.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "cpl_string.h"
#include "plugin/options.h"

namespace gdalgpu {

const char* PrecisionName(Precision precision) {
    switch (precision) {
        case Precision::Ds:
            return "ds";
        case Precision::Fp32:
            return "fp32";
        default:
            return "fp64";
    }
}

std::vector<Precision> PrecisionsOfName(const std::string& name, bool area_known) {
    if (EQUAL(name.c_str(), "fp64")) return {Precision::Fp64};
    if (EQUAL(name.c_str(), "ds")) return {Precision::Ds, Precision::Fp64};
    if (EQUAL(name.c_str(), "fp32")) return {Precision::Fp32, Precision::Fp64};
    if (EQUAL(name.c_str(), "auto") && !area_known) return {Precision::Fp64};
    if (EQUAL(name.c_str(), "auto")) return {Precision::Fp32, Precision::Ds, Precision::Fp64};
    return {};
}

std::vector<Precision> RequestedPrecisions(bool area_known) {
    return PrecisionsOfName(OptionChoice("GDAL_GPU_PRECISION", "fp64"), area_known);
}

void EmitPrecision(gpu::Source& source, Precision precision) {
    if (precision == Precision::Fp64) return;
    const std::string name = PrecisionName(precision);
    source.include("core/" + name + ".h");
    source.append(
        "#if defined(GPU_REAL_IS_SETTLED) && !defined(GPU_REAL)\n"
        "#error \"the precision comes too late\"\n"
        "#endif\n"
        "#define GPU_REAL kernels::" +
        name);
}

std::vector<std::byte> EncodeParameters(std::vector<std::byte> parameters, Precision precision) {
    if (precision == Precision::Fp64) return parameters;
    // The bits of a small integer are those of no number that a projection has: next to 0, or NaN.
    constexpr int64_t small = int64_t{1} << 20;
    for (size_t at = 0; at + 8 <= parameters.size(); at += 8) {
        int64_t integer = 0;
        std::memcpy(&integer, &parameters[at], 8);
        if (integer > -small && integer < small) continue;
        double number = 0;
        std::memcpy(&number, &parameters[at], 8);
        const auto high = static_cast<float>(number);
        const float pair[] = {high, std::isfinite(high) ? static_cast<float>(number - high) : 0.0F};
        std::memcpy(&parameters[at], pair, 8);
    }
    return parameters;
}

}  // namespace gdalgpu
