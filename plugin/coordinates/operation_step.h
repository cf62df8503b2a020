// One step of a coordinate operation, set up: what to emit for either direction.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/step/datum_shift.h"
#include "kernels/step/ends.h"
#include "plugin/coordinates/device_data.h"
#include "plugin/coordinates/step_parameters.h"

namespace gdalgpu {

// Units at an end of a step. Any: those of the neighbour.
enum class Units { Any, Plane, Cartesian, Radians, Degrees };

// The middle of a step, between what its ends do: a member of the emitted struct and a statement on
// x, y, z, t that uses it, with $ for the member's name.
struct Middle {
    std::string member_type;  // empty: no member
    std::vector<std::byte> parameters;
    std::string statement;
    std::vector<DeviceData> data = {};  // what the parameters point to
    // The same with the latitude as `sine` and `cosine` instead of y, on the geographic side; empty
    // where there is no such form.
    std::string statement_with_sine = {};
    // The member is a projection, or one around another: its own members are kernels::parameter.
    bool projects = false;
};

struct OperationStep {
    std::string name;
    bool inverse = false;  // stands inverted in its pipeline
    bool omit_forward = false;
    bool omit_inverse = false;
    bool has_inverse = true;
    int pipeline = 0;  // whose stack it pushes to and pops from
    std::string header;
    std::string outer_header = {};  // of a template around the member's type
    Middle forward;
    Middle inverted;

    // Seen with the step not inverted, as PROJ has them.
    Units left = Units::Any;
    Units right = Units::Any;
    bool prepares = true;  // PROJ checks and converts the input (not for axisswap, unitconvert)
    bool finishes = true;
    bool shifts = false;  // +towgs84 and +datum: between WGS84 and the step's datum
    bool scales = false;  // unitconvert without times

    int angle_flags = 0;
    kernels::step::Angles angles = {};
    kernels::step::Plane plane = {};
    kernels::step::DatumShift from_wgs84 = {};
    kernels::step::DatumShift to_wgs84 = {};
    std::string axis;  // order of a +axis other than enu, as axisswap writes it

    // push and pop: a bit for each of v_1 to v_4.
    unsigned pushes = 0;
    unsigned pops = 0;

    // unitconvert: the factors, for cancelling pairs.
    double xy_factor = 1;
    double z_factor = 1;

    Units input(bool forward_run) const { return forward_run ? left : right; }
    Units output(bool forward_run) const { return forward_run ? right : left; }
};

// Reads one step. Throws NotFusable, naming the step and the parameter.
OperationStep MakeOperationStep(const StepText& text);

// The operations other than projections that can be a step, for documentation and tests.
std::vector<std::string> StepNames();

// Operations that reach each of such a step's forms: "+proj=geoc +ellps=GRS80".
std::vector<std::string> StepExamples(const std::string& name);

// The statement that permutes coordinates by an axisswap order such as "2,-1"; inverse: back.
// Throws NotFusable.
std::string AxisSwapStatement(const StepParameters& p, const std::string& order, bool inverse);

}  // namespace gdalgpu
