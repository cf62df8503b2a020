// Pixels of a warped VRT: its warp operation, run on the device, region by region.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gdal_priv.h"
#include "gdalwarper.h"
#include "plugin/vrt/region_cache.h"
#include "plugin/vrt/warp_destination.h"
#include "plugin/vrt/warped_xml.h"
#include "plugin/warp/warp_operation.h"

namespace gdalgpu {

// Where a caller wants pixels: bands (1-based) of a window, at full resolution.
struct ReadRequest {
    PixelWindow window;
    std::vector<int> bands;
    void* data = nullptr;
    GDALDataType type = GDT_Unknown;
    GSpacing pixel_space = 0;
    GSpacing line_space = 0;
    GSpacing band_space = 0;
    GDALProgressFunc progress = nullptr;
    void* progress_argument = nullptr;
};

class WarpReader {
  public:
    // Opens the source and sets up the operation that the XML describes. `vrt`, GDAL's own dataset
    // of the same XML, must outlive this. nullptr with the reason where that can't be done or is
    // better left to GDAL.
    static std::unique_ptr<WarpReader> Create(WarpedXml& xml, GDALDataset& vrt,
                                              std::string& reason);
    ~WarpReader();
    WarpReader(const WarpReader&) = delete;
    WarpReader& operator=(const WarpReader&) = delete;

    // Warps what isn't at hand from the last call and delivers the pixels, in swaths of rows where
    // all at once would take too much memory.
    CPLErr Read(const ReadRequest& request);

    // Has a window, of a size that fits into memory, at hand for the Read()s that follow.
    CPLErr Prepare(const PixelWindow& window);

    // Forgets the regions at hand.
    void Drop() { regions_.Clear(); }

  private:
    // Where a band of the VRT comes from.
    struct BandSource {
        int index = -1;      // in the operation's list of bands; -1: not among them
        bool alpha = false;  // written by the warper as destination alpha
        GDALDataType type = GDT_Byte;
    };

    explicit WarpReader(GDALDataset& vrt);
    void SetUpBands();
    int64_t RowsAtOnce(int64_t width) const;
    bool CanWarpInPlace(const ReadRequest& request) const;
    CPLErr ReadInSwaths(const ReadRequest& request);
    CPLErr WarpInPlace(const ReadRequest& request);
    size_t BytesPerPixel() const;
    const RegionCache::Region* WarpRegion(const PixelWindow& window, bool transient);
    CPLErr Warp(const PixelWindow& window, void* data, const AlphaTarget& alpha);
    void Copy(const RegionCache::Region& region, const PixelWindow& window,
              const ReadRequest& request) const;
    void CopyRows(const RegionCache::Region& region, const PixelWindow& window,
                  const ReadRequest& request, int64_t begin, int64_t end) const;

    GDALDataset& vrt_;
    WarpDestination destination_;
    GDALDatasetH source_ = nullptr;
    std::unique_ptr<GDALDataset> parallel_source_;  // stands for source_ where that pays
    void* transformer_ = nullptr;
    GDALWarpOperation operation_;
    std::unique_ptr<DeviceWarp> device_warp_;

    std::vector<BandSource> bands_;
    GDALDataType working_type_ = GDT_Unknown;
    int word_ = 0;  // bytes of a working pixel
    int band_count_ = 0;
    GDALDataType alpha_type_ = GDT_Unknown;  // GDT_Unknown: no destination alpha band
    std::vector<GByte> initial_;             // a pixel of every band as INIT_DEST says

    RegionCache regions_;
};

}  // namespace gdalgpu
