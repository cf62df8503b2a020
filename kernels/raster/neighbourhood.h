// 3x3 windows as gdaldem sees them: borders, nodata in the window, and the type of its arithmetic.
#pragma once

#include "raster/convert.h"

namespace kernels {

// A part of a raster: the input pixels (with whatever lies around the output inside the raster, one
// pixel each way) and the output pixels, both packed.
struct NeighbourhoodParams {
    const void* input;
    void* output;
    int64 width;  // of the output, in pixels
    int64 height;
    int64 x;  // the output's first pixel in the raster
    int64 y;
    int64 raster_width;
    int64 raster_height;
    int64 input_width;  // pixels in an input row
    int64 input_x;      // the output's first pixel in the input: 0 at the raster's edge, else 1
    int64 input_y;
    int64 nodata_kind;  // kNodataNone, kNodataValue or kNodataNan
    double nodata;
    double nodata_low;  // every value from here to nodata_high counts as nodata
    double nodata_high;
    double beyond_edge;  // of an elevation that extrapolation takes to nodata
    double output_nodata;
    int64 compute_edges;
};

constexpr int64 kNodataNone = 0;
constexpr int64 kNodataValue = 1;
constexpr int64 kNodataNan = 2;

// gdaldem computes in int32 for Byte, Int16 and UInt16, in float for every other type. Value is
// that type.
template <typename Value>
struct WindowArithmetic;

template <>
struct WindowArithmetic<int32> {
    template <typename Pixel>
    static GPU_FUNC int32 load(Pixel pixel) {
        return static_cast<int32>(pixel);
    }
    static GPU_FUNC bool is_nodata(int32 v, const NeighbourhoodParams& p) {
        return v == static_cast<int32>(p.nodata);
    }
    // The pixel beyond a border: a is the border's, b the one inside. Never nodata by accident.
    static GPU_FUNC int32 extrapolate(int32 a, int32 b, const NeighbourhoodParams& p) {
        if (p.nodata_kind == kNodataNone) return 2 * a - b;
        const int32 nodata = static_cast<int32>(p.nodata);
        if (a == nodata || b == nodata) return nodata;
        const int32 v = 2 * a - b;
        return v == nodata ? v + 1 : v;
    }
};

template <>
struct WindowArithmetic<float> {
    static GPU_FUNC float load(float pixel) { return pixel; }
    static GPU_FUNC float load(double pixel) { return FromDouble<float>::convert(pixel); }
    template <typename Pixel>
    static GPU_FUNC float load(Pixel pixel) {
        return static_cast<float>(pixel);
    }
    static GPU_FUNC bool is_nodata(float v, const NeighbourhoodParams& p) {
        return p.nodata_kind == kNodataNan ? v != v
                                           : v >= static_cast<float>(p.nodata_low) &&
                                                 v <= static_cast<float>(p.nodata_high);
    }
    static GPU_FUNC float extrapolate(float a, float b, const NeighbourhoodParams& p) {
        if (p.nodata_kind == kNodataValue && (is_nodata(a, p) || is_nodata(b, p)))
            return static_cast<float>(p.nodata);
        const float v = 2.0f * a - b;
        return p.nodata_kind == kNodataValue && is_nodata(v, p) ? static_cast<float>(p.beyond_edge)
                                                                : v;
    }
};

template <typename Pixel, typename Value>
struct Neighbourhood {
    // Fills w with the 3x3 window around output pixel (x, y), row by row from the north-west; false
    // where gdaldem gives nodata: at the borders unless compute_edges, and where nodata is in the
    // window (with compute_edges, where it is the pixel itself; the others take the pixel's value).
    static GPU_FUNC bool gather(const NeighbourhoodParams& p, int64 x, int64 y, Value* w) {
        using Arithmetic = WindowArithmetic<Value>;
        const Pixel* const centre =
            static_cast<const Pixel*>(p.input) + (p.input_y + y) * p.input_width + p.input_x + x;
        const int64 row = p.y + y;
        const int64 column = p.x + x;
        const bool top = row == 0;
        const bool bottom = row == p.raster_height - 1;
        const bool left = column == 0;
        const bool right = column == p.raster_width - 1;
        if (!(top || bottom || left || right)) {
            const Pixel* const above = centre - p.input_width;
            const Pixel* const below = centre + p.input_width;
            for (int k = 0; k < 3; ++k) {
                w[k] = Arithmetic::load(above[k - 1]);
                w[3 + k] = Arithmetic::load(centre[k - 1]);
                w[6 + k] = Arithmetic::load(below[k - 1]);
            }
        } else if (!p.compute_edges || p.raster_width < 2 || p.raster_height < 2) {
            return false;
        } else if (top || bottom) {
            // Columns beyond a corner are the corner's; the row beyond is extrapolated from the two
            // rows inside.
            const int64 inside = top ? p.input_width : -p.input_width;
            for (int k = 0; k < 3; ++k) {
                const int64 step = (k == 0 && left) || (k == 2 && right) ? 0 : k - 1;
                const Value a = Arithmetic::load(centre[step]);
                const Value b = Arithmetic::load(centre[step + inside]);
                const Value beyond = Arithmetic::extrapolate(a, b, p);
                w[k] = top ? beyond : b;
                w[3 + k] = a;
                w[6 + k] = top ? b : beyond;
            }
        } else {
            const int64 inside = left ? 1 : -1;
            for (int64 k = 0; k < 3; ++k) {
                const Pixel* const line = centre + (k - 1) * p.input_width;
                const Value a = Arithmetic::load(line[0]);
                const Value b = Arithmetic::load(line[inside]);
                const Value beyond = Arithmetic::extrapolate(a, b, p);
                w[3 * k] = left ? beyond : b;
                w[3 * k + 1] = a;
                w[3 * k + 2] = left ? b : beyond;
            }
        }
        if (p.nodata_kind == kNodataNone) return true;
        if (Arithmetic::is_nodata(w[4], p)) return false;
        for (int k = 0; k < 9; ++k) {
            if (Arithmetic::is_nodata(w[k], p)) {
                if (!p.compute_edges) return false;
                w[k] = w[4];
            }
        }
        return true;
    }
};

enum class Gradient { Horn, ZevenbergenThorne, HornSquarePixels };

// The window's differences west - east and south - north, weighted, not yet divided by distances (8
// pixels for Horn, 2 for Zevenbergen & Thorne). HornSquarePixels sums in the order that gdaldem
// uses for square pixels, which matters to the rounding of float windows alone.
template <Gradient gradient>
struct Differences {
    template <typename Value>
    static GPU_FUNC void of(const Value* w, double& x, double& y) {
        if (gradient == Gradient::Horn) {
            x = (w[0] + w[3] + w[3] + w[6]) - (w[2] + w[5] + w[5] + w[8]);
            y = (w[6] + w[7] + w[7] + w[8]) - (w[0] + w[1] + w[1] + w[2]);
        } else if (gradient == Gradient::ZevenbergenThorne) {
            x = w[3] - w[5];
            y = w[7] - w[1];
        } else {
            const Value diagonal = w[0] - w[8];
            const Value other = w[6] - w[2];
            const Value across = w[3] - w[5];
            const Value along = w[1] - w[7];
            const Value west = diagonal + across + across + other;
            const Value north = diagonal + along + along - other;
            x = west;
            y = -static_cast<double>(north);
        }
    }
};

}  // namespace kernels
