// Where a destination pixel lies in the source: its centre, or the area between its corners.
#pragma once

#include "core/pixel.h"
#include "warp/request.h"

namespace kernels {
namespace warp {

// Where the transform takes a point of a pixel, without later fusions. Transform: a struct with
// to_source(), as PixelTransform::Emit() adds it.
template <typename Transform>
GPU_FUNC bool find_position(const Request& q, const Transform& transform, int64 column, int64 row,
                            double place_x, double place_y, double& x, double& y) {
    if (!transform.to_source(q.x + column, q.y + row, place_x, place_y, x, y)) return false;
    x = rounded(x);
    y = rounded(y);
    if (q.position_precision > 0.0) {
        x = floor(x / q.position_precision + 0.5) * q.position_precision;
        y = floor(y / q.position_precision + 0.5) * q.position_precision;
    }
    return true;
}

struct Point {
    double x, y;
    int32 column, row;  // the source pixel that it lies in

    // Whether it lies in the raster.
    template <typename Transform>
    GPU_FUNC bool find(const Request& q, const Transform& transform, int64 at_column,
                       int64 at_row) {
        if (!find_position(q, transform, at_column, at_row, 0.5, 0.5, x, y)) return false;
        // The raster's far edges belong to its last pixels, within 1e-10. Also false for NaN.
        if (!(x >= 0.0 && y >= 0.0 && x + 1e-10 <= static_cast<double>(q.raster_width) &&
              y + 1e-10 <= static_cast<double>(q.raster_height))) {
            return false;
        }
        column = static_cast<int32>(x + 1e-10);
        row = static_cast<int32>(y + 1e-10);
        if (column == q.raster_width) --column;
        if (row == q.raster_height) --row;
        return true;
    }

    // The samples first to last (relative to the one left of and above the position), cut off at
    // the raster's edges.
    GPU_FUNC SourceBox samples(const Request& q, int64 x_first, int64 x_last, int64 y_first,
                               int64 y_last) const {
        const int64 left = static_cast<int64>(floor(x - 0.5)),
                    top = static_cast<int64>(floor(y - 0.5));
        SourceBox box;
        box.x_min = static_cast<int32>(left + x_first > 0 ? left + x_first : 0);
        box.y_min = static_cast<int32>(top + y_first > 0 ? top + y_first : 0);
        box.x_max =
            static_cast<int32>(left + x_last < q.raster_width ? left + x_last : q.raster_width - 1);
        box.y_max =
            static_cast<int32>(top + y_last < q.raster_height ? top + y_last : q.raster_height - 1);
        return box;
    }
};

// The upright rectangle between the positions of a pixel's first and last corner, as GDAL takes it.
struct Area {
    double left, top, right, bottom;
    // The pixels that it covers, the ends excluded. Where the area crosses the edge at which the
    // raster meets itself (the antimeridian), x_end is beyond the raster's width.
    int64 x_first, x_end, y_first, y_end;

    template <typename Transform>
    GPU_FUNC bool find(const Request& q, const Transform& transform, int64 column, int64 row) {
        double x, y, to_x, to_y;
        if (!find_position(q, transform, column, row, 0.0, 0.0, x, y) ||
            !find_position(q, transform, column, row, 1.0, 1.0, to_x, to_y)) {
            return false;
        }
        const double width = static_cast<double>(q.raster_width),
                     height = static_cast<double>(q.raster_height);
        const Filter& f = q.filter;
        // Also false for NaN.
        if (!(x >= -f.x_margin && to_x >= -f.x_margin && y >= -f.y_margin && to_y >= -f.y_margin &&
              x - width <= f.x_margin && to_x - width <= f.x_margin && y - height <= f.y_margin &&
              to_y - height <= f.y_margin)) {
            return false;
        }
        left = x < to_x ? x : to_x;
        right = x < to_x ? to_x : x;
        top = y < to_y ? y : to_y;
        bottom = y < to_y ? to_y : y;
        const bool wraps = is_across(q, transform, column, row);
        if (wraps) {
            const double end = left + width;
            left = right;
            right = end;
        }
        if (f.areas_meet_raster &&
            !(right > -1e-10 && left < width + 1e-10 && bottom > -1e-10 && top < height + 1e-10)) {
            return false;
        }
        x_first = first_pixel(left, q.raster_width);
        x_end = end_pixel(right, wraps ? 2 * q.raster_width : q.raster_width);
        if (x_first == x_end && x_end < q.raster_width) ++x_end;
        y_first = first_pixel(top, q.raster_height);
        y_end = end_pixel(bottom, q.raster_height);
        if (y_first == y_end && y_end < q.raster_height) ++y_end;
        return x_first < x_end && y_first < y_end;
    }

    GPU_FUNC SourceBox box(const Request& q) const {
        const bool wraps = x_end > q.raster_width;
        return {static_cast<int32>(wraps ? 0 : x_first), static_cast<int32>(y_first),
                static_cast<int32>(wraps ? q.raster_width - 1 : x_end - 1),
                static_cast<int32>(y_end - 1)};
    }

    // The part of a column, or row, that is covered; 1 where there is but one.
    GPU_FUNC double x_weight(int64 x) const { return weight(x, x_first, x_end, left, right); }
    GPU_FUNC double y_weight(int64 y) const { return weight(y, y_first, y_end, top, bottom); }

  private:
    // A pixel from one end of the raster to the other is taken for one across the antimeridian;
    // since 3.9.3 where the middle of its edge isn't between its corners.
    template <typename Transform>
    GPU_FUNC bool is_across(const Request& q, const Transform& transform, int64 column,
                            int64 row) const {
        const Filter& f = q.filter;
        const double width = static_cast<double>(q.raster_width);
        const double close = static_cast<double>(q.raster_width / 10 < 2 ? q.raster_width / 10 : 2);
        double x, y;
        if (f.wrap_rule < 2) {
            if (!(product(left, f.wrap_scale) < close &&
                  product(width - right, f.wrap_scale) < close))
                return false;
        } else {
            if (q.x + column + 1 >= f.wrap_end || !(width - right < close) ||
                !find_position(q, transform, column, row, 1.0, 0.0, x, y) ||
                !(2.0 * left - x < close))
                return false;
        }
        if (f.wrap_rule == 0) return true;
        return transform.to_source(q.x + column, q.y + row, 0.5, 0.0, x, y) && x < left;
    }

    GPU_FUNC static int64 first_pixel(double edge, int64 size) {
        const double at = floor(edge + 1e-10);
        return at < 0.0 ? 0 : at > static_cast<double>(size) ? size : static_cast<int64>(at);
    }
    GPU_FUNC static int64 end_pixel(double edge, int64 size) {
        const double at = ceil(edge - 1e-10);
        return at > static_cast<double>(size) ? size : static_cast<int64>(at);
    }
    GPU_FUNC static double weight(int64 at, int64 first, int64 end, double from, double to) {
        if (at == first) {
            return first + 1 == end ? 1.0 : 1.0 - (from - static_cast<double>(first));
        }
        return at + 1 == end ? 1.0 - (static_cast<double>(end) - to) : 1.0;
    }
};

}  // namespace warp
}  // namespace kernels
