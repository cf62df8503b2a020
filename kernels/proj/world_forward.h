// World maps with a short formula and no inverse.
#pragma once

#include "proj/angles.h"
#include "proj/definition.h"

namespace kernels {
namespace proj {

// Wagner VII, a Hammer projection of part of the sphere: Snyder and Voxland (1989), "An Album of
// Map Projections", p. 233.
struct Wagner7 {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real sine = 0.90630778703664996 * sin(lat);
        const real cosine = sqrt((1 - sine) * (1 + sine));
        real sin_lon, cos_lon;
        sin_cos(lon / 3, sin_lon, cos_lon);
        const real d = reciprocal_sqrt(0.5 * (1 + cosine * cos_lon));
        x = 2.66723 * cosine * sin_lon * d;
        y = 1.24104 * sine * d;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Wagner7 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

// Larrivee: Snyder and Voxland (1989), p. 234.
struct Larrivee {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        x = 0.5 * lon * (1 + sqrt(cos(lat)));
        y = lat / (cos(0.5 * lat) * cos(lon * (1. / 6)));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Larrivee Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

// Laskowski Tri-Optimal: Laskowski (1991), "On a Mixed Local-Global Error Measure for a Minimum
// Distortion Projection".
struct Laskowski {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real u = lon * lon, v = lat * lat;
        x = lon * (0.975534 + v * (-0.119161 - 0.0143059 * u - 0.0547009 * v));
        y = lat * (1.00384 + u * (0.0802894 - 0.0285500 * v + 0.000199025 * u) +
                   v * (0.0998909 - 0.0491032 * v));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Laskowski Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

// August Epicycloidal: Snyder and Voxland (1989), p. 235.
struct August {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real t = tan(0.5 * lat);
        const real c1 = sqrt(1 - t * t);
        real sine, cosine;
        sin_cos(0.5 * lon, sine, cosine);
        const real c = 1 + c1 * cosine;
        const real u = sine * c1 / c;
        const real v = t / c;
        x = 4. / 3 * u * (3 + u * u - 3 * (v * v));
        y = 4. / 3 * v * (3 + 3 * (u * u) - v * v);
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static August Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

// Denoyer Semi-Elliptical: Snyder and Voxland (1989), p. 223.
struct Denoyer {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real size = fabs(lon), lat2 = lat * lat;
        x = lon * cos((0.95 + size * (-1. / 12 + size * size * (1. / 600))) *
                      (lat * (0.9 + 0.03 * (lat2 * lat2))));
        y = lat;
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Denoyer Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

// Ginsburg VIII (TsNIIGAiK): Snyder and Voxland (1989), p. 224.
struct Ginsburg8 {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        const real lat2 = lat * lat, lon2 = lon * lon;
        x = lon * (1 - 0.162388 * lat2) * (0.87 - 0.000952426 * (lon2 * lon2));
        y = lat * (1 + lat2 * (1. / 12));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Ginsburg8 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

// Boggs Eumorphic: Snyder and Voxland (1989), p. 222; at most twenty steps of Newton's method, to
// 1e-7, as in PROJ.
struct Boggs {
    int64 unused;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real theta = lat;
        x = 0;
        if (!(fabs(fabs(lat) - kHalfPi) < 1e-7)) {
            real sine, cosine;
            sin_cos(lat, sine, cosine);
            const real c = kPi * sine, secant = 1 / cosine;
            for (int i = 0; i < 20; ++i) {
                const real step = (theta + sine - c) / (1 + cosine);
                theta -= step;
                if (fabs(step) < tolerance(1e-7)) {
                    break;
                }
                sin_cos(theta, sine, cosine);
            }
            theta *= 0.5;
            x = 2.00276 * lon / (secant + 1.11072 / cos(theta));
        }
        y = 0.49931 * (lat + 1.41421356237309504880 * sin(theta));
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Boggs Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        return {0};
    }
#endif
};

// Bertin (1953), the formula of Riviere (2017), https://visionscarto.net/bertin-projection-1953: a
// Hammer projection of the turned sphere, its coordinates shifted before and after.
struct Bertin1953 {
    parameter sin_turn;  // of -42 degrees
    parameter cos_turn;

    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon - 16.5 * (kPi / 180), sin_lon, cos_lon);
        const real u = cos_lon * cosine;
        lon = atan2(sin_lon * cosine, u * cos_turn - sine * sin_turn);
        lat = asin(sine * cos_turn + u * sin_turn);
        if (lon + lat < -1.4) {
            const real d = (lon - lat + 1.6) * (lon + lat + 1.4) / 8;
            lon += d;
            lat -= 0.8 * d * cos(lat);
        }
        sin_cos(lat, sine, cosine);
        sin_cos(0.5 * lon, sin_lon, cos_lon);
        const real k = sqrt(2 / (1 + cosine * cos_lon));
        x = 1.68 * k * cosine * sin_lon;
        y = k * sine;
        const real d = (1 - cos(lon * lat)) / 12;
        if (y < 0) {
            x *= 1 + d;
        }
        if (y > 0) {
            y *= 1 + d / 1.5 * x * x;
        }
        return true;
    }

#if GPU_SETUP
    template <class Parameters>
    static Bertin1953 Setup(const Parameters&, Definition& d) {
        d.ellipsoid.es = 0;
        d.lon_0 = 0;
        return {sin(-42 * (kPi / 180)), cos(-42 * (kPi / 180))};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
