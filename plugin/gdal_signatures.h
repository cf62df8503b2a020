// Names and signatures that GDAL changed between its versions: the one place that asks for the
// version at build time. Classes that override such a function override the one here instead.
#pragma once

#include <type_traits>
#include <utility>

#include "gdal_proxy.h"

namespace gdalgpu {

// GDT_Int8, which GDAL has since 3.7; before, no band has that type.
inline constexpr GDALDataType kInt8 = static_cast<GDALDataType>(14);

// The bands of a dataset's IRasterIO: int* until 3.9, const int* since.
#ifdef BANDMAP_TYPE
using BandMap = BANDMAP_TYPE;
#else
using BandMap = int*;
#endif

// What GDALDataset::FlushCache() returns: nothing until 3.6, a CPLErr since.
using DatasetFlushResult = decltype(std::declval<GDALDataset&>().FlushCache(true));

// FlushCache() of one dataset, then of another; the worse result.
template <typename First, typename Second>
DatasetFlushResult FlushBoth(First&& first, Second&& second) {
    if constexpr (std::is_void_v<DatasetFlushResult>) {
        first();
        second();
    } else {
        const auto error = first();
        const auto other = second();
        return error > other ? error : other;
    }
}

// A dataset on the geotransform of another: GetGeoTransform() takes a double* until 3.11, a
// GDALGeoTransform& since.
class DatasetOnGeotransform : public GDALDataset {
  public:
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 12, 0)
    CPLErr GetGeoTransform(GDALGeoTransform& geotransform) const override {
        return geotransform_dataset().GetGeoTransform(geotransform);
    }
#else
    CPLErr GetGeoTransform(double* geotransform) override {
        return geotransform_dataset().GetGeoTransform(geotransform);
    }
#endif

  protected:
    virtual GDALDataset& geotransform_dataset() const = 0;
};

// A proxy of a band that is there as long as the proxy: RefUnderlyingRasterBand() has an argument
// since 3.7.
class BandProxy : public GDALProxyRasterBand {
  protected:
    virtual GDALRasterBand& underlying_band() const = 0;

#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION(3, 7, 0)
    GDALRasterBand* RefUnderlyingRasterBand(bool) const override { return &underlying_band(); }
#else
    GDALRasterBand* RefUnderlyingRasterBand() const override { return &underlying_band(); }
#endif
    void UnrefUnderlyingRasterBand(GDALRasterBand*) const override {}
};

// NOLINTBEGIN(bugprone-parent-virtual-call)

// Proxies whose pixels are their own: what works through blocks takes those of the proxy, where
// GDAL's proxies take those of what they stand for since 3.10.
class DatasetProxyWithPixels : public GDALProxyDataset {
#ifdef BANDMAP_TYPE
  protected:
    CPLErr BlockBasedRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data,
                              int buffer_width, int buffer_height, GDALDataType type,
                              int band_count, const int* bands, GSpacing pixel_space,
                              GSpacing line_space, GSpacing band_space,
                              GDALRasterIOExtraArg* extra) override {
        return GDALDataset::BlockBasedRasterIO(flag, x, y, width, height, data, buffer_width,
                                               buffer_height, type, band_count, bands, pixel_space,
                                               line_space, band_space, extra);
    }
#endif
};

class BandProxyWithPixels : public BandProxy {
#ifdef BANDMAP_TYPE
  public:
    GDALRasterBlock* GetLockedBlockRef(int column, int row, int just_initialize) override {
        return GDALRasterBand::GetLockedBlockRef(column, row, just_initialize);
    }
    GDALRasterBlock* TryGetLockedBlockRef(int column, int row) override {
        return GDALRasterBand::TryGetLockedBlockRef(column, row);
    }
    CPLErr FlushBlock(int column, int row, int write_dirty) override {
        return GDALRasterBand::FlushBlock(column, row, write_dirty);
    }
    CPLErr InterpolateAtPoint(double x, double y, GDALRIOResampleAlg resampling, double* real,
                              double* imaginary) const override {
        return GDALRasterBand::InterpolateAtPoint(x, y, resampling, real, imaginary);
    }
#endif
};

// NOLINTEND(bugprone-parent-virtual-call)

}  // namespace gdalgpu
