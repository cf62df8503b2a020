#include "plugin/coordinates/projections.h"

#include <cstring>
#include <type_traits>

#include "kernels/proj/aea.h"
#include "kernels/proj/eqc.h"
#include "kernels/proj/laea.h"
#include "kernels/proj/lcc.h"
#include "kernels/proj/merc.h"
#include "kernels/proj/stere.h"
#include "kernels/proj/tmerc.h"
#include "plugin/coordinates/coordinate_operation.h"

namespace gdalgpu {

namespace {

using kernels::proj::Definition;

struct Variant {
    const char* type;
    std::vector<std::byte> (*setup)(const StepParameters&, Definition&);
};

struct Projection {
    const char* name;
    const char* header;
    size_t (*choose)(const StepParameters&, Definition&);  // an index into variants
    std::vector<Variant> variants;
};

template <class P>
std::vector<std::byte> SetUp(const StepParameters& p, Definition& d) {
    static_assert(std::is_standard_layout_v<P> && std::is_trivially_copyable_v<P> &&
                  sizeof(P) % 8 == 0 && alignof(P) == 8);
    const P kernel = P::Setup(p, d);
    std::vector<std::byte> bytes(sizeof(P));
    std::memcpy(bytes.data(), &kernel, sizeof(P));
    return bytes;
}

size_t Only(const StepParameters&, Definition&) { return 0; }

size_t EllipsoidOrSphere(const StepParameters&, Definition& d) {
    return d.ellipsoid.es != 0 ? 0 : 1;
}

size_t Algorithm(const StepParameters& p, Definition& d) {
    const size_t algorithm = static_cast<size_t>(kernels::proj::ReadAlgorithm(p, d));
    return d.ellipsoid.es != 0 ? algorithm : 3;
}

void RequireEllipsoid(const StepParameters& p, const Definition& d) {
    if (d.ellipsoid.es == 0) {
        p.fail("ellps", "should be no sphere");
    }
}

size_t UtmAlgorithm(const StepParameters& p, Definition& d) {
    RequireEllipsoid(p, d);
    kernels::proj::SetUtm(p, d);
    return Algorithm(p, d);
}

size_t EllipsoidOnly(const StepParameters& p, Definition& d) {
    RequireEllipsoid(p, d);
    return 0;
}

#define KERNEL(Type) \
    Variant { "kernels::proj::" #Type, &SetUp<kernels::proj::Type> }

const std::vector<Variant>& TransverseMercators() {
    static const std::vector<Variant> variants = {
        KERNEL(TransverseMercator), KERNEL(TransverseMercatorApprox),
        KERNEL(TransverseMercatorAuto), KERNEL(TransverseMercatorSphere)};
    return variants;
}

const std::vector<Projection>& Registry() {
    static const std::vector<Projection> projections = {
        {"aea", "proj/aea.h", Only, {KERNEL(AlbersEqualArea)}},
        {"eqc", "proj/eqc.h", Only, {KERNEL(EquidistantCylindrical)}},
        {"etmerc", "proj/tmerc.h", EllipsoidOnly, {KERNEL(TransverseMercator)}},
        {"laea",
         "proj/laea.h",
         EllipsoidOrSphere,
         {KERNEL(LambertAzimuthalEqualArea), KERNEL(LambertAzimuthalEqualAreaSphere)}},
        {"lcc", "proj/lcc.h", Only, {KERNEL(LambertConformalConic)}},
        {"leac", "proj/aea.h", Only, {KERNEL(LambertEqualAreaConic)}},
        {"merc", "proj/merc.h", EllipsoidOrSphere, {KERNEL(Mercator), KERNEL(MercatorSphere)}},
        {"stere",
         "proj/stere.h",
         EllipsoidOrSphere,
         {KERNEL(Stereographic), KERNEL(StereographicSphere)}},
        {"tmerc", "proj/tmerc.h", Algorithm, TransverseMercators()},
        {"ups", "proj/stere.h", EllipsoidOnly, {KERNEL(UniversalPolarStereographic)}},
        {"utm", "proj/tmerc.h", UtmAlgorithm, TransverseMercators()},
        {"webmerc", "proj/merc.h", Only, {KERNEL(WebMercator)}},
    };
    return projections;
}

#undef KERNEL

const Projection* Find(const std::string& name) {
    for (const Projection& projection : Registry()) {
        if (name == projection.name) {
            return &projection;
        }
    }
    return nullptr;
}

}  // namespace

bool HasProjection(const std::string& name) { return Find(name) != nullptr; }

ProjectionKernel MakeProjection(const std::string& name, const StepParameters& p,
                                Definition& definition) {
    const Projection* projection = Find(name);
    if (!projection) {
        p.fail("proj", "has no kernel");
    }
    const Variant& variant = projection->variants[projection->choose(p, definition)];
    return {projection->header, variant.type, variant.setup(p, definition)};
}

std::vector<std::string> ProjectionNames() {
    std::vector<std::string> names;
    for (const Projection& projection : Registry()) {
        names.push_back(projection.name);
    }
    return names;
}

}  // namespace gdalgpu
