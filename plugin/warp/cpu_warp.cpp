#include "plugin/warp/cpu_warp.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "gpu/thread_pool.h"
#include "plugin/coordinates/cpu_positions.h"
#include "plugin/gdal_rules.h"
#include "plugin/held_messages.h"
#include "plugin/runtime.h"
#include "plugin/warp/source_window.h"

namespace gdalgpu {

namespace {

thread_local int depth = 0;

// Rows of a strip: a multiple of 32, so that a strip's part of a packed mask begins with a word.
constexpr int64_t kStripRows = 64;
constexpr int64_t kMostStripRows = 256;  // so that progress is told
constexpr int64_t kStripsAThread = 4;

bool Test(const GUInt32* mask, int64_t bit) { return (mask[bit / 32] >> (bit % 32)) & 1; }

// A strip of the chunk's destination, as a kernel of its own.
class Strip {
  public:
    Strip(const WarpChunk& whole, const PixelWindow& window, double x_scale, double y_scale,
          PixelPoints points, const CpuPositions& positions, std::atomic<bool>& cancelled)
        : whole_(whole),
          window_(window),
          points_(points),
          precision_(SourcePositionPrecision(whole.options)),
          positions_(positions),
          cancelled_(cancelled) {
        options_.Assign(CSLDuplicate(whole.options));
        // GDAL's code would ask for some points alone; Transform() rounds.
        options_.SetNameValue("SRC_COORD_PRECISION", nullptr);
        options_.SetNameValue("XSCALE", CPLSPrintf("%.17g", x_scale));
        options_.SetNameValue("YSCALE", CPLSPrintf("%.17g", y_scale));
        kernel_.papszWarpOptions = options_.List();
        kernel_.eResample = whole.resampling;
        kernel_.eWorkingDataType = whole.type;
        kernel_.nBands = static_cast<int>(whole.bands());
        kernel_.nSrcXSize = static_cast<int>(whole.source.width);
        kernel_.nSrcYSize = static_cast<int>(whole.source.height);
        kernel_.dfSrcXExtraSize = whole.source_x_extra;
        kernel_.dfSrcYExtraSize = whole.source_y_extra;
        kernel_.nSrcXOff = static_cast<int>(whole.source.x);
        kernel_.nSrcYOff = static_cast<int>(whole.source.y);
        kernel_.papabySrcImage = const_cast<GByte**>(whole.source_bands.data());
        kernel_.papanBandSrcValid =
            whole.band_valid.empty() ? nullptr : const_cast<GUInt32**>(whole.band_valid.data());
        kernel_.panUnifiedSrcValid = whole.source_valid;
        kernel_.pafUnifiedSrcDensity = whole.source_density;
        kernel_.padfDstNoDataReal = const_cast<double*>(whole.destination_nodata);
        kernel_.nDstXOff = static_cast<int>(whole.destination.x + window.x);
        kernel_.nDstYOff = static_cast<int>(whole.destination.y + window.y);
        kernel_.nDstXSize = static_cast<int>(window.width);
        kernel_.nDstYSize = static_cast<int>(window.height);
        kernel_.pfnTransformer = Transform;
        kernel_.pTransformerArg = this;
        kernel_.pfnProgress = Progress;
        kernel_.pProgress = this;
        kernel_.psThreadData = nullptr;
    }
    Strip(const Strip&) = delete;
    Strip& operator=(const Strip&) = delete;

    // False where GDAL's code fails.
    bool Run() {
        const bool in_place = window_.width == whole_.destination.width && HasItsWords();
        UseDestination(in_place);
        ++depth;
        const CPLErr error = BandByBand() ? WarpBands() : kernel_.PerformWarp();
        --depth;
        if (!in_place) CopyBack();
        return error == CE_None;
    }

    // Of several strips, the last words of whose masks may be shared.
    void FinishMask() {
        if (valid_.empty()) return;
        for (int64_t row = 0; row < window_.height; ++row) {
            for (int64_t column = 0; column < window_.width; ++column) {
                if (!Test(valid_.data(), row * window_.width + column)) continue;
                const int64_t bit = At(row) + column;
                whole_.destination_valid[bit / 32] |= 1U << (bit % 32);
            }
        }
    }

  private:
    // Several bands at once may be summed up in floats, by which pixels depend on the chunk.
    bool BandByBand() const {
        return LoadedGdalRules().cubic_of_bands_in_float && whole_.bands() > 1 &&
               whole_.resampling == GRA_Cubic && !whole_.has_source_mask() &&
               whole_.destination_valid == nullptr;
    }

    CPLErr WarpBands() {
        kernel_.nBands = 1;
        CPLErr error = CE_None;
        for (size_t band = 0; band < whole_.bands() && error == CE_None; ++band) {
            kernel_.papabySrcImage = const_cast<GByte**>(whole_.source_bands.data()) + band;
            kernel_.papabyDstImage = images_.data() + band;
            if (whole_.destination_nodata != nullptr) {
                kernel_.padfDstNoDataReal = const_cast<double*>(whole_.destination_nodata) + band;
            }
            error = kernel_.PerformWarp();
        }
        return error;
    }

    // Whether no other strip has bits in the words of this one's mask.
    bool HasItsWords() const {
        const int64_t begin = At(0), end = At(window_.height);
        return whole_.destination_valid == nullptr ||
               (begin % 32 == 0 &&
                (end % 32 == 0 || window_.y + window_.height == whole_.destination.height));
    }

    int64_t At(int64_t row) const {
        return (window_.y + row) * whole_.destination.width + window_.x;
    }

    void UseDestination(bool in_place) {
        const size_t word = static_cast<size_t>(GDALGetDataTypeSizeBytes(whole_.type));
        const size_t row_bytes = static_cast<size_t>(window_.width) * word;
        for (size_t band = 0; band < whole_.bands(); ++band) {
            if (in_place) {
                images_.push_back(whole_.destination_bands[band] + At(0) * word);
                continue;
            }
            packed_.emplace_back(row_bytes * static_cast<size_t>(window_.height));
            for (int64_t row = 0; row < window_.height; ++row) {
                std::memcpy(packed_.back().data() + row * row_bytes,
                            whole_.destination_bands[band] + At(row) * word, row_bytes);
            }
            images_.push_back(packed_.back().data());
        }
        kernel_.papabyDstImage = images_.data();
        if (whole_.destination_density != nullptr) {
            kernel_.pafDstDensity = whole_.destination_density + At(0);
            if (!in_place) {
                for (int64_t row = 0; row < window_.height; ++row) {
                    const float* from = whole_.destination_density + At(row);
                    density_.insert(density_.end(), from, from + window_.width);
                }
                kernel_.pafDstDensity = density_.data();
            }
        }
        if (whole_.destination_valid != nullptr) {
            kernel_.panDstValid = whole_.destination_valid + At(0) / 32;
            if (!in_place) {
                valid_.resize(static_cast<size_t>(window_.width * window_.height + 31) / 32);
                for (int64_t bit = 0; bit < window_.width * window_.height; ++bit) {
                    if (Test(whole_.destination_valid,
                             At(bit / window_.width) + bit % window_.width))
                        valid_[bit / 32] |= 1U << (bit % 32);
                }
                kernel_.panDstValid = valid_.data();
            }
        }
    }

    void CopyBack() {
        const size_t word = static_cast<size_t>(GDALGetDataTypeSizeBytes(whole_.type));
        const size_t row_bytes = static_cast<size_t>(window_.width) * word;
        for (int64_t row = 0; row < window_.height; ++row) {
            for (size_t band = 0; band < whole_.bands(); ++band) {
                std::memcpy(whole_.destination_bands[band] + At(row) * word,
                            packed_[band].data() + row * row_bytes, row_bytes);
            }
            if (!density_.empty()) {
                std::copy_n(density_.data() + row * window_.width, window_.width,
                            whole_.destination_density + At(row));
            }
        }
    }

    // GDAL's kernels ask for the centres of the pixels of a row, or for their first corners and
    // then for their last ones. Points to find a scale by, which is known, fail. Newer GDALs take
    // another source pixel for a masked one that can't be transformed to the destination; a device
    // doesn't: all can be.
    static int Transform(void* argument, int to_source, int count, double* x, double* y, double*,
                         int* success) {
        if (!to_source) {
            std::fill(success, success + count, TRUE);
            return TRUE;
        }
        const Strip& strip = *static_cast<Strip*>(argument);
        PixelPlace place{};
        if (!strip.PlaceOf(count, x, y, place)) {
            std::fill(success, success + count, FALSE);
            return TRUE;
        }
        strip.positions_.Row(static_cast<int64_t>(y[0] - place.y),
                             static_cast<int64_t>(x[0] - place.x), count, place, x, y);
        if (strip.precision_ > 0) {
            for (int i = 0; i < count; ++i) {
                x[i] = std::floor(x[i] / strip.precision_ + 0.5) * strip.precision_;
                y[i] = std::floor(y[i] / strip.precision_ + 0.5) * strip.precision_;
            }
        }
        for (int i = 0; i < count; ++i) success[i] = std::isnan(x[i]) ? FALSE : TRUE;
        return TRUE;
    }

    // Which point of pixels GDAL's code asks for: of a row the centres, the first or the last
    // corners; or of one pixel the middle of its first edge. False: none of these.
    bool PlaceOf(int count, const double* x, const double* y, PixelPlace& place) const {
        const double first = x[0] - kernel_.nDstXOff;
        if (points_ == PixelPoints::Corners && count == 1 && first - std::floor(first) == 0.5 &&
            y[0] == std::floor(y[0])) {
            place = {0.5, 0};
            return true;
        }
        place = {first, first};
        return (points_ == PixelPoints::Centres ? first == 0.5 : first == 0 || first == 1) &&
               count == window_.width && y[count - 1] == y[0] && x[count - 1] == x[0] + count - 1;
    }

    static int CPL_STDCALL Progress(double, const char*, void* argument) {
        return static_cast<Strip*>(argument)->cancelled_ ? FALSE : TRUE;
    }

    const WarpChunk& whole_;
    const PixelWindow window_;  // counted from the chunk's first pixel
    const PixelPoints points_;
    const double precision_;
    const CpuPositions& positions_;
    std::atomic<bool>& cancelled_;
    CPLStringList options_;
    GDALWarpKernel kernel_;
    std::vector<GByte*> images_;
    std::vector<std::vector<GByte>> packed_;  // a strip that isn't as wide as the chunk
    std::vector<float> density_;
    std::vector<GUInt32> valid_;
};

struct StripWindow {
    PixelWindow window;
    const WarpPiece* piece;
};

std::vector<StripWindow> CutIntoStrips(const std::vector<WarpPiece>& pieces, int threads) {
    int64_t rows = 0;
    for (const WarpPiece& piece : pieces) rows += piece.window.height;
    int64_t strip = rows / (threads * kStripsAThread) / kStripRows * kStripRows;
    strip = std::clamp(strip, kStripRows, kMostStripRows);
    std::vector<StripWindow> strips;
    for (const WarpPiece& piece : pieces) {
        const PixelWindow& window = piece.window;
        for (int64_t y = 0; y < window.height; y += strip) {
            strips.push_back(
                {{window.x, window.y + y, window.width, std::min(strip, window.height - y)},
                 &piece});
        }
    }
    return strips;
}

// The source pixels of the raster that the positions ask for, with the filters' reach; empty where
// x_min > x_max.
class Need {
  public:
    Need(int width, int height) : width_(width), height_(height) {}

    void Add(double x, double y, double x_reach, double y_reach) {
        if (!(x >= 0 && y >= 0 && x < width_ && y < height_)) return;
        Add({x, y, x, y}, x_reach, y_reach);
    }
    void Add(const CpuPositions::Bounds& bounds, double x_reach, double y_reach) {
        if (!(bounds.x_max >= 0 && bounds.y_max >= 0 && bounds.x_min < width_ &&
              bounds.y_min < height_))
            return;
        const auto clamp = [](double value, int size) {
            return static_cast<int>(std::clamp(std::floor(value), 0.0, size - 1.0));
        };
        box_ = {std::min(box_.x_min, clamp(bounds.x_min - x_reach, width_)),
                std::min(box_.y_min, clamp(bounds.y_min - y_reach, height_)),
                std::max(box_.x_max, clamp(bounds.x_max + x_reach, width_)),
                std::max(box_.y_max, clamp(bounds.y_max + y_reach, height_))};
    }
    void Add(const SourceNeed& other) {
        box_ = {std::min(box_.x_min, other.x_min), std::min(box_.y_min, other.y_min),
                std::max(box_.x_max, other.x_max), std::max(box_.y_max, other.y_max)};
    }

    bool Within(const WarpChunk& chunk) const {
        return box_.x_min > box_.x_max ||
               (box_.x_min >= chunk.source.x && box_.y_min >= chunk.source.y &&
                box_.x_max < chunk.source.x + chunk.source.width &&
                box_.y_max < chunk.source.y + chunk.source.height);
    }
    const SourceNeed& box() const { return box_; }

  private:
    const int width_;
    const int height_;
    SourceNeed box_{INT_MAX, INT_MAX, INT_MIN, INT_MIN};
};

// Whether the kernel's source pixels are all that the chunk asks for; else `need` has those.
bool HasItsSource(const WarpChunk& chunk, const std::vector<StripWindow>& strips,
                  const CpuPositions& positions, SourceNeed& need) {
    double x_reach = 0, y_reach = 0;
    for (const StripWindow& strip : strips) {
        x_reach = std::max(x_reach, double(FilterReach(chunk.resampling, strip.piece->x_scale)));
        y_reach = std::max(y_reach, double(FilterReach(chunk.resampling, strip.piece->y_scale)));
    }
    const int width = static_cast<int>(chunk.source_raster.width);
    const int height = static_cast<int>(chunk.source_raster.height);
    Need all(width, height);
    CpuPositions::Bounds bounds{};
    if (positions.Enclose(bounds)) {
        all.Add(bounds, x_reach, y_reach);
        if (all.Within(chunk)) return true;
    }
    Need exact(width, height);
    const std::vector<double> places = strips.front().piece->setup.points == PixelPoints::Centres
                                           ? std::vector<double>{0.5}
                                           : std::vector<double>{0, 1};
    std::mutex mutex;
    HostThreads().run(static_cast<int64_t>(strips.size()), [&](int64_t index) {
        const PixelWindow& window = strips[static_cast<size_t>(index)].window;
        Need part(width, height);
        std::vector<double> x(window.width), y(window.width);
        for (int64_t row = 0; row < window.height; ++row) {
            for (const double place : places) {
                positions.Row(chunk.destination.y + window.y + row, chunk.destination.x + window.x,
                              window.width, {place, place}, x.data(), y.data());
                for (size_t i = 0; i < x.size(); ++i) part.Add(x[i], y[i], x_reach, y_reach);
            }
        }
        const std::lock_guard<std::mutex> lock(mutex);
        exact.Add(part.box());
    });
    if (exact.Within(chunk)) return true;
    exact.Add(SourceNeed{static_cast<int>(chunk.source.x), static_cast<int>(chunk.source.y),
                         static_cast<int>(chunk.source.x + chunk.source.width - 1),
                         static_cast<int>(chunk.source.y + chunk.source.height - 1)});
    need = exact.box();
    return false;
}

// What GDAL's code says of the strips, each text once.
class Messages {
  public:
    void Add(const std::vector<HeldMessages::Message>& messages) {
        for (const HeldMessages::Message& message : messages) {
            if (message.number != CPLE_UserInterrupt) by_text_.emplace(message.text, message);
        }
    }
    void Tell(std::atomic<bool>& warned) const {
        for (const auto& [text, message] : by_text_) {
            if (message.kind == CE_Warning && warned.exchange(true)) continue;
            CPLError(message.kind, message.number, "%s", text.c_str());
        }
    }

  private:
    std::map<std::string, HeldMessages::Message> by_text_;
};

}  // namespace

bool InCpuWarp() { return depth > 0; }

int WarpThreads(char** warp_options) {
    const char* text = CSLFetchNameValue(warp_options, "NUM_THREADS");
    if (text == nullptr) text = CPLGetConfigOption("GDAL_NUM_THREADS", "1");
    const int threads = EQUAL(text, "ALL_CPUS") ? gpu::CoreCount() : std::atoi(text);
    return std::clamp(threads, 1, gpu::CoreCount());
}

WarpOutcome RunOnCpu(WarpChunk& chunk, const std::vector<WarpPiece>& pieces,
                     const PixelTransform& transform, std::atomic<bool>& warned, SourceNeed* need) {
    const int threads = WarpThreads(chunk.options);
    const std::unique_ptr<CpuPositions> positions = transform.OnCpu(chunk.destination);
    const std::vector<StripWindow> windows = CutIntoStrips(pieces, threads);
    if (need != nullptr && !HasItsSource(chunk, windows, *positions, *need)) {
        return WarpOutcome::MissedSource;
    }
    std::atomic<bool> cancelled{false}, failed{false};
    const std::thread::id caller = std::this_thread::get_id();
    const int64_t all = chunk.destination.width * chunk.destination.height;
    std::atomic<int64_t> done{0};
    const auto progress = [&](double part) {
        if (chunk.progress && !chunk.progress(part)) cancelled = true;
    };
    std::atomic<size_t> next{0};
    std::mutex result_mutex;
    Messages messages;
    progress(0);
    HostThreads().run(
        std::min<int64_t>(threads, static_cast<int64_t>(windows.size())), [&](int64_t) {
            for (size_t i = next++; i < windows.size() && !cancelled && !failed; i = next++) {
                const StripWindow& strip_window = windows[i];
                Strip strip(chunk, strip_window.window, strip_window.piece->x_scale,
                            strip_window.piece->y_scale, strip_window.piece->setup.points,
                            *positions, cancelled);
                HeldMessages of_strip;
                if (!strip.Run() && !cancelled) failed = true;
                {
                    const std::lock_guard<std::mutex> lock(result_mutex);
                    strip.FinishMask();
                    messages.Add(of_strip.messages());
                }
                done += strip_window.window.width * strip_window.window.height;
                if (std::this_thread::get_id() == caller) {
                    progress(static_cast<double>(done) / static_cast<double>(all));
                }
            }
        });
    messages.Tell(warned);
    if (cancelled) {
        CPLError(CE_Failure, CPLE_UserInterrupt, "User terminated");
        return WarpOutcome::Cancelled;
    }
    return failed ? WarpOutcome::Failed : WarpOutcome::Done;
}

}  // namespace gdalgpu
