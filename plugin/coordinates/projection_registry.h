// How a projection is entered into the registry: a line in the file of its family,
// projections_<family>.cpp.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/proj/definition.h"
#include "plugin/coordinates/step_parameters.h"

namespace gdalgpu {

// One of a projection's structs: ellipsoid, sphere, another algorithm.
struct ProjectionVariant {
    const char* type;
    std::vector<std::byte> (*setup)(const StepParameters&, kernels::proj::Definition&);
    bool has_inverse;
};

// True for a projection with a member `inverse`.
template <class P, class = void>
struct HasInverse : std::false_type {};
template <class P>
struct HasInverse<P, std::void_t<decltype(&P::inverse)>> : std::true_type {};

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
    static_assert(std::is_standard_layout_v<P> && std::is_trivially_copyable_v<P> &&
                  sizeof(P) % 8 == 0 && alignof(P) == 8);
    const P kernel = P::Setup(p, d);
    std::vector<std::byte> bytes(sizeof(P));
    std::memcpy(bytes.data(), &kernel, sizeof(P));
    return bytes;
}

#define PROJECTION_VARIANT(Type)                                        \
    gdalgpu::ProjectionVariant {                                        \
        "kernels::proj::" #Type, &SetUpProjection<kernels::proj::Type>, \
            gdalgpu::HasInverse<kernels::proj::Type>::value             \
    }

}  // namespace gdalgpu
