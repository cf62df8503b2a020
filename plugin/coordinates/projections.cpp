#include "plugin/coordinates/projections.h"

#include <algorithm>

#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

namespace {

struct Family {
    const char* name;
    std::vector<Projection> projections;
};

// Those of the PROJ that is loaded.
const std::vector<Family>& Registry() {
    static const std::vector<Family> families = [] {
        std::vector<Family> all = {{"azimuthal", AzimuthalProjections()},
                                   {"conic", ConicProjections()},
                                   {"cylindrical", CylindricalProjections()},
                                   {"pseudocylindrical", PseudocylindricalProjections()},
                                   {"world and other", WorldProjections()}};
        for (Family& family : all) {
            std::vector<Projection>& list = family.projections;
            list.erase(std::remove_if(list.begin(), list.end(),
                                      [](const Projection& p) {
                                          return !ProjHas(p.name) ||
                                                 (RulesOfProj().isea_is_of_9_5 &&
                                                  std::string(p.name) == "isea");
                                      }),
                       list.end());
        }
        return all;
    }();
    return families;
}

const Projection* Find(const std::string& name) {
    for (const Family& family : Registry()) {
        for (const Projection& projection : family.projections) {
            if (name == projection.name) {
                return &projection;
            }
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
    for (const ProjectionFamily& family : ProjectionFamilies()) {
        names.insert(names.end(), family.projections.begin(), family.projections.end());
    }
    return names;
}

std::vector<ProjectionFamily> ProjectionFamilies() {
    std::vector<ProjectionFamily> families;
    for (const Family& family : Registry()) {
        families.push_back({family.name, {}});
        for (const Projection& projection : family.projections) {
            families.back().projections.push_back(projection.name);
        }
    }
    return families;
}

std::vector<std::string> ProjectionExamples(const std::string& name) {
    std::vector<std::string> examples;
    for (const char* parameters : Find(name)->examples) {
        examples.push_back("+proj=" + name + " " + parameters);
    }
    return examples;
}

}  // namespace gdalgpu
