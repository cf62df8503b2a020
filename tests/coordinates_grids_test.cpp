// Grid shifts on the device beside proj_trans on the same pipeline text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "coordinates_judge.h"
#include "cpl_conv.h"
#include "gdal_priv.h"
#include "ogr_spatialref.h"
#include "plugin/coordinates/grids.h"

namespace gdalgpu {
namespace {

using judge::kDegree;
using judge::Point;

// Points in radians: on a lattice over a box and beyond its edges, at random in it, and odd ones.
std::vector<Point> Box(double west, double south, double east, double north, double beyond = 1,
                       unsigned seed = 1) {
    std::vector<Point> points;
    constexpr int steps = 40;
    for (int i = 0; i <= steps; ++i) {
        for (int j = 0; j <= steps; ++j) {
            const double lon = west - beyond + i * (east - west + 2 * beyond) / steps;
            const double lat = south - beyond + j * (north - south + 2 * beyond) / steps;
            points.push_back({lon * kDegree, lat * kDegree, 10. * (i % 3), 2000. + j});
        }
    }
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> x(west, east), y(south, north);
    for (int i = 0; i < 1000; ++i)
        points.push_back({x(random) * kDegree, y(random) * kDegree, 5, 2010});
    // The edges themselves, from both sides.
    for (const double d :
         {0., 1e-15, -1e-15, 1e-9, -1e-9, 1e-7, -1e-7, 3e-6, -3e-6, 1.1e-5, -1.1e-5}) {
        for (const double t : {0.25, 0.5, 0.9}) {
            const double lon = west + t * (east - west), lat = south + t * (north - south);
            points.push_back({(west + d) * kDegree, lat * kDegree, 0, 0});
            points.push_back({(east + d) * kDegree, lat * kDegree, 0, 0});
            points.push_back({lon * kDegree, (south + d) * kDegree, 0, 0});
            points.push_back({lon * kDegree, (north + d) * kDegree, 0, 0});
        }
        points.push_back({(west + d) * kDegree, (south + d) * kDegree, 0, 0});
        points.push_back({(east + d) * kDegree, (north + d) * kDegree, 0, 0});
    }
    const double lon = 0.5 * (west + east) * kDegree, lat = 0.5 * (south + north) * kDegree;
    for (const double odd : {judge::kNan, judge::kHuge}) {
        points.push_back({odd, lat, 0, 0});
        points.push_back({lon, odd, 0, 0});
        points.push_back({lon, lat, odd, 0});
        points.push_back({lon, lat, 0, odd});
    }
    for (const double turn : {-2 * M_PI, 2 * M_PI}) points.push_back({lon + turn, lat, 0, 0});
    return points;
}

// Their image by PROJ, for a pipeline's other direction.
std::vector<Point> Image(const std::string& pipeline, const std::vector<Point>& points,
                         PJ_DIRECTION direction = PJ_FWD) {
    PJ_CONTEXT* context = proj_context_create();
    proj_log_level(context, PJ_LOG_NONE);
    PJ* pj = proj_create(context, pipeline.c_str());
    EXPECT_NE(pj, nullptr) << pipeline;
    std::vector<Point> image;
    for (const Point& p : points) {
        proj_errno_reset(pj);
        const PJ_COORD c = proj_trans(pj, direction, proj_coord(p[0], p[1], p[2], p[3]));
        if (c.xyzt.x != HUGE_VAL) image.push_back({c.v[0], c.v[1], c.v[2], c.v[3]});
    }
    proj_destroy(pj);
    proj_context_destroy(context);
    return image;
}

// Both directions of operations over points in radians.
class Grids : public testing::Test {
  protected:
    void SetUp() override {
        if (!FindGrid("BETA2007.gsb")) GTEST_SKIP() << "PROJ's grids (proj-data) aren't here";
        folder_ =
            std::filesystem::temp_directory_path() / ("gdalgpu_grids_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override {
        if (!folder_.empty()) std::filesystem::remove_all(folder_);
    }

    std::string Path(const std::string& name) const { return folder_ / name; }

    void Add(const std::string& pipeline, const std::vector<Point>& points,
             const std::vector<Point>& inverse_points) {
        judge::Case c;
        c.pipeline = pipeline;
        c.points = points;
        c.metres = 1e-8;
        c.radians = 2e-15;
        batch_.Add(c);
        c.inverse = true;
        c.points = inverse_points;
        batch_.Add(c);
    }
    void AddSame(const std::string& pipeline, const std::vector<Point>& points) {
        Add(pipeline, points, points);
    }

    std::filesystem::path folder_;
    judge::Batch batch_;
};

TEST_F(Grids, HorizontalShiftsOfDebiansGridsAreProjs) {
    AddSame("+proj=hgridshift +grids=BETA2007.gsb",
            Box(5.5, 47, 15.666666666666666, 55.333333333333336));
    AddSame("+proj=hgridshift +grids=de_adv_BETA2007.tif", Box(6, 48, 14, 54));
    AddSame("+proj=hgridshift +grids=ntf_r93.gsb", Box(-5.5, 41, 10, 52));
    AddSame("+proj=hgridshift +grids=nzgd2kgrid0005.gsb", Box(166, -48, 179, -34));
    AddSame("+proj=hgridshift +grids=CHENYX06.gsb", Box(5.8, 45.7, 10.6, 47.9));
    AddSame("+proj=hgridshift +grids=CHENYX06a.gsb", Box(5.8, 45.7, 10.6, 47.9));
    AddSame("+proj=hgridshift +grids=CHENYX06_etrs.gsb", Box(5.8, 45.7, 10.6, 47.9));
    batch_.Run();
    EXPECT_EQ(batch_.texts, 2u) << "grids are parameters, not text";
}

TEST_F(Grids, PipelinesBetweenRealCrsAreProjs) {
    struct Pair {
        const char* pipeline;
        Point corner, other;  // input units
    };
    const Pair pairs[] = {
        // EPSG:31467 to 4258, EPSG:27572 to 2154, EPSG:4272 to 2193
        {"+proj=pipeline +step +proj=axisswap +order=2,1 +step +inv +proj=tmerc +lat_0=0 +lon_0=9 "
         "+k=1 +x_0=3500000 +y_0=0 +ellps=bessel +step +proj=hgridshift +grids=de_adv_BETA2007.tif "
         "+step +proj=unitconvert +xy_in=rad +xy_out=deg +step +proj=axisswap +order=2,1",
         {5300000, 3300000},
         {6000000, 3800000}},
        {"+proj=pipeline +step +inv +proj=lcc +lat_1=46.8 +lat_0=46.8 +lon_0=0 +k_0=0.99987742 "
         "+x_0=600000 +y_0=2200000 +ellps=clrk80ign +pm=paris +step +proj=hgridshift "
         "+grids=fr_ign_ntf_r93.tif +step +proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 "
         "+x_0=700000 +y_0=6600000 +ellps=GRS80",
         {100000, 1700000},
         {1200000, 2700000}},
        {"+proj=pipeline +step +proj=axisswap +order=2,1 +step +proj=unitconvert +xy_in=deg "
         "+xy_out=rad +step +proj=hgridshift +grids=nz_linz_nzgd2kgrid0005.tif +step +proj=tmerc "
         "+lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +step "
         "+proj=axisswap +order=2,1",
         {-48, 165},
         {-33, 180}},
        // EPSG:21781 to 2056 with the grid under Debian's name.
        {"+proj=pipeline +step +inv +proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 "
         "+k_0=1 +x_0=600000 +y_0=200000 +ellps=bessel +step +proj=hgridshift +grids=CHENYX06.gsb "
         "+step +proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=2600000 "
         "+y_0=1200000 +ellps=bessel",
         {450000, 50000},
         {870000, 320000}},
    };
    for (const Pair& pair : pairs) {
        std::vector<Point> points(2000);
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> x(pair.corner[0], pair.other[0]),
            y(pair.corner[1], pair.other[1]);
        for (Point& point : points) point = {x(random), y(random), 0, 0};
        Add(pair.pipeline, points, Image(pair.pipeline, points));
    }
    batch_.Run();
}

TEST_F(Grids, VerticalShiftsAreProjs) {
    const std::vector<Point> world = judge::World(5, 3000);
    AddSame("+proj=vgridshift +grids=egm96_15.gtx", world);
    AddSame("+proj=vgridshift +grids=us_nga_egm96_15.tif +multiplier=1", world);
    AddSame("+proj=vgridshift +grids=egm96_15.gtx +over", world);
    AddSame(
        "+proj=pipeline +step +proj=axisswap +order=2,1 +step +proj=unitconvert +xy_in=deg "
        "+xy_out=rad +step +proj=vgridshift +grids=us_nga_egm96_15.tif +multiplier=1 +step "
        "+proj=unitconvert +xy_in=rad +xy_out=deg +step +proj=axisswap +order=2,1",
        {{52, 13, 100, 0}, {-89.9, 179.9, 0, 0}, {0, -180, 0, 0}, {90, 0, 0, 0}, {91, 0, 0, 0}});
    batch_.Run();
}

TEST_F(Grids, ListsOptionalAndNullGridsGoInProjsOrder) {
    const std::vector<Point> points = Box(-6, 41, 16, 56, 3);
    for (const char* grids :
         {"ntf_r93.gsb,BETA2007.gsb", "BETA2007.gsb,ntf_r93.gsb", "@missing.gsb,BETA2007.gsb",
          "BETA2007.gsb,@missing.gsb", "BETA2007.gsb,null", "null", "@null", "null,BETA2007.gsb",
          "@missing.gsb", "@missing.gsb,@also_missing.gsb,null"}) {
        AddSame(std::string("+proj=hgridshift +grids=") + grids, points);
    }
    for (const char* grids : {"@missing.gtx", "null", "@missing.gtx,egm96_15.gtx"})
        AddSame(std::string("+proj=vgridshift +grids=") + grids, points);
    batch_.Run();
}

TEST_F(Grids, StepsThatAreRestrictedInTimeAreProjs) {
    const std::vector<Point> points = Box(6, 48, 14, 54);
    const std::string hgrid = "+proj=hgridshift +grids=BETA2007.gsb";
    for (const char* times : {" +t_epoch=2008.5 +t_final=2020", " +t_epoch=2020 +t_final=2010",
                              " +t_final=2010", " +t_epoch=2010", " +t_epoch=2010 +t_final=now"}) {
        AddSame(hgrid + times, points);
    }
    AddSame("+proj=vgridshift +grids=egm96_15.gtx +t_epoch=2008.5 +t_final=2020", points);
    batch_.Run();
}

TEST_F(Grids, VerticalOffsetIsProjs) {
    const std::vector<Point> world = judge::World(3);
    AddSame(
        "+proj=vertoffset +lat_0=46.9166666666666666 +lon_0=8.183333333333334 +dh=-0.245 "
        "+slope_lat=-0.210 +slope_lon=-0.032 +ellps=GRS80",
        world);
    AddSame("+proj=vertoffset +dh=3 +lon_0=170 +slope_lon=10 +R=6371000", world);
    batch_.Run();
}

// Coordinates of a vertical pipeline in degrees, and a compound one that goes on to a projection.
TEST_F(Grids, HeightsGoThroughPipelines) {
    const std::string pipeline =
        "+proj=pipeline +step +inv +proj=utm +zone=33 +ellps=WGS84 +step +proj=vgridshift "
        "+grids=egm96_15.gtx +multiplier=1 +step +proj=cart +ellps=WGS84 +step +proj=helmert "
        "+x=10 +y=20 +z=-30 +step +inv +proj=cart +ellps=WGS84 +step +inv +proj=vgridshift "
        "+grids=us_nga_egm96_15.tif +multiplier=1 +step +proj=utm +zone=34 +ellps=WGS84";
    std::vector<Point> points(1000);
    for (size_t i = 0; i < points.size(); ++i) {
        const auto at = static_cast<double>(i);
        points[i] = {2e5 + 600 * at, 1e6 + 7000 * at, 3 * at, 0};
    }
    Add(pipeline, points, Image(pipeline, points));
    batch_.Run();
}

TEST_F(Grids, DatumAndGeoidGridsOfAnOperationAreProjs) {
    const std::string grids = " +nadgrids=BETA2007.gsb", geoid = " +geoidgrids=egm96_15.gtx",
                      both = grids + geoid;
    const std::vector<Point> points = Box(6, 48, 14, 54);
    for (const std::string& operation :
         {"+proj=utm +zone=32 +ellps=bessel" + grids, "+proj=utm +zone=32 +ellps=bessel" + geoid,
          "+proj=tmerc +lon_0=9 +ellps=bessel +pm=paris" + both,
          "+proj=longlat +ellps=bessel" + both,
          "+proj=merc +ellps=bessel +over +towgs84=598,73,418" + grids,
          std::string("+proj=merc +a=6378137 +b=6378137 +nadgrids=@null +wktext"),
          std::string("+proj=merc +datum=WGS84 +nadgrids=@missing.gsb,@null")}) {
        Add(operation, points, Image(operation, points));
        for (const char* between : {" +step +proj=unitconvert +xy_in=m +xy_out=km",
                                    " +step +inv +proj=merc +ellps=GRS80"}) {
            if (operation.find("longlat") != std::string::npos) continue;
            const std::string pipeline = "+proj=pipeline +step " + operation + between;
            Add(pipeline, points, Image(pipeline, points));
        }
        const std::string inverse = "+proj=pipeline +step +inv " + operation;
        Add(inverse, Image(operation, points), points);
    }
    batch_.Run();
}

// What a pipeline names and PROJ can't find, or what can't be read.
std::string Reason(const std::string& pipeline) {
    try {
        CoordinateOperation::FromPipeline(pipeline);
    } catch (const NotFusable& error) {
        return error.what();
    }
    return "fused";
}

TEST_F(Grids, AGridThatCannotBeUsedIsNamedInTheReason) {
    using testing::HasSubstr;
    EXPECT_THAT(Reason("+proj=pipeline +step +inv +proj=utm +zone=32 +step +proj=hgridshift "
                       "+grids=BETA2007.gsb,nowhere.gsb"),
                testing::AllOf(HasSubstr("step 2 (hgridshift)"), HasSubstr("nowhere.gsb")));
    EXPECT_THAT(Reason("+proj=vgridshift +grids=BETA2007.gsb"), HasSubstr("BETA2007.gsb"));
    EXPECT_THAT(Reason("+proj=hgridshift"), HasSubstr("+grids"));
    EXPECT_THAT(Reason("+proj=hgridshift +grids="), HasSubstr("+grids"));
    EXPECT_THAT(Reason("+proj=xyzgridshift +grids=@missing.tif"), HasSubstr("missing.tif"));
    EXPECT_THAT(Reason("+proj=deformation +grids=@missing.tif +dt=1"), HasSubstr("missing.tif"));
    EXPECT_THAT(Reason("+proj=deformation +xy_grids=BETA2007.gsb +z_grids=egm96_15.gtx"),
                HasSubstr("+dt"));
    // Cut short in its header, in its values, and no grid at all.
    std::ifstream whole(*FindGrid("BETA2007.gsb"), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(whole)), std::istreambuf_iterator<char>());
    for (const size_t size : {0, 100, 200, 400, 5000}) {
        const std::string path = Path("cut" + std::to_string(size) + ".gsb");
        std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
        EXPECT_THAT(Reason("+proj=hgridshift +grids=" + path), HasSubstr(path)) << size;
    }
    for (size_t at = 176; at < 352; at += 8) {
        std::string damaged = bytes;
        for (size_t i = 0; i < 8; ++i) damaged[at + i] = '\xff';
        const std::string path = Path("damaged" + std::to_string(at) + ".gsb");
        std::ofstream(path, std::ios::binary) << damaged;
        Reason("+proj=hgridshift +grids=" + path);  // no crash, whatever the outcome
    }
}

TEST_F(Grids, AFileIsReadOnceUntilItChanges) {
    const std::string path = Path("copy.gsb");
    std::filesystem::copy_file(*FindGrid("BETA2007.gsb"), path);
    const auto load = [&] {
        return LoadGrids(StepParameters("test", {{"grids", path, true}}), "grids", GridUse::Shift);
    };
    std::vector<std::shared_ptr<const std::vector<std::byte>>> tables(8);
    std::vector<std::thread> threads;
    threads.reserve(tables.size());
    for (auto& table : tables) threads.emplace_back([&] { table = load(); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& table : tables) EXPECT_EQ(table, tables[0]);
    std::filesystem::copy_file(*FindGrid("ntf_r93.gsb"), path,
                               std::filesystem::copy_options::overwrite_existing);
    EXPECT_NE(load(), tables[0]);
}

// A file in one of PROJ's formats, made here.
struct Band {
    std::string description;
    std::string unit;
    std::function<double(double lon, double lat)> value;
};
struct TiffGrid {
    double west, north, step;  // degrees; the first node
    int width, height;
    std::vector<Band> bands;
    std::string name, parent;
    GDALDataType type = GDT_Float32;
    double scale = 1, offset = 0;
    double nodata = judge::kNan;
    bool point = true;  // the position is a node's, else a cell's
    bool bottom_up = false;
    std::string positive = "";
};

void WriteTiff(const std::string& path, const std::vector<TiffGrid>& grids) {
    GDALAllRegister();
    for (size_t i = 0; i < grids.size(); ++i) {
        const TiffGrid& g = grids[i];
        GDALDatasetUniquePtr memory(GetGDALDriverManager()->GetDriverByName("MEM")->Create(
            "", g.width, g.height, static_cast<int>(g.bands.size()), g.type, nullptr));
        const double half = 0.5 * g.step;
        double geotransform[6] = {g.west - half, g.step, 0, g.north + half, 0, -g.step};
        if (g.bottom_up) {
            geotransform[3] = g.north - (g.height - 1) * g.step - half;
            geotransform[5] = g.step;
        }
        memory->SetGeoTransform(geotransform);
        OGRSpatialReference srs;
        srs.importFromEPSG(4979);
        memory->SetSpatialRef(&srs);
        memory->SetMetadataItem("AREA_OR_POINT", g.point ? "Point" : "Area");
        if (!g.name.empty()) memory->SetMetadataItem("grid_name", g.name.c_str());
        if (!g.parent.empty()) memory->SetMetadataItem("parent_grid_name", g.parent.c_str());
        for (size_t b = 0; b < g.bands.size(); ++b) {
            GDALRasterBand* band = memory->GetRasterBand(static_cast<int>(b) + 1);
            band->SetDescription(g.bands[b].description.c_str());
            if (!g.bands[b].unit.empty()) band->SetUnitType(g.bands[b].unit.c_str());
            if (!g.positive.empty()) band->SetMetadataItem("positive_value", g.positive.c_str());
            if (g.scale != 1 || g.offset != 0) {
                band->SetScale(g.scale);
                band->SetOffset(g.offset);
            }
            if (!std::isnan(g.nodata)) band->SetNoDataValue(g.nodata);
            std::vector<double> values(static_cast<size_t>(g.width) * g.height);
            for (int row = 0; row < g.height; ++row) {
                for (int column = 0; column < g.width; ++column) {
                    const int down = g.bottom_up ? g.height - 1 - row : row;
                    const double value =
                        g.bands[b].value(g.west + column * g.step, g.north - down * g.step);
                    values[static_cast<size_t>(row) * g.width + column] =
                        value == g.nodata ? value : (value - g.offset) / g.scale;
                }
            }
            ASSERT_EQ(band->RasterIO(GF_Write, 0, 0, g.width, g.height, values.data(), g.width,
                                     g.height, GDT_Float64, 0, 0, nullptr),
                      CE_None);
        }
        const char* options[] = {i == 0 ? "APPEND_SUBDATASET=NO" : "APPEND_SUBDATASET=YES",
                                 "TILED=YES",
                                 "BLOCKXSIZE=16",
                                 "BLOCKYSIZE=16",
                                 "COMPRESS=DEFLATE",
                                 nullptr};
        GDALDatasetUniquePtr written(GetGDALDriverManager()->GetDriverByName("GTiff")->CreateCopy(
            path.c_str(), memory.get(), FALSE, const_cast<char**>(options), nullptr, nullptr));
        ASSERT_NE(written, nullptr);
    }
}

double Wave(double lon, double lat) { return 3 + std::sin(lon * 2) + 0.5 * std::cos(lat * 3); }
double Ramp(double lon, double lat) { return 0.3 * lon - 0.2 * lat; }
double Zero(double, double) { return 0; }

TEST_F(Grids, GeoTiffShiftsAreProjs) {
    const Band lat = {"latitude_offset", "arc-second", Wave};
    const Band lon = {"longitude_offset", "arc-second", Ramp};
    TiffGrid plain = {4, 52, 0.5, 20, 18, {lat, lon}, "", ""};
    WriteTiff(Path("plain.tif"), {plain});
    TiffGrid area = plain;
    area.point = false;
    WriteTiff(Path("area.tif"), {area});
    TiffGrid upside = plain;
    upside.bottom_up = true;
    WriteTiff(Path("upside.tif"), {upside});
    TiffGrid west = plain;
    west.bands = {lon, {"accuracy", "", Zero}, lat};
    west.positive = "west";
    WriteTiff(Path("west.tif"), {west});
    TiffGrid packed = plain;
    packed.type = GDT_Int16;
    packed.scale = 0.001;
    packed.offset = 1;
    packed.nodata = -32768;
    WriteTiff(Path("packed.tif"), {packed});
    TiffGrid degrees = plain;
    degrees.bands = {{"latitude_offset", "degree", Ramp}, {"longitude_offset", "degree", Zero}};
    degrees.type = GDT_Float64;
    WriteTiff(Path("degrees.tif"), {degrees});
    TiffGrid undescribed = plain;
    undescribed.bands = {{"", "", Wave}, {"", "", Ramp}};
    WriteTiff(Path("undescribed.tif"), {undescribed});
    for (const char* name : {"plain", "area", "upside", "west", "packed", "undescribed"})
        AddSame("+proj=hgridshift +grids=" + Path(name) + ".tif", Box(4, 43.5, 13.5, 52));
    Add("+proj=hgridshift +grids=" + Path("degrees.tif"), Box(4, 43.5, 13.5, 52),
        Box(5, 44, 8, 46, 0.5));
    batch_.Run();
}

TEST_F(Grids, TheDeepestSubgridCounts) {
    const auto flat = [](double seconds) {
        return std::vector<Band>{
            {"latitude_offset", "arc-second", [=](double, double) { return seconds; }},
            {"longitude_offset", "arc-second", [=](double, double lat) { return seconds + lat; }}};
    };
    // By names, by extent, a sibling that overlaps, another root.
    WriteTiff(Path("tree.tif"), {{0, 20, 1, 21, 21, flat(1), "all", ""},
                                 {2, 12, 0.5, 21, 21, flat(5), "inner", "all"},
                                 {4, 10, 0.25, 9, 9, flat(9), "innermost", "inner"},
                                 {9, 12, 0.5, 9, 9, flat(13), "sibling", "all"},
                                 {25, 20, 1, 11, 11, flat(17), "other", ""}});
    WriteTiff(Path("extents.tif"), {{0, 20, 1, 21, 21, flat(1), "", ""},
                                    {2, 12, 0.5, 21, 21, flat(5), "", ""},
                                    {4, 10, 0.25, 9, 9, flat(9), "", ""},
                                    {9, 12, 0.5, 9, 9, flat(13), "", "nobody"}});
    for (const char* name : {"tree.tif", "extents.tif"})
        AddSame("+proj=hgridshift +grids=" + Path(name), Box(0, 0, 36, 20, 2, 3));
    batch_.Run();
}

TEST_F(Grids, VerticalGeoTiffsWithHolesAreProjs) {
    const auto holes = [](double lon, double lat) {
        return std::fmod(std::floor(lon) + 7 * std::floor(lat), 5) == 0 ? -9999 : Wave(lon, lat);
    };
    TiffGrid geoid = {4, 52, 0.5, 20, 18, {{"geoid_undulation", "metre", holes}}, "", ""};
    geoid.nodata = -9999;
    WriteTiff(Path("holes.tif"), {geoid});
    TiffGrid second = geoid;
    second.bands = {{"accuracy", "", Zero}, {"vertical_offset", "metre", Wave}};
    second.nodata = judge::kNan;
    WriteTiff(Path("second.tif"), {second});
    // Round the world, its nodes on either side of the date line, and from 0 to 360.
    TiffGrid world = {-177.5, 85, 5, 72, 35, {{"geoid_undulation", "metre", Wave}}, "", ""};
    WriteTiff(Path("world.tif"), {world});
    world.west = 0;
    WriteTiff(Path("greenwich.tif"), {world});
    for (const char* name : {"holes.tif", "second.tif"}) {
        AddSame("+proj=vgridshift +multiplier=1 +grids=" + Path(name), Box(4, 43.5, 13.5, 52));
        AddSame("+proj=vgridshift +grids=" + Path(name), Box(4, 43.5, 13.5, 52));
    }
    for (const char* name : {"world.tif", "greenwich.tif"})
        AddSame("+proj=vgridshift +grids=" + Path(name), judge::World(9));
    batch_.Run();
}

// Geocentric coordinates of a box's points, without those on its edges: which side of an edge a
// point lies on is decided by roundings.
std::vector<Point> Cartesian(double west, double south, double east, double north) {
    std::vector<Point> points;
    for (const Point& p : Box(west, south, east, north)) {
        const auto on = [](double radians, double degrees) {
            return std::fabs(radians - degrees * kDegree) < 1e-12;
        };
        if (!on(p[0], west) && !on(p[0], east) && !on(p[1], south) && !on(p[1], north))
            points.push_back(p);
    }
    return Image("+proj=cart +ellps=GRS80", points);
}

TEST_F(Grids, GeocentricShiftsAreProjs) {
    const std::vector<Band> bands = {
        {"x_translation", "metre", [](double lon, double lat) { return -168 + Ramp(lon, lat); }},
        {"y_translation", "metre", [](double lon, double lat) { return -60 + Wave(lon, lat); }},
        {"z_translation", "metre", [](double, double lat) { return 320 + 0.1 * lat; }}};
    WriteTiff(Path("xyz.tif"), {{4, 52, 0.5, 20, 18, bands, "", ""}});
    WriteTiff(Path("zyx.tif"), {{4, 52, 0.5, 20, 18, {bands[2], bands[1], bands[0]}, "", ""}});
    const std::vector<Point> points = Cartesian(4, 43.5, 13.5, 52);
    for (const char* name : {"xyz.tif", "zyx.tif"}) {
        const std::string grids = " +grids=" + Path(name);
        AddSame("+proj=xyzgridshift +ellps=GRS80" + grids, points);
        AddSame("+proj=xyzgridshift +ellps=GRS80 +grid_ref=output_crs" + grids, points);
        AddSame("+proj=xyzgridshift +ellps=clrk80 +multiplier=-0.5" + grids + ",null", points);
    }
    batch_.Run();
}

TEST_F(Grids, DeformationsAreProjs) {
    const std::vector<Band> bands = {{"east_velocity", "millimetres per year", Wave},
                                     {"north_velocity", "millimetres per year", Ramp},
                                     {"up_velocity", "millimetres per year", Wave}};
    WriteTiff(Path("enu.tif"), {{4, 52, 0.5, 20, 18, bands, "", ""}});
    const std::vector<Band> plane = {{"latitude_offset", "radian", Ramp},
                                     {"longitude_offset", "radian", Wave}};
    WriteTiff(Path("en.tif"), {{4, 52, 0.5, 20, 18, plane, "", ""}});
    WriteTiff(Path("u.tif"), {{4, 51, 0.5, 20, 14, {{"vertical_offset", "", Wave}}, "", ""}});
    const std::vector<Point> points = Cartesian(4, 43.5, 13.5, 52);
    const std::string both = " +xy_grids=" + Path("en.tif") + " +z_grids=" + Path("u.tif");
    for (const std::string& grids : {" +grids=" + Path("enu.tif"), both, both + ",null"}) {
        AddSame("+proj=deformation +ellps=GRS80 +dt=16.5" + grids, points);
        AddSame("+proj=deformation +ellps=GRS80 +dt=-7" + grids, points);
        AddSame("+proj=deformation +ellps=GRS80 +t_epoch=2000" + grids, points);
    }
    AddSame("+proj=deformation +ellps=GRS80 +dt=10 +xy_grids=BETA2007.gsb +z_grids=egm96_15.gtx",
            points);
    batch_.Run();
}

// NTv1, CTable2, and an NTv2 file of the other byte order.
TEST_F(Grids, OldFormatsAreProjs) {
    const auto put = [](std::string& bytes, size_t at, auto value, bool swap) {
        char raw[sizeof(value)];
        std::memcpy(raw, &value, sizeof(value));
        if (swap) std::reverse(raw, raw + sizeof(value));
        bytes.replace(at, sizeof(value), raw, sizeof(value));
    };
    std::string ntv1(192, ' ');
    ntv1.replace(0, 8, "HEADER  ");
    ntv1.replace(96, 8, "W GRID  ");
    ntv1.replace(144, 16, "TO      NAD83   ");
    put(ntv1, 8, int32_t{12}, true);
    const double numbers[] = {40, 45, 70, 76, 0.5, 0.5};  // south, north, east, west, steps
    for (size_t i = 0; i < 6; ++i) put(ntv1, 24 + 16 * i, numbers[i], true);
    for (int row = 0; row <= 10; ++row) {
        for (int column = 0; column <= 12; ++column) {
            ntv1 += std::string(16, '\0');
            put(ntv1, ntv1.size() - 16, 1 + 0.1 * row, true);
            put(ntv1, ntv1.size() - 8, 2 + 0.2 * column, true);
        }
    }
    std::ofstream(Path("ntv1.dat"), std::ios::binary) << ntv1;
    AddSame("+proj=hgridshift +grids=" + Path("ntv1.dat"), Box(-76, 40, -70, 45));

    std::string ctable2 = "CTABLE V2";
    ctable2.resize(160);
    const double degrees[] = {-76 * kDegree, 40 * kDegree, 0.5 * kDegree, 0.5 * kDegree};
    for (size_t i = 0; i < 4; ++i) put(ctable2, 96 + 8 * i, degrees[i], false);
    put(ctable2, 128, int32_t{13}, false);
    put(ctable2, 132, int32_t{11}, false);
    for (int i = 0; i < 13 * 11; ++i) {
        ctable2 += std::string(8, '\0');
        put(ctable2, ctable2.size() - 8, 1e-5f + 1e-7f * static_cast<float>(i), false);
        put(ctable2, ctable2.size() - 4, 2e-5f, false);
    }
    std::ofstream(Path("old.ct2"), std::ios::binary) << ctable2;
    AddSame("+proj=hgridshift +grids=" + Path("old.ct2"), Box(-76, 40, -70, 45));
    batch_.Run();
}

}  // namespace
}  // namespace gdalgpu
