#include "plugin/coordinates/projections.h"

#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

namespace {

const std::vector<Projection>& Registry() {
    static const std::vector<Projection> projections = [] {
        std::vector<Projection> all;
        for (const auto& family :
             {AzimuthalProjections(), ConicProjections(), CylindricalProjections(),
              PseudocylindricalProjections(), WorldProjections()}) {
            all.insert(all.end(), family.begin(), family.end());
        }
        return all;
    }();
    return projections;
}

const Projection* Find(const std::string& name) {
    for (const Projection& projection : Registry()) {
        if (name == projection.name) {
            return &projection;
        }
    }
    return nullptr;
}

}  // namespace

size_t OnlyVariant(const StepParameters&, kernels::proj::Definition&) { return 0; }

size_t EllipsoidOrSphere(const StepParameters&, kernels::proj::Definition& d) {
    return d.ellipsoid.es != 0 ? 0 : 1;
}

size_t EllipsoidOnly(const StepParameters& p, kernels::proj::Definition& d) {
    if (d.ellipsoid.es == 0) {
        p.fail("ellps", "should be no sphere");
    }
    return 0;
}

bool HasProjection(const std::string& name) { return Find(name) != nullptr; }

ProjectionKernel MakeProjection(const std::string& name, const StepParameters& p,
                                kernels::proj::Definition& definition) {
    const Projection* projection = Find(name);
    if (!projection) {
        p.fail("proj", "has no kernel");
    }
    const ProjectionVariant& variant = projection->variants[projection->choose(p, definition)];
    return {projection->header,  variant.type,       variant.setup(p, definition),
            variant.has_inverse, variant.gives_sine, variant.takes_sine};
}

std::vector<std::string> ProjectionNames() {
    std::vector<std::string> names;
    for (const Projection& projection : Registry()) {
        names.push_back(projection.name);
    }
    return names;
}

std::vector<std::string> ProjectionExamples(const std::string& name) {
    std::vector<std::string> examples;
    for (const char* parameters : Find(name)->examples) {
        examples.push_back("+proj=" + name + " " + parameters);
    }
    return examples;
}

}  // namespace gdalgpu
