#include "plugin/vrt/warped_dataset.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "gpu/error.h"
#include "plugin/gdal_rules.h"
#include "plugin/gdal_signatures.h"
#include "plugin/held_messages.h"
#include "plugin/report.h"
#include "plugin/runtime.h"
#include "plugin/vrt/cached_reader.h"
#include "plugin/vrt/vrt_driver.h"
#include "plugin/vrt/warped_xml.h"

namespace gdalgpu {

namespace {

// While GDAL's own dataset of a VRT is opened, the VRTs in it are left to GDAL too: their pixels
// are asked for through this library's own source, and opening both ways at each level would double
// the work with every level.
thread_local bool opening_inner = false;

void ReportLeftToGdal(const GDALOpenInfo& info, const std::string& reason) {
    CPLDebug("GPU", "%.200s is left to GDAL's VRT driver: %s", info.pszFilename, reason.c_str());
    Report report("warped_vrt", "open");
    report.reason = reason;
}

// NOLINTBEGIN(bugprone-parent-virtual-call): what reads pixels reads those of this dataset, past
// the proxy classes, which would take those of the inner one.

class WarpedBand;

class WarpedDataset final : public DatasetProxyWithPixels {
  public:
    WarpedDataset(GDALDatasetUniquePtr inner, std::unique_ptr<WarpReader> reader);
    ~WarpedDataset() override;

    // The one that opened it. One of the two overrides GDAL's, which became const in a later
    // version.
    GDALDriver* GetDriver() { return poDriver; }        // NOLINT(modernize-use-override)
    GDALDriver* GetDriver() const { return poDriver; }  // NOLINT(modernize-use-override)

    GDALDataset& inner() { return *inner_; }

    // The name that GDAL's dataset writes its XML to, and makes paths relative to.
    void SetDescription(const char* name) override {
        GDALDataset::SetDescription(name);
        inner_->SetDescription(name);
    }
    DatasetFlushResult FlushCache(bool at_closing) override {
        if (reader_ != nullptr) reader_->Forget();
        return FlushBoth([&] { return GDALDataset::FlushCache(at_closing); },
                         [&] { return inner_->FlushCache(at_closing); });
    }

  protected:
    GDALDataset* RefUnderlyingDataset() const override { return inner_.get(); }
    void UnrefUnderlyingDataset(GDALDataset*) const override {}

    CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data,
                     int buffer_width, int buffer_height, GDALDataType type, int band_count,
                     BandMap bands, GSpacing pixel_space, GSpacing line_space, GSpacing band_space,
                     GDALRasterIOExtraArg* extra) override;

  private:
    friend class WarpedBand;

    bool ReadsDirectly(GDALRWFlag flag, int x, int y, int width, int height, int buffer_width,
                       int buffer_height, const GDALRasterIOExtraArg* extra) const;
    bool ReadsOverview(int x, int y, int width, int height, int buffer_width, int buffer_height,
                       const GDALRasterIOExtraArg* extra) const;
    bool LeaveToInner(GDALRWFlag flag, int width, int height, int buffer_width, int buffer_height,
                      int band_count) const;
    void PrepareForGdal(GDALRWFlag flag, int x, int y, int width, int height, int buffer_width,
                        int buffer_height, const std::vector<int>& bands,
                        const GDALRasterIOExtraArg* extra);

    GDALDatasetUniquePtr inner_;
    std::unique_ptr<CachedReader> reader_;
    bool in_dataset_read_ = false;
};

class WarpedBand final : public BandProxyWithPixels {
  public:
    WarpedBand(WarpedDataset& dataset, int number, GDALRasterBand& inner) : inner_(inner) {
        poDS = &dataset;
        nBand = number;
        eAccess = GA_ReadOnly;
        eDataType = inner.GetRasterDataType();
        nRasterXSize = inner.GetXSize();
        nRasterYSize = inner.GetYSize();
        inner.GetBlockSize(&nBlockXSize, &nBlockYSize);
        GDALRasterBand::SetDescription(inner.GetDescription());
    }

    void SetDescription(const char* text) override {
        GDALRasterBand::SetDescription(text);
        inner_.SetDescription(text);
    }

    // The base class refuses it.
    CPLErr Fill(double real, double imaginary) override {
        return GDALRasterBand::Fill(real, imaginary);
    }

    // GDAL's mask bands of nodata and alpha read the band that made them: it must be this one. A
    // mask band that the VRT itself describes is GDAL's.
    GDALRasterBand* GetMaskBand() override {
        return (inner_.GetMaskFlags() & (GMF_NODATA | GMF_ALPHA | GMF_ALL_VALID)) != 0
                   ? GDALRasterBand::GetMaskBand()
                   : inner_.GetMaskBand();
    }

    // Statistics are computed from this band's pixels, and kept where GDAL's VRT driver keeps them.
    CPLErr GetStatistics(int approximate, int force, double* minimum, double* maximum, double* mean,
                         double* deviation) override {
        const CPLErr error =
            inner_.GetStatistics(approximate, FALSE, minimum, maximum, mean, deviation);
        if (error != CE_Warning || !force) return error;
        return ComputeStatistics(approximate, minimum, maximum, mean, deviation, GDALDummyProgress,
                                 nullptr);
    }
    CPLErr ComputeStatistics(int approximate, double* minimum, double* maximum, double* mean,
                             double* deviation, GDALProgressFunc progress,
                             void* argument) override {
        return GDALRasterBand::ComputeStatistics(approximate, minimum, maximum, mean, deviation,
                                                 progress, argument);
    }
    CPLErr ComputeRasterMinMax(int approximate, double* range) override {
        return GDALRasterBand::ComputeRasterMinMax(approximate, range);
    }
    GDALRasterBand* GetRasterSampleOverview(GUIntBig samples) override {
        return GDALRasterBand::GetRasterSampleOverview(samples);
    }
    CPLErr FlushCache(bool at_closing) override { return GDALRasterBand::FlushCache(at_closing); }

  protected:
    GDALRasterBand& underlying_band() const override { return inner_; }

    CPLErr IReadBlock(int column, int row, void* image) override {
        return static_cast<WarpedDataset*>(poDS)->reader_->ReadBlock(nBand, column, row, image);
    }
    CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data,
                     int buffer_width, int buffer_height, GDALDataType type, GSpacing pixel_space,
                     GSpacing line_space, GDALRasterIOExtraArg* extra) override {
        auto& dataset = *static_cast<WarpedDataset*>(poDS);
        if (dataset.LeaveToInner(flag, width, height, buffer_width, buffer_height, 1))
            return inner_.RasterIO(flag, x, y, width, height, data, buffer_width, buffer_height,
                                   type, pixel_space, line_space, extra);
        if (!dataset.ReadsDirectly(flag, x, y, width, height, buffer_width, buffer_height, extra)) {
            if (!dataset.in_dataset_read_) {
                dataset.PrepareForGdal(flag, x, y, width, height, buffer_width, buffer_height,
                                       {nBand}, extra);
            }
            return GDALRasterBand::IRasterIO(flag, x, y, width, height, data, buffer_width,
                                             buffer_height, type, pixel_space, line_space, extra);
        }
        return dataset.reader_->Read({{x, y, width, height},
                                      {nBand},
                                      data,
                                      type,
                                      pixel_space,
                                      line_space,
                                      0,
                                      extra->pfnProgress,
                                      extra->pProgressData});
    }

  private:
    GDALRasterBand& inner_;
};

WarpedDataset::WarpedDataset(GDALDatasetUniquePtr inner, std::unique_ptr<WarpReader> reader)
    : inner_(std::move(inner)) {
    eAccess = GA_ReadOnly;
    nRasterXSize = inner_->GetRasterXSize();
    nRasterYSize = inner_->GetRasterYSize();
    for (int i = 1; i <= inner_->GetRasterCount(); ++i) {
        SetBand(i, new WarpedBand(*this, i, *inner_->GetRasterBand(i)));
    }
    reader_ = std::make_unique<CachedReader>(*this, std::move(reader));
}

WarpedDataset::~WarpedDataset() { reader_.reset(); }

// Whole requests go straight to the warp. Requests of fewer rows than a block has go through GDAL's
// block cache, so that a program that reads row by row, or pixel by pixel, doesn't cause a warp for
// each. So do requests that resample.
bool WarpedDataset::ReadsDirectly(GDALRWFlag flag, int x, int y, int width, int height,
                                  int buffer_width, int buffer_height,
                                  const GDALRasterIOExtraArg* extra) const {
    const bool exact_window = !extra->bFloatingPointWindowValidity ||
                              (extra->dfXOff == x && extra->dfYOff == y &&
                               extra->dfXSize == width && extra->dfYSize == height);
    const int block_height = reader_->block_height();
    return flag == GF_Read && buffer_width == width && buffer_height == height && exact_window &&
           (height >= std::min(block_height, nRasterYSize) ||
            (y % block_height == 0 && y + height == nRasterYSize));
}

// Whether GDAL answers a request from an overview, whose pixels its VRT driver warps.
bool WarpedDataset::ReadsOverview(int x, int y, int width, int height, int buffer_width,
                                  int buffer_height, const GDALRasterIOExtraArg* extra) const {
    if (buffer_width >= width && buffer_height >= height) return false;
    GDALRasterIOExtraArg copy = *extra;
    return GDALBandGetBestOverviewLevel2(papoBands[0], x, y, width, height, buffer_width,
                                         buffer_height, &copy) >= 0;
}

// Whether a request goes to GDAL's own dataset: the whole at another size, which it warps at that
// size. Says so.
bool WarpedDataset::LeaveToInner(GDALRWFlag flag, int width, int height, int buffer_width,
                                 int buffer_height, int band_count) const {
    if (!LoadedGdalRules().warped_vrt_warps_whole_reads_at_their_size || flag != GF_Read ||
        width != nRasterXSize || height != nRasterYSize || band_count < nBands ||
        (buffer_width == width && buffer_height == height) ||
        !CPLTestBool(CPLGetConfigOption("GDAL_VRT_WARP_USE_DATASET_RASTERIO", "YES")))
        return false;
    Report report("warped_vrt", "overview");
    report.pixels = static_cast<unsigned long long>(buffer_width) * buffer_height;
    report.reason = "a read of the whole at another size is GDAL's";
    return true;
}

// Before a request that GDAL's own code answers block by block: warps all of its blocks in few
// pieces, where most of them are going to be read.
void WarpedDataset::PrepareForGdal(GDALRWFlag flag, int x, int y, int width, int height,
                                   int buffer_width, int buffer_height,
                                   const std::vector<int>& bands,
                                   const GDALRasterIOExtraArg* extra) {
    if (flag != GF_Read) return;
    if (ReadsOverview(x, y, width, height, buffer_width, buffer_height, extra)) {
        Report report("warped_vrt", "overview");
        report.pixels = static_cast<unsigned long long>(buffer_width) * buffer_height;
        report.reason = "overviews of a warped VRT are GDAL's";
        return;
    }
    const bool every_block = width / buffer_width < reader_->block_width() &&
                             height / buffer_height < reader_->block_height();
    // Other resamplings ask for windows at full resolution.
    if (every_block && extra->eResampleAlg == GRIORA_NearestNeighbour)
        reader_->Prefetch({x, y, width, height}, bands);
}

CPLErr WarpedDataset::IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data,
                                int buffer_width, int buffer_height, GDALDataType type,
                                int band_count, BandMap bands, GSpacing pixel_space,
                                GSpacing line_space, GSpacing band_space,
                                GDALRasterIOExtraArg* extra) {
    if (LeaveToInner(flag, width, height, buffer_width, buffer_height, band_count))
        return inner_->RasterIO(flag, x, y, width, height, data, buffer_width, buffer_height, type,
                                band_count, bands, pixel_space, line_space, band_space, extra);
    if (!ReadsDirectly(flag, x, y, width, height, buffer_width, buffer_height, extra)) {
        PrepareForGdal(flag, x, y, width, height, buffer_width, buffer_height,
                       std::vector<int>(bands, bands + band_count), extra);
        in_dataset_read_ = true;  // the bands are asked for the same
        const CPLErr error = GDALDataset::IRasterIO(flag, x, y, width, height, data, buffer_width,
                                                    buffer_height, type, band_count, bands,
                                                    pixel_space, line_space, band_space, extra);
        in_dataset_read_ = false;
        return error;
    }
    return reader_->Read({{x, y, width, height},
                          std::vector<int>(bands, bands + band_count),
                          data,
                          type,
                          pixel_space,
                          line_space,
                          band_space,
                          extra->pfnProgress,
                          extra->pProgressData});
}

// NOLINTEND(bugprone-parent-virtual-call)

// The open options that the VRT driver has. GDAL warns of others once, as this driver was asked.
CPLStringList OptionsOfVrtDriver(const GDALOpenInfo& info) {
    GDALDriver* const vrt = GetGDALDriverManager()->GetDriverByName("VRT");
    const char* list = vrt == nullptr ? nullptr : vrt->GetMetadataItem(GDAL_DMD_OPENOPTIONLIST);
    CPLStringList options;
    for (CSLConstList option = info.papszOpenOptions; list && option && *option; ++option) {
        const std::string key(*option, strcspn(*option, "="));
        if (CPLString(list).ifind("name='" + key + "'") != std::string::npos)
            options.AddString(*option);
    }
    return options;
}

// GDAL's own dataset of the VRT. nullptr where it can't be opened.
GDALDatasetUniquePtr OpenInner(const GDALOpenInfo& info) {
    static const char* const drivers[] = {"VRT", nullptr};
    opening_inner = true;
    GDALDataset* dataset = GDALDataset::Open(info.pszFilename, GDAL_OF_RASTER | GDAL_OF_INTERNAL,
                                             drivers, OptionsOfVrtDriver(info).List(), nullptr);
    opening_inner = false;
    return GDALDatasetUniquePtr(dataset);
}

}  // namespace

GDALIdentifyEnum IdentifyWarpedVrt(GDALOpenInfo* info) {
    return opening_inner || !LooksLikeWarpedVrt(*info) ? GDAL_IDENTIFY_FALSE
                                                       : GDAL_IDENTIFY_UNKNOWN;
}

GDALDataset* OpenWarpedVrt(GDALOpenInfo* info) {
    if (opening_inner || !LooksLikeWarpedVrt(*info)) return nullptr;
    WarpedXml xml;
    std::string reason = WhyNoDevice();
    if (reason.empty()) {
        if (!ReadWarpedXml(*info, xml)) return nullptr;
        reason = WhyNotOnDevice(xml);
    }
    if (!reason.empty()) {
        ReportLeftToGdal(*info, reason);
        return nullptr;
    }

    HeldMessages messages;
    GDALDatasetUniquePtr inner = OpenInner(*info);
    if (inner == nullptr || inner->GetRasterCount() == 0) return nullptr;

    std::unique_ptr<WarpReader> reader;
    try {
        const HeldMessages repeated;  // the source is opened once more: what it has to say was said
        reader = WarpReader::Create(xml, *inner, reason);
    } catch (const std::exception& error) {
        reason = error.what();
    }
    if (reader == nullptr) {
        ReportLeftToGdal(*info, reason);
        return nullptr;
    }
    auto dataset = std::make_unique<WarpedDataset>(std::move(inner), std::move(reader));
    dataset->SetDescription(info->pszFilename);
    messages.Release();
    LetVrtCopiesStandAlone();
    return dataset.release();
}

GDALDataset* GdalsOwnDataset(GDALDataset* dataset) {
    auto* const warped = dynamic_cast<WarpedDataset*>(dataset);
    return warped == nullptr ? dataset : &warped->inner();
}

}  // namespace gdalgpu
