#include "plugin/doors/transformer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "gdal_alg.h"
#include "gdal_alg_priv.h"
#include "gpu/error.h"
#include "plugin/coordinates/point_transform.h"
#include "plugin/doors/gdal_gpu.h"
#include "plugin/doors/pole_samples.h"
#include "plugin/gdal_rules.h"
#include "plugin/report.h"
#include "plugin/runtime.h"

namespace gdalgpu {

namespace {

constexpr char kElement[] = "GPUGenImgProjTransformer";
constexpr char kGdalElement[] = "GenImgProjTransformer";
// Below so many points a call, GDAL's own code has them before a device would. A warper asks for a
// scanline at a time: 512 points in a warped VRT.
constexpr int kFewestPoints = 256;
constexpr double kTolerance = 1e-3;  // pixels, between GDAL's transformer and the device

CPLXMLNode* Serialize(void* transformer);
void* CreateSimilar(void* transformer, double x_ratio, double y_ratio);
void Destroy(void* transformer);

// Renames an element for a scope.
class Renamed {
  public:
    Renamed(CPLXMLNode& node, const char* name) : node_(node), before_(node.pszValue) {
        node.pszValue = CPLStrdup(name);
    }
    ~Renamed() {
        CPLFree(node_.pszValue);
        node_.pszValue = before_;
    }
    Renamed(const Renamed&) = delete;
    Renamed& operator=(const Renamed&) = delete;

  private:
    CPLXMLNode& node_;
    char* before_;
};

// What this library knows about one transformer beside GDAL's own data. Used by one thread at a
// time, as the transformer itself.
class DevicePoints {
  public:
    explicit DevicePoints(const GDALTransformerInfo& gdal) : gdal(gdal) {}
    ~DevicePoints();

    // GDAL's functions of the transformer, before this library's took their place.
    const GDALTransformerInfo gdal;

    // Transforms in place on the device. False, with the points untouched, where GDAL's code is to
    // do it.
    bool Transform(void* transformer, bool to_source, int count, double* x, double* y, double* z,
                   int* success);

    // Whether a pole of the Earth lies within this part of the destination.
    bool HasPole(void* transformer, const Rectangle& pixels);

  private:
    struct Plan {
        std::unique_ptr<PointTransform> transform;
        std::shared_ptr<gpu::Device> device;
        std::shared_ptr<gpu::Module> module;
        double probe[9] = {};  // source positions of three destination pixels, when it was made
        std::vector<Precision> precisions;  // to be tried, in this order
        size_t tried = 0;                   // of them
        bool made = false;
    };

    // Makes the plan, where there is none for the transformer as it is now: in the next of the
    // precisions, where one was dropped. False where none is left.
    bool Prepare(void* transformer, Plan& plan, bool to_source);
    // Runs the plan. False, with the plan dropped, where its points aren't GDAL's.
    bool Run(void* transformer, const std::shared_ptr<gpu::Device>& device, Plan& plan,
             bool to_source, int count, double* x, double* y, double* z, int* success);
    Report& report();

    Plan plans_[2];
    std::optional<std::vector<std::array<double, 2>>> poles_;  // in source pixels, once asked for
    unsigned long long asked_ = 0;                             // points, so far
    std::unique_ptr<Report> report_;
};

// Never destroyed: transformers may outlive the library's static objects.
struct Registry {
    std::mutex mutex;
    std::map<const void*, std::shared_ptr<DevicePoints>> points;
};

Registry& TheRegistry() {
    static auto* registry = new Registry;
    return *registry;
}

std::shared_ptr<DevicePoints> Find(const void* transformer) {
    Registry& registry = TheRegistry();
    const std::lock_guard<std::mutex> lock(registry.mutex);
    const auto found = registry.points.find(transformer);
    return found == registry.points.end() ? nullptr : found->second;
}

DevicePoints::~DevicePoints() = default;

bool DevicePoints::HasPole(void* transformer, const Rectangle& pixels) {
    if (!poles_) {
        const CPLXMLTreeCloser tree(gdal.pfnSerialize(transformer));
        poles_ = tree.get() == nullptr ? std::vector<std::array<double, 2>>()
                                       : PolesInSource(DescribeTransformer(*tree.get()));
    }
    for (const auto& [source_x, source_y] : *poles_) {
        double x = source_x, y = source_y, z = 0;
        int success = 0;
        if (gdal.pfnTransform(transformer, /*bDstToSrc=*/FALSE, 1, &x, &y, &z, &success) &&
            success && x >= pixels.min_x && x <= pixels.max_x && y >= pixels.min_y &&
            y <= pixels.max_y) {
            return true;
        }
    }
    return false;
}

Report& DevicePoints::report() {
    if (report_ == nullptr) report_ = std::make_unique<Report>("transformer", "points");
    return *report_;
}

bool DevicePoints::Prepare(void* transformer, Plan& plan, bool to_source) {
    // The destination's geotransform may be set at any time, and GDAL 3.6 doesn't export what reads
    // it.
    double probe[9] = {0, 1, 0, 0, 0, 1};
    int probed[3] = {};
    gdal.pfnTransform(transformer, /*bDstToSrc=*/TRUE, 3, probe, probe + 3, probe + 6, probed);
    const bool same = plan.made && std::equal(probe, probe + 9, plan.probe);
    if (same && (plan.transform != nullptr || plan.tried == plan.precisions.size())) {
        return plan.transform != nullptr;
    }
    const Report::Stage stage(report(), "plan");
    if (!same) {
        plan = Plan();
        plan.made = true;
        plan.precisions = RequestedPrecisions(/*area_known=*/false);
        memcpy(plan.probe, probe, sizeof probe);
    }
    plan.module = nullptr;
    const Precision precision = plan.precisions[plan.tried++];
    CPLXMLTreeCloser tree(gdal.pfnSerialize(transformer));
    if (tree.get() == nullptr) {
        report().reason = "the transformer can't be serialized";
        return false;
    }
    const auto direction =
        to_source ? PointTransform::Direction::ToSource : PointTransform::Direction::ToDestination;
    plan.transform = PlanPointTransform(*tree.get(), direction, precision, report().reason);
    return plan.transform != nullptr;
}

bool DevicePoints::Transform(void* transformer, bool to_source, int count, double* x, double* y,
                             double* z, int* success) {
    asked_ += count;
    Plan& plan = plans_[to_source];
    try {
        const Selection selection = SelectDevice(asked_);
        if (selection.device == nullptr) {
            report().reason = selection.reason;
            return false;
        }
        while (Prepare(transformer, plan, to_source)) {
            if (Run(transformer, selection.device, plan, to_source, count, x, y, z, success))
                return true;
        }
    } catch (const std::exception& error) {
        report().reason = error.what();
        plan.transform.reset();  // GDAL's code from now on, for this transformer
        plan.tried = plan.precisions.size();
    }
    return false;
}

bool DevicePoints::Run(void* transformer, const std::shared_ptr<gpu::Device>& device, Plan& plan,
                       bool to_source, int count, double* x, double* y, double* z, int* success) {
    if (plan.module == nullptr || plan.device != device) {
        const Report::Stage stage(report(), "compile");
        gpu::Source source;
        plan.transform->Emit(source);
        gpu::CompileInfo info;
        plan.module = device->compile(source, &info);
        plan.device = device;
        report().compiled += info.compiled;
    }

    // GDAL's answer for a few of the points: a plan that differs is dropped.
    const Precision precision = plan.transform->precision();
    const int checked = std::min(count, precision == Precision::Fp64 ? 3 : 64);
    const auto index = [&](int i) {
        return static_cast<int>(int64_t{count - 1} * i / std::max(1, checked - 1));
    };
    std::vector<double> expected_x, expected_y, expected_z;
    std::vector<int> expected(checked);
    for (int i = 0; i < checked; ++i) {
        expected_x.push_back(x[index(i)]);
        expected_y.push_back(y[index(i)]);
        expected_z.push_back(z == nullptr ? 0.0 : z[index(i)]);
    }
    gdal.pfnTransform(transformer, to_source, checked, expected_x.data(), expected_y.data(),
                      expected_z.data(), expected.data());

    const Report::Stage stage(report(), "points");
    std::vector<double> out_x(x, x + count), out_y(y, y + count), out_z(count, 0.0);
    if (z != nullptr) std::copy(z, z + count, out_z.begin());
    std::vector<int> out_success(count);
    const std::unique_ptr<gpu::Stream> stream = device->stream();
    plan.transform->Run(*plan.module, *stream, count, out_x.data(), out_y.data(), out_z.data(),
                        out_success.data());
    for (int i = 0; i < checked; ++i) {
        const int at = index(i);
        const bool same =
            (expected[i] != 0) == (out_success[at] != 0) &&
            (expected[i] == 0 || (std::fabs(expected_x[i] - out_x[at]) <= kTolerance &&
                                  std::fabs(expected_y[i] - out_y[at]) <= kTolerance));
        if (!same) {
            report().reason = CPLSPrintf("%s differs from GDAL's transformer at point %d",
                                         PrecisionName(precision), at);
            plan.transform.reset();
            return false;
        }
    }
    std::copy(out_x.begin(), out_x.end(), x);
    std::copy(out_y.begin(), out_y.end(), y);
    if (z != nullptr) std::copy(out_z.begin(), out_z.end(), z);
    std::copy(out_success.begin(), out_success.end(), success);
    report().device = device->kind_name();
    report().kernel = "transform_points " + plan.transform->description();
    report().path = "fused";
    report().precision = PrecisionName(precision);
    report().pixels += count;
    return true;
}

CPLXMLNode* Serialize(void* transformer) {
    const std::shared_ptr<DevicePoints> points = Find(transformer);
    CPLXMLNode* tree = points == nullptr ? nullptr : points->gdal.pfnSerialize(transformer);
    if (tree != nullptr && EQUAL(tree->pszValue, kGdalElement)) {
        CPLFree(tree->pszValue);
        tree->pszValue = CPLStrdup(kElement);
    }
    return tree;
}

void* CreateSimilar(void* transformer, double x_ratio, double y_ratio) {
    const std::shared_ptr<DevicePoints> points = Find(transformer);
    if (points == nullptr) return nullptr;
    void* similar = points->gdal.pfnCreateSimilar(transformer, x_ratio, y_ratio);
    if (similar != nullptr) {
        // GDAL copies the structure, with this library's functions in it.
        memcpy(similar, &points->gdal, sizeof(GDALTransformerInfo));
    }
    return AdoptGenImgProjTransformer(similar);
}

void Destroy(void* transformer) {
    std::shared_ptr<DevicePoints> points;
    {
        Registry& registry = TheRegistry();
        const std::lock_guard<std::mutex> lock(registry.mutex);
        const auto found = registry.points.find(transformer);
        if (found != registry.points.end()) {
            points = found->second;
            registry.points.erase(found);
        }
    }
    GDALDestroyGenImgProjTransformer(transformer);
}

void* Deserialize(CPLXMLNode* tree) {
    GDALTransformerFunc function = nullptr;
    void* transformer = nullptr;
    {
        const Renamed renamed(*tree, kGdalElement);
        GDALDeserializeTransformer(tree, &function, &transformer);
    }
    return AdoptGenImgProjTransformer(transformer);
}

}  // namespace

void* AdoptGenImgProjTransformer(void* transformer) {
    if (transformer == nullptr) return nullptr;
    auto& info = *static_cast<GDALTransformerInfo*>(transformer);
    if (info.pfnTransform == GDALGPUGenImgProjTransform) return transformer;
    auto points = std::make_shared<DevicePoints>(info);
    {
        Registry& registry = TheRegistry();
        const std::lock_guard<std::mutex> lock(registry.mutex);
        registry.points[transformer].swap(points);
    }
    info.pfnTransform = GDALGPUGenImgProjTransform;
    info.pfnCleanup = Destroy;
    info.pfnSerialize = Serialize;
    info.pfnCreateSimilar = CreateSimilar;
    return transformer;
}

void RegisterTransformer() {
    static std::once_flag once;
    std::call_once(once, [] {
        GDALRegisterTransformDeserializer(kElement, GDALGPUGenImgProjTransform, Deserialize);
    });
}

}  // namespace gdalgpu

int GDALGPUGenImgProjTransform(void* transformer, int to_source, int count, double* x, double* y,
                               double* z, int* success) {
    using namespace gdalgpu;
    if (transformer == nullptr || success == nullptr || (count > 0 && (!x || !y || !z))) {
        CPLError(CE_Failure, CPLE_IllegalArg,
                 "GDALGPUGenImgProjTransform: transformer, x, y, z and success must not be NULL");
        return FALSE;
    }
    Rectangle region{};
    const bool edges = to_source != 0 && AreEdgeSamples(count, x, y, region);
    const std::shared_ptr<DevicePoints> points =
        edges || count >= kFewestPoints ? Find(transformer) : nullptr;
    const bool has_pole = edges && points != nullptr && points->HasPole(transformer, region);
    if (points != nullptr && !has_pole && count >= kFewestPoints &&
        points->Transform(transformer, to_source != 0, count, x, y, z, success)) {
        return !LoadedGdalRules().transformers_tell_of_failed_points ||
               std::all_of(success, success + count, [](int ok) { return ok != 0; });
    }
    const int result = GDALGenImgProjTransform(transformer, to_source, count, x, y, z, success);
    if (has_pole) {
        // A sample that fails makes the warper ask again on a grid, as it does at once for its own
        // transformer where a pole is in the raster.
        success[kRepeatedEdgeSample] = FALSE;
    }
    return result;
}
