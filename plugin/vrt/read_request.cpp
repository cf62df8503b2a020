#include "plugin/vrt/read_request.h"

#include "cpl_error.h"

namespace gdalgpu {

CPLErr ReportProgress(const ReadRequest& request, double done) {
    if (request.progress == nullptr || request.progress(done, "", request.progress_argument))
        return CE_None;
    CPLError(CE_Failure, CPLE_UserInterrupt, "User terminated");
    return CE_Failure;
}

}  // namespace gdalgpu
