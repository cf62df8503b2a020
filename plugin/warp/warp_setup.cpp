#include "plugin/warp/warp_setup.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "plugin/gdal_rules.h"
#include "plugin/pixel_type.h"
#include "plugin/warp/resamplings.h"
#include "plugin/warp/warp_scale.h"

namespace gdalgpu {

namespace {

// The first warp option that there is no kernel for; empty where there is none.
std::string UnsupportedOption(const WarpChunk& chunk) {
    if (CPLFetchBool(chunk.options, "APPLY_VERTICAL_SHIFT", false)) {
        return "APPLY_VERTICAL_SHIFT";
    }
    for (const char* of_averages : {"EXCLUDED_VALUES", "NODATA_VALUES_PCT_THRESHOLD"}) {
        if (chunk.resampling == GRA_Average && LoadedGdalRules().averages_exclude_values &&
            CSLFetchNameValue(chunk.options, of_averages) != nullptr) {
            return of_averages;
        }
    }
    return "";
}

// XSCALE or YSCALE of the warp options, where it is there.
double ScaleOption(const WarpChunk& chunk, const char* name, double scale) {
    const char* text = CSLFetchNameValue(chunk.options, name);
    return text == nullptr || AsksForSampledScale(text) ? scale : CPLAtof(text);
}

// Whether the filter is widened; else the samples around the position are interpolated.
bool IsAntialiased(double x_scale, double y_scale) {
    const double least = std::min(x_scale, y_scale);
    return LoadedGdalRules().interpolates_down_to_half ? !(least > 0.5) : least < 0.95;
}

bool HasOwnCode(const Resampling& resampling, GDALDataType type) {
    const std::vector<GDALDataType>& types = resampling.own_types;
    return std::find(types.begin(), types.end(), type) != types.end();
}

void Use(const Resampling& resampling, const char* kernel, WarpSetup& setup) {
    setup.header = resampling.header;
    setup.resampling = kernel;
    setup.blocks_at_once = resampling.blocks_at_once;
    setup.points = resampling.points;
}

// Lanczos's weights of samples first to last by whole pixels, as GDAL computes them.
std::vector<double> WeightsByPlace(double scale, int64_t first, int64_t last) {
    std::vector<double> weights;
    for (int64_t i = first; i <= last; ++i) {
        const double at = M_PI * (static_cast<double>(i) * scale);
        weights.push_back(i == 0 ? 1.0 : std::sin(at) * std::sin(at / 3) / (at * (at / 3)));
    }
    return weights;
}

// The first and last sample of a filter along an axis.
struct Reach {
    int64_t first, last;
};

Reach ReachOf(const Resampling& resampling, double scale, bool begins_early) {
    const double radius = std::min(std::ceil(resampling.radius / scale), double{1 << 30});
    Reach reach{static_cast<int64_t>(-radius), static_cast<int64_t>(radius)};
    if (resampling.radius % 2 == 0 || (resampling.radius == 1 && !begins_early)) ++reach.first;
    if (resampling.weights_by_place && scale < 1 && !LoadedGdalRules().lanczos_follows_position) {
        while (static_cast<double>(reach.first) * scale < -resampling.radius) ++reach.first;
        while (static_cast<double>(reach.last) * scale > resampling.radius) --reach.last;
    }
    return reach;
}

// As GDAL computes it: by roots and sums of the cosine of a third.
kernels::warp::Turn TurnOf(double scale) {
    kernels::warp::Turn turn{};
    turn.cosine_of_third = std::cos(M_PI / 3 * scale);
    turn.sine_of_third = std::sqrt(1 - turn.cosine_of_third * turn.cosine_of_third);
    turn.cosine = (4 * turn.cosine_of_third * turn.cosine_of_third - 3) * turn.cosine_of_third;
    turn.sine = std::sqrt(1 - turn.cosine * turn.cosine);
    return turn;
}

// MODE_TIES, as Filter has it.
int64_t ModeTies(char** warp_options) {
    const char* text = CSLFetchNameValueDef(warp_options, "MODE_TIES", "FIRST");
    return EQUAL(text, "MIN") ? -1 : EQUAL(text, "MAX") ? 1 : 0;
}

}  // namespace

void WarpSetup::Apply(kernels::warp::Request& request) const {
    request.filter = filter;
    request.masked = masked;
    request.blends = blends;
    request.near_avoids_nodata = near_avoids_nodata;
    request.floats_avoid_nodata = floats_avoid_nodata;
    request.nodata_is_in_all_bands = nodata_is_in_all_bands;
    request.density_in_float = density_in_float;
    request.position_precision = position_precision;
}

double SourcePositionPrecision(char** warp_options) {
    return CPLAtof(CSLFetchNameValueDef(warp_options, "SRC_COORD_PRECISION", "0"));
}

std::string WarpPixelName(GDALDataType type) {
    if (!GDALDataTypeIsComplex(type)) {
        const char* name = DeviceTypeName(type);
        return name == nullptr ? "" : name;
    }
    const char* part = DeviceTypeName(GDALGetNonComplexDataType(type));
    return part == nullptr ? "" : "Complex<" + std::string(part) + ">";
}

std::string SetUpWarp(const WarpChunk& chunk, double x_scale, double y_scale, WarpSetup& setup) {
    const GDALDataType type = chunk.type;
    const char* type_name = GDALGetDataTypeName(type);
    setup.pixel = WarpPixelName(type);
    if (setup.pixel.empty()) {
        return std::string("working type ") + type_name + " has no kernel";
    }
    const std::string option = UnsupportedOption(chunk);
    if (!option.empty()) {
        return "warp option " + option + " has no kernel";
    }
    if (chunk.bands() < 1) {
        return "no bands to warp";
    }
    if (chunk.transformer == nullptr) {
        return "no transformer";
    }
    x_scale = ScaleOption(chunk, "XSCALE", x_scale);
    y_scale = ScaleOption(chunk, "YSCALE", y_scale);
    if (!(x_scale > 0 && y_scale > 0)) {
        return "no resampling scale: the operation's source or destination is empty";
    }
    const Resampling* const resampling = FindResampling(chunk.resampling);
    if (resampling == nullptr) {
        return "the resampling has no kernel";
    }

    const GdalRules& rules = LoadedGdalRules();
    const bool is_near = chunk.resampling == GRA_NearestNeighbour;
    setup.pixel_bytes = GDALGetDataTypeSizeBytes(type);
    setup.masked = chunk.has_source_mask();
    setup.position_precision = SourcePositionPrecision(chunk.options);
    const bool type_has_code =
        HasOwnCode(*resampling, type) && !CPLFetchBool(chunk.options, "USE_GENERAL_CASE", false);
    if (type == GDT_UInt16 && is_near && type_has_code && rules.near_blends_uint16_as_int16) {
        setup.pixel = "int16";
    }
    const bool own_code = type_has_code && !setup.masked && chunk.destination_valid == nullptr;
    setup.blends = !(type_has_code && is_near);
    setup.near_avoids_nodata = rules.near_avoids_destination_nodata;
    setup.floats_avoid_nodata = rules.floats_avoid_destination_nodata;
    setup.nodata_is_in_all_bands =
        rules.unified_nodata_is_avoided_in_all_bands && chunk.bands() > 1 &&
        CPLTestBool(CSLFetchNameValueDef(chunk.options, "UNIFIED_SRC_NODATA", "FALSE"));
    setup.density_in_float = rules.overlays_density_in_float;

    kernels::warp::Filter& filter = setup.filter;
    filter.x_scale = std::min(x_scale, 1.0);
    filter.y_scale = std::min(y_scale, 1.0);
    filter.wrap_scale = x_scale;
    filter.x_margin = 2 * std::max(1.0, std::ceil(1 / x_scale));
    filter.y_margin = 2 * std::max(1.0, std::ceil(1 / y_scale));
    filter.lanczos_follows_position = rules.lanczos_follows_position;
    filter.x_turn = TurnOf(filter.x_scale);
    filter.y_turn = TurnOf(filter.y_scale);
    filter.lanczos_takes_few_samples = rules.lanczos_takes_few_samples;
    filter.areas_meet_raster = rules.areas_meet_raster;
    filter.wrap_rule = rules.areas_wrap_by_the_next_column ? 2
                       : rules.areas_wrap_by_their_middle  ? 1
                                                           : 0;
    filter.means_are_running = rules.means_are_running;
    filter.modes_are_weighted = rules.modes_are_weighted;
    filter.mode_ties = ModeTies(chunk.options);

    Use(*resampling, resampling->kernel, setup);
    std::string antialiased;
    const bool has_radius = resampling->radius > 0;
    if (has_radius && !own_code &&
        (chunk.source_raster.width == 1 || chunk.source_raster.height == 1)) {
        Use(*FindResampling(GRA_NearestNeighbour), "Near", setup);
    } else if (has_radius &&
               (resampling->antialiased == nullptr || IsAntialiased(x_scale, y_scale))) {
        // GDAL's code for all types begins its bilinear filter one sample earlier, with a weight of
        // 0 that a NaN there still shows through.
        const Reach x = ReachOf(*resampling, filter.x_scale, !type_has_code);
        const Reach y = ReachOf(*resampling, filter.y_scale, !type_has_code);
        if (own_code &&
            (x.last > chunk.source_raster.width || y.last > chunk.source_raster.height)) {
            Use(*FindResampling(GRA_Bilinear), "Bilinear", setup);
        } else if (resampling->antialiased != nullptr) {
            Use(*resampling, resampling->antialiased, setup);
            antialiased = " antialiased";
        }
        filter.x_first = x.first;
        filter.x_radius = x.last;
        filter.y_first = y.first;
        filter.y_radius = y.last;
        const bool by_place = resampling->weights_by_place && !rules.lanczos_follows_position;
        if (by_place && filter.x_scale < 1) {
            setup.x_weights = WeightsByPlace(filter.x_scale, x.first, x.last);
        }
        if (by_place && filter.y_scale < 1) {
            setup.y_weights = WeightsByPlace(filter.y_scale, y.first, y.last);
        }
    }
    std::string shown = type_name;
    std::transform(shown.begin(), shown.end(), shown.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (type == GDT_Byte) {
        shown = "uint8";
    }
    setup.name = std::string("warp<") + resampling->name + "," + shown + ">" + antialiased;
    return "";
}

}  // namespace gdalgpu
