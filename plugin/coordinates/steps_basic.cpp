#include <array>
#include <map>
#include <string>
#include <vector>

#include "kernels/step/geoc.h"
#include "kernels/step/unitconvert.h"
#include "plugin/coordinates/step_setup.h"
#include "plugin/coordinates/units.h"

namespace gdalgpu {

namespace {

using kernels::proj::Definition;

void MakeLonglat(const StepText& text, OperationStep& step) {
    Definition d = ReadCommon(text.parameters, step);
    d.x_0 = d.y_0 = 0;
    SetEnds(d, 1, step);
    step.left = step.right = Units::Radians;
}

void MakeNoop(const StepText& text, OperationStep& step) { MakeNeutral(text, step); }

void MakePushPop(const StepText& text, OperationStep& step) {
    MakeNeutral(text, step);
    unsigned mask = 0;
    const char* names[] = {"v_1", "v_2", "v_3", "v_4"};
    for (int i = 0; i < 4; ++i) {
        mask |= text.parameters.has(names[i]) ? 1u << i : 0u;
    }
    (text.name == "push" ? step.pushes : step.pops) = mask;
}

void MakeSet(const StepText& text, OperationStep& step) {
    MakeNeutral(text, step);
    std::array<double, 4> values = {};
    const char* names[] = {"v_1", "v_2", "v_3", "v_4"};
    std::string statement;
    for (int i = 0; i < 4; ++i) {
        if (text.parameters.has(names[i])) {
            values[i] = text.parameters.number(names[i]);
            statement += std::string(statement.empty() ? "" : " ") + "xyzt"[i] + " = $.v[" +
                         std::to_string(i) + "];";
        }
    }
    step.header = "step/set.h";
    step.forward = step.inverted = {"kernels::step::Values", Bytes(values), statement};
}

void MakeAxisSwap(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    if (p.has("order") == p.has("axis")) {
        p.fail("order", "and +axis exclude each other, and one is needed");
    }
    const std::string order = p.has("order") ? p.text("order") : OrderOfAxis(p, p.text("axis"));
    MakeNeutral(text, step);
    step.axis.clear();
    step.forward = {"", {}, AxisSwapStatement(p, order, false)};
    step.inverted = {"", {}, AxisSwapStatement(p, order, true)};
    step.prepares = step.finishes = false;
    if (p.has("angularunits")) {
        step.left = step.right = Units::Radians;
    }
}

// The name of a time unit's constant in the kernels; empty where the parameter is absent.
std::string TimeUnit(const StepParameters& p, const char* name) {
    if (!p.has(name)) {
        return "";
    }
    static const std::map<std::string, const char*> kUnits = {{"mjd", "kModifiedJulianDate"},
                                                              {"decimalyear", "kDecimalYear"},
                                                              {"gps_week", "kGpsWeek"},
                                                              {"yyyymmdd", "kYearMonthDay"}};
    const auto found = kUnits.find(p.text(name));
    if (found == kUnits.end()) {
        p.fail(name, "names no unit of time");
    }
    return std::string("kernels::step::") + found->second;
}

// A missing unit is the modified Julian date. Between equal units there is work too: dates that no
// calendar has become those that PROJ takes them for.
std::string TimeStatement(const std::string& from, const std::string& to) {
    if (from.empty() && to.empty()) {
        return "";
    }
    const std::string date = from.empty() ? "t" : "kernels::step::date_from<" + from + ">(t)";
    return " t = " + (to.empty() ? date : "kernels::step::date_to<" + to + ">(" + date + ")") + ";";
}

void MakeUnitConvert(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    const Unit from = ReadUnit(p, "xy_in");
    const Unit to = ReadUnit(p, "xy_out");
    const auto ends = [](const Unit& unit) {
        return unit.kind == Unit::Kind::Radian   ? Units::Radians
               : unit.kind == Unit::Kind::Degree ? Units::Degrees
                                                 : Units::Any;
    };
    step.left = ends(from);
    step.right = ends(to);
    step.xy_factor = UnitFactor(p, "xy_in", from, to);
    step.z_factor = UnitFactor(p, "z_in", ReadUnit(p, "z_in"), ReadUnit(p, "z_out"));
    const std::string time_in = TimeUnit(p, "t_in");
    const std::string time_out = TimeUnit(p, "t_out");
    step.scales = time_in.empty() && time_out.empty();
    step.prepares = false;
    step.header = "step/unitconvert.h";
    const char* type = "kernels::step::UnitConvert";
    const kernels::step::UnitConvert forward = {step.xy_factor, step.z_factor};
    const kernels::step::UnitConvert inverted = {1 / step.xy_factor, 1 / step.z_factor};
    step.forward = {type, Bytes(forward), "$.apply(x, y, z);" + TimeStatement(time_in, time_out)};
    step.inverted = {type, Bytes(inverted), "$.apply(x, y, z);" + TimeStatement(time_out, time_in)};
}

// Geographic to geocentric latitude.
void MakeGeocentricLatitude(const StepText& text, OperationStep& step) {
    const Definition d = ReadCommon(text.parameters, step);
    SetEnds(d, 1, step);
    step.left = step.right = Units::Radians;
    if (d.ellipsoid.es == 0) {
        return;
    }
    step.header = "step/geoc.h";
    const kernels::step::GeocentricLatitude latitude = {d.ellipsoid.one_es};
    step.forward = {"kernels::step::GeocentricLatitude", Bytes(latitude), "$.forward(y);"};
    step.inverted = {"kernels::step::GeocentricLatitude", Bytes(latitude), "$.inverse(y);"};
}

}  // namespace

std::vector<StepKind> BasicSteps() {
    const std::vector<const char*> geographic = {"+ellps=GRS80 +lon_0=10 +pm=paris",
                                                 "+datum=OSGB36"};
    return {
        {"axisswap", MakeAxisSwap, {"+order=2,1", "+order=-2,1,-3", "+axis=wsu"}},
        {"geoc", MakeGeocentricLatitude, {"+ellps=GRS80"}},
        {"latlon", MakeLonglat, geographic},
        {"latlong", MakeLonglat, geographic},
        {"lonlat", MakeLonglat, geographic},
        {"longlat", MakeLonglat, geographic},
        {"noop", MakeNoop, {""}},
        {"pop", MakePushPop, {"+v_1"}},
        {"push", MakePushPop, {"+v_1"}},
        {"set", MakeSet, {"+v_1=1 +v_3=3"}},
        {"unitconvert",
         MakeUnitConvert,
         {"+xy_in=deg +xy_out=rad", "+xy_in=us-ft +xy_out=m +z_in=us-ft +z_out=m",
          "+t_in=decimalyear +t_out=yyyymmdd", "+t_in=gps_week +t_out=decimalyear"}},
    };
}

}  // namespace gdalgpu
