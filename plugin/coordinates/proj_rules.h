// What PROJ decides differently from version to version, by name. The PROJ that is loaded at run
// time chooses: nothing else asks for a version. The judges are 9.1.1, 9.6.0 and 9.9.0; a rule that
// changed between two of them begins where PROJ's notes say, or else with the later one. A version
// that decides otherwise costs speed alone: plans that differ from PROJ aren't used.
#pragma once

#include <string>

namespace gdalgpu {

struct ProjRules {
    // Points. A NaN among the four coordinates gives four NaNs, and success (9.2.0, trans.cpp).
    bool nan_is_a_point = false;
    // A latitude south of the pole is refused however close; one north of the other pole counts as
    // the pole up to 1e-12 beyond it, as both did before (9.9.0).
    bool south_pole_is_exact = false;
    // Of operations of the same accuracy the one whose area of use is smaller on the sphere is
    // taken, if the area is known or the other isn't either, and unless the other is one of a few
    // of Australia and the USA (9.2.0, trans.cpp); before, the one whose area lies within the
    // other's.
    bool smaller_area_is_chosen = false;

    // +R_C, the radius of the conformal sphere (9.3.0, ell_set.cpp).
    bool has_conformal_radius = false;

    // Latitudes. The meridian's length and back are series of the sixth order in the third
    // flattening (9.2.0, mlfn.cpp); before, of the fourth in es, and Newton's method.
    bool meridian_arc_by_third_flattening = false;
    // So is the authalic latitude, both ways, for third flattenings below 0.01, and Newton's method
    // improves on it for others (9.9.0, latitudes.cpp); before, back by the third order in es.
    bool authalic_by_third_flattening = false;

    // Newton's method in two dimensions leaves the axes of the plane (9.6.0, generic_inverse.cpp).
    bool generic_inverse_leaves_axes = false;

    // Projections. eqc is that of the ellipsoid where there is one (9.9.0, eqc.cpp).
    bool eqc_is_ellipsoidal = false;
    // So is gnom, by geodesics (9.5.0, gnom.cpp).
    bool gnom_is_ellipsoidal = false;
    // The inverse of bonne takes a southern parallel's cone for one (9.3.0, bonne.cpp).
    bool bonne_inverse_knows_south = false;
    // isea is an equal-area map of the ellipsoid, with an inverse and other parameters (9.9.0,
    // isea.cpp).
    bool isea_is_polyhedral = false;
    // Before, it had an inverse of its own and somewhat other constants (9.5.0), for which there is
    // no kernel.
    bool isea_is_of_9_5 = false;
    // ortho has a scale and a turn, "Local Orthographic" (9.5.0, ortho.cpp).
    bool ortho_is_local = false;
    // krovak's false easting and northing count as those of the axes to the west and south do, with
    // the other sign; its inverse exchanges them (9.4.0, krovak.cpp).
    bool krovak_offsets_are_southwest = false;
    // tpeqd's distance of its two points is exact, so they may lie close together (9.4.0,
    // tpeqd.cpp).
    bool tpeqd_distance_is_exact = false;
    // The inverses of imoll and imoll_o look for the lobe where the equator lies; before, by x as
    // if it were a longitude (9.5.0, imoll.cpp).
    bool imoll_lobes_by_equator = false;
    // The inverse of eck4 refuses longitudes beyond half a turn, and keeps its digits at the poles
    // (9.2.0, eck4.cpp).
    bool eck4_ends_at_date_line = false;
    // misrsom goes by lsat's iteration, and orbits over the equator and the poles are allowed
    // (9.2.0, som.cpp).
    bool som_is_one_operation = false;
    // wag6 is on the sphere's scale (9.9.0, eck3.cpp).
    bool wag6_is_to_scale = false;
    // aitoff and wintri keep their digits next to the origin, and aitoff's inverse is no iteration
    // (9.9.0, aitoff.cpp).
    bool aitoff_in_closed_form = false;

    // Other operations. horner's ends have no units of their own: no offsets, no +to_meter (9.3.1,
    // horner.cpp).
    bool horner_takes_any_unit = false;
    // deformation between a point's time and an epoch refuses points without a time (9.5.0,
    // deformation.cpp).
    bool deformation_needs_time = false;
};

// Those of a version.
ProjRules RulesOfProj(int major, int minor, int patch);

// Those of the PROJ that is loaded.
const ProjRules& RulesOfProj();

// Whether it has an operation of that name.
bool ProjHas(const std::string& operation);

}  // namespace gdalgpu
