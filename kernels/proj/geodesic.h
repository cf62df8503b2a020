// Geodesics of an oblate ellipsoid from one fixed point: Karney (2013), "Algorithms for geodesics",
// Journal of Geodesy 87, pp. 43 to 55, and its addenda, to the sixth order of the third flattening.
// Lengths in units of the semi-major axis.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

// An end of a geodesic: sine and cosine of its reduced latitude beta.
struct ReducedLatitude {
    real sine;
    real cosine;  // above 0 at the poles too
};

struct Geodesic {
    parameter f;
    parameter b;    // 1 - f
    parameter ep2;  // second eccentricity squared
    parameter n;
    parameter short_arc;  // arcs below need no iteration
    parameter a3[6];      // eqs. 24 and 25: polynomials in epsilon
    parameter c3[15];
    parameter sine_origin;  // of its reduced latitude
    parameter cosine_origin;

    GPU_FUNC static void normalize(real& sine, real& cosine) {
        const real r = 1 / sqrt(sine * sine + cosine * cosine);
        sine *= r;
        cosine *= r;
    }

    GPU_FUNC ReducedLatitude reduced(real lat) const {
        real sine, cosine;
        sin_cos(fabs(lat) < 1e-19 ? real(copysign(real(0), lat)) : lat, sine, cosine);
        if (fabs(lat) >= kHalfPi) cosine = 0;
        sine *= b;
        normalize(sine, cosine);
        return {sine, cosine > tiny() ? cosine : cosine <= tiny() ? real(tiny()) : cosine};
    }

    // Eq. 16, from the geodesic's azimuth at the equator.
    GPU_FUNC real epsilon(real cos_alpha0) const {
        const real k2 = cos_alpha0 * cos_alpha0 * ep2;
        return k2 / (2 * (1 + sqrt(1 + k2)) + k2);
    }

    // Eqs. 17 and 18: A1 - 1 and the coefficients of B1.
    GPU_FUNC static real a1_minus_1(real eps) {
        const real e2 = eps * eps;
        return (e2 * (1. / 4 + e2 * (1. / 64 + e2 * (1. / 256))) + eps) / (1 - eps);
    }
    GPU_FUNC static void set_c1(real eps, real (&c)[6]) {
        const real e2 = eps * eps, e3 = e2 * eps, e4 = e2 * e2, e5 = e4 * eps, e6 = e3 * e3;
        c[0] = eps * (-1. / 2 + e2 * (3. / 16 - e2 * (1. / 32)));
        c[1] = e2 * (-1. / 16 + e2 * (1. / 32 - e2 * (9. / 2048)));
        c[2] = e3 * (-1. / 48 + e2 * (3. / 256));
        c[3] = e4 * (-5. / 512 + e2 * (3. / 512));
        c[4] = e5 * (-7. / 1280);
        c[5] = e6 * (-7. / 2048);
    }
    // Eq. 21.
    GPU_FUNC static void set_c1_reverted(real eps, real (&c)[6]) {
        const real e2 = eps * eps, e3 = e2 * eps, e4 = e2 * e2, e5 = e4 * eps, e6 = e3 * e3;
        c[0] = eps * (1. / 2 + e2 * (-9. / 32 + e2 * (205. / 1536)));
        c[1] = e2 * (5. / 16 + e2 * (-37. / 96 + e2 * (1335. / 4096)));
        c[2] = e3 * (29. / 96 - e2 * (75. / 128));
        c[3] = e4 * (539. / 1536 - e2 * (2391. / 2560));
        c[4] = e5 * (3467. / 7680);
        c[5] = e6 * (38081. / 61440);
    }
    // Eqs. 42 and 43, A2 as the addenda have it.
    GPU_FUNC static real a2_minus_1(real eps) {
        const real e2 = eps * eps;
        return (e2 * (-3. / 4 + e2 * (-7. / 64 - e2 * (11. / 256))) - eps) / (1 + eps);
    }
    GPU_FUNC static void set_c2(real eps, real (&c)[6]) {
        const real e2 = eps * eps, e3 = e2 * eps, e4 = e2 * e2, e5 = e4 * eps, e6 = e3 * e3;
        c[0] = eps * (1. / 2 + e2 * (1. / 16 + e2 * (1. / 32)));
        c[1] = e2 * (3. / 16 + e2 * (1. / 32 + e2 * (35. / 2048)));
        c[2] = e3 * (5. / 48 + e2 * (5. / 256));
        c[3] = e4 * (35. / 512 + e2 * (7. / 512));
        c[4] = e5 * (63. / 1280);
        c[5] = e6 * (77. / 2048);
    }
    // Eq. 24.
    GPU_FUNC real a3_of(real eps) const {
        return a3[0] + eps * (a3[1] + eps * (a3[2] + eps * (a3[3] + eps * (a3[4] + eps * a3[5]))));
    }
    // Eq. 25.
    GPU_FUNC void set_c3(real eps, real (&c)[6]) const {
        const real e2 = eps * eps, e3 = e2 * eps;
        c[0] = eps * (c3[0] + eps * (c3[1] + eps * (c3[2] + eps * (c3[3] + eps * c3[4]))));
        c[1] = e2 * (c3[5] + eps * (c3[6] + eps * (c3[7] + eps * c3[8])));
        c[2] = e3 * (c3[9] + eps * (c3[10] + eps * c3[11]));
        c[3] = e2 * e2 * (c3[12] + eps * c3[13]);
        c[4] = e3 * e2 * c3[14];
        c[5] = 0;
    }

    GPU_FUNC static real sine_sum(const real (&c)[6], real sine, real cosine) {
        return sine_series(c, 2 * sine * cosine, (cosine - sine) * (cosine + sine));
    }

    // An arc of a geodesic on the auxiliary sphere.
    struct Arc {
        real sigma;       // its length
        real sin1, cos1;  // of sigma at both ends
        real sin2, cos2;
        real eps;
    };

    // What lies between the ends of a geodesic.
    struct Measures {
        real distance;
        real reduced_length;
        real scale1;  // the geodesic scale of the first end, of the second
        real scale2;
    };

    // Distance and reduced length (eqs. 7, 38 and 40) in units of b, and J (eq. 40).
    GPU_FUNC static void lengths(const Arc& arc, real dn1, real dn2, real& distance,
                                 real& reduced_length, real& j12) {
        real c1[6], c2[6];
        set_c1(arc.eps, c1);
        set_c2(arc.eps, c2);
        const real a1 = a1_minus_1(arc.eps), a2 = a2_minus_1(arc.eps);
        const real b1 = sine_sum(c1, arc.sin2, arc.cos2) - sine_sum(c1, arc.sin1, arc.cos1);
        const real b2 = sine_sum(c2, arc.sin2, arc.cos2) - sine_sum(c2, arc.sin1, arc.cos1);
        distance = (1 + a1) * (arc.sigma + b1);
        j12 = (a1 - a2) * arc.sigma + ((1 + a1) * b1 - (1 + a2) * b2);
        reduced_length =
            dn2 * (arc.cos1 * arc.sin2) - dn1 * (arc.sin1 * arc.cos2) - arc.cos1 * arc.cos2 * j12;
    }

    // Eq. 39. change: of the square of dn.
    GPU_FUNC static void set_scales(const Arc& arc, real dn1, real dn2, real change, real j12,
                                    Measures& m) {
        const real cosine = arc.cos1 * arc.cos2 + arc.sin1 * arc.sin2;
        const real t = change / (dn1 + dn2);
        m.scale1 = cosine + (t * arc.sin2 - arc.cos2 * j12) * arc.sin1 / dn1;
        m.scale2 = cosine - (t * arc.sin1 - arc.cos1 * j12) * arc.sin2 / dn2;
    }

    // A triangle of an inverse problem in its canonical form: latitude 1 not above 0 and the
    // larger in size, latitude 2 between them, difference of longitudes within [0, pi].
    struct Triangle {
        ReducedLatitude p1, p2;
        real dn1, dn2;
        real lambda;
        real sin_lambda, cos_lambda;
        real sin_alpha1, cos_alpha1;
        real sin_alpha2, cos_alpha2;
    };

    GPU_FUNC static real larger(real a, real b) { return a > b ? a : b; }

    // Section 4, eq. 45 and figure 4: the difference of longitudes that the azimuth alpha1 leads
    // to, less the wanted one; its derivative (eq. 46) too.
    GPU_FUNC real longitude_error(Triangle& t, Arc& arc, real& slope) const {
        const real sin_alpha0 = t.sin_alpha1 * t.p1.cosine;
        const real cos_alpha0 = sqrt(t.cos_alpha1 * t.cos_alpha1 +
                                     t.sin_alpha1 * t.p1.sine * (t.sin_alpha1 * t.p1.sine));
        const bool symmetric = t.p2.cosine == t.p1.cosine;
        t.sin_alpha2 = symmetric ? t.sin_alpha1 : real(sin_alpha0 / t.p2.cosine);
        const real adjacent = t.cos_alpha1 * t.p1.cosine;
        const real change = t.p1.cosine < -t.p1.sine
                                ? (t.p2.cosine - t.p1.cosine) * (t.p1.cosine + t.p2.cosine)
                                : (t.p1.sine - t.p2.sine) * (t.p1.sine + t.p2.sine);
        t.cos_alpha2 = symmetric && fabs(t.p2.sine) == -t.p1.sine
                           ? real(fabs(t.cos_alpha1))
                           : real(sqrt(adjacent * adjacent + change) / t.p2.cosine);
        arc.sin1 = t.p1.sine;
        arc.cos1 = adjacent;
        arc.sin2 = t.p2.sine;
        arc.cos2 = t.cos_alpha2 * t.p2.cosine;
        // omega: longitude on the auxiliary sphere.
        const real sin_omega =
            larger(0, arc.cos1 * (sin_alpha0 * arc.sin2) - sin_alpha0 * arc.sin1 * arc.cos2);
        const real cos_omega =
            arc.cos1 * arc.cos2 + sin_alpha0 * arc.sin1 * (sin_alpha0 * arc.sin2);
        normalize(arc.sin1, arc.cos1);
        normalize(arc.sin2, arc.cos2);
        arc.sigma = atan2(larger(0, arc.cos1 * arc.sin2 - arc.sin1 * arc.cos2),
                          arc.cos1 * arc.cos2 + arc.sin1 * arc.sin2);
        const real eta = atan2(sin_omega * t.cos_lambda - cos_omega * t.sin_lambda,
                               cos_omega * t.cos_lambda + sin_omega * t.sin_lambda);
        arc.eps = epsilon(cos_alpha0);
        real c[6];
        set_c3(arc.eps, c);
        const real b3 = sine_sum(c, arc.sin2, arc.cos2) - sine_sum(c, arc.sin1, arc.cos1);
        if (t.cos_alpha2 == 0) {
            slope = -2 * b * t.dn1 / t.p1.sine;
        } else {
            real distance, j12;
            lengths(arc, t.dn1, t.dn2, distance, slope, j12);
            slope *= b / (t.cos_alpha2 * t.p2.cosine);
        }
        return eta - f * a3_of(arc.eps) * sin_alpha0 * (arc.sigma + b3);
    }

    // The positive root k of eq. 55, the astroid problem of nearly antipodal points, as eqs. 56 to
    // 58 give it.
    GPU_FUNC static real astroid(real x, real y) {
        const real p = x * x, q = y * y, r = (p + q - 1) / 6;
        if (q == 0 && r <= 0) {
            return 0;
        }
        const real s = p * q / 4;
        const real r3 = r * r * r;
        const real discriminant = s * (s + 2 * r3);
        real u = r;
        if (discriminant >= 0) {
            const real t3 = s + r3;
            const real t = cbrt(t3 + copysign(sqrt(discriminant), t3));
            u += t != 0 ? t + r * r / t : t;
        } else {
            u += 2 * r * cos(atan2(sqrt(-discriminant), -(s + r3)) / 3);
        }
        const real v = sqrt(u * u + q);
        const real uv = u < 0 ? q / (v - u) : u + v;
        const real w = (uv - q) / (2 * v);
        return uv / (sqrt(uv + w * w) + w);
    }

    // Section 5: azimuths to start Newton's method from; or, for short arcs, both azimuths and the
    // measures, and true.
    GPU_FUNC bool start(Triangle& t, Measures& measures) const {
        const real sin_beta12 = t.p2.sine * t.p1.cosine - t.p2.cosine * t.p1.sine;
        const real cos_beta12 = t.p2.cosine * t.p1.cosine + t.p2.sine * t.p1.sine;
        const real sin_beta12a = t.p2.sine * t.p1.cosine + t.p2.cosine * t.p1.sine;
        const bool near = cos_beta12 >= 0 && sin_beta12 < 0.5 && t.p2.cosine * t.lambda < 0.5;
        real sin_omega = t.sin_lambda, cos_omega = t.cos_lambda, dn = 1;
        if (near) {
            // Eq. 48, with the ellipsoid's curvature at the middle latitude.
            const real s = t.p1.sine + t.p2.sine, c = t.p1.cosine + t.p2.cosine;
            dn = sqrt(1 + ep2 * (s * s / (s * s + c * c)));
            sin_cos(t.lambda / (b * dn), sin_omega, cos_omega);
        }
        t.sin_alpha1 = t.p2.cosine * sin_omega;
        t.cos_alpha1 =
            cos_omega >= 0
                ? sin_beta12 + t.p2.cosine * t.p1.sine * (sin_omega * sin_omega) / (1 + cos_omega)
                : sin_beta12a - t.p2.cosine * t.p1.sine * (sin_omega * sin_omega) / (1 - cos_omega);
        const real sin_sigma = sqrt(t.sin_alpha1 * t.sin_alpha1 + t.cos_alpha1 * t.cos_alpha1);
        const real cos_sigma = t.p1.sine * t.p2.sine + t.p1.cosine * t.p2.cosine * cos_omega;
        bool done = false;
        if (near && sin_sigma < short_arc) {
            t.sin_alpha2 = t.p1.cosine * sin_omega;
            t.cos_alpha2 =
                sin_beta12 -
                t.p1.cosine * t.p2.sine *
                    (cos_omega >= 0 ? sin_omega * sin_omega / (1 + cos_omega) : 1 - cos_omega);
            normalize(t.sin_alpha2, t.cos_alpha2);
            const real sigma = atan2(sin_sigma, cos_sigma);
            measures.distance = sigma * b * dn;
            measures.reduced_length = dn * dn * b * sin(sigma / dn);
            measures.scale1 = measures.scale2 = cos(sigma / dn);
            done = true;
        } else if (n <= 0.1 && cos_sigma < 0 &&
                   sin_sigma < 6 * n * kPi * (t.p1.cosine * t.p1.cosine)) {
            // Eqs. 53 and 54: the antipode's neighbourhood in the units of the astroid.
            const real lambda_scale = f * t.p1.cosine * a3_of(epsilon(t.p1.sine)) * kPi;
            const real x = atan2(-t.sin_lambda, -t.cos_lambda) / lambda_scale;
            const real y = sin_beta12a / (lambda_scale * t.p1.cosine);
            if (y > -rounding(4.4e-14) && x > -1 - 1.5e-5) {
                t.sin_alpha1 = -x < 1 ? -x : real(1);
                t.cos_alpha1 = -sqrt(1 - t.sin_alpha1 * t.sin_alpha1);
            } else {
                const real k = astroid(x, y);
                real sine, cosine;
                sin_cos(lambda_scale * (-x * k / (1 + k)), sine, cosine);
                t.sin_alpha1 = t.p2.cosine * sine;
                t.cos_alpha1 = sin_beta12a - t.p2.cosine * t.p1.sine * (sine * sine) / (1 + cosine);
            }
        }
        if (t.sin_alpha1 <= 0) {
            t.sin_alpha1 = 1;
            t.cos_alpha1 = 0;
        } else {
            normalize(t.sin_alpha1, t.cos_alpha1);
        }
        return done;
    }

    // Newton's method for alpha1, with bisection where it leaves the bracket: section 4.
    GPU_FUNC void solve(Triangle& t, Measures& measures) const {
        const real enough = rounding(2.2e-16);
        real sin_a = tiny(), cos_a = 1, sin_b = tiny(), cos_b = -1;
        bool precise = false, last = false;
        Arc arc = {};
        for (int i = 0; i < 83; ++i) {
            real slope;
            const real error = longitude_error(t, arc, slope);
            if (last || !(fabs(error) >= (precise ? 8 : 1) * enough)) {
                break;
            }
            if (error > 0 && (i > 20 || t.cos_alpha1 / t.sin_alpha1 > cos_b / sin_b)) {
                sin_b = t.sin_alpha1;
                cos_b = t.cos_alpha1;
            } else if (error < 0 && (i > 20 || t.cos_alpha1 / t.sin_alpha1 < cos_a / sin_a)) {
                sin_a = t.sin_alpha1;
                cos_a = t.cos_alpha1;
            }
            if (i < 20 && slope > 0 && fabs(error / slope) < kPi) {
                real sine, cosine;
                sin_cos(-error / slope, sine, cosine);
                const real turned = t.sin_alpha1 * cosine + t.cos_alpha1 * sine;
                if (turned > 0) {
                    t.cos_alpha1 = t.cos_alpha1 * cosine - t.sin_alpha1 * sine;
                    t.sin_alpha1 = turned;
                    normalize(t.sin_alpha1, t.cos_alpha1);
                    precise = fabs(error) <= 16 * enough;
                    continue;
                }
            }
            t.sin_alpha1 = (sin_a + sin_b) / 2;
            t.cos_alpha1 = (cos_a + cos_b) / 2;
            normalize(t.sin_alpha1, t.cos_alpha1);
            precise = false;
            last = fabs(sin_a - t.sin_alpha1) + (cos_a - t.cos_alpha1) < 3.3e-24 ||
                   fabs(t.sin_alpha1 - sin_b) + (t.cos_alpha1 - cos_b) < 3.3e-24;
        }
        measure(t, arc, measures);
    }

    GPU_FUNC void measure(const Triangle& t, const Arc& arc, Measures& m) const {
        real j12;
        lengths(arc, t.dn1, t.dn2, m.distance, m.reduced_length, j12);
        set_scales(arc, t.dn1, t.dn2,
                   ep2 * (t.p1.cosine - t.p2.cosine) * (t.p1.cosine + t.p2.cosine), j12, m);
        m.distance *= b;
        m.reduced_length *= b;
    }

    // Distance from the origin to a point, `lon` east of it, and azimuth at the origin.
    GPU_FUNC real distance_to(real lon, real lat, real& sin_azimuth, real& cos_azimuth) const {
        return measures_to(lon, lat, sin_azimuth, cos_azimuth).distance;
    }

    // The same with all measures; the first end is the origin.
    GPU_FUNC Measures measures_to(real lon, real lat, real& sin_azimuth, real& cos_azimuth) const {
        lon -= kTwoPi * rint(lon / kTwoPi);
        const real size = fabs(lon);
        const real supplement = kPi - size;
        const real east = copysign(real(1), lon);
        Triangle t;
        t.lambda = size;
        if (size > kHalfPi) {
            sin_cos(supplement, t.sin_lambda, t.cos_lambda);
            t.cos_lambda = -t.cos_lambda;
        } else {
            sin_cos(size, t.sin_lambda, t.cos_lambda);
        }
        const ReducedLatitude origin = {sine_origin, cosine_origin}, point = reduced(lat);
        const bool swapped = !(fabs(origin.sine) >= fabs(point.sine));
        t.p1 = swapped ? point : origin;
        t.p2 = swapped ? origin : point;
        const real north = -copysign(real(1), t.p1.sine);
        t.p1.sine *= north;
        t.p2.sine *= north;
        if (t.p1.cosine < -t.p1.sine) {
            if (t.p2.cosine == t.p1.cosine) t.p2.sine = copysign(t.p1.sine, t.p2.sine);
        } else if (fabs(t.p2.sine) == -t.p1.sine) {
            t.p2.cosine = t.p1.cosine;
        }
        t.dn1 = sqrt(1 + ep2 * (t.p1.sine * t.p1.sine));
        t.dn2 = sqrt(1 + ep2 * (t.p2.sine * t.p2.sine));
        Measures m = {};
        if (t.p1.cosine <= tiny() || t.sin_lambda == 0) {
            // Along a meridian, the shortest path of an oblate ellipsoid.
            t.sin_alpha1 = t.sin_lambda;
            t.cos_alpha1 = t.cos_lambda;
            t.sin_alpha2 = 0;
            t.cos_alpha2 = 1;
            Arc arc;
            arc.sin1 = t.p1.sine;
            arc.cos1 = t.cos_alpha1 * t.p1.cosine;
            arc.sin2 = t.p2.sine;
            arc.cos2 = t.p2.cosine;
            arc.sigma = atan2(larger(0, arc.cos1 * arc.sin2 - arc.sin1 * arc.cos2),
                              arc.cos1 * arc.cos2 + arc.sin1 * arc.sin2);
            arc.eps = n;
            measure(t, arc, m);
            if (arc.sigma < rounding(2.2e-16) && (m.distance < 0 || m.reduced_length < 0)) {
                m.distance = m.reduced_length = 0;
            }
        } else if (t.p1.sine == 0 && supplement >= f * kPi) {
            t.sin_alpha1 = t.sin_alpha2 = 1;
            t.cos_alpha1 = t.cos_alpha2 = 0;
            m.distance = t.lambda;
            m.reduced_length = b * sin(t.lambda / b);
            m.scale1 = m.scale2 = cos(t.lambda / b);
        } else if (!start(t, m)) {
            solve(t, m);
        }
        if (swapped) {
            const real scale = m.scale1;
            m.scale1 = m.scale2;
            m.scale2 = scale;
        }
        sin_azimuth = east * (swapped ? t.sin_alpha2 : t.sin_alpha1);
        cos_azimuth = north * (swapped ? -t.cos_alpha2 : t.cos_alpha1);
        normalize(sin_azimuth, cos_azimuth);
        return m;
    }

    // The point at a distance from the origin in the direction of an azimuth; lon east of it.
    GPU_FUNC void point_at(real distance, real sin_azimuth, real cos_azimuth, real& lon,
                           real& lat) const {
        Measures m;
        point_and_measures_at(distance, sin_azimuth, cos_azimuth, lon, lat, m);
    }

    // The same with the measures of the way there.
    GPU_FUNC void point_and_measures_at(real distance, real sin_azimuth, real cos_azimuth,
                                        real& lon, real& lat, Measures& m) const {
        const ReducedLatitude origin = {sine_origin, cosine_origin};
        const real sin_alpha0 = sin_azimuth * origin.cosine;
        const real cos_alpha0 = sqrt(cos_azimuth * cos_azimuth +
                                     sin_azimuth * origin.sine * (sin_azimuth * origin.sine));
        Arc arc;
        arc.sin1 = origin.sine;
        arc.cos1 =
            origin.sine != 0 || cos_azimuth != 0 ? real(origin.cosine * cos_azimuth) : real(1);
        const real sin_omega1 = sin_alpha0 * origin.sine;
        const real cos_omega1 = arc.cos1;
        normalize(arc.sin1, arc.cos1);
        arc.eps = epsilon(cos_alpha0);
        const real a1 = 1 + a1_minus_1(arc.eps);
        real c1[6], reverted[6], c[6];
        set_c1(arc.eps, c1);
        set_c1_reverted(arc.eps, reverted);
        set_c3(arc.eps, c);
        const real b11 = sine_sum(c1, arc.sin1, arc.cos1);
        real sin_tau, cos_tau;
        const real tau = distance / (b * a1);
        sin_cos(tau + b11, sin_tau, cos_tau);
        arc.sigma = tau +
                    sine_sum(reverted, arc.sin1 * cos_tau + arc.cos1 * sin_tau,
                             arc.cos1 * cos_tau - arc.sin1 * sin_tau) +
                    b11;
        real sine, cosine;
        sin_cos(arc.sigma, sine, cosine);
        arc.sin2 = arc.sin1 * cosine + arc.cos1 * sine;
        arc.cos2 = arc.cos1 * cosine - arc.sin1 * sine;
        if (f > 0.01) {
            // Eq. 20 isn't exact enough: a step of Newton's method for eq. 7.
            const real error =
                a1 * (arc.sigma + (sine_sum(c1, arc.sin2, arc.cos2) - b11)) - distance / b;
            arc.sigma -= error / sqrt(1 + cos_alpha0 * cos_alpha0 * ep2 * (arc.sin2 * arc.sin2));
            sin_cos(arc.sigma, sine, cosine);
            arc.sin2 = arc.sin1 * cosine + arc.cos1 * sine;
            arc.cos2 = arc.cos1 * cosine - arc.sin1 * sine;
        }
        const real adjacent = cos_alpha0 * arc.cos2;
        const real sin_omega2 = sin_alpha0 * arc.sin2;
        const real omega = atan2(sin_omega2 * cos_omega1 - arc.cos2 * sin_omega1,
                                 arc.cos2 * cos_omega1 + sin_omega2 * sin_omega1);
        lon = omega -
              f * sin_alpha0 * a3_of(arc.eps) *
                  (arc.sigma + (sine_sum(c, arc.sin2, arc.cos2) - sine_sum(c, arc.sin1, arc.cos1)));
        lat = atan2(cos_alpha0 * arc.sin2, b * sqrt(sin_alpha0 * sin_alpha0 + adjacent * adjacent));
        const real k2 = cos_alpha0 * cos_alpha0 * ep2;
        const real dn1 = sqrt(1 + k2 * arc.sin1 * arc.sin1);
        const real dn2 = sqrt(1 + k2 * arc.sin2 * arc.sin2);
        real j12;
        lengths(arc, dn1, dn2, m.distance, m.reduced_length, j12);
        set_scales(arc, dn1, dn2, k2 * (arc.sin2 - arc.sin1) * (arc.sin2 + arc.sin1), j12, m);
        m.distance *= b;
        m.reduced_length *= b;
    }

#if GPU_SETUP
    static Geodesic Setup(const Ellipsoid& ellipsoid, double lat_0) {
        Geodesic g = {};
        g.f = ellipsoid.es / (1 + sqrt(ellipsoid.one_es));
        g.b = 1 - g.f;
        g.ep2 = g.f * (2 - g.f) / (g.b * g.b);
        g.n = g.f / (2 - g.f);
        // Karney's bound on the error of the azimuths of a short arc.
        const double flat = g.f < 0.001 ? 0.001 : g.f;
        g.short_arc = 0.1 * 1.5e-8 / sqrt(flat * (1 - g.f / 2) / 2);
        const double n = g.n, n2 = n * n;
        const double a3[6] = {1,
                              -(1. - n) / 2,
                              -1. / 4 - n / 8 + n2 * (3. / 8),
                              -1. / 16 - n * (3. / 16) - n2 / 16,
                              -3. / 64 - n / 32,
                              -3. / 128};
        const double c3[15] = {(1 - n) / 4,
                               (1 - n2) / 8,
                               3. / 64 + n * (3. / 64) - n2 / 64,
                               5. / 128 + n / 64,
                               3. / 128,
                               1. / 16 - n * (3. / 32) + n2 / 32,
                               3. / 64 - n / 32 - n2 * (3. / 64),
                               3. / 128 + n / 128,
                               5. / 256,
                               5. / 192 - n * (3. / 64) + n2 * (5. / 192),
                               3. / 128 - n * (5. / 192),
                               7. / 512,
                               7. / 512 - n * (7. / 256),
                               7. / 512,
                               21. / 2560};
        for (int k = 0; k < 6; ++k) {
            g.a3[k] = a3[k];
        }
        for (int k = 0; k < 15; ++k) {
            g.c3[k] = c3[k];
        }
        const ReducedLatitude origin = g.reduced(lat_0);
        g.sine_origin = origin.sine;
        g.cosine_origin = origin.cosine;
        return g;
    }
#endif
};

}  // namespace proj
}  // namespace kernels
