// Every projection and step, in both directions, and every kind of pixel transform goes through
// NVRTC.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "coordinates_fixture.h"
#include "nvrtc_sweep.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/fused_chain.h"
#include "plugin/coordinates/projections.h"
#include "plugin/coordinates/transformer_description.h"

namespace gdalgpu {
namespace {

// A kernel that applies the operation. Throws NotFusable.
gpu::Source TextOf(const std::string& pipeline, bool inverse) {
    gpu::Source source;
    CoordinateOperation::FromPipeline(pipeline, inverse).Emit(source, "Tested");
    source.append(
        "struct Launch { Tested operation; double* xyzt; long long count; };\n"
        "GPU_KERNEL(run, Launch, p) {\n"
        "    GPU_FOR_1D(i, p.count) {\n"
        "        double* at = p.xyzt + 4 * i;\n"
        "        if (!p.operation.apply(at[0], at[1], at[2], at[3])) at[0] = HUGE_VAL;\n"
        "    }\n"
        "}\n");
    return source;
}

void ExpectOperationCompiles(const std::string& pipeline) {
    for (const bool inverse : {false, true}) {
        gpu::Source source;
        try {
            source = TextOf(pipeline, inverse);
        } catch (const NotFusable&) {
            if (!inverse) throw;
            continue;  // a projection without an inverse
        }
        gpu::ExpectCompilesForEveryArchitecture(source, pipeline + (inverse ? ", inverse" : ""));
    }
}

class ProjectionSweep : public testing::TestWithParam<std::string> {};

TEST_P(ProjectionSweep, CompilesForEveryArchitecture) {
    GPU_NEED_NVRTC();
    for (const std::string& example : ProjectionExamples(GetParam())) {
        ExpectOperationCompiles(example);
    }
}

INSTANTIATE_TEST_SUITE_P(Nvrtc, ProjectionSweep, testing::ValuesIn(ProjectionNames()),
                         [](const auto& info) { return gpu::TestName(info.param); });

// Formulas that take small differences of products, or refuse a point for a rounding, are compiled
// as PROJ's C is, product by product; all others fuse.
TEST(CoordinatesNvrtc, ProjectionsDecidedByARoundingArentFused) {
    GPU_NEED_NVRTC();
    const std::shared_ptr<const gpu::Nvrtc> nvrtc = gpu::Nvrtc::Find("", 0);
    const auto has = [](const std::vector<std::string>& options, const char* option) {
        return std::find(options.begin(), options.end(), option) != options.end();
    };
    const std::set<std::string> apart = {"adams_hemi", "adams_ws1", "adams_ws2", "chamb",
                                         "guyou",      "peirce_q",  "robin"};
    std::set<std::string> names = apart;
    names.insert({"tmerc", "laea", "ortho"});
    for (const std::string& name : names) {
        const std::string text = TextOf(ProjectionExamples(name).front(), false).text();
        const std::vector<std::string> options = nvrtc->options(text, 90);
        EXPECT_NE(has(options, "--fmad=false"), has(options, "--fmad=true")) << name;
        EXPECT_EQ(has(options, "--fmad=false"), apart.count(name) > 0) << name;
    }
    // What NVRTC makes of such a text is another kernel than with fused products.
    const std::string unfused = TextOf(ProjectionExamples("chamb").front(), false).text();
    std::string fused = unfused;
    fused.replace(fused.find("\n#define GPU_UNFUSED\n"), 21, "\n");
    EXPECT_NE(nvrtc->compile(unfused, 90), nvrtc->compile(fused, 90));
}

TEST(CoordinatesNvrtc, StepsCompileForEveryArchitecture) {
    GPU_NEED_NVRTC();
    for (const char* pipeline :
         {"+proj=ob_tran +o_proj=longlat +o_lon_p=-162 +o_lat_p=39.25 +lon_0=180 +R=6371229",
          "+proj=ob_tran +o_proj=laea +o_lon_p=20 +o_lat_p=45 +ellps=GRS80",
          "+proj=pipeline +step +proj=axisswap +order=2,1 +step +proj=unitconvert +xy_in=deg "
          "+xy_out=rad "
          "+step +proj=longlat +ellps=WGS84 +pm=paris",
          "+proj=pipeline +step +proj=push +v_3 +step +proj=cart +ellps=bessel +step +proj=helmert "
          "+x=598.1 "
          "+y=73.7 +z=418.2 +rx=0.202 +ry=0.045 +rz=-2.455 +s=6.7 +convention=position_vector "
          "+step +inv "
          "+proj=cart +ellps=WGS84 +step +proj=pop +v_3 +step +proj=utm +zone=32 +ellps=WGS84",
          "+proj=pipeline +step +proj=cart +ellps=intl +step +proj=helmert +x=-87 +y=-98 +z=-121 "
          "+step +inv "
          "+proj=cart +ellps=WGS84",
          "+proj=pipeline +step +proj=noop +step +proj=unitconvert +xy_in=us-ft +z_in=us-ft "
          "+xy_out=m +z_out=m "
          "+step +proj=set +v_3=0",
          "+proj=helmert +x=1 +drx=1 +convention=position_vector",
          "+proj=helmert +x=1 +drx=1 +convention=coordinate_frame +exact",
          "+proj=helmert +theta=1 +dtheta=1",
          "+proj=affine +s12=1 +toff=3",
          "+proj=molodensky +ellps=intl +dx=1 +dy=1 +dz=1 +da=1 +df=1e-8",
          "+proj=molodensky +ellps=intl +dx=1 +dy=1 +dz=1 +da=1 +df=1e-8 +abridged",
          "+proj=geoc +ellps=intl",
          "+proj=longlat +datum=OSGB36",
          "+proj=topocentric +lon_0=1 +lat_0=2 +datum=OSGB36",
          "+proj=sch +plat_0=30 +plon_0=45 +phdg_0=-12 +ellps=WGS84",
          "+proj=unitconvert +t_in=decimalyear +t_out=yyyymmdd",
          "+proj=unitconvert +t_in=gps_week +t_out=decimalyear",
          "+proj=horner +deg=2 +fwd_origin=0,0 +fwd_u=0,1,2,3,4,5 +fwd_v=0,1,2,3,4,5",
          "+proj=horner +deg=2 +fwd_origin=0,0 +fwd_c=0,1,2,3,4,5"}) {
        ExpectOperationCompiles(pipeline);
    }
}

TEST(CoordinatesNvrtc, GridStepsCompileForEveryArchitecture) {
    GPU_NEED_NVRTC();
    ExpectOperationCompiles(
        "+proj=pipeline +step +proj=hgridshift +grids=null +t_epoch=2010 +t_final=2020 +step "
        "+proj=vgridshift +grids=null +step +proj=vertoffset +dh=1 +slope_lat=1 +ellps=GRS80 +step "
        "+proj=cart +step +proj=xyzgridshift +grids=null +step +proj=deformation +xy_grids=null "
        "+z_grids=null +t_epoch=2000 +step +proj=deformation +grids=null +dt=1");
}

TEST(CoordinatesNvrtc, PixelTransformsCompileForEveryArchitecture) {
    GPU_NEED_NVRTC();
    const GeoTransform utm = {500000, 30, 0, 5500000, 0, -30};
    const GeoTransform mercator = {1669792, 40, 0, 6378137, 0, -40};
    const GeoTransform america = {-170, 0.1, 0, 75, 0, -0.1};
    const auto source = MakeRaster(1000, 1000, &utm, "EPSG:32633");
    const auto destination = MakeRaster(1000, 1000, &mercator, "EPSG:3857");
    // Many operations to choose from, in the device's memory.
    const auto nad27 = MakeRaster(1000, 700, &america, "EPSG:4267"),
               wgs84 = MakeRaster(1000, 700, &america, "EPSG:4326");
    std::vector<std::string> paths;
    for (const auto& [from, to, threshold, precision] :
         {std::tuple(&source, &destination, 0.0, "fp64"),
          std::tuple(&source, &destination, 0.125, "ds")}) {
        const CPLConfigOptionSetter option("GDAL_GPU_PRECISION", precision, false);
        const Transformer transformer(**from, to->get(), {}, threshold);
        std::vector<std::string> reasons;
        for (const auto& plan :
             PlanPixelTransform(transformer.function(), transformer.argument(), reasons)) {
            gpu::Source text;
            text.include("core/core.h");
            plan->Emit(text);
            gpu::ExpectCompilesForEveryArchitecture(text, plan->description());
            paths.push_back(plan->path());
        }
    }
    EXPECT_EQ(paths, (std::vector<std::string>{"tiles", "sampled", "fused", "tiles", "sampled"}));
    const Transformer of_many(*nad27, wgs84.get());
    const CPLXMLTreeCloser tree = SerializeTransformer(of_many.function(), of_many.argument());
    gpu::Source text;
    text.include("core/core.h");
    FusedChain(DescribeTransformer(*tree), true, nullptr).Emit(text, "Chain");
    text.append(
        "struct Launch { Chain chain; double* xyz; long long count; };\n"
        "GPU_KERNEL(run, Launch, p) {\n"
        "    GPU_FOR_1D(i, p.count) {\n"
        "        double* at = p.xyz + 3 * i;\n"
        "        if (!p.chain.map(at[0], at[1], at[2])) at[0] = HUGE_VAL;\n"
        "    }\n"
        "}\n");
    EXPECT_NE(text.text().find("apply_candidates(*this"), std::string::npos);
    gpu::ExpectCompilesForEveryArchitecture(text, "many operations");
}

}  // namespace
}  // namespace gdalgpu
