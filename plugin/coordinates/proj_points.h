// PROJ itself, on the processor's cores: what points take that no device can, and the judge of
// those that one can.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "plugin/coordinates/operation_candidates.h"
#include "plugin/coordinates/proj_context.h"

namespace gdalgpu {

// x, y, z, t.
using CoordinateArrays = std::array<double*, 4>;

// Usable from many threads at once: each has a PJ of its own.
class ProjPoints {
  public:
    // What proj_create_crs_to_crs() makes of two texts that proj_create() takes. Throws
    // std::runtime_error with PROJ's message.
    ProjPoints(std::string source, std::string target, std::optional<AreaOfInterest> area);
    // One operation: a PROJ string, PROJJSON, WKT or code. Throws as above, for a CRS too.
    explicit ProjPoints(std::string operation);
    ~ProjPoints();

    // `count` points in place, by proj_trans(); z may be null (0), t too (infinity: no time).
    // success, where not null, gets 1, or 0 and infinite coordinates. Throws std::runtime_error.
    void Transform(bool inverse, int64_t count, const CoordinateArrays& arrays, int* success);

    // proj_trans_bounds(): min x, min y, max x, max y of `bounds` on the other side. Throws
    // std::runtime_error where PROJ finds none.
    std::array<double, 4> Bounds(bool inverse, const std::array<double, 4>& bounds,
                                 int densify_points);

    // Radians in one unit of x and y on the side that points come from or go to; 0: a length.
    double InputAngle(bool inverse);
    double OutputAngle(bool inverse);

  private:
    struct Instance;
    class Lease;

    std::unique_ptr<Instance> Make() const;

    const std::string source_;
    const std::string target_;
    const std::string operation_;
    const std::optional<AreaOfInterest> area_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Instance>> idle_;
};

}  // namespace gdalgpu
