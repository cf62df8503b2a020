#include "plugin/coordinates/west_orientated.h"

#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "cpl_string.h"
#include "plugin/coordinates/proj_context.h"

namespace gdalgpu {

namespace {

constexpr double kDegree = 0.017453292519943295;

// "north,west" and the like; empty where an axis isn't in `unit` (SI).
std::string Directions(PJ_CONTEXT* context, const PJ* crs, double unit) {
    const Pj system(proj_crs_get_coordinate_system(context, crs));
    std::string directions;
    for (int i = 0; system != nullptr && i < 2; ++i) {
        const char* direction = nullptr;
        double to_si = 0;
        if (!proj_cs_get_axis_info(context, system.get(), i, nullptr, nullptr, &direction, &to_si,
                                   nullptr, nullptr, nullptr) ||
            std::fabs(to_si - unit) > 1e-12 * unit) {
            return "";
        }
        directions.append(i > 0 ? "," : "").append(direction);
    }
    return directions;
}

// The method's parameters by EPSG's codes, in degrees and metres; empty for another method.
std::map<std::string, double> Parameters(PJ_CONTEXT* context, const PJ* crs) {
    std::map<std::string, double> values;
    const Pj conversion(proj_crs_get_coordoperation(context, crs));
    const char* code = nullptr;
    if (conversion == nullptr ||
        !proj_coordoperation_get_method_info(context, conversion.get(), nullptr, nullptr, &code) ||
        code == nullptr || std::strcmp(code, "9826") != 0) {
        return values;
    }
    const int count = proj_coordoperation_get_param_count(context, conversion.get());
    for (int i = 0; i < count; ++i) {
        const char *name = nullptr, *category = nullptr;
        double value = 0, to_si = 1;
        if (proj_coordoperation_get_param(context, conversion.get(), i, nullptr, nullptr, &name,
                                          &value, nullptr, &to_si, nullptr, nullptr, nullptr,
                                          &category) &&
            name != nullptr) {
            const bool angle = category != nullptr && std::strcmp(category, "angular") == 0;
            values[name] = angle ? value * to_si / kDegree : value * to_si;
        }
    }
    return values;
}

std::string Operation(PJ_CONTEXT* context, const PJ* geographic, const PJ* projected,
                      bool inverse) {
    const Pj base(proj_crs_get_geodetic_crs(context, projected));
    if (base == nullptr || !proj_is_equivalent_to(base.get(), geographic,
                                                  PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS))
        return "";
    const std::map<std::string, double> values = Parameters(context, projected);
    if (values.size() != 5) return "";
    const auto value = [&](const char* code) {
        const auto found = values.find(code);
        return found == values.end() ? std::nan("") : found->second;
    };
    const std::string from = Directions(context, geographic, kDegree),
                      to = Directions(context, projected, 1);
    const Pj ellipsoid(proj_get_ellipsoid(context, geographic)),
        meridian(proj_get_prime_meridian(context, geographic));
    double a = 0, rf = 0, longitude = 1;
    if ((from != "north,east" && from != "east,north") ||
        (to != "north,west" && to != "west,north") || ellipsoid == nullptr || meridian == nullptr ||
        !proj_ellipsoid_get_parameters(context, ellipsoid.get(), &a, nullptr, nullptr, &rf) ||
        !proj_prime_meridian_get_parameters(context, meridian.get(), &longitude, nullptr,
                                            nullptr) ||
        longitude != 0 || rf == 0) {
        return "";
    }
    // False easting less lcc's.
    std::vector<std::string> steps = {
        "+proj=unitconvert +xy_in=deg +xy_out=rad",
        CPLSPrintf("+proj=lcc +lat_1=%.17g +lat_0=%.17g +lon_0=%.17g +k_0=%.17g +x_0=%.17g "
                   "+y_0=%.17g +a=%.17g +rf=%.17g",
                   value("8801"), value("8801"), value("8802"), value("8805"), -value("8806"),
                   value("8807"), a, rf),
        to == "north,west" ? "+proj=axisswap +order=2,-1" : "+proj=axisswap +order=-1,2"};
    if (from == "north,east") steps.insert(steps.begin(), "+proj=axisswap +order=2,1");
    std::string text = "+proj=pipeline";
    for (size_t i = 0; i < steps.size(); ++i)
        text += inverse ? " +step +inv " + steps[steps.size() - 1 - i] : " +step " + steps[i];
    return text;
}

}  // namespace

std::string WestOrientatedOperation(PJ_CONTEXT* context, const PJ* source, const PJ* target) {
    if (source == nullptr || target == nullptr) return "";
    if (proj_get_type(target) == PJ_TYPE_PROJECTED_CRS)
        return Operation(context, source, target, false);
    if (proj_get_type(source) == PJ_TYPE_PROJECTED_CRS)
        return Operation(context, target, source, true);
    return "";
}

}  // namespace gdalgpu
