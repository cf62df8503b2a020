// Pixels of a warped VRT: its warp operation, run on the device, region by region.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpl_vsi.h"
#include "gdal_priv.h"
#include "gdalwarper.h"
#include "plugin/vrt/read_request.h"
#include "plugin/vrt/warp_destination.h"
#include "plugin/vrt/warped_xml.h"
#include "plugin/warp/warp_operation.h"

namespace gdalgpu {

// A window's pixels as the warp gives them.
class WarpedRegion {
  public:
    const PixelWindow& window() const { return window_; }

  private:
    friend class WarpReader;
    struct FreeMemory {
        void operator()(void* memory) const { VSIFree(memory); }
    };
    PixelWindow window_;
    std::unique_ptr<void, FreeMemory> memory_;
    size_t capacity_ = 0;
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

    // Warps the window and delivers its pixels, in swaths of rows where all at once would take too
    // much memory, and straight into the caller's buffer where that has the right form.
    CPLErr Read(const ReadRequest& request);

    // Rows of so many pixels that can be warped at once with `memory` bytes, about as much of the
    // source as they need included; some bytes are always allowed, and some never.
    int64_t RowsAtOnce(int64_t width, int64_t memory) const;

    // Warps a window, of a size that fits into memory, into `region`, whose memory is used again.
    CPLErr Warp(const PixelWindow& window, WarpedRegion& region);

    // Delivers a window of the request, which lies in the region.
    void Copy(const WarpedRegion& region, const PixelWindow& window,
              const ReadRequest& request) const;

    // Its rows [begin, end), on this thread alone.
    void CopyRows(const WarpedRegion& region, const PixelWindow& window, const ReadRequest& request,
                  int64_t begin, int64_t end) const;

  private:
    // Where a band of the VRT comes from.
    struct BandSource {
        int index = -1;      // in the operation's list of bands; -1: not among them
        bool alpha = false;  // written by the warper as destination alpha
        GDALDataType type = GDT_Byte;
    };

    explicit WarpReader(GDALDataset& vrt);
    void SetUpBands();
    bool CanWarpInPlace(const ReadRequest& request) const;
    CPLErr WarpInPlace(const ReadRequest& request);
    size_t BytesPerPixel() const;
    CPLErr WarpTo(const PixelWindow& window, void* data, const AlphaTarget& alpha);

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
};

}  // namespace gdalgpu
