#include "plugin/coordinates/exact_transformer.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "gpu/thread_pool.h"
#include "plugin/options.h"

namespace gdalgpu {
namespace {

// GDAL's function is exported, with C++ linkage in 3.6 and with C linkage in newer versions, but in
// no public header of them all; a GDAL without it costs the parallel work only.
using CloneFunction = void* (*)(void*);
CloneFunction GdalClone() {
    static const CloneFunction function = [] {
        for (const char* name : {"_Z20GDALCloneTransformerPv", "GDALCloneTransformer"})
            if (void* address = dlsym(RTLD_DEFAULT, name))
                return reinterpret_cast<CloneFunction>(address);
        return CloneFunction(nullptr);
    }();
    return function;
}

// Turns GPU transformers into GDAL's own, which have the same content.
void RenameGpuTransformers(CPLXMLNode& tree) {
    if (tree.eType == CXT_Element && STARTS_WITH_CI(tree.pszValue, "GPU")) {
        char* name = CPLStrdup(tree.pszValue + 3);
        CPLFree(tree.pszValue);
        tree.pszValue = name;
    }
    for (CPLXMLNode* node = tree.psChild; node != nullptr; node = node->psNext)
        RenameGpuTransformers(*node);
}

// Points on the outlines of ever larger rectangles around pixels (column, row, ...).
std::vector<std::pair<double, double>> Around(const std::vector<int64_t>& pixels) {
    std::vector<std::pair<double, double>> result;
    if (pixels.empty()) return result;
    int64_t low[] = {pixels[0], pixels[1]}, high[] = {pixels[0], pixels[1]};
    for (size_t i = 0; i < pixels.size(); ++i) {
        low[i % 2] = std::min(low[i % 2], pixels[i]);
        high[i % 2] = std::max(high[i % 2], pixels[i]);
    }
    const double x = 0.5 * static_cast<double>(low[0] + high[0] + 1),
                 y = 0.5 * static_cast<double>(low[1] + high[1] + 1);
    constexpr int64_t farthest = 4096;
    for (int64_t times = 1; times <= farthest; times *= 2) {
        const auto width = static_cast<double>(times * (high[0] - low[0] + 1)),
                   height = static_cast<double>(times * (high[1] - low[1] + 1));
        for (const int i : {-1, 0, 1})
            for (const int j : {-1, 0, 1})
                if (i != 0 || j != 0) result.emplace_back(x + i * width, y + j * height);
    }
    return result;
}

}  // namespace

struct ExactTransformer::Copy {
    void* argument = nullptr;
    bool owned = false;

    ~Copy() {
        if (owned) GDALDestroyTransformer(argument);
    }
};

ExactTransformer::ExactTransformer(GDALTransformerFunc transformer, void* argument,
                                   const CPLXMLNode* tree,
                                   const TransformerDescription& description,
                                   const std::vector<int64_t>& destination_pixels)
    : transformer_(transformer),
      argument_(argument),
      approximates_(description.approximates),
      inverse_checked_(InverseIsChecked()) {
    CPLErrorStateBackuper backup;
    CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
    auto original = std::make_unique<Copy>();
    original->argument = argument;
    if (description.on_device && tree != nullptr) {
        const CPLXMLTreeCloser renamed(CPLCloneXMLTree(const_cast<CPLXMLNode*>(tree)));
        RenameGpuTransformers(*renamed);
        GDALTransformerFunc function = nullptr;
        void* own = nullptr;
        if (GDALDeserializeTransformer(renamed.get(), &function, &own) == CE_None &&
            own != nullptr) {
            transformer_ = function;
            original->argument = own;
            original->owned = true;
        }
    }
    std::unique_ptr<Copy> copy;
    const auto try_copy = [&](bool inverse_checked) {
        inverse_checked_ = inverse_checked;
        copy = MakeCopy(original->argument);
        return copy != nullptr && Agrees(*original, *copy, destination_pixels);
    };
    const bool now = inverse_checked_;
    const bool can_copy = tree != nullptr && !description.heavy;
    if (can_copy && (try_copy(now) || try_copy(!now))) {
        parallel_ = CoordinateThreads();
        free_.push_back(copy.get());
        copies_.push_back(std::move(copy));
        argument_ = copies_[0]->argument;
        return;
    }
    inverse_checked_ = now;
    free_.push_back(original.get());
    copies_.push_back(std::move(original));
}

ExactTransformer::~ExactTransformer() = default;

int ExactTransformer::parallel() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return parallel_;
}

std::unique_ptr<ExactTransformer::Copy> ExactTransformer::MakeCopy(void* original) const {
    if (GdalClone() == nullptr) return nullptr;
    CPLErrorStateBackuper backup;
    CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
    const CPLConfigOptionSetter setting("CHECK_WITH_INVERT_PROJ", inverse_checked_ ? "YES" : "NO",
                                        false);
    auto copy = std::make_unique<Copy>();
    copy->argument = GdalClone()(original);
    copy->owned = true;
    return copy->argument != nullptr ? std::move(copy) : nullptr;
}

// GDALApproxTransform interpolates along a scanline, which it takes the points for unless the first
// and the last have the same x (and in no batch of five points or fewer): a batch that ends with
// its first point is transformed exactly.
void ExactTransformer::Transform(Copy& copy, bool to_source, std::vector<double>& x,
                                 std::vector<double>& y, std::vector<double>& z,
                                 std::vector<int>& success) const {
    if (approximates_ && !x.empty()) {
        x.push_back(x.front());
        y.push_back(y.front());
    }
    z.assign(x.size(), 0.0);
    success.assign(x.size(), 0);
    transformer_(copy.argument, to_source, static_cast<int>(x.size()), x.data(), y.data(), z.data(),
                 success.data());
}

// GDAL copies a reprojection by way of its XML, which loses what the XML doesn't say (an axis
// mapping of its own, a coordinate epoch, CHECK_WITH_INVERT_PROJ as it was when the original was
// made): whether the copy still gives what the original gives for one point at a time, at the
// destination pixels and ever farther from them, where points leave the projection's domain, or
// where there are none at some source pixels, there and back.
bool ExactTransformer::Agrees(Copy& original, Copy& copy,
                              const std::vector<int64_t>& destination_pixels) const {
    constexpr double source_pixels[][2] = {{0.5, 0.5}, {100.5, 0.5}, {0.5, 100.5},
                                           {1000, 0},  {0, 1000},    {1000, 1000}};
    std::vector<double> copy_x, copy_y, own_x, own_y, x, y, z;
    std::vector<int> copy_success, own_success, success;
    const auto to_source = [&](double point_x, double point_y) {
        copy_x.push_back(point_x);
        copy_y.push_back(point_y);
        x.assign(1, point_x);
        y.assign(1, point_y);
        Transform(original, true, x, y, z, success);
        own_x.push_back(x[0]);
        own_y.push_back(y[0]);
        own_success.push_back(success[0]);
    };
    for (size_t i = 0; i + 1 < destination_pixels.size(); i += 2)
        to_source(static_cast<double>(destination_pixels[i]) + 0.5,
                  static_cast<double>(destination_pixels[i + 1]) + 0.5);
    for (const auto& [pixel_x, pixel_y] : Around(destination_pixels)) to_source(pixel_x, pixel_y);
    if (destination_pixels.empty()) {
        for (const auto& [pixel_x, pixel_y] : source_pixels) {
            to_source(pixel_x, pixel_y);
            x.assign(1, pixel_x);
            y.assign(1, pixel_y);
            Transform(original, false, x, y, z, success);
            if (success[0]) to_source(x[0], y[0]);
        }
    }
    Transform(copy, true, copy_x, copy_y, z, copy_success);
    for (size_t i = 0; i < own_x.size(); ++i) {
        if (!own_success[i] != !copy_success[i]) return false;
        if (!own_success[i] || !std::isfinite(own_x[i]) || !std::isfinite(own_y[i])) continue;
        const double scale = 1.0 + std::fabs(own_x[i]) + std::fabs(own_y[i]);
        if (!(std::fabs(own_x[i] - copy_x[i]) + std::fabs(own_y[i] - copy_y[i]) <= 1e-9 * scale))
            return false;
    }
    return true;
}

ExactTransformer::Lease::Lease(ExactTransformer& owner) : owner_(owner), copy_(nullptr) {
    std::unique_lock<std::mutex> lock(owner_.mutex_);
    if (owner_.free_.empty() && static_cast<int>(owner_.copies_.size()) < owner_.parallel_) {
        // Copied under the lock: GDAL reads the original while it copies.
        if (auto copy = owner_.MakeCopy(owner_.argument_)) {
            copy_ = copy.get();
            owner_.copies_.push_back(std::move(copy));
            return;
        }
        owner_.parallel_ = static_cast<int>(owner_.copies_.size());
    }
    owner_.returned_.wait(lock, [&] { return !owner_.free_.empty(); });
    copy_ = owner_.free_.back();
    owner_.free_.pop_back();
}

ExactTransformer::Lease::~Lease() {
    {
        const std::lock_guard<std::mutex> lock(owner_.mutex_);
        owner_.free_.push_back(copy_);
    }
    owner_.returned_.notify_one();
}

void ExactTransformer::Lease::ToSource(size_t count, double* x, double* y) {
    if (count == 0) return;
    x_.assign(x, x + count);
    y_.assign(y, y + count);
    const QuietErrors quiet;  // newer GDALs tell of each point that PROJ refuses
    owner_.Transform(*copy_, true, x_, y_, z_, success_);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (size_t i = 0; i < count; ++i) {
        const bool ok = success_[i] && std::isfinite(x_[i]) && std::isfinite(y_[i]);
        x[i] = ok ? x_[i] : nan;
        y[i] = ok ? y_[i] : nan;
    }
}

void ExactTransformer::Run(int64_t count, const std::function<void(Lease&, int64_t)>& piece) {
    if (count <= 0) return;
    // Never ended: its threads hold GDAL's thread-local PROJ contexts, which outlive the library's
    // static objects only where the threads do.
    static gpu::ThreadPool& pool = *new gpu::ThreadPool(0);
    const CPLStringList options(CPLGetThreadLocalConfigOptions());
    const auto work = [&](int64_t i) {
        CPLErrorStateBackuper backup;
        CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
        Lease lease(*this);
        piece(lease, i);
    };
    if (parallel() == 1 || count == 1) {
        for (int64_t i = 0; i < count; ++i) work(i);
        return;
    }
    const std::thread::id caller = std::this_thread::get_id();
    pool.run(count, [&](int64_t i) {
        const bool borrowed = std::this_thread::get_id() != caller;
        if (borrowed) CPLSetThreadLocalConfigOptions(options.List());
        work(i);
        if (borrowed) CPLSetThreadLocalConfigOptions(nullptr);
    });
}

int CoordinateThreads() {
    const char* value = CPLGetConfigOption("GDAL_NUM_THREADS", "ALL_CPUS");
    const int threads = EQUAL(value, "ALL_CPUS") ? gpu::CoreCount() : std::atoi(value);
    return std::max(1, std::min(threads, gpu::CoreCount()));
}

}  // namespace gdalgpu
