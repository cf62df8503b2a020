#include "plugin/coordinates/proj_rules.h"

#include <proj.h>

#include <set>
#include <tuple>

namespace gdalgpu {

ProjRules RulesOfProj(int major, int minor, int patch) {
    const auto since = [&](int least_minor, int least_patch = 0) {
        return std::make_tuple(major, minor, patch) >= std::make_tuple(9, least_minor, least_patch);
    };
    ProjRules rules;
    rules.nan_is_a_point = since(2);
    rules.south_pole_is_exact = since(9);
    rules.smaller_area_is_chosen = since(2);
    rules.has_conformal_radius = since(3);
    rules.meridian_arc_by_third_flattening = since(2);
    rules.authalic_by_third_flattening = since(9);
    rules.eqc_is_ellipsoidal = since(9);
    rules.gnom_is_ellipsoidal = since(5);
    rules.isea_is_polyhedral = since(9);
    rules.isea_is_of_9_5 = since(5) && !since(9);
    rules.ortho_is_local = since(5);
    rules.krovak_offsets_are_southwest = since(4);
    rules.tpeqd_distance_is_exact = since(4);
    rules.imoll_lobes_by_equator = since(5);
    rules.eck4_ends_at_date_line = since(2);
    rules.som_is_one_operation = since(2);
    rules.wag6_is_to_scale = since(9);
    rules.aitoff_in_closed_form = since(9);
    rules.generic_inverse_leaves_axes = since(6);
    rules.bonne_inverse_knows_south = since(3);
    rules.deformation_needs_time = since(5);
    rules.horner_takes_any_unit = since(3, 1);
    return rules;
}

const ProjRules& RulesOfProj() {
    static const ProjRules rules = [] {
        const PJ_INFO info = proj_info();
        return RulesOfProj(info.major, info.minor, info.patch);
    }();
    return rules;
}

bool ProjHas(const std::string& operation) {
    static const std::set<std::string> names = [] {
        std::set<std::string> all;
        for (const PJ_OPERATIONS* listed = proj_list_operations(); listed->id; ++listed) {
            all.insert(listed->id);
        }
        return all;
    }();
    return names.count(operation) > 0;
}

}  // namespace gdalgpu
