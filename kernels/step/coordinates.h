// Bodies of the kernels that transform arrays of coordinates, and the choice among several
// operations, point by point.
#pragma once

#include "core/core.h"

namespace kernels {
namespace step {

// Arrays of `count` coordinates each; null ones aren't read (0, for t: infinity, no time) or
// written. Input and output may be the same arrays. Refused points become infinity.
template <typename Transform>
struct TransformCoordinatesParams {
    Transform transform;
    const double* in[4];
    double* out[4];
    int32* success;
    int64 count;

    GPU_FUNC void run(long long i) const {
        double x = in[0][i], y = in[1][i];
        double z = in[2] != nullptr ? in[2][i] : 0.0;
        double t = in[3] != nullptr ? in[3][i] : HUGE_VAL;
        const bool ok = transform.apply(x, y, z, t);
        out[0][i] = ok ? x : HUGE_VAL;
        out[1][i] = ok ? y : HUGE_VAL;
        if (out[2] != nullptr) out[2][i] = ok ? z : HUGE_VAL;
        if (out[3] != nullptr) out[3][i] = ok ? t : HUGE_VAL;
        if (success != nullptr) success[i] = ok ? 1 : 0;
    }
};

struct Area {
    double min_x, min_y, max_x, max_y;  // inclusive
};

// One operation among several.
struct Candidate {
    Area area;         // of use, in the CRS that points come from
    Area source_area;  // and in the source CRS, whichever that is
    double accuracy;   // metres; negative: unknown
    int64 preferable;  // may take the place of one found before it
    int64 shape;       // for Operations::run
    int64 index;
    // Of the area of use, on the unit sphere: the smaller is taken among equals. NaN: the one whose
    // area lies within the other's is.
    double extent;
    int64 area_known;
    int64 keeps_place;  // no other of the same accuracy takes its place
};

// Whether a candidate takes the place of one of the same accuracy.
GPU_FUNC bool is_smaller(const Candidate& c, const Candidate& other) {
    if (c.extent == c.extent) {
        return c.extent < other.extent && (c.area_known || !other.area_known) && !other.keeps_place;
    }
    const Area &inner = c.source_area, &outer = other.source_area;
    return inner.min_x > outer.min_x && inner.min_y > outer.min_y && inner.max_x < outer.max_x &&
           inner.max_y < outer.max_y;
}

// proj_trans()'s choice: the most accurate candidate whose area holds the point, the smaller area
// among equals (is_smaller); where that refuses the point, the next, up to three; then the
// candidate numbered `fallback` (negative: none). Operations: run(shape, index, x, y, z, t), false
// for a refused point.
template <int count, typename Operations>
GPU_FUNC bool apply_candidates(const Operations& operations, const Candidate (&candidates)[count],
                               int64 fallback, double& x, double& y, double& z, double& t) {
    const double x0 = x, y0 = y, z0 = z, t0 = t;
    int first = -1, second = -1;  // refused the point
    for (int attempt = 0; attempt < 4; ++attempt) {
        int best = -1;
        for (int i = 0; i < count && attempt < 3; ++i) {
            const Candidate& c = candidates[i];
            const Area& a = c.area;
            if (i == first || i == second ||
                !(x0 >= a.min_x && y0 >= a.min_y && x0 <= a.max_x && y0 <= a.max_y)) {
                continue;
            }
            if (best < 0) {
                best = i;
            } else if (c.preferable) {
                const double accuracy = candidates[best].accuracy;
                if ((c.accuracy >= 0 && c.accuracy < accuracy) ||
                    (c.accuracy == accuracy && is_smaller(c, candidates[best]))) {
                    best = i;
                }
            }
        }
        const int64 chosen = best < 0 ? fallback : best;
        if (chosen < 0) return false;
        x = x0, y = y0, z = z0, t = t0;
        if (operations.run(candidates[chosen].shape, candidates[chosen].index, x, y, z, t)) {
            return true;
        }
        if (best < 0) return false;
        (attempt == 0 ? first : second) = best;
    }
    return false;
}

}  // namespace step
}  // namespace kernels
