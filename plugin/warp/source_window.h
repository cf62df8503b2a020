// The source pixels that a region of a warp operation reads.
#pragma once

#include <vector>

#include "gdalwarper.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

// As GDALWarpOperation::ComputeSourceWindow gives it: in source raster coordinates; the extra sizes
// are the pixels in it that GDAL's kernel leaves out of its scale. No pixels: width or height 0.
struct SourceWindow {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
    double x_extra = 0.0;
    double y_extra = 0.0;

    bool empty() const { return width <= 0 || height <= 0; }
};

bool SamePixels(const SourceWindow& a, const SourceWindow& b);

// GDALWarpOperation::ComputeSourceWindow is private, but its symbol is exported where GDAL is built
// with default visibility.
bool CanComputeSourceWindow();

// GDAL's source window for a region of the destination; false, with an empty window, where GDAL
// can't tell (it says so itself when it gets there). fill_ratio: the part of the region's source
// that lies in the raster, as GDAL has it.
bool ComputeSourceWindow(GDALWarpOperation& operation, const PixelWindow& region,
                         SourceWindow& window, double& fill_ratio);

// The parts of `region`, with a source window each, into which GDAL's ChunkAndWarpImage cuts it
// even where memory is no object: in halves across the longer side, over and over, while less than
// half of a part's source lies in the raster and a side is longer than 100 pixels. One part with
// the warp option SRC_FILL_RATIO_HEURISTICS=NO, and empty where GDAL can't tell the region's source
// window.
struct ChunkPart {
    PixelWindow window;
    SourceWindow source;
};
std::vector<ChunkPart> CutForFillRatio(GDALWarpOperation& operation, const PixelWindow& region);

// The source pixels that a resampling takes on each side of a position, or of an area's corners, at
// this scale.
int FilterReach(GDALResampleAlg resampling, double scale);

// Source pixels to read on each side of GDAL's window: the filter's reach at this scale, and a few
// for edges that bend between the 21 points a side that GDAL looks at.
int SourceMargin(GDALResampleAlg resampling, double scale);

// The window that holds columns x_min to x_max and rows y_min to y_max (exclusive ends) as far as
// they lie in the raster, and all of `window`.
SourceWindow Enlarge(const SourceWindow& window, int x_min, int y_min, int x_max, int y_max,
                     int raster_width, int raster_height);

}  // namespace gdalgpu
