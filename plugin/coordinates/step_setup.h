// How a step is entered into the registry: a line in the file of its family, steps_<family>.cpp,
// and what the families share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/proj/angles.h"
#include "kernels/proj/definition.h"
#include "plugin/coordinates/operation_step.h"
#include "plugin/coordinates/parameter_bytes.h"

namespace gdalgpu {

struct StepKind {
    const char* name;  // PROJ's
    // Fills in a step from its text; throws NotFusable.
    void (*make)(const StepText&, OperationStep&);
    // Parameters of its forms, without +proj: for tests.
    std::vector<const char*> examples;
};

// Axes, units, the stack of a pipeline, geographic coordinates.
std::vector<StepKind> BasicSteps();
// Geocentric coordinates, and shifts between datums.
std::vector<StepKind> DatumSteps();
// What looks grids up; vertoffset.
std::vector<StepKind> GridSteps();
// Polynomials.
std::vector<StepKind> PolynomialSteps();
// Projections of a turned sphere.
std::vector<StepKind> ObliqueSteps();

constexpr double kArcSecond = kernels::proj::kPi / 180 / 3600;

// The order of a +axis as axisswap writes it: "wnu" -> "-1,2,3". Throws NotFusable.
std::string OrderOfAxis(const StepParameters& p, const std::string& axis);

// Reads the parameters that PROJ reads for every operation; throws NotFusable.
kernels::proj::Definition ReadCommon(const StepParameters& p, OperationStep& step);

// Sets what is done at the ends of a step, once its own parameters have been read, which may change
// the definition. a: metres in the unit of the step's plane end.
void SetEnds(const kernels::proj::Definition& d, double a, OperationStep& step);

// A projection in the middle of a step: the kernel struct that does it, with its bytes.
void SetProjection(const std::string& type, const std::vector<std::byte>& parameters,
                   OperationStep& step);

// A step with the common parameters alone.
kernels::proj::Definition MakeNeutral(const StepText& text, OperationStep& step);

}  // namespace gdalgpu
