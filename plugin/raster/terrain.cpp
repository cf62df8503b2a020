#include "plugin/raster/terrain.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "plugin/gdal_rules.h"
#include "plugin/pixel_type.h"

namespace gdalgpu {

namespace {

using kernels::Gradient;
using kernels::Shading;
using kernels::SlopeFormat;

constexpr double kPi = 3.14159265358979323846;
constexpr double kRadians = kPi / 180;

// What gdaldem does to the source before its arithmetic.
struct Arithmetic {
    bool integer;  // int32, else float
    int64_t nodata_kind;
    double nodata;
    double nodata_low;
    double nodata_high;
    double beyond_edge;  // as in NeighbourhoodParams
};

// Equal but for two float epsilons, as gdaldem compares.
bool Matches(float v, float nodata) {
    return v == nodata || std::fabs(v - nodata) <
                              std::numeric_limits<float>::epsilon() * std::fabs(v + nodata) * 2;
}

// The last float from `nodata` on towards `end` of which all up to it match: the step is doubled
// while they do, then halved.
float LastMatch(float nodata, float end) {
    const auto at =
        [&](int64_t steps) {  // floats in order are integers in order, on either side of 0
            int32_t bits;
            std::memcpy(&bits, &nodata, sizeof(bits));
            const int64_t order = bits < 0 ? -int64_t{bits & 0x7FFFFFFF} : bits;
            const int64_t limit = 0x7F800000;  // infinity
            const int64_t moved = std::clamp(order + (end > 0 ? steps : -steps), -limit, limit);
            const auto magnitude = static_cast<int32_t>(std::abs(moved));
            float v;
            std::memcpy(&v, &magnitude, sizeof(v));
            return moved < 0 ? -v : v;
        };
    int64_t good = 0;
    int64_t step = 1;
    while (step < (int64_t{1} << 32) && Matches(at(good + step), nodata)) {
        good += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (at(good + step) != at(good) && Matches(at(good + step), nodata)) good += step;
    return at(good);
}

Arithmetic ChooseArithmetic(const SourceBand& source) {
    Arithmetic arithmetic{
        source.type == GDT_Byte || source.type == GDT_UInt16 || source.type == GDT_Int16,
        kernels::kNodataNone,
        0,
        0,
        0,
        0};
    if (!source.nodata) return arithmetic;
    const double nodata = *source.nodata;
    if (arithmetic.integer) {
        // One that the type can't hold is as good as none.
        const double low = source.type == GDT_Int16 ? -32768 : 0;
        const double high = source.type == GDT_Int16  ? 32767
                            : source.type == GDT_Byte ? 255
                                                      : 65535;
        const double rounded = std::floor(nodata + 0.5);
        if (!(std::fabs(nodata - rounded) < 1e-2 && nodata >= low && nodata <= high))
            return arithmetic;
        arithmetic.nodata = arithmetic.nodata_low = arithmetic.nodata_high = rounded;
    } else if (std::isnan(nodata)) {
        arithmetic.nodata_kind = kernels::kNodataNan;
        arithmetic.nodata = nodata;
        return arithmetic;
    } else {
        const float held = kernels::FromDouble<float>::convert(nodata);
        arithmetic.nodata = held;
        arithmetic.nodata_low = LastMatch(held, -std::numeric_limits<float>::infinity());
        arithmetic.nodata_high = LastMatch(held, std::numeric_limits<float>::infinity());
        arithmetic.beyond_edge = held;
        if (LoadedGdalRules().dem_floats_extrapolate_off_nodata)
            arithmetic.beyond_edge = std::nextafter(static_cast<float>(arithmetic.nodata_high),
                                                    std::numeric_limits<float>::infinity());
    }
    arithmetic.nodata_kind = kernels::kNodataValue;
    return arithmetic;
}

const char* NameOf(Gradient gradient) {
    return gradient == Gradient::Horn                ? "Gradient::Horn"
           : gradient == Gradient::ZevenbergenThorne ? "Gradient::ZevenbergenThorne"
                                                     : "Gradient::HornSquarePixels";
}

const char* NameOf(Shading shading) {
    return shading == Shading::Lambert    ? "Shading::Lambert"
           : shading == Shading::Combined ? "Shading::Combined"
           : shading == Shading::Igor     ? "Shading::Igor"
                                          : "Shading::Multidirectional";
}

const char* NameOf(SlopeFormat format) {
    return format == SlopeFormat::Degree ? "SlopeFormat::Degree" : "SlopeFormat::Percent";
}

// "Gradient::Horn" -> "Horn".
std::string Short(const char* name) { return std::strstr(name, "::") + 2; }

// What hillshade and slope share. Params: the kernel's parameter struct, whose member `window`
// describes the part.
template <typename Params>
class TerrainOperation : public WindowOperation {
  public:
    TerrainOperation(const SourceBand& source, bool compute_edges, GDALDataType type, double nodata)
        : arithmetic_(ChooseArithmetic(source)), compute_edges_(compute_edges) {
        read_type = DeviceTypeName(source.type) ? source.type : GDT_Float32;
        output_type = type;
        output_nodata = nodata;
        raster_width = source.width;
        raster_height = source.height;
    }

    std::vector<std::byte> parameters(const kernels::NeighbourhoodParams& part) const override {
        const Params params = complete(part);
        std::vector<std::byte> bytes(sizeof(Params));
        std::memcpy(bytes.data(), &params, sizeof(Params));
        return bytes;
    }

  protected:
    Params complete(const kernels::NeighbourhoodParams& part) const {
        Params params = params_;
        params.window = part;
        params.window.nodata_kind = arithmetic_.nodata_kind;
        params.window.nodata = arithmetic_.nodata;
        params.window.nodata_low = arithmetic_.nodata_low;
        params.window.nodata_high = arithmetic_.nodata_high;
        params.window.beyond_edge = arithmetic_.beyond_edge;
        params.window.output_nodata = *output_nodata;
        params.window.compute_edges = compute_edges_;
        return params;
    }

    const char* value_type() const { return arithmetic_.integer ? "int32" : "float"; }

    // `algorithm`: the device type whose member pixel<Pixel, Value>(p, x, y) computes a pixel.
    gpu::Source make_source(const char* header, const char* params,
                            const std::string& algorithm) const {
        gpu::Source source;
        source.include(header);
        source.append("namespace kernels {\nGPU_KERNEL(" + std::string(entry()) + ", " + params +
                      ", p) {\n    GPU_FOR_2D(x, y, p.window.width, p.window.height) " + algorithm +
                      "::pixel<" + DeviceTypeName(read_type) + ", " + value_type() +
                      ">(p, x, y);\n}\n}  // namespace kernels\n");
        return source;
    }

    // The same over a part on the CPU.
    template <typename Algorithm>
    void run(const kernels::NeighbourhoodParams& part) const {
        if (arithmetic_.integer) {
            run_as<Algorithm, kernels::int32>(complete(part));
        } else {
            run_as<Algorithm, float>(complete(part));
        }
    }

    Params params_{};

  private:
    // Converts the input to the type of the arithmetic first, so that one loop serves all pixel
    // types.
    template <typename Algorithm, typename Value>
    void run_as(Params params) const {
        kernels::NeighbourhoodParams& window = params.window;
        const int64_t below = window.y + window.height < window.raster_height ? 1 : 0;
        const int64_t count = (window.input_y + window.height + below) * window.input_width;
        std::vector<Value> values(static_cast<size_t>(count));
        DispatchPixelType(read_type, [&](auto tag) {
            using Pixel = typename decltype(tag)::type;
            const Pixel* const pixels = static_cast<const Pixel*>(window.input);
            for (int64_t i = 0; i < count; ++i)
                values[i] = kernels::WindowArithmetic<Value>::load(pixels[i]);
        });
        window.input = values.data();
        for (int64_t y = 0; y < window.height; ++y)
            for (int64_t x = 0; x < window.width; ++x)
                Algorithm::template pixel<Value, Value>(params, x, y);
    }

    const Arithmetic arithmetic_;
    const bool compute_edges_;
};

class HillshadeOperation : public TerrainOperation<kernels::HillshadeParams> {
  public:
    HillshadeOperation(const HillshadeOptions& options, const SourceBand& source)
        : TerrainOperation(source, options.compute_edges, GDT_Byte, 0),
          shading_(options.shading),
          gradient_(options.zevenbergen_thorne ? Gradient::ZevenbergenThorne
                    : options.shading == Shading::Lambert &&
                            source.geotransform[1] * options.scale.x ==
                                -source.geotransform[5] * options.scale.y
                        ? Gradient::HornSquarePixels
                        : Gradient::Horn) {
        const double azimuth = options.azimuth * kRadians;
        params_.inverse_x = 1 / (source.geotransform[1] * options.scale.x);
        params_.inverse_y = 1 / (source.geotransform[5] * options.scale.y);
        params_.z = options.z / (options.zevenbergen_thorne ? 2 : 8);
        params_.altitude_sine = std::sin(options.altitude * kRadians);
        params_.altitude_cosine_z = std::cos(options.altitude * kRadians) * params_.z;
        params_.azimuth_sine = std::sin(azimuth);
        params_.azimuth_cosine = std::cos(azimuth);
        const double turn = std::fmod(kPi * 3 / 2 - azimuth, kPi * 2);
        params_.shadow_direction = turn < 0 ? turn + kPi * 2 : turn;
        kernel = std::string("hillshade<") + DeviceTypeName(read_type) + "," +
                 Short(NameOf(shading_)) + "," + Short(NameOf(gradient_)) + ">";
    }

    const char* entry() const override { return "hillshade"; }

    gpu::Source source() const override {
        return make_source(
            "raster/hillshade.h", "HillshadeParams",
            std::string("Hillshade<") + NameOf(shading_) + ", " + NameOf(gradient_) + ">");
    }

    void RunOnCpu(const kernels::NeighbourhoodParams& part) const override {
        switch (gradient_) {
            case Gradient::Horn:
                run_shading<Gradient::Horn>(part);
                break;
            case Gradient::ZevenbergenThorne:
                run_shading<Gradient::ZevenbergenThorne>(part);
                break;
            case Gradient::HornSquarePixels:
                run<kernels::Hillshade<Shading::Lambert, Gradient::HornSquarePixels>>(part);
                break;
        }
    }

  private:
    template <Gradient gradient>
    void run_shading(const kernels::NeighbourhoodParams& part) const {
        switch (shading_) {
            case Shading::Lambert:
                run<kernels::Hillshade<Shading::Lambert, gradient>>(part);
                break;
            case Shading::Combined:
                run<kernels::Hillshade<Shading::Combined, gradient>>(part);
                break;
            case Shading::Igor:
                run<kernels::Hillshade<Shading::Igor, gradient>>(part);
                break;
            case Shading::Multidirectional:
                run<kernels::Hillshade<Shading::Multidirectional, gradient>>(part);
                break;
        }
    }

    const Shading shading_;
    const Gradient gradient_;
};

class SlopeOperation : public TerrainOperation<kernels::SlopeParams> {
  public:
    SlopeOperation(const SlopeOptions& options, const SourceBand& source)
        : TerrainOperation(source, options.compute_edges, GDT_Float32, -9999),
          format_(options.format),
          gradient_(options.zevenbergen_thorne ? Gradient::ZevenbergenThorne : Gradient::Horn) {
        params_.inverse_x = 1 / (source.geotransform[1] * options.scale.x);
        params_.inverse_y = 1 / (source.geotransform[5] * options.scale.y);
        params_.z = options.zevenbergen_thorne ? 1.0 / 2 : 1.0 / 8;
        kernel = std::string("slope<") + DeviceTypeName(read_type) + "," + Short(NameOf(format_)) +
                 "," + Short(NameOf(gradient_)) + ">";
    }

    const char* entry() const override { return "slope"; }

    gpu::Source source() const override {
        return make_source(
            "raster/slope.h", "SlopeParams",
            std::string("Slope<") + NameOf(format_) + ", " + NameOf(gradient_) + ">");
    }

    void RunOnCpu(const kernels::NeighbourhoodParams& part) const override {
        if (gradient_ == Gradient::Horn) {
            run_format<Gradient::Horn>(part);
        } else {
            run_format<Gradient::ZevenbergenThorne>(part);
        }
    }

  private:
    template <Gradient gradient>
    void run_format(const kernels::NeighbourhoodParams& part) const {
        if (format_ == SlopeFormat::Degree) {
            run<kernels::Slope<SlopeFormat::Degree, gradient>>(part);
        } else {
            run<kernels::Slope<SlopeFormat::Percent, gradient>>(part);
        }
    }

    const SlopeFormat format_;
    const Gradient gradient_;
};

}  // namespace

std::unique_ptr<WindowOperation> MakeHillshade(const HillshadeOptions& options,
                                               const SourceBand& source) {
    return std::make_unique<HillshadeOperation>(options, source);
}

std::unique_ptr<WindowOperation> MakeSlope(const SlopeOptions& options, const SourceBand& source) {
    return std::make_unique<SlopeOperation>(options, source);
}

}  // namespace gdalgpu
