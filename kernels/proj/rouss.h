// Roussilhe Stereographic, series of the meridian's length: Roussilhe (1922), "Emploi des
// coordonnees rectangulaires stereographiques pour le calcul de la triangulation dans un rayon de
// 560 kilometres autour de l'origine"; Evenden (1995).
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

// Length of the meridian to all digits of a double: the series of an elliptic integral of the
// second kind, Fichtenholz (1964), "Differential- und Integralrechnung" II, as Evenden arranges it.
struct MeridianLength {
    parameter es;
    parameter e;      // the complete integral by a quarter turn
    parameter b[20];  // of the powers of sin(latitude)^2

    GPU_FUNC real length(real latitude, real sine, real cosine) const {
        const real s2 = sine * sine;
        real sum = b[19];
        for (int i = 18; i >= 0; --i) {
            sum = b[i] + s2 * sum;
        }
        return latitude * e + sine * cosine * (sum - es / sqrt(1 - es * s2));
    }

    // Latitude, its sine and cosine; false where twenty steps don't reach 1e-14.
    GPU_FUNC bool latitude(real arc, real& latitude, real& sine, real& cosine) const {
        latitude = arc;
        for (int i = 0; i < 20; ++i) {
            sin_cos(latitude, sine, cosine);
            const real w = 1 - es * sine * sine;
            const real step = (length(latitude, sine, cosine) - arc) * (w * sqrt(w)) / (1 - es);
            latitude -= step;
            if (fabs(step) < tolerance(1e-14)) {
                sin_cos(latitude, sine, cosine);
                return true;
            }
        }
        return false;
    }

#if GPU_SETUP
    // The complete integral's terms are ((2k - 1)!! / (2k)!!)^2 es^k / (2k - 1); b[k] is what is
    // left of them after k, times (2k)!! / (2k + 1)!!.
    static MeridianLength Setup(double es) {
        MeridianLength m = {};
        double terms[20] = {};
        double odd_by_even = 1, power = 1, even_by_odd = 1;
        m.es = es;
        m.e = 1;
        for (int k = 1; k < 20; ++k) {
            odd_by_even *= (2 * k - 1.) / (2 * k);
            power *= es;
            terms[k] = odd_by_even * odd_by_even * power / (2 * k - 1);
            m.e -= terms[k];
        }
        double rest = m.b[0] = 1 - m.e;
        for (int k = 1; k < 20; ++k) {
            rest -= terms[k];
            even_by_odd *= 2. * k / (2 * k + 1);
            m.b[k] = rest * even_by_odd;
        }
        return m;
    }
#endif
};

struct RoussilheStereographic {
    parameter k_0;
    parameter arc_0;
    parameter a[6];  // Roussilhe's A1 to A6, and so on
    parameter b[8];
    parameter c[8];
    parameter d[11];
    MeridianLength meridian;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine;
        sin_cos(lat, sine, cosine);
        const real s = meridian.length(lat, sine, cosine) - arc_0;
        const real s2 = s * s;
        const real al = lon * cosine / sqrt(1 - meridian.es * sine * sine);
        const real al2 = al * al;
        x = k_0 * al *
            (1 + s2 * (a[0] + s2 * a[3]) - al2 * (a[1] + s * a[2] + s2 * a[4] + al2 * a[5]));
        y = k_0 * (al2 * (b[0] + al2 * b[3]) +
                   s * (1 + al2 * (b[2] - al2 * b[5]) + s2 * (b[1] + s2 * b[7]) +
                        s * al2 * (b[4] + s * b[6])));
        return true;
    }

    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        x /= k_0;
        y /= k_0;
        const real x2 = x * x, y2 = y * y;
        const real al =
            x * (1 - c[0] * y2 + x2 * (c[1] + c[2] * y - c[3] * x2 + c[4] * y2 - c[6] * x2 * y) +
                 y2 * (c[5] * y2 - c[7] * x2 * y));
        const real s = arc_0 + y * (1 + y2 * (d[7] * y2 - d[1])) +
                       x2 * (-d[0] + y * (-d[2] + y * (-d[4] + y * (-d[6] + y * d[10]))) +
                             x2 * (d[3] + y * (d[5] + y * d[9]) - x2 * d[8]));
        real sine, cosine;
        if (!meridian.latitude(s, lat, sine, cosine)) {
            return false;
        }
        lon = al * sqrt(1 - meridian.es * sine * sine) / cosine;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static RoussilheStereographic Setup(const Parameters&, Definition& definition) {
        const double es = definition.ellipsoid.es, lat_0 = definition.lat_0;
        const double sine = sin(lat_0), cosine = cos(lat_0);
        const double e2 = es * sine * sine;
        const double r_nu = sqrt(1 - e2);
        const double r2 = (1 - e2) * (1 - e2) / (1 - es);  // of the curvature at the origin
        const double r4 = r2 * r2;
        const double t = tan(lat_0), t2 = t * t, tn = t * r_nu;
        const MeridianLength meridian = MeridianLength::Setup(es);
        return {definition.k_0,
                meridian.length(lat_0, sine, cosine),
                {r2 / 4, r2 * (2 * t2 - 1 - 2 * e2) / 12, r2 * tn * (1 + 4 * t2) / 12, r4 / 24,
                 r4 * (-1 + t2 * (11 + 12 * t2)) / 24, r4 * (-2 + t2 * (11 - 2 * t2)) / 240},
                {tn / 2, r2 / 12, r2 * (1 + 2 * t2 - 2 * e2) / 4, r2 * tn * (2 - t2) / 24,
                 r2 * tn * (5 + 4 * t2) / 8, r4 * (-2 + t2 * (-5 + 6 * t2)) / 48,
                 r4 * (5 + t2 * (19 + 12 * t2)) / 24, r4 / 120},
                {r2 / 4, r2 * (2 * t2 - 1 - 2 * e2) / 12, r2 * tn * (1 + t2) / 3,
                 r4 * (-3 + t2 * (34 + 22 * t2)) / 240, r4 * (4 + t2 * (13 + 12 * t2)) / 24,
                 r4 / 16, r4 * tn * (11 + t2 * (33 + t2 * 16)) / 48, r4 * tn * (1 + t2 * 4) / 36},
                {tn / 2, r2 / 12, r2 * (2 * t2 + 1 - 2 * e2) / 4, r2 * tn * (1 + t2) / 8,
                 r2 * tn * (1 + t2 * 2) / 4, r4 * (1 + t2 * (6 + t2 * 6)) / 16,
                 r4 * t2 * (3 + t2 * 4) / 8, r4 / 80, r4 * t * (-21 + t2 * (178 - t2 * 26)) / 720,
                 r4 * tn * (29 + t2 * (86 + t2 * 48)) / 96, r4 * tn * (37 + t2 * 44) / 96},
                meridian};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
