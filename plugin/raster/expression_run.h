// A request of `gpu_expression`: pixels of its sources to pixels of its band, in one launch.
#pragma once

#include <cstdint>
#include <vector>

#include "gdal.h"
#include "gpu/source.h"
#include "plugin/raster/expression.h"
#include "plugin/report.h"

namespace gdalgpu {

struct ExpressionRequest {
    std::vector<const void*> sources;  // B1 to Bn, each width x height packed pixels
    GDALDataType source_type = GDT_Unknown;
    int64_t width = 0;
    int64_t height = 0;
    void* output = nullptr;
    GDALDataType output_type = GDT_Unknown;
    int64_t pixel_space = 0;  // bytes from a pixel to the next, and from a line to the next
    int64_t line_space = 0;
};

// nodata as a pixel of that type holds it, in double: for Expression::Names::source_nodata.
double HeldNodata(double nodata, GDALDataType type);

// Where expression.nodata() is set, a pixel at which one of the masked sources equals
// expression.source_nodata() becomes nodata. The rest is IEEE arithmetic in double, converted to
// the output type as GDALCopyWords does. Runs on the selected device, in parts where memory is
// short, and on the CPU where there is none or it fails (report.reason says why). Throws
// std::invalid_argument for complex sources.
void RunExpression(const Expression& expression, const ExpressionRequest& request, Report& report);

// The kernel "evaluate_expression" of RunExpression, for pixel types that DeviceTypeName knows.
gpu::Source ExpressionSource(const Expression& expression, GDALDataType source_type,
                             GDALDataType output_type);

}  // namespace gdalgpu
