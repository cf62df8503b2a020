#include "plugin/warp/warp_run.h"

#include <algorithm>
#include <climits>
#include <cstring>

#include "cpl_error.h"

namespace gdalgpu {

using kernels::warp::Request;
using kernels::warp::SourceBox;

namespace {

constexpr SourceBox kNothing = {INT_MAX, INT_MAX, INT_MIN, INT_MIN};
// Smaller parts, or more of them, are not worth the launches.
constexpr int64_t kSmallestPart = 16;
constexpr int64_t kMostParts = 4096;

bool IsEmpty(const SourceBox& box) { return box.x_min > box.x_max; }

PixelWindow WindowOf(const SourceBox& box) {
    if (IsEmpty(box)) {
        return {};
    }
    return {box.x_min, box.y_min, int64_t{box.x_max} - box.x_min + 1,
            int64_t{box.y_max} - box.y_min + 1};
}

SourceBox BoxOf(const PixelWindow& window) {
    if (Area(window) == 0) {
        return kNothing;
    }
    return {static_cast<int>(window.x), static_cast<int>(window.y),
            static_cast<int>(window.x + window.width - 1),
            static_cast<int>(window.y + window.height - 1)};
}

SourceBox Union(const SourceBox& a, const SourceBox& b) {
    return {std::min(a.x_min, b.x_min), std::min(a.y_min, b.y_min), std::max(a.x_max, b.x_max),
            std::max(a.y_max, b.y_max)};
}

bool Contains(const PixelWindow& window, const SourceBox& box) {
    return IsEmpty(box) ||
           (box.x_min >= window.x && box.y_min >= window.y && box.x_max < window.x + window.width &&
            box.y_max < window.y + window.height);
}

// Halves of a window: whole rows as long as there are many of them.
std::pair<PixelWindow, PixelWindow> Split(const PixelWindow& part) {
    PixelWindow first = part, second = part;
    if (part.height > 64 || part.height >= part.width) {
        first.height = part.height / 2;
        second.y += first.height;
        second.height -= first.height;
    } else {
        first.width = part.width / 2;
        second.x += first.width;
        second.width -= first.width;
    }
    return {first, second};
}

}  // namespace

// What a launch needs, and the device memory of the part in work.
struct WarpRun::Launch {
    gpu::Stream& stream;
    const WarpSetup& setup;
    gpu::Module& module;
    const PixelTransform& transform;
    std::vector<std::unique_ptr<gpu::Memory>> memory;

    void* Allocate(uint64_t bytes) {
        memory.push_back(stream.allocate(static_cast<size_t>(std::max<uint64_t>(bytes, 8))));
        return memory.back()->address();
    }
    // The values must live until the stream was synchronized. Null where there are none.
    const double* Upload(const std::vector<double>& values) {
        if (values.empty()) return nullptr;
        const size_t bytes = values.size() * sizeof(double);
        void* address = Allocate(bytes);
        stream.upload(address, values.data(), bytes);
        return static_cast<const double*>(address);
    }
};

WarpRun::WarpRun(WarpChunk& chunk, int pixel_bytes, std::shared_ptr<gpu::Device> device,
                 Report& report)
    : chunk_(chunk),
      pixel_bytes_(pixel_bytes),
      window_(Area(chunk.source) > 0 ? chunk.source : PixelWindow{}),
      device_(std::move(device)),
      report_(report) {
    Report::Stage stage(report_, "prepare");
    for (size_t band = 0; band < chunk.bands(); ++band) {
        bands_.emplace_back(chunk.destination_bands[band], pixel_bytes, chunk.destination.width,
                            chunk.destination.height);
    }
    if (chunk.destination_density != nullptr) {
        density_ =
            std::make_unique<DestinationArray>(chunk.destination_density, sizeof(float),
                                               chunk.destination.width, chunk.destination.height);
    }
    if (chunk.destination_valid != nullptr) {
        const size_t pixels = static_cast<size_t>(chunk.destination.width) *
                              static_cast<size_t>(chunk.destination.height);
        valid_.assign(chunk.destination_valid, chunk.destination_valid + (pixels + 31) / 32);
    }
}

WarpRun::~WarpRun() {
    if (!committed_) {
        for (DestinationArray& band : bands_) {
            band.Rollback();
        }
        if (density_ != nullptr) {
            density_->Rollback();
        }
    }
}

void WarpRun::Commit() {
    Report::Stage stage(report_, "download");
    committed_ = true;
    for (DestinationArray& band : bands_) {
        band.Commit();
    }
    if (density_ != nullptr) {
        density_->Commit();
    }
    std::copy(valid_.begin(), valid_.end(), chunk_.destination_valid);
}

bool WarpRun::Progress(double done) const {
    if (!chunk_.progress || chunk_.progress(done)) {
        return true;
    }
    CPLError(CE_Failure, CPLE_UserInterrupt, "User terminated");
    return false;
}

uint64_t WarpRun::BytesOf(const PixelWindow& part, const PixelWindow& source) const {
    const uint64_t bands = uint64_t{chunk_.bands()};
    const uint64_t source_pixels = static_cast<uint64_t>(Area(source));
    const uint64_t pixels = static_cast<uint64_t>(Area(part));
    const PixelWindow in_window = {source.x - window_.x, source.y - window_.y, source.width,
                                   source.height};
    const uint64_t mask_bytes =
        4 * static_cast<uint64_t>(MaskPartOf(window_.width, in_window).words);
    uint64_t bytes = (source_pixels + pixels) * bands * static_cast<uint64_t>(pixel_bytes_);
    if (chunk_.source_density != nullptr) {
        bytes += source_pixels * sizeof(float);
    }
    if (chunk_.source_valid != nullptr) {
        bytes += mask_bytes;
    }
    if (!chunk_.band_valid.empty()) {
        bytes += mask_bytes * bands;
    }
    if (density_ != nullptr) {
        bytes += pixels * sizeof(float);
    }
    if (!valid_.empty()) {
        bytes += 4 * static_cast<uint64_t>(MaskPartOf(chunk_.destination.width, part).words);
    }
    return bytes + bands * sizeof(double) + 4096;
}

void WarpRun::UploadSource(Request& request, const PixelWindow& source, Launch& launch) {
    request.window_x = source.x;
    request.window_y = source.y;
    request.window_width = source.width;
    request.window_height = source.height;
    if (Area(source) == 0) {
        request.masked = 0;
        return;
    }
    const PixelWindow part = {source.x - window_.x, source.y - window_.y, source.width,
                              source.height};
    const size_t pixel = static_cast<size_t>(pixel_bytes_);
    const size_t band_bytes = static_cast<size_t>(Area(source)) * pixel;
    char* bands = static_cast<char*>(launch.Allocate(band_bytes * chunk_.bands()));
    request.source = bands;
    for (size_t band = 0; band < chunk_.bands(); ++band) {
        UploadPart(launch.stream, bands + band * band_bytes, chunk_.source_bands[band], pixel,
                   window_.width, part);
    }
    if (chunk_.source_density != nullptr) {
        float* density =
            static_cast<float*>(launch.Allocate(static_cast<size_t>(Area(source)) * sizeof(float)));
        UploadPart(launch.stream, density, chunk_.source_density, sizeof(float), window_.width,
                   part);
        request.source_density = density;
    }
    const MaskPart mask = MaskPartOf(window_.width, part);
    const size_t mask_bytes = static_cast<size_t>(mask.words) * 4;
    request.mask_origin = mask.origin;
    request.mask_stride = window_.width;
    if (chunk_.source_valid != nullptr) {
        void* words = launch.Allocate(mask_bytes);
        launch.stream.upload(words, chunk_.source_valid + mask.first_word, mask_bytes);
        request.source_valid = static_cast<kernels::uint32*>(words);
    }
    if (!chunk_.band_valid.empty()) {
        char* words = static_cast<char*>(launch.Allocate(mask_bytes * chunk_.bands()));
        for (size_t band = 0; band < chunk_.bands(); ++band) {
            char* const to = words + band * mask_bytes;
            if (chunk_.band_valid[band] != nullptr) {
                launch.stream.upload(to, chunk_.band_valid[band] + mask.first_word, mask_bytes);
            } else {
                launch.stream.fill(to, 0xFF, mask_bytes);
            }
        }
        request.band_valid = reinterpret_cast<kernels::uint32*>(words);
        request.band_valid_words = mask.words;
    }
}

void WarpRun::LoadDestination(Request& request, const PixelWindow& part, Launch& launch) {
    const size_t band_bytes = static_cast<size_t>(Area(part)) * static_cast<size_t>(pixel_bytes_);
    char* bands = static_cast<char*>(launch.Allocate(band_bytes * bands_.size()));
    request.destination = bands;
    for (size_t band = 0; band < bands_.size(); ++band) {
        bands_[band].Load(launch.stream, launch.module, bands + band * band_bytes, part);
    }
    if (density_ != nullptr) {
        request.destination_density =
            static_cast<float*>(launch.Allocate(static_cast<size_t>(Area(part)) * sizeof(float)));
        density_->Load(launch.stream, launch.module, request.destination_density, part);
    }
    if (!valid_.empty()) {
        const MaskPart mask = MaskPartOf(chunk_.destination.width, part);
        const size_t bytes = static_cast<size_t>(mask.words) * 4;
        request.destination_valid = static_cast<kernels::uint32*>(launch.Allocate(bytes));
        request.destination_valid_origin = mask.origin;
        request.destination_valid_stride = chunk_.destination.width;
        launch.stream.upload(request.destination_valid, valid_.data() + mask.first_word, bytes);
    }
    if (chunk_.destination_nodata != nullptr) {
        const size_t bytes = bands_.size() * sizeof(double);
        void* values = launch.Allocate(bytes);
        launch.stream.upload(values, chunk_.destination_nodata, bytes);
        request.destination_nodata = static_cast<double*>(values);
    }
}

void WarpRun::SaveDestination(const Request& request, const PixelWindow& part, Launch& launch) {
    Report::Stage stage(report_, "download");
    const size_t band_bytes = static_cast<size_t>(Area(part)) * static_cast<size_t>(pixel_bytes_);
    for (size_t band = 0; band < bands_.size(); ++band) {
        bands_[band].Save(launch.stream,
                          static_cast<const char*>(request.destination) + band * band_bytes, part);
    }
    if (density_ != nullptr) {
        density_->Save(launch.stream, request.destination_density, part);
    }
    if (!valid_.empty()) {
        const MaskPart mask = MaskPartOf(chunk_.destination.width, part);
        launch.stream.download(valid_.data() + mask.first_word, request.destination_valid,
                               static_cast<size_t>(mask.words) * 4);
    }
    launch.stream.synchronize();
    for (DestinationArray& band : bands_) {
        band.FinishSave(part);
    }
    if (density_ != nullptr) {
        density_->FinishSave(part);
    }
}

// Launches; returns what the kernel left in `needed`.
SourceBox WarpRun::Execute(Request& request, const PixelWindow& part, Launch& launch) {
    request.x = chunk_.destination.x + part.x;
    request.y = chunk_.destination.y + part.y;
    request.width = part.width;
    request.height = part.height;
    request.bands = chunk_.bands();
    request.raster_width = chunk_.source_raster.width;
    request.raster_height = chunk_.source_raster.height;
    struct {
        SourceBox needed = kNothing;
        kernels::uint32 nodata_avoided = 0;
    } found;
    char* const found_on_device = static_cast<char*>(launch.Allocate(sizeof(found)));
    request.needed = reinterpret_cast<SourceBox*>(found_on_device);
    request.nodata_avoided =
        reinterpret_cast<kernels::uint32*>(found_on_device + sizeof(SourceBox));
    launch.stream.upload(found_on_device, &found, sizeof(found));
    request.filter.x_weights = launch.Upload(launch.setup.x_weights);
    request.filter.y_weights = launch.Upload(launch.setup.y_weights);
    const PixelTransform::Bound bound =
        launch.transform.Bind(launch.stream, {request.x, request.y, part.width, part.height});
    std::vector<std::byte> params(sizeof(request));
    std::memcpy(params.data(), &request, sizeof(request));
    params.insert(params.end(), bound.parameters.begin(), bound.parameters.end());
    params.resize(params.size() +
                  (bound.parameters.empty() ? 8 : 0));  // a struct without members has a size
    launch.stream.synchronize();

    Report::Stage stage(report_, "kernel");
    launch.stream.launch(launch.module.kernel("warp"), {part.width, part.height}, params.data(),
                         params.size());
    launch.stream.download(&found, found_on_device, sizeof(found));
    launch.stream.synchronize();
    nodata_avoided_ = nodata_avoided_ || found.nodata_avoided != 0;
    return found.needed;
}

SourceBox WarpRun::Measure(const PixelWindow& part, Launch& launch) {
    Request request{};
    launch.setup.Apply(request);
    request.measure = 1;
    const SourceBox box = Execute(request, part, launch);
    launch.memory.clear();
    return box;
}

// `source` holds what the part needs, or all there is. Returns what it lacks; then nothing was
// saved.
SourceBox WarpRun::RunPart(const PixelWindow& part, const PixelWindow& source, Launch& launch) {
    Request request{};
    launch.setup.Apply(request);
    {
        Report::Stage stage(report_, "upload");
        UploadSource(request, source, launch);
        LoadDestination(request, part, launch);
        launch.stream.synchronize();
    }
    const SourceBox missed = Execute(request, part, launch);
    if (IsEmpty(missed)) {
        SaveDestination(request, part, launch);
    }
    launch.memory.clear();
    return missed;
}

WarpOutcome WarpRun::Run(gpu::Stream& stream, const std::vector<WarpPiece>& pieces,
                         SourceNeed& need) {
    const PixelWindow chunk = {0, 0, chunk_.destination.width, chunk_.destination.height};
    if (!Progress(0)) {
        return WarpOutcome::Cancelled;
    }
    std::vector<std::pair<PixelWindow, const WarpPiece*>> parts;
    parts.reserve(pieces.size());
    for (const WarpPiece& piece : pieces) {
        parts.emplace_back(piece.window, &piece);
    }
    bool in_parts = false;
    SourceBox missed = kNothing;
    int64_t done = 0;
    while (!parts.empty()) {
        const auto [part, piece] = parts.back();
        parts.pop_back();
        Launch launch{stream, piece->setup, *piece->choice.module, *piece->choice.transform, {}};
        try {
            const uint64_t available = device_->available_memory();
            const uint64_t budget = available - available / 16;
            PixelWindow source = window_;
            if (in_parts || BytesOf(part, source) > budget) {
                const SourceBox box = Measure(part, launch);
                if (!Contains(window_, box)) {
                    missed = Union(missed, box);
                }
                source = WindowOf(box);
                if (IsEmpty(missed) && BytesOf(part, source) > budget) {
                    throw gpu::Error(gpu::Error::Kind::OutOfMemory,
                                     "a part of " + std::to_string(part.width) + " x " +
                                         std::to_string(part.height) + " pixels needs " +
                                         std::to_string(BytesOf(part, source)) + " bytes, " +
                                         std::to_string(budget) + " are free");
                }
            }
            // After a miss the rest is only measured, so that the next try gets everything at once.
            if (IsEmpty(missed)) {
                missed = RunPart(part, source, launch);
            }
        } catch (const gpu::Error& error) {
            if (error.kind() != gpu::Error::Kind::OutOfMemory || Area(part) < 2 * kSmallestPart ||
                Area(chunk) / Area(part) >= kMostParts) {
                throw;
            }
            in_parts = true;
            const auto [first, second] = Split(part);
            parts.emplace_back(second, piece);
            parts.emplace_back(first, piece);
            continue;
        }
        done += Area(part);
        if (!Progress(static_cast<double>(done) / static_cast<double>(Area(chunk)))) {
            return WarpOutcome::Cancelled;
        }
    }
    if (!IsEmpty(missed)) {
        const SourceBox all = Union(missed, BoxOf(window_));
        need = {all.x_min, all.y_min, all.x_max, all.y_max};
        return WarpOutcome::MissedSource;
    }
    Commit();
    return WarpOutcome::Done;
}

}  // namespace gdalgpu
