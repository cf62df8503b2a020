#include "plugin/doors/algorithm_driver.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "plugin/gdal_signatures.h"
#include "plugin/raster/algorithm.h"
#include "plugin/report.h"

namespace gdalgpu {

namespace {

constexpr int kBlockSize = 512;
constexpr int kMostNested = 32;  // GPU: names inside one another

class AlgorithmDataset : public DatasetOnGeotransform {
  public:
    AlgorithmDataset(const Algorithm& algorithm, GDALDatasetUniquePtr source, int source_band,
                     std::unique_ptr<WindowOperation> operation);

    const OGRSpatialReference* GetSpatialRef() const override { return source_->GetSpatialRef(); }
    int GetGCPCount() override { return source_->GetGCPCount(); }
    const OGRSpatialReference* GetGCPSpatialRef() const override {
        return source_->GetGCPSpatialRef();
    }
    const GDAL_GCP* GetGCPs() override { return source_->GetGCPs(); }
    // No file is this dataset's own: what GDAL finds here it deletes and moves with the dataset.
    char** GetFileList() override { return nullptr; }

    // output: packed pixels. CE_Failure after a CPLError.
    CPLErr compute(const RasterWindow& window, void* output);

    const WindowOperation& operation() const { return *operation_; }

  protected:
    GDALDataset& geotransform_dataset() const override { return *source_; }

  private:
    const Algorithm& algorithm_;
    GDALDatasetUniquePtr source_;
    const int source_band_;
    std::unique_ptr<WindowOperation> operation_;
};

class AlgorithmBand : public GDALRasterBand {
  public:
    explicit AlgorithmBand(AlgorithmDataset& dataset) : dataset_(dataset) {
        poDS = &dataset;
        nBand = 1;
        eDataType = dataset.operation().output_type;
        nRasterXSize = dataset.GetRasterXSize();
        nRasterYSize = dataset.GetRasterYSize();
        nBlockXSize = std::min(nRasterXSize, kBlockSize);
        nBlockYSize = std::min(nRasterYSize, kBlockSize);
    }

    double GetNoDataValue(int* has_nodata) override {
        const std::optional<double>& nodata = dataset_.operation().output_nodata;
        if (has_nodata) *has_nodata = nodata.has_value();
        return nodata.value_or(0);
    }
    GDALColorInterp GetColorInterpretation() override { return GCI_GrayIndex; }

  protected:
    CPLErr IReadBlock(int block_x, int block_y, void* data) override;
    CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data,
                     int buffer_width, int buffer_height, GDALDataType buffer_type,
                     GSpacing pixel_space, GSpacing line_space,
                     GDALRasterIOExtraArg* extra) override;

  private:
    AlgorithmDataset& dataset_;
};

AlgorithmDataset::AlgorithmDataset(const Algorithm& algorithm, GDALDatasetUniquePtr source,
                                   int source_band, std::unique_ptr<WindowOperation> operation)
    : algorithm_(algorithm),
      source_(std::move(source)),
      source_band_(source_band),
      operation_(std::move(operation)) {
    nRasterXSize = source_->GetRasterXSize();
    nRasterYSize = source_->GetRasterYSize();
    eAccess = GA_ReadOnly;
    if (const char* area_or_point = source_->GetMetadataItem(GDALMD_AREA_OR_POINT))
        SetMetadataItem(GDALMD_AREA_OR_POINT, area_or_point);
    SetBand(1, new AlgorithmBand(*this));
}

CPLErr AlgorithmDataset::compute(const RasterWindow& window, void* output) {
    try {
        Report report("algorithm", algorithm_.name);
        ComputeWindow(*operation_, *source_->GetRasterBand(source_band_), window, output, report);
        return CE_None;
    } catch (const std::exception& error) {
        CPLError(CE_Failure, CPLE_AppDefined, "%s: %s", GetDescription(), error.what());
        return CE_Failure;
    }
}

CPLErr AlgorithmBand::IReadBlock(int block_x, int block_y, void* data) {
    RasterWindow window{block_x * nBlockXSize, block_y * nBlockYSize, nBlockXSize, nBlockYSize};
    window.width = std::min(window.width, nRasterXSize - window.x);
    window.height = std::min(window.height, nRasterYSize - window.y);
    if (dataset_.compute(window, data) != CE_None) return CE_Failure;
    // A block at the right edge is narrower than its buffer's rows: spread them, the last one
    // first.
    const size_t pixel = GDALGetDataTypeSizeBytes(eDataType);
    auto* const bytes = static_cast<unsigned char*>(data);
    for (size_t row = window.height; window.width < nBlockXSize && row-- > 0;)
        std::memmove(bytes + row * nBlockXSize * pixel, bytes + row * window.width * pixel,
                     window.width * pixel);
    return CE_None;
}

CPLErr AlgorithmBand::IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data,
                                int buffer_width, int buffer_height, GDALDataType buffer_type,
                                GSpacing pixel_space, GSpacing line_space,
                                GDALRasterIOExtraArg* extra) {
    const int64_t pixels = int64_t{width} * height;
    // Small windows come from the block cache, as do those that are resampled.
    if (flag != GF_Read || buffer_width != width || buffer_height != height ||
        pixels < int64_t{nBlockXSize} * nBlockYSize)
        return GDALRasterBand::IRasterIO(flag, x, y, width, height, data, buffer_width,
                                         buffer_height, buffer_type, pixel_space, line_space,
                                         extra);
    const RasterWindow window{x, y, width, height};
    const int64_t pixel = GDALGetDataTypeSizeBytes(eDataType);
    if (buffer_type == eDataType && pixel_space == pixel && line_space == pixel * width)
        return dataset_.compute(window, data);
    std::vector<unsigned char> packed;
    try {
        packed.resize(static_cast<size_t>(pixels * pixel));
    } catch (const std::bad_alloc&) {
        CPLError(CE_Failure, CPLE_OutOfMemory, "%s: no memory for %d x %d pixels",
                 dataset_.GetDescription(), width, height);
        return CE_Failure;
    }
    if (dataset_.compute(window, packed.data()) != CE_None) return CE_Failure;
    for (int64_t row = 0; row < height; ++row)
        GDALCopyWords64(packed.data() + row * width * pixel, eDataType, static_cast<int>(pixel),
                        static_cast<unsigned char*>(data) + row * line_space, buffer_type,
                        static_cast<int>(pixel_space), width);
    return CE_None;
}

// Names inside names come back here through GDALOpenEx; a long chain of them must not exhaust the
// stack.
class Nesting {
  public:
    Nesting() {
        if (++depth_ > kMostNested) {
            --depth_;
            throw std::invalid_argument("more than " + std::to_string(kMostNested) +
                                        " GPU: names in one another");
        }
    }
    ~Nesting() { --depth_; }

  private:
    static thread_local int depth_;
};
thread_local int Nesting::depth_ = 0;

std::unique_ptr<AlgorithmDataset> Open(const std::string& text) {
    const AlgorithmName name = ParseAlgorithmName(text);
    const Algorithm& algorithm = FindAlgorithm(name.algorithm);
    const ArgumentValues values = ParseArguments(algorithm, name.arguments);
    const Nesting nesting;
    GDALDatasetUniquePtr source(
        GDALDataset::Open(name.dataset.c_str(), GDAL_OF_RASTER | GDAL_OF_VERBOSE_ERROR));
    if (!source) return nullptr;
    const int band = values.integer("band");
    std::unique_ptr<WindowOperation> operation =
        algorithm.make(values, DescribeBand(*source, band));
    auto dataset = std::make_unique<AlgorithmDataset>(algorithm, std::move(source), band,
                                                      std::move(operation));
    dataset->SetDescription(text.c_str());
    return dataset;
}

}  // namespace

bool IsAlgorithmName(const char* name) { return name && STARTS_WITH_CI(name, "GPU:"); }

GDALIdentifyEnum IdentifyAlgorithm(GDALOpenInfo* info) {
    const int kinds = info->nOpenFlags & GDAL_OF_KIND_MASK;
    const bool raster = kinds == 0 || (kinds & GDAL_OF_RASTER) != 0;
    return raster && IsAlgorithmName(info->pszFilename) ? GDAL_IDENTIFY_TRUE : GDAL_IDENTIFY_FALSE;
}

GDALDataset* OpenAlgorithm(GDALOpenInfo* info) {
    if (IdentifyAlgorithm(info) != GDAL_IDENTIFY_TRUE) return nullptr;
    if (info->eAccess == GA_Update) {
        CPLError(CE_Failure, CPLE_NotSupported, "%s: an algorithm's result is read-only",
                 info->pszFilename);
        return nullptr;
    }
    try {
        return Open(info->pszFilename).release();
    } catch (const std::exception& error) {
        CPLError(CE_Failure, CPLE_IllegalArg, "%s: %s", info->pszFilename, error.what());
        return nullptr;
    }
}

}  // namespace gdalgpu
