// Points between two CRSs, or through a PROJ operation, in bulk: on the device where the operation
// can be fused, else by PROJ itself on the processor's cores.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "plugin/coordinates/coordinate_pieces.h"
#include "plugin/coordinates/fused_operations.h"
#include "plugin/coordinates/operation_candidates.h"
#include "plugin/coordinates/proj_points.h"

namespace gdalgpu {

// How far a fused operation may be from PROJ.
struct CoordinateTolerance {
    double metres;
    double radians;
    double relative;  // added, times the coordinate: those of far beyond the Earth
};

// Usable from many threads at once. The device is chosen anew for each call, as SelectDevice()
// does.
class CoordinateTransform {
  public:
    struct Options {
        std::string door = "api";              // for reports
        bool traditional_axes = false;         // x, y: longitude, latitude; easting, northing
        std::optional<AreaOfInterest> area{};  // where the points will be
        // "fp64", "ds", "fp32" or "auto", which is fp64 here, where the points aren't known
        // beforehand; empty: as GDAL_GPU_PRECISION says. Where a lower precision is further from
        // PROJ than it should be (ds: 1e-10, fp32: 1e-5 of the Earth's radius), fp64 is taken.
        std::string precision{};
    };

    // source, target: what OGRSpatialReference::SetFromUserInput() takes. Axes are in the CRSs' own
    // order and units, as proj_create_crs_to_crs() has them, unless traditional_axes is set. Throws
    // std::runtime_error where a CRS can't be read, or PROJ finds no operation.
    static std::unique_ptr<CoordinateTransform> FromCrs(const std::string& source,
                                                        const std::string& target,
                                                        const Options& options);
    // operation: a PROJ string (pipeline or one step), PROJJSON, WKT or the code of an operation.
    // Units and axes are the operation's own (radians where it has no conversion). Throws
    // std::runtime_error.
    static std::unique_ptr<CoordinateTransform> FromOperation(const std::string& operation,
                                                              const Options& options);
    ~CoordinateTransform();

    // `count` points in place, as proj_trans(). arrays: x, y, z (null: 0), t (null: no time);
    // decimal years. success, where not null, gets 1, or 0 where PROJ refuses the point: then the
    // coordinates are infinite. Arrays larger than the device's memory go in overlapping pieces.
    // Throws std::runtime_error.
    void Transform(bool inverse, int64_t count, const CoordinateArrays& arrays, int* success);

    // The same between arrays in the device's memory (HOST: any memory), which may be the same
    // ones. Null arrays of `out` aren't written. stream: a CUstream; the call returns when the work
    // is enqueued, but for the first call in each direction and where PROJ does the work: those
    // wait. This object must live until the work is done. Throws std::runtime_error, also where
    // there is no device.
    void TransformOnDevice(bool inverse, int64_t count, const CoordinateArrays& in,
                           const CoordinateArrays& out, int* success, void* stream);

    // min x, min y, max x, max y of bounds on the other side; densify_points between corners. By
    // PROJ's proj_trans_bounds(). Throws std::runtime_error.
    std::array<double, 4> Bounds(bool inverse, const std::array<double, 4>& bounds,
                                 int densify_points);

    // Makes the device, as for a large request, and compiles. Returns as path() would after it.
    std::string WarmUp(bool inverse);

    // How the last call in this direction went: "CUDA: " or "HOST: " and the fused steps, with
    // "in ds" or "in fp32" behind them where that was the precision, "PROJ: " and the reason why no
    // device was used. "none" before the first call.
    std::string path(bool inverse) const;

    // Whether x and y are angles in radians, where points come from and where they go to.
    bool radians_in(bool inverse);
    bool radians_out(bool inverse);

  private:
    // One direction.
    struct Plan {
        std::mutex mutex;
        std::vector<Precision> precisions;             // to be tried, in this order
        size_t tried = 0;                              // of them
        std::shared_ptr<const FusedOperations> fused;  // null: none is left, for `reason`
        std::string reason;                            // also why a precision was dropped
        std::shared_ptr<gpu::Device> device;
        std::shared_ptr<gpu::Module> module;
        FusedOperations::Bound bound;
        int64_t checked = 0;  // points that were compared with PROJ
        std::string path = "none";
    };
    // A plan's parts, ready to launch; without a device, the reason.
    struct Ready {
        std::shared_ptr<const FusedOperations> fused;
        std::shared_ptr<gpu::Device> device;
        std::shared_ptr<gpu::Module> module;
        FusedOperations::Bound bound;
        std::string reason;  // also why a precision was dropped
        int compiled = 0;
        bool unchecked = false;  // points have yet to be compared with PROJ
        std::string path() const;
    };

    CoordinateTransform(Options options, std::string source, std::string target,
                        std::string operation);

    Ready Prepare(bool inverse, uint64_t points);
    void Make(Plan& plan, bool inverse);
    // Prepares, and compares with PROJ what `sample` gives, until a plan agrees or none is left.
    template <typename Sample>
    Ready PrepareChecked(bool inverse, uint64_t points, const Sample& sample);
    // Compares points with PROJ; the plan is dropped where they differ.
    void Compare(bool inverse, const Ready& ready, std::array<std::vector<double>, 4> points);
    // Whether PROJ takes our result back to the given point about as well as its own: next to poles
    // and edges both have lost digits.
    bool ComesBack(bool inverse, const CoordinateTolerance& tolerance,
                   const std::array<double, 4>& given, std::array<double, 4> ours,
                   std::array<double, 4> theirs);
    void RunProj(bool inverse, int64_t count, const CoordinateArrays& arrays, int* success);
    // The pieces that the device didn't get done.
    void RunProjOnTheRest(bool inverse, int64_t count, const CoordinateArrays& arrays, int* success,
                          const Pieces& pieces);
    void SetPath(bool inverse, const std::string& path);

    const Options options_;
    const std::string source_;
    const std::string target_;
    const std::string operation_;
    bool y_first_source_ = false;  // the CRS's axes are to be turned round
    bool y_first_target_ = false;
    std::unique_ptr<ProjPoints> proj_;
    mutable Plan plans_[2];
};

}  // namespace gdalgpu
