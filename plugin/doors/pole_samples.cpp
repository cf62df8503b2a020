#include "plugin/doors/pole_samples.h"

#include <cmath>
#include <memory>

#include "cpl_error.h"
#include "ogr_spatialref.h"

namespace gdalgpu {

std::vector<std::array<double, 2>> PolesInSource(const TransformerDescription& description) {
    std::vector<std::array<double, 2>> poles;
    if (!description.unfusable.empty() || !description.reprojection) return poles;
    OGRSpatialReference crs;
    if (crs.SetFromUserInput(description.reprojection->source_srs.c_str()) != OGRERR_NONE)
        return poles;
    crs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const std::unique_ptr<OGRSpatialReference> geographic(crs.CloneGeogCS());
    if (geographic == nullptr) return poles;
    geographic->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const std::unique_ptr<OGRCoordinateTransformation> transformation(
        OGRCreateCoordinateTransformation(geographic.get(), &crs));
    if (transformation == nullptr) return poles;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    for (const double latitude : {-89.9999, 89.9999}) {
        double x = 0, y = latitude;
        if (!transformation->Transform(1, &x, &y) || !std::isfinite(x) || !std::isfinite(y))
            continue;
        const auto& g = description.source_inverse;
        poles.push_back({g[0] + x * g[1] + y * g[2], g[3] + x * g[4] + y * g[5]});
    }
    CPLPopErrorHandler();
    return poles;
}

bool AreEdgeSamples(int count, const double* x, const double* y, Rectangle& region) {
    if (count < 8 || count % 4 != 0) return false;
    region = {x[2], y[0], x[3], y[1]};
    for (int i = 0; i < count; i += 4) {
        const bool along = y[i] == region.min_y && y[i + 1] == region.max_y && x[i] == x[i + 1] &&
                           x[i + 2] == region.min_x && x[i + 3] == region.max_x &&
                           y[i + 2] == y[i + 3];
        if (!along) return false;
    }
    return x[0] == region.min_x && region.min_x < region.max_x && region.min_y < region.max_y;
}

}  // namespace gdalgpu
