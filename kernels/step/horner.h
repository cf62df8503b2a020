// Polynomials of the plane by Horner's scheme, real ones of two variables and complex ones of one;
// inverse by a polynomial of its own or by PROJ's iteration: the polynomial is written as its
// constant plus a matrix times the point, and the matrix of one step gives the point of the next.
#pragma once

#include "core/core.h"

namespace kernels {
namespace step {

// Iterations before PROJ gives up.
constexpr int kHornerIterations = 32;

// Powers of the first variable run fastest in u, those of the second in v: u = sum of u[k] e^j n^i,
// v = sum of v[k] n^j e^i, for i from 0 and j from 0 to the degree - i.
template <int kDegree>
struct HornerReal {
    double e_0;
    double n_0;
    double range;  // largest accepted distance from the origin, along either axis
    double tolerance;
    double u[(kDegree + 1) * (kDegree + 2) / 2];
    double v[(kDegree + 1) * (kDegree + 2) / 2];

    // The polynomial's rows from `first` on, by their powers of `other`, divided by its first.
    template <int kFirst>
    GPU_FUNC static double rows(const double* c, double own, double other) {
        double sum = 0;
        int k = (kDegree + 1) * (kDegree + 2) / 2;
        for (int i = kDegree; i >= kFirst; --i) {
            double row = c[--k];
            for (int j = kDegree - i; j > 0; --j) {
                row = own * row + c[--k];
            }
            sum = other * sum + row;
        }
        return sum;
    }

    // The first row without its constant, divided by the variable.
    GPU_FUNC static double first_row(const double* c, double own) {
        double sum = c[kDegree];
        for (int j = kDegree - 1; j > 0; --j) {
            sum = own * sum + c[j];
        }
        return sum;
    }

    GPU_FUNC bool evaluate(double& x, double& y) const {
        const double e = x - e_0;
        const double n = y - n_0;
        if (fabs(n) > range || fabs(e) > range) {
            return false;
        }
        x = rows<0>(u, e, n);
        y = rows<0>(v, n, e);
        return true;
    }

    GPU_FUNC bool iterate(double& x, double& y) const {
        if (fabs(y) > range || fabs(x) > range) {
            return false;
        }
        const double de = x - u[0];
        const double dn = y - v[0];
        double e = 0, n = 0;
        for (int i = 0; i < kHornerIterations; ++i) {
            const double a = first_row(u, e);
            const double b = rows<1>(u, e, n);
            const double c = rows<1>(v, n, e);
            const double d = first_row(v, n);
            const double r_det = 1 / (a * d - b * c);
            const double next_e = r_det * (d * de - b * dn);
            const double next_n = r_det * (a * dn - c * de);
            const bool reached = fabs(next_e - e) < tolerance && fabs(next_n - n) < tolerance;
            e = next_e;
            n = next_n;
            if (reached) {
                x = e + e_0;
                y = n + n_0;
                return true;
            }
        }
        return false;
    }
};

// Northing is the real part, easting the imaginary one: c holds pairs of them.
template <int kDegree>
struct HornerComplex {
    double e_0;
    double n_0;
    double e_sign;
    double n_sign;
    double range;
    double tolerance;
    double c[2 * kDegree + 2];

    // From the coefficient `first` on, divided by that power.
    GPU_FUNC void sum(int first, double e, double n, double& re, double& im) const {
        re = c[2 * kDegree];
        im = c[2 * kDegree + 1];
        for (int k = kDegree - 1; k >= first; --k) {
            const double old = re;
            re = n * re - e * im + c[2 * k];
            im = n * im + e * old + c[2 * k + 1];
        }
    }

    GPU_FUNC bool evaluate(double& x, double& y) const {
        const double e = (x - e_0) * e_sign;
        const double n = (y - n_0) * n_sign;
        if (fabs(n) > range || fabs(e) > range) {
            return false;
        }
        sum(0, e, n, y, x);
        return true;
    }

    GPU_FUNC bool iterate(double& x, double& y) const {
        if (fabs(y) > range || fabs(x) > range) {
            return false;
        }
        const double dn = y - c[0];
        const double de = x - c[1];
        double e = 0, n = 0;
        for (int i = 0; i < kHornerIterations; ++i) {
            double re, im;
            sum(1, e, n, re, im);
            const double r_square = 1 / (re * re + im * im);
            const double next_n = (dn * re + de * im) * r_square;
            const double next_e = (de * re - dn * im) * r_square;
            const bool reached = fabs(next_e - e) < tolerance && fabs(next_n - n) < tolerance;
            e = next_e;
            n = next_n;
            if (reached) {
                x = e * e_sign + e_0;
                y = n * n_sign + n_0;
                return true;
            }
        }
        return false;
    }
};

}  // namespace step
}  // namespace kernels
