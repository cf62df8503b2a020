#include "plugin/coordinates/proj_points.h"

#include <unistd.h>

#include <cmath>
#include <stdexcept>

#include "plugin/coordinates/west_orientated.h"
#include "plugin/runtime.h"

namespace gdalgpu {

namespace {

constexpr int64_t kPiece = 16384;  // points that one thread takes at a time
constexpr double kDegree = 0.017453292519943295;

std::string Message(PJ_CONTEXT* context) {
    const int error = proj_context_errno(context);
    return error != 0 ? std::string(": ") + proj_context_errno_string(context, error) : "";
}

PJ_DIRECTION Direction(bool inverse) { return inverse ? PJ_INV : PJ_FWD; }

}  // namespace

// A PJ with the context that it lives in.
struct ProjPoints::Instance {
    ProjContext context;
    Pj pj;
    pid_t process = getpid();
};

// An instance that no other thread uses. Those that a parent process made are left as they lie.
class ProjPoints::Lease {
  public:
    explicit Lease(ProjPoints& points) : points_(points) {
        const std::lock_guard<std::mutex> lock(points.mutex_);
        while (instance_ == nullptr && !points.idle_.empty()) {
            instance_ = std::move(points.idle_.back());
            points.idle_.pop_back();
            if (instance_->process != getpid()) (void)instance_.release();
        }
    }
    ~Lease() {
        const std::lock_guard<std::mutex> lock(points_.mutex_);
        if (instance_ != nullptr) points_.idle_.push_back(std::move(instance_));
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    PJ_CONTEXT* context() { return instance().context.get(); }
    PJ* pj() { return instance().pj.get(); }

  private:
    Instance& instance() {
        if (instance_ == nullptr) instance_ = points_.Make();
        return *instance_;
    }

    ProjPoints& points_;
    std::unique_ptr<Instance> instance_;
};

ProjPoints::ProjPoints(std::string source, std::string target, std::optional<AreaOfInterest> area)
    : source_(std::move(source)), target_(std::move(target)), area_(area) {
    idle_.push_back(Make());
}

ProjPoints::ProjPoints(std::string operation) : operation_(std::move(operation)) {
    idle_.push_back(Make());
}

ProjPoints::~ProjPoints() {
    for (std::unique_ptr<Instance>& instance : idle_) {
        if (instance->process != getpid()) (void)instance.release();
    }
}

std::unique_ptr<ProjPoints::Instance> ProjPoints::Make() const {
    auto made = std::make_unique<Instance>();
    made->context = MakeProjContext();
    PJ_CONTEXT* context = made->context.get();
    if (!operation_.empty()) {
        made->pj.reset(proj_create(context, operation_.c_str()));
        if (made->pj == nullptr)
            throw std::runtime_error("PROJ can't make the operation " + operation_.substr(0, 80) +
                                     Message(context));
        if (proj_is_crs(made->pj.get()))
            throw std::runtime_error(operation_.substr(0, 80) + " is a CRS, not an operation");
        return made;
    }
    PJ_AREA* area = nullptr;
    if (area_) {
        area = proj_area_create();
        proj_area_set_bbox(area, (*area_)[0], (*area_)[1], (*area_)[2], (*area_)[3]);
    }
    made->pj.reset(proj_create_crs_to_crs(context, source_.c_str(), target_.c_str(), area));
    proj_area_destroy(area);
    if (made->pj == nullptr)
        throw std::runtime_error("PROJ finds no operation from " + source_.substr(0, 80) + " to " +
                                 target_.substr(0, 80) + Message(context));
    if (proj_as_proj_string(context, made->pj.get(), PJ_PROJ_5, nullptr) == nullptr) {
        const Pj source(proj_create(context, source_.c_str())),
            target(proj_create(context, target_.c_str()));
        const std::string text = WestOrientatedOperation(context, source.get(), target.get());
        if (!text.empty()) made->pj.reset(proj_create(context, text.c_str()));
    }
    return made;
}

void ProjPoints::Transform(bool inverse, int64_t count, const CoordinateArrays& arrays,
                           int* success) {
    HostThreads().run((count + kPiece - 1) / kPiece, [&](int64_t piece) {
        Lease lease(*this);
        PJ* pj = lease.pj();
        const int64_t end = std::min(count, (piece + 1) * kPiece);
        for (int64_t i = piece * kPiece; i < end; ++i) {
            PJ_COORD point =
                proj_coord(arrays[0][i], arrays[1][i], arrays[2] != nullptr ? arrays[2][i] : 0.0,
                           arrays[3] != nullptr ? arrays[3][i] : HUGE_VAL);
            point = proj_trans(pj, Direction(inverse), point);
            const bool ok = point.xyzt.x != HUGE_VAL;
            for (int k = 0; k < 4; ++k) {
                if (arrays[k] != nullptr) arrays[k][i] = ok ? point.v[k] : HUGE_VAL;
            }
            if (success != nullptr) success[i] = ok ? 1 : 0;
        }
    });
}

std::array<double, 4> ProjPoints::Bounds(bool inverse, const std::array<double, 4>& bounds,
                                         int densify_points) {
    Lease lease(*this);
    std::array<double, 4> result{};
    if (!proj_trans_bounds(lease.context(), lease.pj(), Direction(inverse), bounds[0], bounds[1],
                           bounds[2], bounds[3], &result[0], &result[1], &result[2], &result[3],
                           densify_points))
        throw std::runtime_error("PROJ can't transform the bounds" + Message(lease.context()));
    return result;
}

double ProjPoints::InputAngle(bool inverse) {
    Lease lease(*this);
    PJ* pj = lease.pj();
    return proj_degree_input(pj, Direction(inverse))    ? kDegree
           : proj_angular_input(pj, Direction(inverse)) ? 1.0
                                                        : 0.0;
}

double ProjPoints::OutputAngle(bool inverse) {
    Lease lease(*this);
    PJ* pj = lease.pj();
    return proj_degree_output(pj, Direction(inverse))    ? kDegree
           : proj_angular_output(pj, Direction(inverse)) ? 1.0
                                                         : 0.0;
}

}  // namespace gdalgpu
