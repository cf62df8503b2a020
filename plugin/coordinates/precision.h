// The compute precision of coordinates inside projections. Around them (geotransforms, datums,
// grids, offsets, central meridians) everything is double.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/source.h"

namespace gdalgpu {

enum class Precision {
    Fp64,  // double
    Ds,    // pairs of floats, 48 bits
    Fp32,  // float
};

// "fp64", "ds", "fp32".
const char* PrecisionName(Precision precision);

// The precisions that a request may run in, to be tried in this order: each is checked, but for the
// last, fp64. name: "fp64"; "ds" or "fp32", then fp64 where it isn't good enough; "auto", from the
// cheapest on, where it is known which points will come, else fp64. In any case; empty for another
// name.
std::vector<Precision> PrecisionsOfName(const std::string& name, bool area_known);

// The same for the configuration option GDAL_GPU_PRECISION; fp64 where it isn't set, and, with a
// CPLError (CE_Warning) once, where it is something else.
std::vector<Precision> RequestedPrecisions(bool area_known);

// Makes kernels::real of a source's projections what the precision says; before any is included.
void EmitPrecision(gpu::Source& source, Precision precision);

// The bytes of a projection's struct for a precision: where that isn't double, two floats in the
// place of each double, its value and the rest. Integers stay, which are small ones.
std::vector<std::byte> EncodeParameters(std::vector<std::byte> parameters, Precision precision);

}  // namespace gdalgpu
