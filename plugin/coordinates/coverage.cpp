#include "plugin/coordinates/coverage.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>

#include "cpl_string.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/coordinate_pieces.h"
#include "plugin/coordinates/proj_context.h"
#include "plugin/coordinates/projections.h"
#include "plugin/coordinates/west_orientated.h"
#include "plugin/runtime.h"

namespace gdalgpu {

namespace {

constexpr int kSteps = 20;  // of the grid, along each side
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr double kDegree = 0.017453292519943295;
constexpr double kEarth = 6378137;  // radius
constexpr double kMetres = 1e-6;    // by which a point may differ from PROJ's
constexpr double kRadians = 1e-11;
constexpr double kOrdinary = 4;         // radii from the origin
constexpr size_t kShapesOfModule = 16;  // compiled at once
constexpr int64_t kItemsOfThread = 16;  // taken at a time

struct Points {
    std::vector<double> x, y;

    void push_back(double px, double py) {
        x.push_back(px);
        y.push_back(py);
    }
    size_t size() const { return x.size(); }
};

// A kernel that the operations of the same text share.
struct Shape {
    CoordinateOperation operation;  // one of them
    std::shared_ptr<gpu::Module> module;
    std::string name;     // of the kernel
    std::string problem;  // why there is none
};

// By emitted text.
class Shapes {
  public:
    Shape& find(const CoordinateOperation& operation) {
        gpu::Source source;
        operation.Emit(source, "Operation");
        const std::lock_guard<std::mutex> lock(mutex_);
        std::unique_ptr<Shape>& shape = shapes_[source.text()];
        if (shape == nullptr) shape.reset(new Shape{operation, nullptr, "", ""});
        return *shape;
    }
    std::vector<Shape*> all() const {
        std::vector<Shape*> result;
        for (const auto& [text, shape] : shapes_) result.push_back(shape.get());
        return result;
    }

  private:
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<Shape>> shapes_;
};

// One direction of a CRS: what goes in and what PROJ makes of it. Refused points are infinite.
struct Side {
    Shape* shape = nullptr;
    std::vector<std::byte> parameters;
    std::vector<DeviceData> data;
    Points in, expected;
};

struct Item {
    CrsCoverage result;
    std::string pipeline;
    std::array<Side, 2> sides;
    double metres = 1;       // of a unit of the projected CRS
    double radius = kEarth;  // the semi-major axis
    std::array<double, 2> radians = {1,
                                     1};  // of a unit of the geographic CRS's first and second axis
    bool latitude_first = true;
    bool has_inverse = true;
    // Largest differences without those that PROJ's round trip explains, and without points far
    // beyond the Earth's size, which have fewer digits after the point.
    std::array<double, 2> unexplained = {kNothing, kNothing};
};

double Largest(double a, double b) { return std::isnan(a) || b > a ? b : a; }

Points Run(PJ* pj, PJ_DIRECTION direction, const Points& in) {
    Points out;
    for (size_t i = 0; i < in.size(); ++i) {
        const PJ_COORD to = proj_trans(pj, direction, proj_coord(in.x[i], in.y[i], 0, HUGE_VAL));
        out.push_back(to.xy.x, to.xy.y);
    }
    return out;
}

double Angle(double a, double b) {
    const double difference = std::fabs(a - b);
    return std::min(difference, std::fabs(difference - 2 * M_PI));
}

double Metres(const Item& item, const Points& a, size_t i, const Points& b, size_t j) {
    return std::max(std::fabs(a.x[i] - b.x[j]), std::fabs(a.y[i] - b.y[j])) * item.metres;
}

double Radians(const Item& item, const Points& a, size_t i, const Points& b, size_t j) {
    const double first = Angle(a.x[i] * item.radians[0], b.x[j] * item.radians[0]);
    const double second = Angle(a.y[i] * item.radians[1], b.y[j] * item.radians[1]);
    const double latitude =
        item.latitude_first ? b.x[j] * item.radians[0] : b.y[j] * item.radians[1];
    const double parallel = std::fabs(std::cos(latitude));
    return item.latitude_first ? std::max(first, second * parallel)
                               : std::max(first * parallel, second);
}

struct Axes {
    double to_si[2] = {1, 1};
    bool north_first = false;
};

Axes AxesOf(PJ_CONTEXT* context, const PJ* crs) {
    const Pj system(proj_crs_get_coordinate_system(context, crs));
    Axes axes;
    for (int i = 0; i < 2; ++i) {
        const char* direction = nullptr;
        if (system == nullptr ||
            !proj_cs_get_axis_info(context, system.get(), i, nullptr, nullptr, &direction,
                                   &axes.to_si[i], nullptr, nullptr, nullptr))
            throw std::runtime_error("PROJ doesn't tell the axes");
        if (i == 0) axes.north_first = EQUAL(direction, "north");
    }
    return axes;
}

// The longitude of the prime meridian, radians from Greenwich.
double PrimeMeridian(PJ_CONTEXT* context, const PJ* crs) {
    const Pj meridian(proj_get_prime_meridian(context, crs));
    double longitude = 0, factor = 1;
    if (meridian != nullptr)
        proj_prime_meridian_get_parameters(context, meridian.get(), &longitude, &factor, nullptr);
    return longitude * factor;
}

// The grid in the geographic CRS's own axes and units.
Points Grid(const Item& item, double meridian, double west, double south, double east,
            double north) {
    if (east < west) east += 360;
    Points points;
    for (int row = 0; row <= kSteps; ++row) {
        for (int column = 0; column <= kSteps; ++column) {
            double longitude = (west + (east - west) * column / kSteps) * kDegree - meridian;
            if (longitude > M_PI) longitude -= 2 * M_PI;
            if (longitude < -M_PI) longitude += 2 * M_PI;
            const double latitude = (south + (north - south) * row / kSteps) * kDegree;
            const double first = item.latitude_first ? latitude : longitude;
            const double second = item.latitude_first ? longitude : latitude;
            points.push_back(first / item.radians[0], second / item.radians[1]);
        }
    }
    return points;
}

// Reads PROJ's operation in both directions. Throws NotFusable.
void Fuse(const std::string& pipeline, bool has_inverse, Item& item, Shapes& shapes) {
    item.pipeline = pipeline;
    item.has_inverse = has_inverse;
    for (const bool inverse : {false, true}) {
        if (inverse && !item.has_inverse) continue;
        const CoordinateOperation operation = CoordinateOperation::FromPipeline(pipeline, inverse);
        item.sides[inverse].shape = &shapes.find(operation);
        item.sides[inverse].parameters = operation.parameters();
        item.sides[inverse].data = operation.data();
    }
}

// PROJ's results: of the grid, and of those results backwards.
void AskProj(PJ* pj, Points grid, Item& item) {
    CrsCoverage& result = item.result;
    Side& forward = item.sides[0];
    forward.in = std::move(grid);
    forward.expected = Run(pj, PJ_FWD, forward.in);
    if (!item.has_inverse) return;
    Side& inverse = item.sides[1];
    std::vector<size_t> origin;
    for (size_t i = 0; i < forward.in.size(); ++i) {
        if (!std::isfinite(forward.expected.x[i]) || !std::isfinite(forward.expected.y[i]))
            continue;
        inverse.in.push_back(forward.expected.x[i], forward.expected.y[i]);
        origin.push_back(i);
    }
    inverse.expected = Run(pj, PJ_INV, inverse.in);
    const Points again = Run(pj, PJ_FWD, inverse.expected);
    for (size_t i = 0; i < inverse.in.size(); ++i) {
        if (!std::isfinite(inverse.expected.x[i])) continue;
        result.round_trip_radians = Largest(
            result.round_trip_radians, Radians(item, inverse.expected, i, forward.in, origin[i]));
        if (!std::isfinite(again.x[i])) continue;
        result.round_trip_metres =
            Largest(result.round_trip_metres, Metres(item, again, i, inverse.in, i));
    }
}

// Asks PROJ for all of one CRS; throws std::runtime_error (NotFusable) with the reason.
void AskForCrs(PJ_CONTEXT* context, Item& item, Shapes& shapes) {
    CrsCoverage& result = item.result;
    const std::string text = result.authority + ":" + result.code;
    const Pj crs(proj_create(context, text.c_str()));
    const Pj geographic(crs ? proj_crs_get_geodetic_crs(context, crs.get()) : nullptr);
    if (geographic == nullptr) throw std::runtime_error("PROJ can't make the CRS");
    const Pj pj(
        proj_create_crs_to_crs_from_pj(context, geographic.get(), crs.get(), nullptr, nullptr));
    if (pj == nullptr) throw std::runtime_error("PROJ finds no operation");
    std::string message;
    proj_log_func(context, &message,
                  [](void* to, int, const char* text) { *static_cast<std::string*>(to) = text; });
    proj_log_level(context, PJ_LOG_ERROR);
    const char* text_of_proj = proj_as_proj_string(context, pj.get(), PJ_PROJ_5, nullptr);
    const std::string pipeline =
        text_of_proj != nullptr ? text_of_proj
                                : WestOrientatedOperation(context, geographic.get(), crs.get());
    // Such a PJ can be had, and refuses all points.
    const Pj judge(pipeline.empty() ? nullptr : proj_create(context, pipeline.c_str()));
    item.result.in_proj = judge != nullptr;
    proj_log_level(context, PJ_LOG_NONE);
    proj_log_func(context, nullptr, nullptr);
    if (!item.result.in_proj) throw std::runtime_error("PROJ has none either: " + message);
    Fuse(pipeline, proj_pj_info(judge.get()).has_inverse != 0, item, shapes);

    const Axes from = AxesOf(context, geographic.get()), to = AxesOf(context, crs.get());
    item.metres = to.to_si[0];
    item.radians[0] = from.to_si[0];
    item.radians[1] = from.to_si[1];
    item.latitude_first = from.north_first;
    const Pj ellipsoid(proj_get_ellipsoid(context, geographic.get()));
    if (ellipsoid != nullptr)
        proj_ellipsoid_get_parameters(context, ellipsoid.get(), &item.radius, nullptr, nullptr,
                                      nullptr);
    double west = -180, south = -90, east = 180, north = 90;
    proj_get_area_of_use(context, crs.get(), &west, &south, &east, &north, nullptr);
    if (west < -180 || south < -90) west = -180, south = -90, east = 180, north = 90;  // unknown
    AskProj(text_of_proj != nullptr ? pj.get() : judge.get(),
            Grid(item, PrimeMeridian(context, geographic.get()), west, south, east, north), item);
}

// The same for an example of a projection, over the world.
void AskForExample(PJ_CONTEXT* context, Item& item, Shapes& shapes) {
    const Pj pj(proj_create(context, item.pipeline.c_str()));
    if (pj == nullptr) throw std::runtime_error("PROJ doesn't know it");
    Fuse(item.pipeline, proj_pj_info(pj.get()).has_inverse != 0, item, shapes);
    item.latitude_first = false;
    AskProj(pj.get(), Grid(item, 0, -180, -90, 180, 90), item);
}

// Whether PROJ's own round trip by a point explains that our result differs from PROJ's: PROJ takes
// ours back to the input as exactly as its own, or its own no more exactly than we differ. In
// metres to the plane (`inverse`), else in radians on the ground.
bool ExplainedByRoundTrip(PJ* pj, const Item& item, bool inverse, const Points& in,
                          const Points& ours, const Points& theirs, size_t i, double difference) {
    const auto back = [&](const Points& result) {
        const PJ_COORD c = proj_trans(pj, inverse ? PJ_FWD : PJ_INV,
                                      proj_coord(result.x[i], result.y[i], 0, HUGE_VAL));
        Points point;
        point.push_back(c.xy.x, c.xy.y);
        if (!std::isfinite(c.xy.x)) return HUGE_VAL;
        return inverse ? Metres(item, point, 0, in, i) / item.radius
                       : Radians(item, point, 0, in, i);
    };
    const double roundings = 16 * std::numeric_limits<double>::epsilon();
    const double own = back(theirs);
    return back(ours) <= std::max(own, roundings) ||
           difference <= (inverse ? own : own * item.radius);
}

// Whether PROJ itself accepts one and refuses another of the points within some roundings of `in`:
// a cut or an end of the map, where CUDA's sines, which round in their own way, may decide else.
bool AtTheEdge(PJ* pj, bool inverse, const Points& in, size_t i) {
    int accepted = 0, refused = 0;
    for (const double step : {-32., -8., 0., 8., 32.}) {
        const double scale = 1 + step * std::numeric_limits<double>::epsilon();
        const PJ_COORD out = proj_trans(pj, inverse ? PJ_INV : PJ_FWD,
                                        proj_coord(in.x[i] * scale, in.y[i] * scale, 0, HUGE_VAL));
        ++(out.xy.x == HUGE_VAL ? refused : accepted);
    }
    return accepted > 0 && refused > 0;
}

void Compare(Item& item, bool inverse, const Points& ours, bool on_cuda) {
    CrsCoverage& result = item.result;
    const Points& in = item.sides[inverse].in;
    const Points& theirs = item.sides[inverse].expected;
    const double tolerance = inverse ? kRadians : kMetres * std::max(1., item.radius / kEarth);
    ProjContext context = nullptr;
    Pj pj;
    const auto proj = [&] {
        if (pj == nullptr) {
            context = MakeProjContext();
            pj.reset(proj_create(context.get(), item.pipeline.c_str()));
        }
        return pj.get();
    };
    for (size_t i = 0; i < ours.size(); ++i) {
        const bool refused = ours.x[i] == HUGE_VAL, expected = theirs.x[i] == HUGE_VAL;
        if (refused != expected && !(on_cuda && AtTheEdge(proj(), inverse, in, i)))
            ++result.refused_by_one;
        if (refused || expected) continue;
        double difference =
            inverse ? Radians(item, ours, i, theirs, i) : Metres(item, ours, i, theirs, i);
        if (std::isnan(difference)) difference = std::isnan(theirs.x[i]) ? 0 : HUGE_VAL;
        double& largest = inverse ? result.inverse_radians : result.forward_metres;
        largest = Largest(largest, difference);
        const bool within = difference <= tolerance;
        if (!within && item.has_inverse &&
            ExplainedByRoundTrip(proj(), item, inverse, in, ours, theirs, i, difference))
            continue;
        result.further += within ? 0 : 1;
        const Points& plane = inverse ? in : theirs;
        if (std::hypot(plane.x[i], plane.y[i]) * item.metres < kOrdinary * item.radius)
            item.unexplained[inverse] = Largest(item.unexplained[inverse], difference);
    }
}

void Explain(CrsCoverage& result) {
    if (result.close()) return;
    if (result.refused_by_one > 0) {
        result.reason = std::to_string(result.refused_by_one) + " points are refused by one alone";
    } else if (std::isnan(result.forward_metres)) {
        result.reason = "PROJ refuses all points of its area of use";
    } else {
        result.reason =
            std::to_string(result.further) +
            CPLSPrintf(" points are further from PROJ than they may be, by up to %.3g m, %.3g rad",
                       result.forward_metres, result.inverse_radians);
    }
}

// Compiles a few shapes together; where that fails, in halves.
void Compile(gpu::Device& device, Shape* const* shapes, size_t count) {
    gpu::Source source;
    for (size_t i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        shapes[i]->name = "transform_coordinates" + number;
        shapes[i]->operation.Emit(source, "Operation" + number);
        EmitCoordinatesKernel(source, shapes[i]->name, "Operation" + number);
    }
    try {
        const std::shared_ptr<gpu::Module> module = device.compile(source);
        for (size_t i = 0; i < count; ++i) shapes[i]->module = module;
    } catch (const std::exception& error) {
        if (count == 1) {
            shapes[0]->problem = error.what();
            return;
        }
        Compile(device, shapes, count / 2);
        Compile(device, shapes + count / 2, count - count / 2);
    }
}

// The fused operation's results.
Points RunFused(gpu::Stream& stream, const Side& side) {
    const auto count = static_cast<int64_t>(side.in.size());
    Points out = side.in;
    if (count == 0) return out;
    const size_t bytes = side.in.size() * sizeof(double);
    const auto x = stream.allocate(bytes), y = stream.allocate(bytes);
    stream.upload(x->address(), out.x.data(), bytes);
    stream.upload(y->address(), out.y.data(), bytes);
    const CoordinateArrays arrays{static_cast<double*>(x->address()),
                                  static_cast<double*>(y->address()), nullptr, nullptr};
    LaunchCoordinates(stream, side.shape->module->kernel(side.shape->name),
                      WithAddresses(side.parameters, side.data, stream), count, arrays, arrays,
                      nullptr);
    stream.download(out.x.data(), x->address(), bytes);
    stream.download(out.y.data(), y->address(), bytes);
    stream.synchronize();
    return out;
}

std::vector<Item> List(const std::string& authority, size_t most) {
    const ProjContext context = MakeProjContext();
    const std::unique_ptr<PROJ_CRS_LIST_PARAMETERS, void (*)(PROJ_CRS_LIST_PARAMETERS*)> wanted(
        proj_get_crs_list_parameters_create(), proj_get_crs_list_parameters_destroy);
    const PJ_TYPE type = PJ_TYPE_PROJECTED_CRS;
    wanted->types = &type;
    wanted->typesCount = 1;
    wanted->allow_deprecated = 0;
    int count = 0;
    const std::unique_ptr<PROJ_CRS_INFO*, void (*)(PROJ_CRS_INFO**)> list(
        proj_get_crs_info_list_from_database(
            context.get(), authority.empty() ? nullptr : authority.c_str(), wanted.get(), &count),
        proj_crs_info_list_destroy);
    if (list == nullptr || count == 0)
        throw std::runtime_error("PROJ's database has no projected CRSs" +
                                 (authority.empty() ? "" : " of " + authority));
    std::vector<Item> items;
    std::set<std::pair<std::string, std::string>> seen;
    for (int i = 0; i < count && (most == 0 || items.size() < most); ++i) {
        const PROJ_CRS_INFO& info = *list.get()[i];
        // One with several areas of use is listed for each.
        if (!seen.emplace(info.auth_name, info.code).second) continue;
        const auto text = [](const char* value) { return std::string(value ? value : ""); };
        Item item;
        item.result.authority = text(info.auth_name);
        item.result.code = text(info.code);
        item.result.name = text(info.name);
        item.result.method = text(info.projection_method_name);
        items.push_back(std::move(item));
    }
    return items;
}

// Asks PROJ for each item, runs what is fused, and compares.
void Measure(gpu::Device& device, std::vector<Item>& items,
             void (*ask)(PJ_CONTEXT*, Item&, Shapes&)) {
    const auto count = static_cast<int64_t>(items.size());
    gpu::ThreadPool& threads = HostThreads();
    Shapes shapes;
    threads.run((count + kItemsOfThread - 1) / kItemsOfThread, [&](int64_t piece) {
        const ProjContext context = MakeProjContext();
        for (int64_t i = piece * kItemsOfThread; i < std::min(count, (piece + 1) * kItemsOfThread);
             ++i) {
            Item& item = items[static_cast<size_t>(i)];
            try {
                ask(context.get(), item, shapes);
                item.result.fused = true;
            } catch (const std::runtime_error& error) {
                item.result.reason = error.what();
            }
        }
    });

    const std::vector<Shape*> all = shapes.all();
    threads.run(static_cast<int64_t>((all.size() + kShapesOfModule - 1) / kShapesOfModule),
                [&](int64_t piece) {
                    const size_t begin = static_cast<size_t>(piece) * kShapesOfModule;
                    Compile(device, all.data() + begin,
                            std::min(kShapesOfModule, all.size() - begin));
                });

    const std::unique_ptr<gpu::Stream> stream = device.stream();
    for (Item& item : items) {
        CrsCoverage& result = item.result;
        for (const bool inverse : {false, true}) {
            const Side& side = item.sides[inverse];
            if (!result.fused || side.shape == nullptr) continue;
            if (!side.shape->problem.empty()) {
                result.fused = false;
                result.reason = side.shape->problem;
                continue;
            }
            Compare(item, inverse, RunFused(*stream, side),
                    device.kind() == gpu::Device::Kind::Cuda);
        }
        if (result.fused) Explain(result);
        item.sides = {};
    }
}

}  // namespace

std::vector<CrsCoverage> MeasureCoverage(gpu::Device& device, const std::string& authority,
                                         size_t most) {
    std::vector<Item> items = List(authority, most);
    Measure(device, items, AskForCrs);
    std::vector<CrsCoverage> results;
    results.reserve(items.size());
    for (Item& item : items) results.push_back(std::move(item.result));
    return results;
}

std::vector<ProjectionCoverage> MeasureProjections(gpu::Device& device) {
    std::vector<Item> items;
    for (const std::string& name : ProjectionNames()) {
        for (const std::string& example : ProjectionExamples(name)) {
            Item item;
            item.result.name = name;
            item.pipeline = example;
            items.push_back(std::move(item));
        }
    }
    Measure(device, items, AskForExample);
    std::vector<ProjectionCoverage> results;
    for (const Item& item : items) {
        if (results.empty() || results.back().name != item.result.name) {
            results.emplace_back();
            results.back().name = item.result.name;
        }
        ProjectionCoverage& result = results.back();
        result.close = result.close && item.result.close();
        for (const bool inverse : {false, true}) {
            double& largest = inverse ? result.inverse_radians : result.forward_metres;
            if (!std::isnan(item.unexplained[inverse]))
                largest = Largest(largest, item.unexplained[inverse]);
        }
    }
    return results;
}

}  // namespace gdalgpu
