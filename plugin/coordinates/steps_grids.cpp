#include <cmath>
#include <cstddef>
#include <ctime>
#include <limits>
#include <utility>

#include "kernels/step/deformation.h"
#include "kernels/step/hgridshift.h"
#include "kernels/step/vertoffset.h"
#include "kernels/step/vgridshift.h"
#include "kernels/step/xyzgridshift.h"
#include "plugin/coordinates/datum_shift.h"
#include "plugin/coordinates/grids.h"
#include "plugin/coordinates/step_setup.h"

namespace gdalgpu {

namespace {

using Table = std::shared_ptr<const std::vector<std::byte>>;

void RequireGrids(const StepParameters& p, const char* parameter) {
    const char* names = p.text(parameter);
    if (names == nullptr || names[0] == '\0') p.fail(parameter, "should name a grid");
}

// Parameters of a kernel's struct with the addresses of tables in some of its members.
template <class T>
Middle WithTables(const char* type, const T& kernel,
                  const std::vector<std::pair<size_t, Table>>& tables,
                  const std::string& statement) {
    Middle middle{type, Bytes(kernel), statement};
    for (const auto& [offset, table] : tables) middle.data.push_back({offset, table});
    return middle;
}

// +t_final=now: the local year, and the day in it of 365.
double Now() {
    const std::time_t now = std::time(nullptr);
    std::tm date = {};
    localtime_r(&now, &date);
    return 1900.0 + date.tm_year + date.tm_yday / 365.0;
}

// +t_epoch and +t_final: the condition under which a point is shifted; empty: always; "false":
// never.
std::string TimeCondition(const StepParameters& p) {
    double last = 0;
    if (p.has("t_final")) last = p.is("t_final", "now") ? Now() : p.number("t_final");
    const double epoch = p.number("t_epoch");
    if (last == 0 || epoch == 0) return "";
    return last > epoch ? "t < $.epoch" : "false";
}

// A statement that does `call`, on the condition.
std::string Guarded(const std::string& condition, const std::string& call) {
    return "if (" + (condition.empty() ? "" : condition + " && ") + "!" + call + ") return false;";
}

void MakeHGridShift(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    step.left = step.right = Units::Radians;
    RequireGrids(p, "grids");
    const Table table = LoadGrids(p, "grids", GridUse::Shift);
    const std::string condition = TimeCondition(p);
    if (!table || condition == "false") return;
    using kernels::step::HorizontalGridShift;
    const HorizontalGridShift kernel = {nullptr, p.number("t_epoch")};
    const auto run = [&](const char* call) {
        return WithTables("kernels::step::HorizontalGridShift", kernel,
                          {{offsetof(HorizontalGridShift, grids), table}},
                          Guarded(condition, call));
    };
    step.header = "step/hgridshift.h";
    step.forward = run("$.forward(x, y)");
    step.inverted = run("$.inverse(x, y)");
}

void MakeVGridShift(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    MakeNeutral(text, step);
    step.left = step.right = Units::Radians;
    RequireGrids(p, "grids");
    const double multiplier = p.has("multiplier") ? p.number("multiplier") : -1;
    const std::string grids = p.text("grids");
    if (multiplier == 0.001 &&
        (grids == "vertconw.gtx" || grids == "vertconc.gtx" || grids == "vertcone.gtx")) {
        p.fail("multiplier", "has another meaning where PROJ finds a VERTCON grid as GeoTIFF");
    }
    const Table table = LoadGrids(p, "grids", GridUse::Height, multiplier);
    const std::string condition = TimeCondition(p);
    if (!table || condition == "false") return;
    using kernels::step::VerticalGridShift;
    const VerticalGridShift kernel = {nullptr, multiplier, p.number("t_epoch")};
    const auto run = [&](const char* call) {
        return WithTables("kernels::step::VerticalGridShift", kernel,
                          {{offsetof(VerticalGridShift, grids), table}}, Guarded(condition, call));
    };
    step.header = "step/vgridshift.h";
    step.forward = run("$.forward(x, y, z)");
    step.inverted = run("$.inverse(x, y, z)");
}

void MakeXyzGridShift(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    const kernels::proj::Definition d = MakeNeutral(text, step);
    step.left = step.right = Units::Cartesian;
    RequireGrids(p, "grids");
    const bool at_output = p.is("grid_ref", "output_crs");
    if (p.has("grid_ref") && !at_output && !p.is("grid_ref", "input_crs"))
        p.fail("grid_ref", "should be input_crs or output_crs");
    const double multiplier = p.has("multiplier") ? p.number("multiplier") : 1;
    const Table table = LoadGrids(p, "grids", GridUse::Translation);
    if (!table) p.fail("grids", "names no grid that is on this machine");
    using kernels::step::GeocentricGridShift;
    const GeocentricGridShift kernel = {MakeCart(d.ellipsoid), nullptr, multiplier};
    const auto run = [&](bool direct, const char* sign) {
        return WithTables("kernels::step::GeocentricGridShift", kernel,
                          {{offsetof(GeocentricGridShift, grids), table}},
                          Guarded("", std::string("$.") + (direct ? "direct" : "iterated") +
                                          "(x, y, z, " + sign + ")"));
    };
    step.header = "step/xyzgridshift.h";
    step.forward = run(!at_output, "1");
    step.inverted = run(at_output, "-1");
}

void MakeDeformation(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    const kernels::proj::Definition d = MakeNeutral(text, step);
    step.left = step.right = Units::Cartesian;
    if (p.has("dt") == p.has("t_epoch"))
        p.fail("dt", "and +t_epoch exclude each other, and one is needed");
    if (p.has("t_obs")) p.fail("t_obs", "has been replaced by +dt");
    const double years = p.has("dt") ? p.number("dt") : std::numeric_limits<double>::quiet_NaN();
    const double epoch = p.number("t_epoch");
    const kernels::step::Cart cart = MakeCart(d.ellipsoid);
    step.header = "step/deformation.h";
    const char* forward = "if (!$.forward(x, y, z, t)) return false;";
    const char* inverse = "if (!$.inverse(x, y, z, t)) return false;";
    if (p.has("grids")) {
        RequireGrids(p, "grids");
        const Table table = LoadGrids(p, "grids", GridUse::Velocity);
        if (!table) p.fail("grids", "names no grid that is on this machine");
        using Kernel = kernels::step::Deformation<kernels::step::VelocityGrid>;
        const char* type = "kernels::step::Deformation<kernels::step::VelocityGrid>";
        const Kernel kernel = {cart, {nullptr}, years, epoch, p.rules().deformation_needs_time};
        const std::vector<std::pair<size_t, Table>> tables = {
            {offsetof(Kernel, velocities) + offsetof(kernels::step::VelocityGrid, grids), table}};
        step.forward = WithTables(type, kernel, tables, forward);
        step.inverted = WithTables(type, kernel, tables, inverse);
        p.has("xy_grids");
        p.has("z_grids");
        return;
    }
    RequireGrids(p, "xy_grids");
    RequireGrids(p, "z_grids");
    const Table horizontal = LoadGrids(p, "xy_grids", GridUse::ShiftAsStored);
    const Table vertical = LoadGrids(p, "z_grids", GridUse::Height);
    if (!horizontal) p.fail("xy_grids", "names no grid that is on this machine");
    if (!vertical) p.fail("z_grids", "names no grid that is on this machine");
    using kernels::step::VelocityGrids;
    using Kernel = kernels::step::Deformation<VelocityGrids>;
    const char* type = "kernels::step::Deformation<kernels::step::VelocityGrids>";
    const Kernel kernel = {
        cart, {nullptr, nullptr}, years, epoch, p.rules().deformation_needs_time};
    const std::vector<std::pair<size_t, Table>> tables = {
        {offsetof(Kernel, velocities) + offsetof(VelocityGrids, horizontal), horizontal},
        {offsetof(Kernel, velocities) + offsetof(VelocityGrids, vertical), vertical}};
    step.forward = WithTables(type, kernel, tables, forward);
    step.inverted = WithTables(type, kernel, tables, inverse);
}

void MakeVertOffset(const StepText& text, OperationStep& step) {
    const StepParameters& p = text.parameters;
    const kernels::proj::Definition d = MakeNeutral(text, step);
    step.left = step.right = Units::Radians;
    const kernels::proj::Ellipsoid& e = d.ellipsoid;
    const double sine = std::sin(d.lat_0);
    const double w = 1 - e.es * sine * sine;
    const kernels::step::VerticalOffset kernel = {
        p.number("dh"), p.number("slope_lat") * kArcSecond * e.a * (1 - e.es) / (w * std::sqrt(w)),
        p.number("slope_lon") * kArcSecond * e.a / std::sqrt(w), d.lat_0, d.lon_0};
    step.header = "step/vertoffset.h";
    step.forward = WithTables("kernels::step::VerticalOffset", kernel, {}, "$.forward(x, y, z);");
    step.inverted = WithTables("kernels::step::VerticalOffset", kernel, {}, "$.inverse(x, y, z);");
}

}  // namespace

std::vector<StepKind> GridSteps() {
    return {
        {"deformation",
         MakeDeformation,
         {"+grids=null +dt=1 +ellps=GRS80", "+xy_grids=null +z_grids=null +t_epoch=2000"}},
        {"hgridshift", MakeHGridShift, {"+grids=null", "+grids=null +t_epoch=2010 +t_final=2020"}},
        {"vertoffset",
         MakeVertOffset,
         {"+dh=1 +lat_0=46.9 +lon_0=8.2 +slope_lat=-1.1 +slope_lon=0.7 +ellps=GRS80"}},
        {"vgridshift", MakeVGridShift, {"+grids=null", "+grids=null +t_epoch=2010 +t_final=2020"}},
        {"xyzgridshift", MakeXyzGridShift, {"+grids=null +ellps=GRS80"}},
    };
}

}  // namespace gdalgpu
