#include "plugin/vrt/warp_destination.h"

#include <algorithm>

namespace gdalgpu {

namespace {

class DestinationBand final : public GDALRasterBand {
  public:
    DestinationBand(WarpDestination& dataset, int number, GDALRasterBand& like) : like_(like) {
        poDS = &dataset;
        nBand = number;
        eAccess = GA_Update;
        eDataType = like.GetRasterDataType();
        nRasterXSize = like.GetXSize();
        nRasterYSize = like.GetYSize();
        like.GetBlockSize(&nBlockXSize, &nBlockYSize);
    }

    const char* GetMetadataItem(const char* name, const char* domain) override {
        return like_.GetMetadataItem(name, domain);
    }

  protected:
    // The warper reads a destination only where INIT_DEST is missing, which door 1 never lets
    // happen.
    CPLErr IReadBlock(int, int, void*) override { return CE_Failure; }

    CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data,
                     int buffer_width, int buffer_height, GDALDataType type, GSpacing pixel_space,
                     GSpacing line_space, GDALRasterIOExtraArg*) override {
        if (flag != GF_Write || buffer_width != width || buffer_height != height) return CE_Failure;
        const AlphaTarget& target = static_cast<WarpDestination*>(poDS)->alpha_target();
        if (target.data == nullptr) return CE_None;
        const int64_t left = std::max<int64_t>(x, target.window.x);
        const int64_t right = std::min<int64_t>(x + width, target.window.x + target.window.width);
        const int64_t top = std::max<int64_t>(y, target.window.y);
        const int64_t bottom =
            std::min<int64_t>(y + height, target.window.y + target.window.height);
        for (int64_t row = top; row < bottom && left < right; ++row) {
            const GByte* from =
                static_cast<const GByte*>(data) + (row - y) * line_space + (left - x) * pixel_space;
            GByte* to = static_cast<GByte*>(target.data) +
                        (row - target.window.y) * target.line_space +
                        (left - target.window.x) * target.pixel_space;
            GDALCopyWords64(from, type, static_cast<int>(pixel_space), to, eDataType,
                            static_cast<int>(target.pixel_space), right - left);
        }
        return CE_None;
    }

  private:
    GDALRasterBand& like_;
};

}  // namespace

WarpDestination::WarpDestination(GDALDataset& like) {
    eAccess = GA_Update;
    nRasterXSize = like.GetRasterXSize();
    nRasterYSize = like.GetRasterYSize();
    for (int i = 1; i <= like.GetRasterCount(); ++i) {
        SetBand(i, new DestinationBand(*this, i, *like.GetRasterBand(i)));
    }
}

}  // namespace gdalgpu
