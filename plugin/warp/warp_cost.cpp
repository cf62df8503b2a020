#include "plugin/warp/warp_cost.h"

#include <algorithm>

#include "plugin/warp/cpu_warp.h"
#include "plugin/warp/resamplings.h"
#include "plugin/warp/source_window.h"

namespace gdalgpu {

namespace {

constexpr double kPosition = 1.2e-8;  // seconds for a pixel's position
constexpr double kStore = 6e-9;       // for a pixel of a band
constexpr double kTap = 1.5e-9;       // for a source pixel under the filter
// GDAL has code of its own for these types where there are no masks; for others it is as much
// slower.
constexpr double kGeneral = 4;

}  // namespace

double GdalSecondsPerPixel(const GDALWarpOptions& options, const WarpScale& scale) {
    const auto across = [&](double one_axis) {
        const int reach = FilterReach(options.eResampleAlg, one_axis);
        return reach == 0 ? 1.0 : 2.0 * reach;
    };
    const bool masked = options.padfSrcNoDataReal != nullptr || options.nSrcAlphaBand > 0 ||
                        options.hCutline != nullptr;
    const Resampling* const resampling = FindResampling(options.eResampleAlg);
    const bool own_code = resampling != nullptr &&
                          std::count(resampling->own_types.begin(), resampling->own_types.end(),
                                     options.eWorkingDataType) > 0;
    const double band = (kStore + kTap * across(scale.x) * across(scale.y)) *
                        (masked || !own_code ? kGeneral : 1.0);
    return (kPosition + band * std::max(1, options.nBandCount)) /
           WarpThreads(options.papszWarpOptions);
}

}  // namespace gdalgpu
