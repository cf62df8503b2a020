// The coordinate operations of gdal_gpu.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <memory>
#include <string>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_string.h"
#include "plugin/coordinates/coordinate_transform.h"
#include "plugin/doors/gdal_gpu.h"

using gdalgpu::CoordinateTransform;

struct GDALGPUCoordinateTransformHS {
    std::unique_ptr<CoordinateTransform> transform;
};

namespace {

// Runs what may throw; CE_Failure with a CPLError where it does.
template <typename Work>
CPLErr Guarded(const char* function, const Work& work) {
    try {
        work();
        return CE_None;
    } catch (const std::exception& error) {
        CPLError(CE_Failure, CPLE_AppDefined, "%s: %s", function, error.what());
        return CE_Failure;
    }
}

// What is for two CRSs alone is unknown where an operation is given. Throws std::invalid_argument.
CoordinateTransform::Options ReadOptions(char** list, bool crs) {
    CoordinateTransform::Options options;
    for (char** entry = list; entry != nullptr && *entry != nullptr; ++entry) {
        char* name = nullptr;
        const char* text = CPLParseNameValue(*entry, &name);
        const std::string key = name != nullptr ? name : "";
        CPLFree(name);
        const std::string value = text != nullptr ? text : "";
        if (EQUAL(key.c_str(), "PRECISION") && !gdalgpu::PrecisionsOfName(value, false).empty()) {
            options.precision = value;
        } else if (crs && EQUAL(key.c_str(), "AXIS_ORDER") && EQUAL(value.c_str(), "TRADITIONAL")) {
            options.traditional_axes = true;
        } else if (crs && EQUAL(key.c_str(), "AXIS_ORDER") && EQUAL(value.c_str(), "CRS")) {
            options.traditional_axes = false;
        } else if (crs && EQUAL(key.c_str(), "AREA")) {
            const CPLStringList parts(CSLTokenizeString2(value.c_str(), ",", CSLT_STRIPLEADSPACES));
            gdalgpu::AreaOfInterest area{};
            bool valid = parts.size() == 4;
            for (int i = 0; i < 4 && valid; ++i) {
                char* end = nullptr;
                area[i] = CPLStrtod(parts[i], &end);
                valid = end != parts[i] && *end == '\0' &&
                        std::fabs(area[i]) <= (i % 2 == 0 ? 180 : 90);
            }
            if (!valid || area[1] > area[3])
                throw std::invalid_argument("AREA=" + value +
                                            ": west,south,east,north in degrees are wanted");
            options.area = area;
        } else {
            throw std::invalid_argument(std::string("unknown option ") + *entry +
                                        (crs ? "; there are AXIS_ORDER=CRS|TRADITIONAL, "
                                               "AREA=west,south,east,north and "
                                             : "; there is ") +
                                        "PRECISION=fp64|ds|fp32|auto");
        }
    }
    return options;
}

gdalgpu::CoordinateArrays Arrays(const GDALGPUCoordinateArrays& arrays) {
    return {arrays.x, arrays.y, arrays.z, arrays.t};
}

}  // namespace

GDALGPUCoordinateTransformH GDALGPUCreateCoordinateTransform(const char* source_crs,
                                                             const char* target_crs,
                                                             char** options) {
    VALIDATE_POINTER1(source_crs, __func__, nullptr);
    VALIDATE_POINTER1(target_crs, __func__, nullptr);
    auto result = std::make_unique<GDALGPUCoordinateTransformHS>();
    const CPLErr error = Guarded(__func__, [&] {
        result->transform =
            CoordinateTransform::FromCrs(source_crs, target_crs, ReadOptions(options, true));
    });
    return error == CE_None ? result.release() : nullptr;
}

GDALGPUCoordinateTransformH GDALGPUCreateCoordinateTransformFromOperation(const char* operation,
                                                                          char** options) {
    VALIDATE_POINTER1(operation, __func__, nullptr);
    auto result = std::make_unique<GDALGPUCoordinateTransformHS>();
    const CPLErr error = Guarded(__func__, [&] {
        result->transform =
            CoordinateTransform::FromOperation(operation, ReadOptions(options, false));
    });
    return error == CE_None ? result.release() : nullptr;
}

void GDALGPUDestroyCoordinateTransform(GDALGPUCoordinateTransformH transform) { delete transform; }

CPLErr GDALGPUTransformCoordinates(GDALGPUCoordinateTransformH transform, int inverse,
                                   GIntBig count, double* x, double* y, double* z, double* t,
                                   int* success) {
    VALIDATE_POINTER1(transform, __func__, CE_Failure);
    return Guarded(__func__, [&] {
        if (count < 0) throw std::invalid_argument("the count is negative");
        if (count > 0 && (x == nullptr || y == nullptr))
            throw std::invalid_argument("x or y is NULL");
        transform->transform->Transform(inverse != 0, count, {x, y, z, t}, success);
    });
}

CPLErr GDALGPUTransformDeviceCoordinates(GDALGPUCoordinateTransformH transform, int inverse,
                                         GIntBig count, const GDALGPUCoordinateArrays* in,
                                         const GDALGPUCoordinateArrays* out, int* success,
                                         void* stream) {
    VALIDATE_POINTER1(transform, __func__, CE_Failure);
    VALIDATE_POINTER1(in, __func__, CE_Failure);
    VALIDATE_POINTER1(out, __func__, CE_Failure);
    return Guarded(__func__, [&] {
        if (count < 0) throw std::invalid_argument("the count is negative");
        if (count > 0 &&
            (in->x == nullptr || in->y == nullptr || out->x == nullptr || out->y == nullptr))
            throw std::invalid_argument("x or y is NULL");
        transform->transform->TransformOnDevice(inverse != 0, count, Arrays(*in), Arrays(*out),
                                                success, stream);
    });
}

CPLErr GDALGPUTransformBounds(GDALGPUCoordinateTransformH transform, int inverse,
                              const double* bounds, int densify_points, double* result) {
    VALIDATE_POINTER1(transform, __func__, CE_Failure);
    VALIDATE_POINTER1(bounds, __func__, CE_Failure);
    VALIDATE_POINTER1(result, __func__, CE_Failure);
    return Guarded(__func__, [&] {
        const std::array<double, 4> found = transform->transform->Bounds(
            inverse != 0, {bounds[0], bounds[1], bounds[2], bounds[3]}, densify_points);
        std::copy(found.begin(), found.end(), result);
    });
}

char* GDALGPUWarmUpCoordinateTransform(GDALGPUCoordinateTransformH transform, int inverse) {
    VALIDATE_POINTER1(transform, __func__, nullptr);
    std::string path;
    const CPLErr error =
        Guarded(__func__, [&] { path = transform->transform->WarmUp(inverse != 0); });
    return error == CE_None ? CPLStrdup(path.c_str()) : nullptr;
}

char* GDALGPUCoordinateTransformPath(GDALGPUCoordinateTransformH transform, int inverse) {
    VALIDATE_POINTER1(transform, __func__, nullptr);
    return CPLStrdup(transform->transform->path(inverse != 0).c_str());
}
