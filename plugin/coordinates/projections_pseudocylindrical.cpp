#include "kernels/proj/collg.h"
#include "kernels/proj/crast.h"
#include "kernels/proj/eck1.h"
#include "kernels/proj/eck2.h"
#include "kernels/proj/eck3.h"
#include "kernels/proj/eck4.h"
#include "kernels/proj/eck5.h"
#include "kernels/proj/fahey.h"
#include "kernels/proj/fouc_s.h"
#include "kernels/proj/gn_sinu.h"
#include "kernels/proj/goode.h"
#include "kernels/proj/hatano.h"
#include "kernels/proj/interrupted.h"
#include "kernels/proj/loxim.h"
#include "kernels/proj/mbt_fps.h"
#include "kernels/proj/mbtfpp.h"
#include "kernels/proj/mbtfpq.h"
#include "kernels/proj/moll.h"
#include "kernels/proj/natearth.h"
#include "kernels/proj/nell.h"
#include "kernels/proj/putp2.h"
#include "kernels/proj/putp3.h"
#include "kernels/proj/putp4p.h"
#include "kernels/proj/putp5.h"
#include "kernels/proj/putp6.h"
#include "kernels/proj/robin.h"
#include "kernels/proj/sts.h"
#include "kernels/proj/urm5.h"
#include "kernels/proj/urmfps.h"
#include "kernels/proj/wag2.h"
#include "kernels/proj/wag3.h"
#include "kernels/proj/wink2.h"
#include "plugin/coordinates/projection_registry.h"

namespace gdalgpu {

namespace {

using kernels::proj::Definition;

// Without m and with n = 1 the general series is the sphere's sinusoidal itself.
size_t SphereOrSeries(const StepParameters& p, Definition&) {
    return p.has("m") && p.number("m") == 0 && p.number("n") == 1 ? 0 : 1;
}

// A projection with one variant, for the sphere.
Projection Sphere(const char* name, const char* header, const ProjectionVariant& variant,
                  const char* example = "+ellps=WGS84") {
    return {name, header, OnlyVariant, {variant}, {example}};
}

}  // namespace

std::vector<Projection> PseudocylindricalProjections() {
    return {
        Sphere("collg", "proj/collg.h", PROJECTION_VARIANT(Collignon)),
        Sphere("crast", "proj/crast.h", PROJECTION_VARIANT(CrasterParabolic)),
        Sphere("eck1", "proj/eck1.h", PROJECTION_VARIANT(Eckert1)),
        Sphere("eck2", "proj/eck2.h", PROJECTION_VARIANT(Eckert2)),
        Sphere("eck3", "proj/eck3.h", PROJECTION_VARIANT(Eckert3)),
        Sphere("eck4", "proj/eck4.h", PROJECTION_VARIANT(Eckert4)),
        Sphere("eck5", "proj/eck5.h", PROJECTION_VARIANT(Eckert5)),
        Sphere("eck6", "proj/gn_sinu.h", PROJECTION_VARIANT(Eckert6)),
        Sphere("fahey", "proj/fahey.h", PROJECTION_VARIANT(Fahey)),
        Sphere("fouc", "proj/sts.h", PROJECTION_VARIANT(Foucaut)),
        Sphere("fouc_s", "proj/fouc_s.h", PROJECTION_VARIANT(FoucautSinusoidal),
               "+n=0.3 +ellps=WGS84"),
        {"gn_sinu",
         "proj/gn_sinu.h",
         SphereOrSeries,
         {PROJECTION_VARIANT(SinusoidalSphere), PROJECTION_VARIANT(GeneralSinusoidal)},
         {"+m=0 +n=1 +R=6371000", "+m=0.7 +n=1.5 +R=6371000"}},
        Sphere("goode", "proj/goode.h", PROJECTION_VARIANT(GoodeHomolosine)),
        Sphere("hatano", "proj/hatano.h", PROJECTION_VARIANT(Hatano)),
        Sphere("igh", "proj/interrupted.h", PROJECTION_VARIANT(InterruptedHomolosineLand)),
        Sphere("igh_o", "proj/interrupted.h", PROJECTION_VARIANT(InterruptedHomolosineOcean)),
        Sphere("imoll", "proj/interrupted.h", PROJECTION_VARIANT(InterruptedMollweideLand)),
        Sphere("imoll_o", "proj/interrupted.h", PROJECTION_VARIANT(InterruptedMollweideOcean)),
        Sphere("kav5", "proj/sts.h", PROJECTION_VARIANT(Kavrayskiy5)),
        Sphere("kav7", "proj/eck3.h", PROJECTION_VARIANT(Kavrayskiy7)),
        Sphere("loxim", "proj/loxim.h", PROJECTION_VARIANT(Loximuthal), "+lat_1=20 +ellps=WGS84"),
        Sphere("mbt_fps", "proj/mbt_fps.h", PROJECTION_VARIANT(McBrydeThomasFlatPolarSine2)),
        Sphere("mbt_s", "proj/sts.h", PROJECTION_VARIANT(McBrydeThomasFlatPolarSine1)),
        Sphere("mbtfpp", "proj/mbtfpp.h", PROJECTION_VARIANT(McBrydeThomasFlatPolarParabolic)),
        Sphere("mbtfpq", "proj/mbtfpq.h", PROJECTION_VARIANT(McBrydeThomasFlatPolarQuartic)),
        Sphere("mbtfps", "proj/gn_sinu.h", PROJECTION_VARIANT(McBrydeThomasFlatPolarSinusoidal)),
        Sphere("moll", "proj/moll.h", PROJECTION_VARIANT(Mollweide)),
        Sphere("natearth", "proj/natearth.h", PROJECTION_VARIANT(NaturalEarth)),
        Sphere("natearth2", "proj/natearth.h", PROJECTION_VARIANT(NaturalEarth2)),
        Sphere("nell", "proj/nell.h", PROJECTION_VARIANT(Nell)),
        Sphere("nell_h", "proj/nell.h", PROJECTION_VARIANT(NellHammer)),
        Sphere("putp1", "proj/eck3.h", PROJECTION_VARIANT(PutninsP1)),
        Sphere("putp2", "proj/putp2.h", PROJECTION_VARIANT(PutninsP2)),
        Sphere("putp3", "proj/putp3.h", PROJECTION_VARIANT(PutninsP3)),
        Sphere("putp3p", "proj/putp3.h", PROJECTION_VARIANT(PutninsP3Prime)),
        Sphere("putp4p", "proj/putp4p.h", PROJECTION_VARIANT(PutninsP4Prime)),
        Sphere("putp5", "proj/putp5.h", PROJECTION_VARIANT(PutninsP5)),
        Sphere("putp5p", "proj/putp5.h", PROJECTION_VARIANT(PutninsP5Prime)),
        Sphere("putp6", "proj/putp6.h", PROJECTION_VARIANT(PutninsP6)),
        Sphere("putp6p", "proj/putp6.h", PROJECTION_VARIANT(PutninsP6Prime)),
        Sphere("qua_aut", "proj/sts.h", PROJECTION_VARIANT(QuarticAuthalic)),
        Sphere("robin", "proj/robin.h", PROJECTION_VARIANT(Robinson)),
        {"sinu",
         "proj/gn_sinu.h",
         EllipsoidOrSphere,
         {PROJECTION_VARIANT(Sinusoidal), PROJECTION_VARIANT(SinusoidalSphere)},
         {"+ellps=WGS84", "+R=6371007.181"}},
        Sphere("urm5", "proj/urm5.h", PROJECTION_VARIANT(Urmaev5),
               "+n=0.9 +alpha=2 +q=4 +ellps=WGS84"),
        Sphere("urmfps", "proj/urmfps.h", PROJECTION_VARIANT(UrmaevFlatPolarSinusoidal),
               "+n=0.5 +ellps=WGS84"),
        Sphere("wag1", "proj/urmfps.h", PROJECTION_VARIANT(Wagner1)),
        Sphere("wag2", "proj/wag2.h", PROJECTION_VARIANT(Wagner2)),
        Sphere("wag3", "proj/wag3.h", PROJECTION_VARIANT(Wagner3), "+lat_ts=30 +ellps=WGS84"),
        Sphere("wag4", "proj/moll.h", PROJECTION_VARIANT(Wagner4)),
        Sphere("wag5", "proj/moll.h", PROJECTION_VARIANT(Wagner5)),
        Sphere("wag6", "proj/eck3.h", PROJECTION_VARIANT(Wagner6)),
        Sphere("weren", "proj/putp4p.h", PROJECTION_VARIANT(Werenskiold1)),
        Sphere("wink1", "proj/eck5.h", PROJECTION_VARIANT(Winkel1), "+lat_ts=50 +ellps=WGS84"),
        Sphere("wink2", "proj/wink2.h", PROJECTION_VARIANT(Winkel2), "+lat_1=50 +ellps=WGS84"),
    };
}

}  // namespace gdalgpu
