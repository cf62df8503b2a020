// How a projection is entered into the registry: a line in the file of its family,
// projections_<family>.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/proj/definition.h"
#include "plugin/coordinates/parameter_bytes.h"
#include "plugin/coordinates/step_parameters.h"

namespace gdalgpu {

// One of a projection's structs: ellipsoid, sphere, another algorithm.
struct ProjectionVariant {
    const char* type;
    std::vector<std::byte> (*setup)(const StepParameters&, kernels::proj::Definition&);
    bool has_inverse;
    bool gives_sine;  // has inverse_with_sine(x, y, lon, sine, cosine)
    bool takes_sine;  // has forward_with_sine(lon, sine, cosine, x, y)
};

// Whether a projection has the member.
template <class P, class = void>
struct HasInverse : std::false_type {};
template <class P>
struct HasInverse<P, std::void_t<decltype(&P::inverse)>> : std::true_type {};
template <class P, class = void>
struct GivesSine : std::false_type {};
template <class P>
struct GivesSine<P, std::void_t<decltype(&P::inverse_with_sine)>> : std::true_type {};
template <class P, class = void>
struct TakesSine : std::false_type {};
template <class P>
struct TakesSine<P, std::void_t<decltype(&P::forward_with_sine)>> : std::true_type {};

struct Projection {
    const char* name;    // PROJ's
    const char* header;  // below kernels/
    // Reads what decides about the variant; an index into variants.
    size_t (*choose)(const StepParameters&, kernels::proj::Definition&);
    std::vector<ProjectionVariant> variants;
    // Parameters that reach each variant, without +proj: for tests.
    std::vector<const char*> examples;
};

std::vector<Projection> AzimuthalProjections();
std::vector<Projection> ConicProjections();
std::vector<Projection> CylindricalProjections();
std::vector<Projection> PseudocylindricalProjections();
// Compromises, polyhedra and others that fit nowhere else.
std::vector<Projection> WorldProjections();

// Choices for a Projection.
size_t OnlyVariant(const StepParameters& p, kernels::proj::Definition& d);
size_t EllipsoidOrSphere(const StepParameters& p, kernels::proj::Definition& d);
// Throws NotFusable for a sphere.
size_t EllipsoidOnly(const StepParameters& p, kernels::proj::Definition& d);

template <class P>
std::vector<std::byte> SetUpProjection(const StepParameters& p, kernels::proj::Definition& d) {
    static_assert(std::is_standard_layout_v<P> && alignof(P) == 8);
    return Bytes(P::Setup(p, d));
}

template <class P>
ProjectionVariant MakeVariant(const char* type) {
    return {type, &SetUpProjection<P>, HasInverse<P>::value, GivesSine<P>::value,
            TakesSine<P>::value};
}

#define PROJECTION_VARIANT(Type) MakeVariant<kernels::proj::Type>("kernels::proj::" #Type)

}  // namespace gdalgpu
