// Which projected CRSs of PROJ's database can be fused, and how close to PROJ they then are.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace gdalgpu {

// One projected CRS against its own geographic CRS, on a 21 x 21 grid over its area of use.
struct CrsCoverage {
    std::string authority;
    std::string code;
    std::string name;
    std::string method;   // of the projection
    bool in_proj = true;  // PROJ itself can transform to it
    bool fused = false;
    std::string reason;  // why it isn't fused, or in what it is further from PROJ than it may be
    // Largest differences from PROJ; PROJ's own round trip, each way. Radians on the ground: a
    // difference of longitudes counts as far as the parallel's radius. NaN: nothing was compared.
    double forward_metres = std::numeric_limits<double>::quiet_NaN();
    double inverse_radians = std::numeric_limits<double>::quiet_NaN();
    double round_trip_metres = std::numeric_limits<double>::quiet_NaN();
    double round_trip_radians = std::numeric_limits<double>::quiet_NaN();
    size_t refused_by_one = 0;  // points that PROJ or the fused operation refuses, not both
    // Points further from PROJ than 1e-6 m (on bodies larger than the Earth in proportion) or 1e-11
    // rad, unless PROJ's own round trip by the point is no more exact.
    size_t further = 0;

    // False, too, where nothing was compared.
    bool close() const {
        return fused && forward_metres >= 0 && refused_by_one == 0 && further == 0;
    }
};

// A projection's examples in the registry, on a 21 x 21 grid over the world.
struct ProjectionCoverage {
    std::string name;
    // Largest differences from PROJ within four radii of the origin, but for points that PROJ's own
    // round trip finds again no more exactly. NaN: nothing was compared, since PROJ has no inverse.
    double forward_metres = std::numeric_limits<double>::quiet_NaN();
    double inverse_radians = std::numeric_limits<double>::quiet_NaN();
    bool close = true;  // all examples, as CrsCoverage::close()
};

// Compiles on `device`, and uses all cores. Throws std::runtime_error.
std::vector<ProjectionCoverage> MeasureProjections(gpu::Device& device);

// All projected CRSs that aren't deprecated, in the database's order. authority: "EPSG"; empty:
// all. most: the first so many, 0: all. Compiles on `device`, and uses all cores. Throws
// std::runtime_error where the database can't be read.
std::vector<CrsCoverage> MeasureCoverage(gpu::Device& device, const std::string& authority,
                                         size_t most);

}  // namespace gdalgpu
