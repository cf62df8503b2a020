#include "plugin/warp/resamplings.h"

#include <algorithm>

#include "cpl_port.h"

namespace gdalgpu {

const std::vector<Resampling>& Resamplings() {
    constexpr PixelPoints centres = PixelPoints::Centres, corners = PixelPoints::Corners;
    const std::vector<GDALDataType> none;
    const std::vector<GDALDataType> short_integers = {GDT_Byte, GDT_UInt16, GDT_Int16};
    const std::vector<GDALDataType> short_types = {GDT_Byte, GDT_UInt16, GDT_Int16, GDT_Float32};
    static const std::vector<Resampling> table = {
        {GRA_NearestNeighbour, "near", "NearestNeighbour", "warp/near.h", "Near", nullptr, 0,
         centres, 4, false, false, short_types},
        {GRA_Bilinear, "bilinear", "Bilinear", "warp/bilinear.h", "Bilinear", "AntialiasedBilinear",
         1, centres, 4, true, false, short_types},
        {GRA_Cubic, "cubic", "Cubic", "warp/cubic.h", "Cubic", "AntialiasedCubic", 2, centres, 2,
         true, false, short_types},
        {GRA_CubicSpline, "cubicspline", "CubicSpline", "warp/cubicspline.h", "CubicSpline",
         nullptr, 2, centres, 2, true, false, short_integers},
        {GRA_Lanczos, "lanczos", "Lanczos", "warp/lanczos.h", "Lanczos", nullptr, 3, centres, 2,
         true, true, none},
        {GRA_Average, "average", "Average", "warp/average.h", "Average", nullptr, 0, corners, 2,
         true, false, none},
        {GRA_RMS, "rms", "RootMeanSquare", "warp/rms.h", "Rms", nullptr, 0, corners, 2, true, false,
         none},
        {GRA_Mode, "mode", "Mode", "warp/mode.h", "Mode", nullptr, 0, corners, 2, true, false,
         none},
        {GRA_Max, "max", "Maximum", "warp/extreme.h", "Max", nullptr, 0, corners, 2, true, false,
         none},
        {GRA_Min, "min", "Minimum", "warp/extreme.h", "Min", nullptr, 0, corners, 2, true, false,
         none},
        {GRA_Med, "med", "Median", "warp/quantile.h", "Med", nullptr, 0, corners, 2, true, false,
         none},
        {GRA_Q1, "q1", "Quartile1", "warp/quantile.h", "Q1", nullptr, 0, corners, 2, true, false,
         none},
        {GRA_Q3, "q3", "Quartile3", "warp/quantile.h", "Q3", nullptr, 0, corners, 2, true, false,
         none},
    };
    return table;
}

namespace {

template <typename Is>
const Resampling* Find(Is is) {
    const std::vector<Resampling>& table = Resamplings();
    const auto found = std::find_if(table.begin(), table.end(), is);
    return found == table.end() ? nullptr : &*found;
}

}  // namespace

const Resampling* FindResampling(GDALResampleAlg gdal) {
    return Find([&](const Resampling& row) { return row.gdal == gdal; });
}

const Resampling* FindResamplingOfVrt(const char* vrt_name) {
    if (EQUAL(vrt_name, "Default")) {
        vrt_name = "NearestNeighbour";
    }
    return Find([&](const Resampling& row) { return EQUAL(row.vrt_name, vrt_name); });
}

}  // namespace gdalgpu
