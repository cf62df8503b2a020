#include "plugin/coordinates/coordinate_transform.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <stdexcept>

#include "cpl_string.h"
#include "plugin/coordinates/reprojection.h"
#include "plugin/report.h"
#include "plugin/runtime.h"

namespace gdalgpu {

namespace {

// Of host arrays at once on the device: large enough for the copy engines, small enough that the
// first result comes soon.
constexpr int64_t kPiece = int64_t{1} << 21;
// Points of each direction that PROJ computes too, before the fused operation is trusted.
constexpr int64_t kChecked = 64;

CoordinateTolerance ToleranceOf(Precision precision) {
    switch (precision) {
        case Precision::Ds:
            return {1e-3, 1e-10, 1e-10};
        case Precision::Fp32:
            return {60, 1e-5, 1e-5};
        default:
            return {1e-5, 1e-11, 1e-11};
    }
}

// How far two points are apart, in tolerances. radians: of one unit of x and y; 0: a length.
double Apart(const std::array<double, 4>& a, const std::array<double, 4>& b, double radians,
             const CoordinateTolerance& accepted) {
    double apart = 0;
    for (int k = 0; k < 4; ++k) {
        if (std::isnan(a[k]) && std::isnan(b[k])) continue;
        if (a[k] == b[k]) continue;
        double difference = std::fabs(a[k] - b[k]);
        double tolerance = accepted.metres + accepted.relative * std::fabs(b[k]);
        if (radians > 0 && k < 2) {
            difference *= radians;
            difference = std::min(difference, std::fabs(difference - 2 * M_PI));
            tolerance = accepted.radians + accepted.relative * std::fabs(b[k]) * radians;
            // Near a pole longitudes mean little; which of the two is the latitude isn't known.
            tolerance /= std::max(1e-9, std::fabs(std::cos(b[1 - k] * radians)));
        }
        if (!(difference <= DBL_MAX)) return HUGE_VAL;
        apart = std::max(apart, difference / tolerance);
    }
    return apart;
}

// The points of a request that PROJ computes too: evenly spread, both ends included.
std::vector<int64_t> CheckedPoints(int64_t count) {
    const int64_t taken = std::min(count, kChecked);
    std::vector<int64_t> points;
    for (int64_t i = 0; i < taken; ++i)
        points.push_back(taken > 1 ? (count - 1) * i / (taken - 1) : 0);
    return points;
}

// What a coordinate is where there is no array of it: z is 0, t no time.
double Missing(int coordinate) { return coordinate == 3 ? HUGE_VAL : 0.0; }

}  // namespace

CoordinateTransform::CoordinateTransform(Options options, std::string source, std::string target,
                                         std::string operation)
    : options_(std::move(options)),
      source_(std::move(source)),
      target_(std::move(target)),
      operation_(std::move(operation)) {
    proj_ = operation_.empty() ? std::make_unique<ProjPoints>(source_, target_, options_.area)
                               : std::make_unique<ProjPoints>(operation_);
}

CoordinateTransform::~CoordinateTransform() = default;

std::unique_ptr<CoordinateTransform> CoordinateTransform::FromCrs(const std::string& source,
                                                                  const std::string& target,
                                                                  const Options& options) {
    const CrsDefinition from = DefineCrs(source), to = DefineCrs(target);
    std::unique_ptr<CoordinateTransform> result(
        new CoordinateTransform(options, from.text, to.text, ""));
    result->y_first_source_ = options.traditional_axes && from.y_first;
    result->y_first_target_ = options.traditional_axes && to.y_first;
    return result;
}

std::unique_ptr<CoordinateTransform> CoordinateTransform::FromOperation(
    const std::string& operation, const Options& options) {
    if (operation.find_first_not_of(" \t\r\n") == std::string::npos)
        throw std::runtime_error("the operation's text is empty");
    return std::unique_ptr<CoordinateTransform>(
        new CoordinateTransform(options, "", "", operation));
}

std::string CoordinateTransform::Ready::path() const {
    if (device == nullptr) return "PROJ: " + reason;
    std::string text = std::string(device->kind_name()) + ": " + fused->description();
    if (fused->precision() != Precision::Fp64)
        text += std::string(" in ") + PrecisionName(fused->precision());
    return text;
}

void CoordinateTransform::Make(Plan& plan, bool inverse) {
    if (plan.precisions.empty()) {
        plan.precisions = options_.precision.empty()
                              ? RequestedPrecisions(/*area_known=*/false)
                              : PrecisionsOfName(options_.precision, /*area_known=*/false);
    }
    const Precision precision = plan.precisions[plan.tried++];
    try {
        const auto candidates = operation_.empty() ? FindOperations(source_, target_, options_.area)
                                                   : GivenOperation(operation_);
        plan.fused = std::make_shared<FusedOperations>(
            *candidates, inverse, inverse ? y_first_target_ : y_first_source_,
            inverse ? y_first_source_ : y_first_target_, nullptr, precision);
        if (plan.fused->precision() == Precision::Fp64) plan.tried = plan.precisions.size();
    } catch (const std::exception& error) {
        plan.reason = error.what();
        plan.tried = plan.precisions.size();
    }
}

CoordinateTransform::Ready CoordinateTransform::Prepare(bool inverse, uint64_t points) {
    Ready ready;
    const Selection selection = SelectDevice(points);
    Plan& plan = plans_[inverse];
    const std::lock_guard<std::mutex> lock(plan.mutex);
    if (selection.device == nullptr) {
        ready.reason = selection.reason;
        return ready;
    }
    if (plan.fused == nullptr && (plan.precisions.empty() || plan.tried < plan.precisions.size())) {
        Make(plan, inverse);
    }
    ready.reason = plan.reason;
    if (plan.fused == nullptr) return ready;
    try {
        if (plan.module == nullptr || plan.device != selection.device) {
            gpu::Source source;
            plan.fused->EmitKernel(source, "CoordinateTransform");
            gpu::CompileInfo info;
            plan.module = selection.device->compile(source, &info);
            plan.bound = plan.fused->Bind(*selection.device->stream());
            plan.device = selection.device;
            plan.checked = 0;
            ready.compiled = info.compiled;
        }
    } catch (const std::exception& error) {
        ready.reason = error.what();
        return ready;
    }
    ready.fused = plan.fused;
    ready.bound = plan.bound;
    ready.device = plan.device;
    ready.module = plan.module;
    ready.unchecked = plan.checked < kChecked;
    return ready;
}

template <typename Sample>
CoordinateTransform::Ready CoordinateTransform::PrepareChecked(bool inverse, uint64_t points,
                                                               const Sample& sample) {
    Ready ready = Prepare(inverse, points);
    if (ready.device == nullptr || !ready.unchecked) return ready;
    const std::array<std::vector<double>, 4> taken = sample();
    int compiled = 0;
    for (;;) {
        Compare(inverse, ready, taken);
        compiled += ready.compiled;
        const std::shared_ptr<const FusedOperations> compared = ready.fused;
        ready = Prepare(inverse, points);
        if (ready.device == nullptr || ready.fused == compared) break;
    }
    ready.compiled += compiled;
    return ready;
}

void CoordinateTransform::Compare(bool inverse, const Ready& ready,
                                  std::array<std::vector<double>, 4> points) {
    const auto count = static_cast<int64_t>(points[0].size());
    const std::array<std::vector<double>, 4> given = points;
    std::array<std::vector<double>, 4> expected = points;
    const auto pointers = [](std::array<std::vector<double>, 4>& vectors) {
        CoordinateArrays arrays{};
        for (int k = 0; k < 4; ++k) arrays[k] = vectors[k].data();
        return arrays;
    };
    std::vector<int> success(points[0].size()), expected_success(points[0].size());
    RunProj(inverse, count, pointers(expected), expected_success.data());
    const Pieces pieces = TransformInPieces(*ready.device, *ready.module, ready.bound.parameters,
                                            count, pointers(points), success.data(), kPiece);
    if (!pieces.problem.empty()) throw gpu::Error(gpu::Error::Kind::Launch, pieces.problem);
    const double radians = proj_->OutputAngle(inverse);
    const CoordinateTolerance tolerance = ToleranceOf(ready.fused->precision());
    Plan& plan = plans_[inverse];
    for (size_t i = 0; i < success.size(); ++i) {
        const auto at = [i](const std::array<std::vector<double>, 4>& vectors) {
            return std::array<double, 4>{vectors[0][i], vectors[1][i], vectors[2][i],
                                         vectors[3][i]};
        };
        // PROJ's ways with NaN are chance.
        const std::array<double, 4> from = at(given);
        if (std::any_of(from.begin(), from.end(), [](double v) { return std::isnan(v); })) continue;
        if (success[i] == expected_success[i] &&
            (!success[i] || Apart(at(points), at(expected), radians, tolerance) <= 1 ||
             ComesBack(inverse, tolerance, from, at(points), at(expected))))
            continue;
        const std::lock_guard<std::mutex> lock(plan.mutex);
        if (plan.fused != ready.fused) return;  // another thread's points did it
        plan.reason = CPLSPrintf(
            "the operation fused in %s differs from PROJ: (%.17g, %.17g) instead of (%.17g, %.17g)",
            PrecisionName(plan.fused->precision()), points[0][i], points[1][i], expected[0][i],
            expected[1][i]);
        plan.fused = nullptr;
        plan.module = nullptr;
        return;
    }
    const std::lock_guard<std::mutex> lock(plan.mutex);
    if (plan.fused == ready.fused) plan.checked += count;
}

bool CoordinateTransform::ComesBack(bool inverse, const CoordinateTolerance& tolerance,
                                    const std::array<double, 4>& given, std::array<double, 4> ours,
                                    std::array<double, 4> theirs) {
    const auto apart = [&](std::array<double, 4>& point) {
        int success = 0;
        RunProj(!inverse, 1, {&point[0], &point[1], &point[2], &point[3]}, &success);
        return success ? Apart(point, given, proj_->InputAngle(inverse), tolerance) : HUGE_VAL;
    };
    const double proj = apart(theirs);
    return std::isfinite(proj) && apart(ours) <= std::max(1.0, 4 * proj);
}

void CoordinateTransform::RunProj(bool inverse, int64_t count, const CoordinateArrays& arrays,
                                  int* success) {
    const bool swap_in = inverse ? y_first_target_ : y_first_source_;
    const bool swap_out = inverse ? y_first_source_ : y_first_target_;
    CoordinateArrays ordered = arrays;
    if (swap_in) std::swap(ordered[0], ordered[1]);
    proj_->Transform(inverse, count, ordered, success);
    if (swap_in != swap_out) std::swap_ranges(arrays[0], arrays[0] + count, arrays[1]);
}

void CoordinateTransform::RunProjOnTheRest(bool inverse, int64_t count,
                                           const CoordinateArrays& arrays, int* success,
                                           const Pieces& pieces) {
    for (size_t i = 0; i < pieces.done.size(); ++i) {
        if (pieces.done[i]) continue;
        const int64_t begin = static_cast<int64_t>(i) * pieces.piece;
        CoordinateArrays rest{};
        for (int k = 0; k < 4; ++k) rest[k] = arrays[k] != nullptr ? arrays[k] + begin : nullptr;
        RunProj(inverse, std::min(pieces.piece, count - begin), rest,
                success != nullptr ? success + begin : nullptr);
    }
}

void CoordinateTransform::Transform(bool inverse, int64_t count, const CoordinateArrays& arrays,
                                    int* success) {
    if (count <= 0) return;
    Report report(options_.door, "coordinates");
    report.pixels = static_cast<unsigned long long>(count);
    Ready ready;
    std::string reason;
    try {
        {
            const Report::Stage stage(report, "plan");
            ready = PrepareChecked(inverse, static_cast<uint64_t>(count), [&] {
                std::array<std::vector<double>, 4> sample;
                for (const int64_t at : CheckedPoints(count)) {
                    for (int k = 0; k < 4; ++k)
                        sample[k].push_back(arrays[k] != nullptr ? arrays[k][at] : Missing(k));
                }
                return sample;
            });
        }
        report.compiled = ready.compiled;
        reason = ready.reason;
        if (ready.device != nullptr) {
            const Report::Stage stage(report, "points");
            Pieces pieces;
            if (ready.device->kind() == gpu::Device::Kind::Host) {
                const std::unique_ptr<gpu::Stream> stream = ready.device->stream();
                LaunchCoordinates(*stream, ready.module->kernel("transform_coordinates"),
                                  ready.bound.parameters, count, arrays, arrays, success);
                stream->synchronize();
            } else {
                pieces = TransformInPieces(*ready.device, *ready.module, ready.bound.parameters,
                                           count, arrays, success, kPiece);
            }
            report.device = ready.device->kind_name();
            report.path = "fused";
            report.precision = PrecisionName(ready.fused->precision());
            report.kernel = "transform_coordinates " + ready.fused->description();
            report.reason = pieces.problem.empty() ? ready.reason : pieces.problem;
            RunProjOnTheRest(inverse, count, arrays, success, pieces);
            const bool all_left =
                !pieces.done.empty() &&
                std::none_of(pieces.done.begin(), pieces.done.end(), [](char d) { return d; });
            if (all_left)
                report.device = "GDAL", report.path = "", report.precision = "", report.kernel = "";
            SetPath(inverse, all_left ? "PROJ: " + pieces.problem : ready.path());
            return;
        }
    } catch (const gpu::Error& error) {
        reason = error.what();
    }
    const Report::Stage stage(report, "proj");
    report.reason = reason;
    SetPath(inverse, "PROJ: " + reason);
    RunProj(inverse, count, arrays, success);
}

void CoordinateTransform::TransformOnDevice(bool inverse, int64_t count, const CoordinateArrays& in,
                                            const CoordinateArrays& out, int* success,
                                            void* stream) {
    if (count <= 0) return;
    const Selection selection = SelectDevice(UINT64_MAX);
    if (selection.device == nullptr)
        throw std::runtime_error("there is no device that has these arrays: " + selection.reason);
    Report report(options_.door, "device_coordinates");
    report.pixels = static_cast<unsigned long long>(count);
    const std::unique_ptr<gpu::Stream> own = selection.device->borrow(stream);
    const Ready ready = PrepareChecked(inverse, UINT64_MAX, [&] {
        std::array<std::vector<double>, 4> sample;
        const std::vector<int64_t> points = CheckedPoints(count);
        for (int k = 0; k < 4; ++k) {
            sample[k].assign(points.size(), Missing(k));
            for (size_t i = 0; i < points.size() && in[k] != nullptr; ++i)
                own->download(&sample[k][i], in[k] + points[i], sizeof(double));
        }
        own->synchronize();
        return sample;
    });
    report.compiled = ready.compiled;
    report.reason = ready.reason;
    if (ready.device != nullptr) {
        LaunchCoordinates(*own, ready.module->kernel("transform_coordinates"),
                          ready.bound.parameters, count, in, out, success);
        report.device = ready.device->kind_name();
        report.path = "fused";
        report.precision = PrecisionName(ready.fused->precision());
        report.kernel = "transform_coordinates " + ready.fused->description();
        SetPath(inverse, ready.path());
        return;
    }
    const size_t bytes = static_cast<size_t>(count) * sizeof(double);
    std::array<std::vector<double>, 4> host;
    CoordinateArrays arrays{};
    for (int k = 0; k < 4; ++k) {
        if (in[k] == nullptr && out[k] == nullptr) continue;
        host[k].assign(static_cast<size_t>(count), Missing(k));
        arrays[k] = host[k].data();
        if (in[k] != nullptr) own->download(arrays[k], in[k], bytes);
    }
    own->synchronize();
    std::vector<int> flags(static_cast<size_t>(count));
    RunProj(inverse, count, arrays, flags.data());
    for (int k = 0; k < 4; ++k) {
        if (out[k] != nullptr) own->upload(out[k], arrays[k], bytes);
    }
    if (success != nullptr) own->upload(success, flags.data(), flags.size() * sizeof(int));
    own->synchronize();
    SetPath(inverse, ready.path());
}

std::array<double, 4> CoordinateTransform::Bounds(bool inverse, const std::array<double, 4>& bounds,
                                                  int densify_points) {
    const auto turned = [](const std::array<double, 4>& b) {
        return std::array<double, 4>{b[1], b[0], b[3], b[2]};
    };
    const bool swap_in = inverse ? y_first_target_ : y_first_source_;
    const bool swap_out = inverse ? y_first_source_ : y_first_target_;
    const std::array<double, 4> result =
        proj_->Bounds(inverse, swap_in ? turned(bounds) : bounds, densify_points);
    return swap_out ? turned(result) : result;
}

std::string CoordinateTransform::WarmUp(bool inverse) {
    return Prepare(inverse, UINT64_MAX).path();
}

void CoordinateTransform::SetPath(bool inverse, const std::string& path) {
    const std::lock_guard<std::mutex> lock(plans_[inverse].mutex);
    plans_[inverse].path = path;
}

std::string CoordinateTransform::path(bool inverse) const {
    const std::lock_guard<std::mutex> lock(plans_[inverse].mutex);
    return plans_[inverse].path;
}

bool CoordinateTransform::radians_in(bool inverse) { return proj_->InputAngle(inverse) == 1; }
bool CoordinateTransform::radians_out(bool inverse) { return proj_->OutputAngle(inverse) == 1; }

}  // namespace gdalgpu
