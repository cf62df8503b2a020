#include "plugin/coordinates/operation_candidates.h"

#include <proj_experimental.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <list>
#include <mutex>

#include "cpl_conv.h"
#include "cpl_string.h"
#include "ogr_srs_api.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/proj_context.h"
#include "plugin/coordinates/proj_rules.h"
#include "plugin/coordinates/west_orientated.h"

namespace gdalgpu {
namespace {

using Operation = OperationCandidates::Operation;

struct ListDeleter {
    void operator()(PJ_OBJ_LIST* list) const { proj_list_destroy(list); }
};
using PjList = std::unique_ptr<PJ_OBJ_LIST, ListDeleter>;

struct FactoryDeleter {
    void operator()(PJ_OPERATION_FACTORY_CONTEXT* factory) const {
        proj_operation_factory_context_destroy(factory);
    }
};
using Factory = std::unique_ptr<PJ_OPERATION_FACTORY_CONTEXT, FactoryDeleter>;

bool Holds(const Rectangle& area, double x, double y) {
    return x >= area.min_x && y >= area.min_y && x <= area.max_x && y <= area.max_y;
}

bool Inside(const Rectangle& inner, const Rectangle& outer) {
    return inner.min_x > outer.min_x && inner.min_y > outer.min_y && inner.max_x < outer.max_x &&
           inner.max_y < outer.max_y;
}

// What of GDAL's configuration decides PROJ's answers.
std::string Settings() {
    std::string result = OSRGetPROJEnableNetwork() ? "network;" : ";";
    for (char** (*get)(void) : {OSRGetPROJSearchPaths, OSRGetPROJAuxDbPaths}) {
        const CPLStringList paths(get());
        for (int i = 0; i < paths.size(); ++i) result += std::string(paths[i]) + ":";
        result += ";";
    }
    return result;
}

// A PROJ context set up as GDAL's own are, made again where the settings changed or the process was
// forked. Leaked on a fork: the parent's database handle must not be closed by the child.
class Context {
  public:
    PJ_CONTEXT* get(const std::string& settings) {
        if (context_ != nullptr && pid_ == getpid() && settings_ == settings) return context_;
        if (context_ != nullptr && pid_ == getpid()) proj_context_destroy(context_);
        context_ = nullptr;
        context_ = MakeProjContext().release();
        pid_ = getpid();
        settings_ = settings;
        return context_;
    }

  private:
    PJ_CONTEXT* context_ = nullptr;
    std::string settings_;
    pid_t pid_ = 0;
};

std::string OneLine(const char* text) {
    std::string result(text);
    std::replace(result.begin(), result.end(), '\n', ' ');
    return result;
}

// The operation from longitude and latitude in degrees, on the CRS's ellipsoid and from Greenwich,
// to the CRS: what PROJ reprojects areas of use with.
Pj FromGeographic(PJ_CONTEXT* context, const PJ* crs) {
    const Pj geodetic(proj_crs_get_geodetic_crs(context, crs));
    if (!geodetic) return nullptr;
    const Pj datum(proj_crs_get_datum_forced(context, geodetic.get()));
    if (!datum) return nullptr;
    const Pj ellipsoid(proj_get_ellipsoid(context, datum.get()));
    double semi_major = 0, inverse_flattening = 0;
    if (!ellipsoid || !proj_ellipsoid_get_parameters(context, ellipsoid.get(), &semi_major, nullptr,
                                                     nullptr, &inverse_flattening))
        return nullptr;
    const Pj axes(
        proj_create_ellipsoidal_2D_cs(context, PJ_ELLPS2D_LONGITUDE_LATITUDE, nullptr, 0));
    const Pj geographic(proj_create_geographic_crs(
        context, "longitude and latitude", "datum", proj_get_name(ellipsoid.get()), semi_major,
        inverse_flattening, "Greenwich", 0, nullptr, 0, axes.get()));
    const Pj flat(proj_crs_demote_to_2D(context, nullptr, crs));
    if (!geographic || !flat) return nullptr;
    const Factory factory(proj_create_operation_factory_context(context, nullptr));
    proj_operation_factory_context_set_spatial_criterion(
        context, factory.get(), PROJ_SPATIAL_CRITERION_PARTIAL_INTERSECTION);
    proj_operation_factory_context_set_grid_availability_use(
        context, factory.get(), PROJ_GRID_AVAILABILITY_DISCARD_OPERATION_IF_MISSING_GRID);
    const PjList list(proj_create_operations(context, geographic.get(), flat.get(), factory.get()));
    const int count = list ? proj_list_get_count(list.get()) : 0;
    for (int i = 0; i < count; ++i) {
        Pj operation(proj_list_get(context, list.get(), i));
        if (operation && proj_coordoperation_get_grid_used_count(context, operation.get()) == 0)
            return operation;
    }
    return count > 0 ? Pj(proj_list_get(context, list.get(), 0)) : nullptr;
}

// An area in degrees as the rectangle that PROJ compares points of a CRS with; empty (min > max)
// where no point of its outline is in the CRS.
Rectangle Reproject(PJ* from_geographic, double west, double south, double east, double north) {
    constexpr double huge = std::numeric_limits<double>::max();
    if (west == -180 && south == -90 && east == 180 && north == 90)
        return {-huge, -huge, huge, huge};
    Rectangle result{huge, huge, -huge, -huge};
    constexpr int steps = 20;
    const auto add = [&](double longitude, double latitude) {
        const PJ_COORD to =
            proj_trans(from_geographic, PJ_FWD, proj_coord(longitude, latitude, 0, HUGE_VAL));
        if (to.xy.x == HUGE_VAL || to.xy.y == HUGE_VAL) return;
        result.min_x = std::min(result.min_x, to.xy.x);
        result.min_y = std::min(result.min_y, to.xy.y);
        result.max_x = std::max(result.max_x, to.xy.x);
        result.max_y = std::max(result.max_y, to.xy.y);
    };
    for (int i = 0; i <= steps; ++i) {
        const double longitude = west + i * ((east - west) / steps),
                     latitude = south + i * ((north - south) / steps);
        add(longitude, south);
        add(longitude, north);
        add(west, latitude);
        add(east, latitude);
    }
    return result;
}

// Operations that PROJ prefers by name where they come first: pj_get_suggested_operation().
bool KeepsPlace(const std::string& name) {
    for (const char* preferred :
         {"NAD83 to NAD83(HARN) (47)", "NAD83 to NAD83(HARN) (48)", "NAD83 to NAD83(HARN) (49)",
          "NAD83 to NAD83(HARN) (50)", "GDA94 to WGS 84 (1)", "GDA2020 to WGS 84 (2)"}) {
        if (name.find(preferred) != std::string::npos) return true;
    }
    return false;
}

Operation Describe(PJ_CONTEXT* context, const PJ* pj) {
    Operation result;
    constexpr double huge = std::numeric_limits<double>::max();
    result.source_area = result.target_area = {-huge, -huge, huge, huge};
    if (const char* name = proj_get_name(pj)) result.name = name;
    // An operation without text is kept: it may be the one that PROJ takes, and then nothing can be
    // fused.
    if (const char* text = proj_as_proj_string(context, pj, PJ_PROJ_5, nullptr))
        result.text = OneLine(text);
    result.accuracy = proj_coordoperation_get_accuracy(context, pj);
    result.needs_grid = proj_coordoperation_get_grid_used_count(context, pj) > 0;
    return result;
}

OperationCandidates Find(PJ_CONTEXT* context, const std::string& source, const std::string& target,
                         const std::optional<AreaOfInterest>& area) {
    const Pj source_crs(proj_create(context, source.c_str())),
        target_crs(proj_create(context, target.c_str()));
    if (!source_crs || !target_crs)
        throw NotFusable("PROJ can't make the CRS " + (source_crs ? target : source).substr(0, 80));
    const Factory factory(proj_create_operation_factory_context(context, nullptr));
    if (!factory) throw NotFusable("PROJ gave no operation factory");
    if (area)
        proj_operation_factory_context_set_area_of_interest(context, factory.get(), (*area)[0],
                                                            (*area)[1], (*area)[2], (*area)[3]);
    proj_operation_factory_context_set_spatial_criterion(
        context, factory.get(), PROJ_SPATIAL_CRITERION_PARTIAL_INTERSECTION);
    proj_operation_factory_context_set_grid_availability_use(
        context, factory.get(),
        proj_context_is_network_enabled(context)
            ? PROJ_GRID_AVAILABILITY_KNOWN_AVAILABLE
            : PROJ_GRID_AVAILABILITY_DISCARD_OPERATION_IF_MISSING_GRID);
    const PjList list(
        proj_create_operations(context, source_crs.get(), target_crs.get(), factory.get()));
    const int count = list ? proj_list_get_count(list.get()) : 0;
    if (count == 0) throw NotFusable("PROJ finds no coordinate operation");
    const auto geocentric = [](const Pj& crs) {
        return proj_get_type(crs.get()) == PJ_TYPE_GEOCENTRIC_CRS;
    };
    if (count == 1 || geocentric(source_crs) || geocentric(target_crs)) {
        const Pj first(proj_list_get(context, list.get(), 0));
        if (!first) throw NotFusable("PROJ can't make its coordinate operation");
        Operation operation = Describe(context, first.get());
        if (operation.text.empty())
            operation.text = WestOrientatedOperation(context, source_crs.get(), target_crs.get());
        return OperationCandidates({operation});
    }
    const Pj to_source = FromGeographic(context, source_crs.get()),
             to_target = FromGeographic(context, target_crs.get());
    if (!to_source || !to_target) throw NotFusable("areas of use can't be reprojected to the CRSs");
    std::vector<Operation> operations;
    for (int i = 0; i < count; ++i) {
        const Pj pj(proj_list_get(context, list.get(), i));
        double west, south, east, north;
        const char* area_name = nullptr;
        if (!pj ||
            !proj_get_area_of_use(context, pj.get(), &west, &south, &east, &north, &area_name))
            continue;
        Operation operation = Describe(context, pj.get());
        operation.offshore =
            area_name != nullptr && std::strstr(area_name, "- offshore") != nullptr;
        operation.area_known =
            area_name != nullptr && *area_name != 0 && std::strcmp(area_name, "unknown") != 0;
        operation.keeps_place = KeepsPlace(operation.name);
        const auto add = [&](double from, double to) {
            constexpr double degree = 0.017453292519943295;
            operation.extent =
                (to - from) * degree * (std::sin(north * degree) - std::sin(south * degree));
            operation.source_area = Reproject(to_source.get(), from, south, to, north);
            operation.target_area = Reproject(to_target.get(), from, south, to, north);
            if (operation.source_area.min_x <= operation.source_area.max_x &&
                operation.target_area.min_x <= operation.target_area.max_x)
                operations.push_back(operation);
        };
        if (west <= east) {
            add(west, east);
        } else {
            add(west, 180);
            add(-180, east);
        }
    }
    if (operations.empty())
        throw NotFusable("no coordinate operation has an area of use in both CRSs");
    if (operations.size() == 1) {
        constexpr double huge = std::numeric_limits<double>::max();
        operations[0].source_area = operations[0].target_area = {-huge, -huge, huge, huge};
    }
    return OperationCandidates(std::move(operations));
}

OperationCandidates FromText(PJ_CONTEXT* context, const std::string& text) {
    const Pj pj(proj_create(context, text.c_str()));
    if (!pj) throw NotFusable("PROJ can't make the operation " + text.substr(0, 80));
    Operation operation = Describe(context, pj.get());
    if (operation.text.empty() && text.find("proj=") != std::string::npos)
        operation.text = OneLine(text.c_str());
    return OperationCandidates({operation});
}

std::mutex mutex;  // of all below
Context shared_context;

// The most recently used results, newest first.
constexpr size_t kept = 64;
std::list<std::pair<std::string, std::shared_ptr<const OperationCandidates>>> cache;

template <typename Make>
std::shared_ptr<const OperationCandidates> Cached(const std::string& key, const Make& make) {
    const std::string settings = Settings();
    const std::string full_key = settings + key;
    const std::lock_guard<std::mutex> lock(mutex);
    for (auto it = cache.begin(); it != cache.end(); ++it) {
        if (it->first != full_key) continue;
        cache.splice(cache.begin(), cache, it);
        return cache.front().second;
    }
    auto made = std::make_shared<const OperationCandidates>(make(shared_context.get(settings)));
    cache.emplace_front(full_key, made);
    if (cache.size() > kept) cache.pop_back();
    return made;
}

}  // namespace

int OperationCandidates::Select(double x, double y, Rectangle Operation::*area,
                                const std::array<int, 2>& refused) const {
    int best = -1;
    const auto count = static_cast<int>(operations_.size());
    for (int i = 0; i < count; ++i) {
        const Operation& operation = operations_[i];
        if (i == refused[0] || i == refused[1] || !Holds(operation.*area, x, y)) continue;
        if (best < 0) {
            best = i;
            continue;
        }
        const Operation& before = operations_[best];
        const bool smaller =
            RulesOfProj().smaller_area_is_chosen
                ? operation.extent < before.extent && !before.keeps_place &&
                      (operation.area_known || !before.area_known)
                : operation.accuracy >= 0 && Inside(operation.source_area, before.source_area);
        if (!operation.offshore &&
            ((operation.accuracy >= 0 && operation.accuracy < before.accuracy) ||
             (operation.accuracy == before.accuracy && smaller)))
            best = i;
    }
    return best;
}

int OperationCandidates::Fallback() const {
    const auto found = std::find_if(operations_.begin(), operations_.end(),
                                    [](const Operation& o) { return !o.needs_grid; });
    return found == operations_.end() ? -1 : static_cast<int>(found - operations_.begin());
}

std::vector<bool> OperationCandidates::Reachable(const Rectangle& area, bool inverse) const {
    std::vector<bool> result(operations_.size(), operations_.size() == 1);
    if (operations_.size() == 1) return result;
    Rectangle Operation::*side = inverse ? &Operation::target_area : &Operation::source_area;
    // The choice can change at an edge of an area of use only: one point on each edge and one in
    // each gap between edges, along both axes, meet every choice there is.
    const auto probes = [&](double low, double high, double Rectangle::*first,
                            double Rectangle::*last) {
        std::vector<double> edges = {low, high};
        for (const Operation& operation : operations_)
            for (const double edge : {operation.*side.*first, operation.*side.*last})
                if (edge > low && edge < high) edges.push_back(edge);
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        std::vector<double> points;
        for (const double edge : edges) {
            if (!points.empty()) points.push_back(0.5 * (points.back() + edge));
            points.push_back(edge);
        }
        return points;
    };
    const std::vector<double> xs =
        probes(area.min_x, area.max_x, &Rectangle::min_x, &Rectangle::max_x);
    const std::vector<double> ys =
        probes(area.min_y, area.max_y, &Rectangle::min_y, &Rectangle::max_y);
    const int fallback = Fallback();
    for (const double y : ys) {
        for (const double x : xs) {
            std::array<int, 2> refused = {-1, -1};
            for (int attempt = 0; attempt < 4; ++attempt) {
                const int best = attempt < 3 ? Select(x, y, side, refused) : -1;
                const int chosen = best < 0 ? fallback : best;
                if (chosen >= 0) result[chosen] = true;
                if (best < 0 || !operations_[best].needs_grid) break;
                if (attempt < 2) refused[attempt] = best;
            }
        }
    }
    return result;
}

std::shared_ptr<const OperationCandidates> FindOperations(
    const std::string& source, const std::string& target,
    const std::optional<AreaOfInterest>& area) {
    std::string key = "crs\n" + source + "\n" + target + "\n";
    if (area)
        for (const double value : *area) key += CPLSPrintf("%.17g,", value);
    return Cached(key, [&](PJ_CONTEXT* context) { return Find(context, source, target, area); });
}

std::shared_ptr<const OperationCandidates> GivenOperation(const std::string& text) {
    return Cached("text\n" + text, [&](PJ_CONTEXT* context) { return FromText(context, text); });
}

}  // namespace gdalgpu
