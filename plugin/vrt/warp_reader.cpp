#include "plugin/vrt/warp_reader.h"

#include <algorithm>
#include <cstring>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "gpu/thread_pool.h"
#include "plugin/runtime.h"
#include "plugin/warp/gdal_warp_kernel.h"
#include "plugin/warp/parallel_source.h"

namespace gdalgpu {

namespace {

constexpr int64_t kLeastMemory =
    64 << 20;  // bytes of a region with its source that are always allowed
constexpr int64_t kMostMemory = int64_t{2} << 30;
constexpr int64_t kRowsPerPiece = 16;  // of a copy by several threads

void DestroyOptions(GDALWarpOptions* options) {
    if (options != nullptr) GDALDestroyWarpOptions(options);
}

// `count` times the pixel at `value`.
void FillPixels(const GByte* value, int word, GByte* to, int64_t count) {
    if (count <= 0) return;
    if (std::all_of(value, value + word, [&](GByte byte) { return byte == value[0]; })) {
        gpu::ParallelFill(HostThreads(), to, value[0], static_cast<size_t>(count) * word);
        return;
    }
    memcpy(to, value, word);
    int64_t done = 1;
    while (done < count) {  // the part that is filled, doubled up to a size that stays in the
                            // processor's cache
        const int64_t more = std::min({done, count - done, int64_t{65536}});
        memcpy(to + done * word, to, static_cast<size_t>(more) * word);
        done += more;
    }
}

}  // namespace

WarpReader::WarpReader(GDALDataset& vrt) : vrt_(vrt), destination_(vrt) {}

WarpReader::~WarpReader() {
    device_warp_.reset();
    if (transformer_ != nullptr) GDALDestroyTransformer(transformer_);
    parallel_source_.reset();
    if (source_ != nullptr) GDALReleaseDataset(source_);
}

std::unique_ptr<WarpReader> WarpReader::Create(WarpedXml& xml, GDALDataset& vrt,
                                               std::string& reason) {
    CPLXMLNode* tree = CPLGetXMLNode(xml.root, "GDALWarpOptions");
    if (tree == nullptr) {
        reason = "no GDALWarpOptions element";
        return nullptr;
    }
    const std::string source = CPLGetXMLValue(tree, "SourceDataset", "");
    if (CPLTestBool(CPLGetXMLValue(tree, "SourceDataset.relativeToVRT", "0"))) {
        CPLSetXMLValue(tree, "SourceDataset",
                       CPLProjectRelativeFilename(xml.folder.c_str(), source.c_str()));
    }

    std::unique_ptr<WarpReader> reader(new WarpReader(vrt));
    const std::unique_ptr<GDALWarpOptions, void (*)(GDALWarpOptions*)> options(
        GDALDeserializeWarpOptions(tree), DestroyOptions);
    if (options == nullptr) {
        reason = std::string("its warp options can't be read: ") + CPLGetLastErrorMsg();
        return nullptr;
    }
    reader->source_ = options->hSrcDS;
    reader->transformer_ = options->pTransformerArg;
    options->hDstDS = GDALDataset::ToHandle(&reader->destination_);
    if (options->hSrcDS != nullptr) {
        reader->parallel_source_ = MakeParallelSource(*GDALDataset::FromHandle(options->hSrcDS));
        if (reader->parallel_source_ != nullptr) {
            options->hSrcDS = GDALDataset::ToHandle(reader->parallel_source_.get());
        }
    }
    // What VRTWarpedDataset sets too, so that a region without source pixels isn't an error.
    for (const auto& [name, value] :
         {std::pair("INIT_DEST", "0"), {"ERROR_OUT_IF_EMPTY_SOURCE_WINDOW", "FALSE"}}) {
        if (CSLFetchNameValue(options->papszWarpOptions, name) == nullptr) {
            options->papszWarpOptions = CSLSetNameValue(options->papszWarpOptions, name, value);
        }
    }
    options->pfnPreWarpChunkProcessor = PreWarpChunk;
    if (reader->operation_.Initialize(options.get()) != CE_None) {
        reason = std::string("its warp can't be set up: ") + CPLGetLastErrorMsg();
        return nullptr;
    }
    reason = WhyNotOnDevice(reader->operation_.GetOptions()->eWorkingDataType);
    if (!reason.empty()) return nullptr;
    reader->SetUpBands();
    if (reader->initial_.empty()) {
        reason = "INIT_DEST is empty";
        return nullptr;
    }
    const PixelWindow whole{0, 0, vrt.GetRasterXSize(), vrt.GetRasterYSize()};
    reader->device_warp_ = std::make_unique<DeviceWarp>(reader->operation_, "warped_vrt", whole);
    return reader;
}

void WarpReader::SetUpBands() {
    const GDALWarpOptions& options = *operation_.GetOptions();
    working_type_ = options.eWorkingDataType;
    word_ = GDALGetDataTypeSizeBytes(working_type_);
    band_count_ = options.nBandCount;

    bands_.resize(vrt_.GetRasterCount());
    for (size_t i = 0; i < bands_.size(); ++i) {
        bands_[i].type = vrt_.GetRasterBand(static_cast<int>(i) + 1)->GetRasterDataType();
    }
    if (options.nDstAlphaBand > 0) {
        BandSource& band = bands_[options.nDstAlphaBand - 1];
        band.alpha = true;
        alpha_type_ = band.type;
    }
    for (int i = 0; i < band_count_; ++i) bands_[options.panDstBands[i] - 1].index = i;

    int initialized = FALSE;
    void* pixel = operation_.CreateDestinationBuffer(1, 1, &initialized);
    if (pixel != nullptr && initialized) {
        const GByte* bytes = static_cast<const GByte*>(pixel);
        initial_.assign(bytes, bytes + static_cast<size_t>(band_count_) * word_);
    }
    if (pixel != nullptr) operation_.DestroyDestinationBuffer(pixel);
}

size_t WarpReader::BytesPerPixel() const {
    return static_cast<size_t>(band_count_) * word_ +
           (alpha_type_ == GDT_Unknown ? 0 : GDALGetDataTypeSizeBytes(alpha_type_));
}

int64_t WarpReader::RowsAtOnce(int64_t width, int64_t memory) const {
    const double source_pixels =
        static_cast<double>(GDALGetRasterXSize(source_)) * GDALGetRasterYSize(source_) /
        (static_cast<double>(vrt_.GetRasterXSize()) * vrt_.GetRasterYSize());
    const double bytes =
        static_cast<double>(BytesPerPixel()) + std::max(1.0, source_pixels) * band_count_ * word_;
    const auto allowed = static_cast<double>(std::clamp(memory, kLeastMemory, kMostMemory));
    return std::max<int64_t>(1,
                             static_cast<int64_t>(allowed / (bytes * static_cast<double>(width))));
}

// True where the caller's buffer is as WarpRegionToBuffer fills one, with all bands in their order,
// so that nothing needs to be copied.
bool WarpReader::CanWarpInPlace(const ReadRequest& request) const {
    const PixelWindow& window = request.window;
    if (request.bands.size() !=
        static_cast<size_t>(band_count_) + (alpha_type_ == GDT_Unknown ? 0 : 1))
        return false;
    for (size_t i = 0; i < request.bands.size(); ++i) {
        const BandSource& band = bands_[request.bands[i] - 1];
        const bool alpha = i == static_cast<size_t>(band_count_);
        if (band.type != request.type) return false;
        if (alpha ? !band.alpha || band.index >= 0 : band.index != static_cast<int>(i))
            return false;
    }
    return request.type == working_type_ && request.pixel_space == word_ &&
           request.line_space == word_ * window.width &&
           (request.bands.size() == 1 || request.band_space == request.line_space * window.height);
}

CPLErr WarpReader::Read(const ReadRequest& request) {
    const PixelWindow& window = request.window;
    const int64_t rows = RowsAtOnce(window.width, GDALGetCacheMax64());
    if (rows >= window.height && CanWarpInPlace(request)) return WarpInPlace(request);
    WarpedRegion region;
    for (int64_t y = 0; y < window.height; y += rows) {
        const PixelWindow swath{window.x, window.y + y, window.width,
                                std::min(rows, window.height - y)};
        CPLErr error = Warp(swath, region);
        if (error != CE_None) return error;
        Copy(region, swath, request);
        error = ReportProgress(
            request, static_cast<double>(y + swath.height) / static_cast<double>(window.height));
        if (error != CE_None) return error;
    }
    return CE_None;
}

CPLErr WarpReader::WarpInPlace(const ReadRequest& request) {
    AlphaTarget alpha;
    if (alpha_type_ != GDT_Unknown) {
        GByte* data = static_cast<GByte*>(request.data) + request.band_space * band_count_;
        alpha = {request.window, data, request.pixel_space, request.line_space};
        gpu::ParallelFill(HostThreads(), data, 0,
                          static_cast<size_t>(request.line_space) * request.window.height);
    }
    const CPLErr error = WarpTo(request.window, request.data, alpha);
    return error == CE_None ? ReportProgress(request, 1.0) : error;
}

CPLErr WarpReader::Warp(const PixelWindow& window, WarpedRegion& region) {
    const size_t pixels = static_cast<size_t>(window.width) * window.height;
    const size_t bytes = pixels * BytesPerPixel();
    if (region.capacity_ < bytes) {  // memory that was used before needs no page faults
        region.memory_.reset();
        region.memory_.reset(VSI_MALLOC_VERBOSE(bytes));
        region.capacity_ = region.memory_ != nullptr ? bytes : 0;
        if (region.memory_ == nullptr) return CE_Failure;
    }
    region.window_ = window;
    GByte* data = static_cast<GByte*>(region.memory_.get());
    AlphaTarget alpha;
    if (alpha_type_ != GDT_Unknown) {
        const int word = GDALGetDataTypeSizeBytes(alpha_type_);
        GByte* alpha_data = data + pixels * band_count_ * word_;
        alpha = {window, alpha_data, word, word * static_cast<GSpacing>(window.width)};
        gpu::ParallelFill(HostThreads(), alpha_data, 0, pixels * word);
    }
    return WarpTo(window, data, alpha);
}

CPLErr WarpReader::WarpTo(const PixelWindow& window, void* data, const AlphaTarget& alpha) {
    const int64_t pixels = window.width * window.height;
    WarmUpDevice(device_warp_->WorkOf(pixels));  // while the source is read
    for (int i = 0; i < band_count_; ++i) {
        FillPixels(initial_.data() + static_cast<size_t>(i) * word_, word_,
                   static_cast<GByte*>(data) + i * pixels * word_, pixels);
    }
    destination_.SetAlphaTarget(alpha);
    const CPLErr error = device_warp_->WarpRegionToBuffer(
        static_cast<int>(window.x), static_cast<int>(window.y), static_cast<int>(window.width),
        static_cast<int>(window.height), data, working_type_);
    destination_.SetAlphaTarget(AlphaTarget());
    return error;
}

void WarpReader::Copy(const WarpedRegion& region, const PixelWindow& window,
                      const ReadRequest& request) const {
    const int64_t pieces = (window.height + kRowsPerPiece - 1) / kRowsPerPiece;
    HostThreads().run(pieces, [&](int64_t piece) {
        const int64_t begin = piece * kRowsPerPiece;
        CopyRows(region, window, request, begin, std::min(begin + kRowsPerPiece, window.height));
    });
}

// Every band asked for, each value through the band's type as GDAL's block cache would hold it.
void WarpReader::CopyRows(const WarpedRegion& region, const PixelWindow& window,
                          const ReadRequest& request, int64_t begin, int64_t end) const {
    const GByte* data = static_cast<const GByte*>(region.memory_.get());
    const int64_t pixels = region.window_.width * region.window_.height;
    std::vector<GByte> row_in_band_type;
    for (int64_t row = begin; row < end; ++row) {
        const int64_t offset = (window.y + row - region.window_.y) * region.window_.width +
                               window.x - region.window_.x;
        for (size_t i = 0; i < request.bands.size(); ++i) {
            const BandSource& band = bands_[request.bands[i] - 1];
            const int band_word = GDALGetDataTypeSizeBytes(band.type);
            GByte* to = static_cast<GByte*>(request.data) +
                        request.band_space * static_cast<GSpacing>(i) +
                        request.line_space * (window.y - request.window.y + row) +
                        request.pixel_space * (window.x - request.window.x);
            const GByte* from = nullptr;
            if (band.index >= 0) {
                from = data + (band.index * pixels + offset) * word_;
            } else if (band.alpha) {
                from = data + band_count_ * pixels * word_ + offset * band_word;
            }
            const bool convert = band.index >= 0 && band.type != working_type_;
            if (from == nullptr || convert) {
                row_in_band_type.assign(static_cast<size_t>(window.width) * band_word, 0);
                if (from != nullptr) {
                    GDALCopyWords64(from, working_type_, word_, row_in_band_type.data(), band.type,
                                    band_word, window.width);
                }
                from = row_in_band_type.data();
            }
            const bool in_band_type = convert || band.index < 0;
            GDALCopyWords64(from, in_band_type ? band.type : working_type_,
                            in_band_type ? band_word : word_, to, request.type,
                            static_cast<int>(request.pixel_space), window.width);
        }
    }
}

}  // namespace gdalgpu
