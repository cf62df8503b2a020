#include "plugin/vrt/read_request.h"

#include <algorithm>

#include "cpl_error.h"

namespace gdalgpu {

CPLErr ReportProgress(const ReadRequest& request, double done) {
    if (request.progress == nullptr || request.progress(done, "", request.progress_argument))
        return CE_None;
    CPLError(CE_Failure, CPLE_UserInterrupt, "User terminated");
    return CE_Failure;
}

PixelWindow Intersection(const PixelWindow& a, const PixelWindow& b) {
    const int64_t x = std::max(a.x, b.x);
    const int64_t y = std::max(a.y, b.y);
    return {x, y, std::max<int64_t>(0, std::min(a.x + a.width, b.x + b.width) - x),
            std::max<int64_t>(0, std::min(a.y + a.height, b.y + b.height) - y)};
}

}  // namespace gdalgpu
