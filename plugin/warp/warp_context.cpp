#include "plugin/warp/warp_context.h"

#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "plugin/warp/warp_plan.h"

namespace gdalgpu {

struct WarpContext::State {
    std::mutex mutex;
    Planner planner;
    std::map<std::tuple<GDALTransformerFunc, void*, PixelPoints>, std::shared_ptr<Plan>> plans;
};

WarpContext::WarpContext(std::string door_name, PixelWindow whole_window,
                         std::vector<ScaledWindow> windows, Planner planner)
    : door(std::move(door_name)),
      whole(whole_window),
      scales(std::move(windows)),
      state_(std::make_unique<State>()) {
    state_->planner = std::move(planner);
}

WarpContext::~WarpContext() = default;

std::shared_ptr<WarpContext::Plan> WarpContext::plan(GDALTransformerFunc transformer,
                                                     void* argument, PixelPoints points) {
    std::lock_guard<std::mutex> lock(state_->mutex);
    std::shared_ptr<Plan>& plan = state_->plans[{transformer, argument, points}];
    if (plan == nullptr) {
        auto made = std::make_shared<Plan>();
        made->transforms = state_->planner(transformer, argument, made->reasons, &whole, points);
        plan = std::move(made);
    }
    return plan;
}

}  // namespace gdalgpu
