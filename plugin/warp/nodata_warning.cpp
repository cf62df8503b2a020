#include "plugin/warp/nodata_warning.h"

#include <string>

#include "cpl_error.h"
#include "cpl_string.h"
#include "plugin/gdal_rules.h"

namespace gdalgpu {

void WarnOfAvoidedNodata(const WarpChunk& chunk, std::atomic<bool>& warned) {
    if (chunk.destination_nodata == nullptr || !LoadedGdalRules().warns_of_avoided_nodata ||
        warned.exchange(true)) {
        return;
    }
    std::string values;
    for (size_t band = 0; band < chunk.bands(); ++band) {
        values += CPLSPrintf(band == 0 ? "%.9g" : ", %.9g", chunk.destination_nodata[band]);
    }
    CPLError(CE_Warning, CPLE_AppDefined,
             "Valid pixels with the destination's nodata value (%s) were given the value next to "
             "it, so that they stay valid. With a nodata value that no pixel has they stay as they "
             "are.",
             values.c_str());
}

}  // namespace gdalgpu
