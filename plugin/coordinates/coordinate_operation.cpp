#include "plugin/coordinates/coordinate_operation.h"

#include <array>
#include <cmath>
#include <map>

#include "plugin/coordinates/operation_step.h"
#include "plugin/coordinates/parameter_bytes.h"

namespace gdalgpu {

namespace {

using kernels::step::Angles;
using kernels::step::Plane;

// A step and the direction in which it runs.
struct Run {
    OperationStep step;
    bool forward;
};

// A step without units of its own takes those of its neighbours, where they have some: first of the
// next, then of the previous one, as PROJ's pipeline does.
void SpreadUnits(std::vector<OperationStep>& steps) {
    const auto neutral = [](const OperationStep& s) {
        return s.left == Units::Any && s.right == Units::Any;
    };
    const auto input = [](const OperationStep& s) { return s.input(!s.inverse); };
    const auto output = [](const OperationStep& s) { return s.output(!s.inverse); };
    for (size_t i = steps.size() - 1; i-- > 0;) {
        if (neutral(steps[i]) && !neutral(steps[i + 1])) {
            steps[i].left = steps[i].right = input(steps[i + 1]);
        }
    }
    for (size_t i = 1; i < steps.size(); ++i) {
        if (neutral(steps[i]) && !neutral(steps[i - 1])) {
            steps[i].left = steps[i].right = output(steps[i - 1]);
        }
    }
    for (size_t i = 0; i + 1 < steps.size(); ++i) {
        const Units from = output(steps[i]);
        const Units to = input(steps[i + 1]);
        if (from != Units::Any && to != Units::Any && from != to) {
            throw NotFusable("step " + std::to_string(i + 1) + " (" + steps[i].name +
                             "): its units don't fit the next step's");
        }
    }
}

// The units of a height, and of a plane, are metres without offset: nothing to do at the end.
bool Trivial(const Angles& a) { return a.z_0 == 0 && a.z_to_metres == 1; }
bool Trivial(const Plane& p) {
    return p.a == 1 && p.x_0 == 0 && p.y_0 == 0 && p.z_0 == 0 && p.to_metres == 1 &&
           p.z_to_metres == 1;
}

// No flag of the step changes an angle.
bool LeavesAngles(const OperationStep& step) {
    return (step.angle_flags & ~kernels::step::kExactSouthPole) == 0;
}

bool IsNoop(const Run& run) {
    return run.step.name == "noop" && run.step.axis.empty() && Trivial(run.step.plane) &&
           run.step.angles.central_meridian == 0 && LeavesAngles(run.step) && !run.step.shifts;
}

// Two unit conversions that undo each other.
bool Cancel(const Run& first, const Run& second) {
    const auto plain = [](const Run& run) {
        const OperationStep& s = run.step;
        return s.scales && s.axis.empty() && Trivial(s.plane) && LeavesAngles(s) && !s.shifts &&
               s.angles.central_meridian == 0 && (run.forward || s.left != Units::Radians);
    };
    const auto factor = [](const Run& run, double f) { return run.forward ? f : 1 / f; };
    const auto one = [](double product) { return std::fabs(product - 1) < 1e-15; };
    return plain(first) && plain(second) &&
           one(factor(first, first.step.xy_factor) * factor(second, second.step.xy_factor)) &&
           one(factor(first, first.step.z_factor) * factor(second, second.step.z_factor));
}

std::vector<Run> Simplify(const std::vector<Run>& runs) {
    std::vector<Run> kept;
    for (const Run& run : runs) {
        if (IsNoop(run) && runs.size() > 1) {
            continue;
        }
        if (!kept.empty() && Cancel(kept.back(), run)) {
            kept.pop_back();
        } else {
            kept.push_back(run);
        }
    }
    return kept;
}

// Whether the latitude can go from one run to the next as its sine and cosine: between a
// projection's inverse and another's forward nothing but the longitude is touched then.
bool PassesSine(const Run& from, const Run& to) {
    return !from.forward && to.forward && !from.step.inverted.statement_with_sine.empty() &&
           !to.step.forward.statement_with_sine.empty() && from.step.finishes && to.step.prepares &&
           !((from.step.angle_flags | to.step.angle_flags) & kernels::step::kGeocentric) &&
           !from.step.shifts && !to.step.shifts;
}

// Writes the members and the body of the emitted struct.
class Writer {
  public:
    explicit Writer(Precision precision) : precision_(precision) {}

    // gets_sine, gives_sine: the latitude comes from the previous, goes to the next run as its sine
    // and cosine.
    void Write(const Run& run, size_t number, bool gets_sine, bool gives_sine) {
        run_ = &run;
        number_ = std::to_string(number);
        gets_sine_ = gets_sine;
        with_sine_ = gets_sine || gives_sine;
        Line("// " + run.step.name + (run.forward ? "" : "^-1"));
        if (run.forward) {
            EnterForward();
            Middle(run.step.forward);
            LeaveForward();
        } else {
            EnterInverse();
            Middle(run.step.inverted);
            LeaveInverse();
        }
    }

    std::vector<std::string> headers;
    std::string members;
    std::string body;
    std::vector<std::byte> parameters;
    std::vector<DeviceData> data;
    bool projects = false;  // there is a projection among the runs

  private:
    void Line(const std::string& text) { body += "        " + text + "\n"; }

    template <class T>
    std::string Member(const std::string& type, const std::string& prefix, const T& value) {
        return Member(type, prefix, Bytes(value));
    }

    std::string Member(const std::string& type, const std::string& prefix,
                       const std::vector<std::byte>& bytes) {
        std::string name = prefix + number_;
        members += "    " + type + " " + name + ";\n";
        parameters.insert(parameters.end(), bytes.begin(), bytes.end());
        return name;
    }

    const std::string& AnglesMember() {
        if (angles_of_ != number_) {
            angles_ = Member("kernels::step::Angles", "angles", run_->step.angles);
            angles_of_ = number_;
        }
        return angles_;
    }

    std::string ShiftMember(const kernels::step::DatumShift& shift) {
        headers.push_back("step/datum_shift.h");
        return Member("kernels::step::DatumShift", "shift", shift);
    }

    std::string PlaneMember() {
        Plane plane = run_->step.plane;
        if (run_->step.output(true) == Units::Cartesian) {
            plane.a = plane.r_a = 1;
            plane.x_0 = plane.y_0 = plane.z_0 = 0;
            plane.z_to_metres = plane.to_metres;
            plane.z_from_metres = plane.from_metres;
        }
        return Member("kernels::step::Plane", "plane", plane);
    }

    // Whether the plane end does anything; projections always have it, so that one text serves all
    // their parameters.
    bool HasPlane() const {
        const OperationStep& step = run_->step;
        if (step.right == Units::Cartesian) {
            return step.plane.to_metres != 1;
        }
        return step.right == Units::Plane && (step.left == Units::Radians || !Trivial(step.plane));
    }

    std::string Flags() const { return "<" + std::to_string(run_->step.angle_flags) + ">"; }

    void Check() { Line("if (kernels::step::any_refused(x, y, z)) return false;"); }
    void CheckFirst() { Line("if (kernels::proj::is_refused(x)) return false;"); }

    void EnterForward() {
        if (!run_->step.prepares) {
            CheckFirst();
            return;
        }
        if (gets_sine_) {
            Line("if (!" + AnglesMember() + ".enter_longitude" + Flags() + "(x, z)) return false;");
        } else if (run_->step.left == Units::Radians) {
            Line("if (!" + AnglesMember() + ".enter" + Flags() + "(x, y, z)) return false;");
            if (run_->step.shifts) {
                Line(ShiftMember(run_->step.from_wgs84) + ".enter" + Flags() + "(x, y, z);");
            }
        } else {
            Check();
            if (run_->step.left == Units::Cartesian && run_->step.shifts) {
                headers.push_back("step/affine.h");
                Line(Member("kernels::step::Affine", "shift", run_->step.from_wgs84.shift) +
                     ".apply(x, y, z);");
            }
        }
    }

    void LeaveForward() {
        CheckFirst();
        const OperationStep& step = run_->step;
        if (!step.finishes) {
            return;
        }
        if (HasPlane()) {
            Line(PlaneMember() + ".leave_forward(x, y, z);");
        } else if (step.right == Units::Radians &&
                   (!Trivial(step.angles) || step.angle_flags & kernels::step::kLongitudeWrap)) {
            Line(AnglesMember() + ".leave_forward" + Flags() + "(x, z);");
        }
        if (!step.axis.empty()) {
            Line(AxisSwapStatement(StepParameters(step.name, {}), step.axis, false));
        }
    }

    void EnterInverse() {
        const OperationStep& step = run_->step;
        if (!step.prepares) {
            CheckFirst();
            return;
        }
        if (!step.axis.empty()) {
            Check();
            Line(AxisSwapStatement(StepParameters(step.name, {}), step.axis, true));
        }
        if (HasPlane()) {
            Line("if (!" + PlaneMember() + ".enter_inverse(x, y, z)) return false;");
        } else if (step.right == Units::Radians && !Trivial(step.angles)) {
            Line("if (!" + AnglesMember() + ".enter_inverse(x, y, z)) return false;");
        } else {
            Check();
        }
    }

    void LeaveInverse() {
        CheckFirst();
        if (run_->step.finishes && run_->step.left == Units::Radians) {
            if (run_->step.shifts) {
                Line(ShiftMember(run_->step.to_wgs84) + ".leave(x, y, z);");
            }
            Line(AnglesMember() + ".leave" + Flags() + "(x, y);");
        }
    }

    void Middle(const gdalgpu::Middle& middle) {
        const OperationStep& step = run_->step;
        PushPop(run_->forward ? step.pushes : step.pops, run_->forward ? step.pops : step.pushes);
        for (const std::string& header : {step.header, step.outer_header}) {
            if (!header.empty()) {
                headers.push_back(header);
            }
        }
        std::string statement = with_sine_ ? middle.statement_with_sine : middle.statement;
        if (!middle.member_type.empty()) {
            for (const DeviceData& item : middle.data) {
                data.push_back({parameters.size() + item.offset, item.bytes});
            }
            projects = projects || middle.projects;
            const std::string member =
                Member(middle.member_type, "step",
                       middle.projects ? EncodeParameters(middle.parameters, precision_)
                                       : middle.parameters);
            for (size_t at; (at = statement.find('$')) != std::string::npos;) {
                statement.replace(at, 1, member);
            }
        }
        if (!statement.empty()) {
            Line(statement);
        }
    }

    // Pipelines are known at set-up, so their stacks are local variables. Popping an empty stack
    // does nothing.
    void PushPop(unsigned pushed, unsigned popped) {
        std::array<std::vector<std::string>, 4>& stacks = stacks_[run_->step.pipeline];
        for (int i = 0; i < 4; ++i) {
            const std::string coordinate(1, "xyzt"[i]);
            if (pushed & (1u << i)) {
                stacks[i].push_back("saved_" + coordinate + number_);
                Line("const double " + stacks[i].back() + " = " + coordinate + ";");
            }
            if (popped & (1u << i) && !stacks[i].empty()) {
                Line(coordinate + " = " + stacks[i].back() + ";");
                stacks[i].pop_back();
            }
        }
    }

    const Precision precision_;
    const Run* run_ = nullptr;
    std::string number_;
    bool gets_sine_ = false;
    bool with_sine_ = false;
    std::string angles_;
    std::string angles_of_;
    std::map<int, std::array<std::vector<std::string>, 4>> stacks_;  // by pipeline
};

}  // namespace

CoordinateOperation CoordinateOperation::FromPipeline(const std::string& text, bool inverse,
                                                      Precision precision) {
    std::vector<OperationStep> steps;
    for (const StepText& step : ParsePipeline(text)) {
        steps.push_back(MakeOperationStep(step));
    }
    SpreadUnits(steps);
    std::vector<Run> runs;
    for (size_t i = 0; i < steps.size(); ++i) {
        const OperationStep& step = inverse ? steps[steps.size() - 1 - i] : steps[i];
        if (!(inverse ? step.omit_inverse : step.omit_forward)) {
            const bool forward = step.inverse == inverse;
            if (!forward && !step.has_inverse) {
                throw NotFusable(step.name + ": PROJ has no inverse of it");
            }
            runs.push_back({step, forward});
        }
    }
    Writer writer(precision);
    CoordinateOperation operation;
    runs = Simplify(runs);
    bool passed_sine = false;
    for (size_t i = 0; i < runs.size(); ++i) {
        const Run& run = runs[i];
        const size_t number = i + 1;
        const bool passes_sine =
            !passed_sine && number < runs.size() && PassesSine(run, runs[number]);
        writer.Write(run, number, passed_sine, passes_sine);
        passed_sine = passes_sine;
        operation.description_ +=
            (number > 1 ? " " : "") + run.step.name + (run.forward ? "" : "^-1");
    }
    if (operation.description_.empty()) {
        operation.description_ = "noop";
    }
    if (writer.parameters.empty()) {
        writer.members = "    long long unused;\n";
        writer.parameters.resize(8);
    }
    operation.headers_ = writer.headers;
    operation.members_ = writer.members;
    operation.body_ = writer.body;
    operation.parameters_ = writer.parameters;
    operation.data_ = writer.data;
    if (writer.projects) operation.precision_ = precision;
    return operation;
}

void CoordinateOperation::Emit(gpu::Source& source, const std::string& struct_name,
                               bool one_of_several) const {
    EmitPrecision(source, precision_);
    source.include("step/ends.h");
    for (const std::string& header : headers_) {
        source.include(header);
    }
    source.append("// " + description_ + "\nstruct " + struct_name + " {\n" + members_ +
                  "\n    GPU_FUNC bool apply(double& x, double& y, double& z, double& t) const {\n"
                  "        kernels::real u = 0, v = 0, sine = 0, cosine = 0;\n"
                  "        (void)u, (void)v, (void)sine, (void)cosine, (void)t;\n" +
                  (RulesOfProj().nan_is_a_point && !one_of_several
                       ? "        if (kernels::step::spread_nan(x, y, z, t)) return true;\n"
                       : "") +
                  body_ + "        return !kernels::proj::is_refused(x);\n    }\n};\n");
}

}  // namespace gdalgpu
