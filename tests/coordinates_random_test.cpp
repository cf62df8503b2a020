// Projections with random parameters against PROJ; the seeds are fixed.
#include "tests/coordinates_judge.h"

namespace {

using judge::Batch;
using judge::kDegree;
using judge::Point;

class Parameters {
  public:
    explicit Parameters(unsigned seed) : random_(seed) {}

    double Between(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    std::string Option(const char* name, double low, double high, double chance = 1) {
        if (Between(0, 1) > chance) return "";
        std::ostringstream text;
        text.precision(10);
        text << " +" << name << "=" << Between(low, high);
        return text.str();
    }
    std::string Common() {
        const char* shapes[] = {"+ellps=WGS84", "+ellps=bessel", "+ellps=clrk80ign", "+R=6371007",
                                "+a=6378137 +rf=150"};
        std::ostringstream text;
        text << " " << shapes[static_cast<int>(Between(0, 5))] << Option("lon_0", -180, 180)
             << Option("x_0", -5e6, 5e6, 0.7) << Option("y_0", -5e6, 5e6, 0.7)
             << Option("to_meter", 0.3, 1, 0.2) << Option("pm", -20, 20, 0.2);
        return text.str();
    }

  private:
    std::mt19937_64 random_;
};

// Adds one parameter set in both directions; where PROJ refuses the set, it must be refused here
// too.
void Add(Batch& batch, const std::string& pipeline, unsigned seed, double metres, double radians,
         double polar_noise) {
    PJ_CONTEXT* context = proj_context_create();
    proj_log_level(context, PJ_LOG_NONE);
    PJ* pj = proj_create(context, pipeline.c_str());
    if (!pj) {
        EXPECT_THROW(gdalgpu::CoordinateOperation::FromPipeline(pipeline), gdalgpu::NotFusable)
            << pipeline;
    } else {
        Parameters at(seed);
        std::vector<Point> angles, plane;
        for (int i = 0; i < 200; ++i) {
            angles.push_back(
                {at.Between(-180, 180) * kDegree, at.Between(-89, 89) * kDegree, 0, 0});
            const PJ_COORD c =
                proj_trans(pj, PJ_FWD, proj_coord(angles.back()[0], angles.back()[1], 0, 0));
            // Beyond a few radii of the Earth PROJ's own roundings are larger than any tolerance.
            if (c.xyzt.x != HUGE_VAL && std::hypot(c.xyzt.x, c.xyzt.y) < 5e7) {
                plane.push_back({c.v[0], c.v[1], 0, 0});
            }
        }
        judge::Case c = {pipeline, false, angles, metres, radians, polar_noise};
        const bool transverse_sphere = pipeline.find("=tmerc") != std::string::npos &&
                                       pipeline.find("+R=") != std::string::npos;
        if (transverse_sphere) c.noise = judge::EquatorNoise;
        batch.Add(c);
        if (!plane.empty()) batch.Add({pipeline, true, plane, metres, radians, polar_noise});
    }
    proj_destroy(pj);
    proj_context_destroy(context);
}

TEST(CoordinateOperation, AgreesWithProjOnRandomParameters) {
    Batch batch;
    Parameters r(20241129);
    unsigned seed = 0;
    // The stream's order of evaluation makes the numbers the same with every compiler.
    for (int i = 0; i < 40; ++i) {
        const std::string lat_0 = r.Option("lat_0", -90, 90);
        const std::string k = r.Option("k_0", 0.9, 1.1, 0.7);
        const auto add = [&](const std::ostream& text, double metres, double radians,
                             double polar_noise = 0) {
            std::ostringstream all;
            all << "+proj=" << text.rdbuf() << r.Common();
            Add(batch, all.str(), ++seed, metres, radians, polar_noise);
        };
        add(std::stringstream() << "tmerc" << lat_0 << k, 5e-8, 2e-14);
        add(std::stringstream() << "merc" << k << r.Option("lat_ts", -95, 95, 0.5), 2e-8, 1e-14);
        add(std::stringstream() << "eqc" << lat_0 << r.Option("lat_ts", -100, 100, 0.7), 1e-8,
            1e-14);
        add(std::stringstream() << "lcc" << lat_0 << k << r.Option("lat_1", -85, 85)
                                << r.Option("lat_2", -85, 85, 0.6),
            2e-6, 1e-12);
        add(std::stringstream() << "aea" << lat_0 << r.Option("lat_1", -90, 90)
                                << r.Option("lat_2", -90, 90),
            2e-6, 1e-12, 1e-7);
        // Not next to a pole, whose far side is the antipode: the centre's constants are too
        // uncertain for it.
        add(std::stringstream() << "laea" << r.Option("lat_0", -75, 75), 1e-6, 1e-12, 3e-8);
        add(std::stringstream() << "stere" << lat_0 << k, 1e-6, 2e-12);
        add(std::stringstream() << "stere +lat_0=" << (i % 2 ? "90" : "-90") << k
                                << r.Option("lat_ts", -90, 90, 0.6),
            1e-6, 2e-12);
    }
    batch.Run();
    // A kernel each for both directions of nine shapes: an ellipsoid's or a sphere's, whatever the
    // numbers.
    EXPECT_LE(batch.texts, 24u);
}

}  // namespace
