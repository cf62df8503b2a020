// Helmert transforms whose parameters change with time, evaluated at each point's own: IOGP (2021),
// "Geomatics Guidance Note 7-2", the time-dependent position vector and coordinate frame methods,
// and the plane's similarity. Time in the unit of the rates, as a rule decimal years; points
// without a time (+infinity) are of the reference epoch.
#pragma once

#include "proj/angles.h"

namespace kernels {
namespace step {

struct HelmertRates {
    double shift[3];
    double shift_rate[3];
    double angle[3];  // radians about x, y, z
    double angle_rate[3];
    double scale;  // less 1
    double scale_rate;
    double epoch;

    // The coordinate frame's rotation, to the first order unless exact; transposed: back.
    template <bool kExact, bool kTransposed>
    GPU_FUNC void rotate(double dt, double& x, double& y, double& z) const {
        const double f = angle[0] + angle_rate[0] * dt;
        const double t = angle[1] + angle_rate[1] * dt;
        const double p = angle[2] + angle_rate[2] * dt;
        double xx = 1, xy = p, xz = -t, yx = -p, yy = 1, yz = f, zx = t, zy = -f, zz = 1;
        if (kExact) {
            double sf, cf, st, ct, sp, cp;
            proj::sin_cos(f, sf, cf);
            proj::sin_cos(t, st, ct);
            proj::sin_cos(p, sp, cp);
            xx = ct * cp;
            xy = cf * sp + sf * st * cp;
            xz = sf * sp - cf * st * cp;
            yx = -ct * sp;
            yy = cf * cp - sf * st * sp;
            yz = sf * cp + cf * st * sp;
            zx = st;
            zy = -sf * ct;
            zz = cf * ct;
        }
        const double u = x, v = y, w = z;
        x = xx * u + (kTransposed ? yx : xy) * v + (kTransposed ? zx : xz) * w;
        y = (kTransposed ? xy : yx) * u + yy * v + (kTransposed ? zy : yz) * w;
        z = (kTransposed ? xz : zx) * u + (kTransposed ? yz : zy) * v + zz * w;
    }

    GPU_FUNC double since_epoch(double t) const { return proj::is_refused(t) ? 0.0 : t - epoch; }

    // The position vector's convention is the transposed rotation.
    template <bool kExact, bool kPositionVector>
    GPU_FUNC void forward(double& x, double& y, double& z, double t) const {
        const double dt = since_epoch(t);
        const double factor = 1 + (scale + scale_rate * dt);
        rotate<kExact, kPositionVector>(dt, x, y, z);
        x = factor * x + (shift[0] + shift_rate[0] * dt);
        y = factor * y + (shift[1] + shift_rate[1] * dt);
        z = factor * z + (shift[2] + shift_rate[2] * dt);
    }

    template <bool kExact, bool kPositionVector>
    GPU_FUNC void inverse(double& x, double& y, double& z, double t) const {
        const double dt = since_epoch(t);
        const double factor = 1 / (1 + (scale + scale_rate * dt));
        x = (x - (shift[0] + shift_rate[0] * dt)) * factor;
        y = (y - (shift[1] + shift_rate[1] * dt)) * factor;
        z = (z - (shift[2] + shift_rate[2] * dt)) * factor;
        rotate<kExact, !kPositionVector>(dt, x, y, z);
    }
};

// The plane's similarity; PROJ lets its shift stand still.
struct HelmertPlaneRates {
    double x_0;
    double y_0;
    double angle;
    double angle_rate;
    double scale;
    double scale_rate;
    double epoch;

    GPU_FUNC void at(double t, double& factor, double& sine, double& cosine) const {
        const double dt = proj::is_refused(t) ? 0.0 : t - epoch;
        factor = scale + scale_rate * dt;
        proj::sin_cos(angle + angle_rate * dt, sine, cosine);
    }

    GPU_FUNC void forward(double& x, double& y, double t) const {
        double factor, sine, cosine;
        at(t, factor, sine, cosine);
        const double u = factor * x, v = factor * y;
        x = cosine * u + sine * v + x_0;
        y = -sine * u + cosine * v + y_0;
    }

    GPU_FUNC void inverse(double& x, double& y, double t) const {
        double factor, sine, cosine;
        at(t, factor, sine, cosine);
        const double u = (x - x_0) / factor, v = (y - y_0) / factor;
        x = cosine * u - sine * v;
        y = sine * u + cosine * v;
    }
};

}  // namespace step
}  // namespace kernels
