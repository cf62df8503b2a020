// The projections that have a kernel: PROJ's name -> set-up, parameter bytes, kernel header and
// type.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/proj/definition.h"
#include "plugin/coordinates/step_parameters.h"

namespace gdalgpu {

// A projection with its parameters read: `type` is a struct of `header` with forward(lon, lat, x,
// y) and, where PROJ has one, inverse(x, y, lon, lat); `parameters` are its bytes.
struct ProjectionKernel {
    std::string header;
    std::string type;
    std::vector<std::byte> parameters;
    bool has_inverse;
    // Where one projection's inverse is followed by another's forward, the latitude goes between
    // them as its sine and cosine alone, if the first gives and the second takes it so.
    bool gives_sine;
    bool takes_sine;
};

// True for a projection of the registry.
bool HasProjection(const std::string& name);

// Sets a projection up; `definition` holds what is common to all and may be changed. Throws
// NotFusable.
ProjectionKernel MakeProjection(const std::string& name, const StepParameters& p,
                                kernels::proj::Definition& definition);

// The names in the registry, for documentation and tests.
std::vector<std::string> ProjectionNames();

// The same by family, each with its name.
struct ProjectionFamily {
    std::string name;
    std::vector<std::string> projections;
};
std::vector<ProjectionFamily> ProjectionFamilies();

// Operations that reach each of a registered projection's kernels: "+proj=merc +ellps=WGS84".
std::vector<std::string> ProjectionExamples(const std::string& name);

}  // namespace gdalgpu
