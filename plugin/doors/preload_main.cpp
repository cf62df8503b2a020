// libgdalgpu_preload.so: put before libgdal by LD_PRELOAD (`gdal-gpu run`), it takes over a few
// functions of it. It is loaded into every program that the command starts, shells and interpreters
// too, so it links neither libgdal nor libgdalgpu nor libstdc++, does nothing when it is loaded,
// and opens libgdalgpu.so beside itself at the first call.
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "gdal_version.h"
#include "plugin/doors/preload.h"

#define TAKEN_OVER __attribute__((visibility("default"), noinline))

namespace {

using GetInterface = const gdalgpu::PreloadInterface* (*)();
using VersionInfo = const char* (*)(const char* request);
using ErrorFunction = void (*)(CPLErr error_class, int number, const char* format, ...);

constexpr char kLibrary[] = "libgdalgpu.so.0";

pthread_once_t load_once = PTHREAD_ONCE_INIT;
const gdalgpu::PreloadInterface* loaded = nullptr;
char load_error[512] = "";
pthread_once_t complain_once = PTHREAD_ONCE_INIT;
char complaint[1024] = "";
ErrorFunction complain_with = nullptr;

void Load() {
    Dl_info self;
    if (dladdr(reinterpret_cast<void*>(&Load), &self) == 0 || self.dli_fname == nullptr) {
        snprintf(load_error, sizeof load_error, "the preload library doesn't know its own place");
        return;
    }
    char path[PATH_MAX];
    const char* slash = strrchr(self.dli_fname, '/');
    const int folder = slash != nullptr ? static_cast<int>(slash + 1 - self.dli_fname) : 0;
    if (snprintf(path, sizeof path, "%.*s%s", folder, self.dli_fname, kLibrary) >=
        static_cast<int>(sizeof path)) {
        snprintf(load_error, sizeof load_error, "the path of the preload library is too long");
        return;
    }
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const GetInterface get =
        library != nullptr ? reinterpret_cast<GetInterface>(dlsym(library, GDALGPU_PRELOAD_ENTRY))
                           : nullptr;
    if (get == nullptr) {
        const char* reason = dlerror();
        snprintf(load_error, sizeof load_error, "%.400s", reason != nullptr ? reason : path);
        return;
    }
    __atomic_store_n(&loaded, get(), __ATOMIC_RELEASE);
}

void Complain() { complain_with(CE_Warning, CPLE_AppDefined, "%s", complaint); }

// The function that a call would have reached without this library: that of the libgdal which the
// caller is, or is linked with. A process may have two of them, and one that was opened with dlopen
// isn't in RTLD_NEXT's scope.
void* Original(const char* symbol, const void* taken_over, void* return_address) {
    Dl_info caller;
    if (dladdr(return_address, &caller) != 0 && caller.dli_fname != nullptr) {
        if (void* library = dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) {
            void* found = dlsym(library, symbol);
            dlclose(library);
            if (found != nullptr && found != taken_over) {
                return found;
            }
        }
    }
    void* next = dlsym(RTLD_NEXT, symbol);
    if (next == nullptr) {
        // Not reached where the caller is linked with a libgdal: somebody must have resolved the
        // call.
        fprintf(stderr, "gdal-gpu: libgdal's %s can't be found\n", symbol);
    }
    return next;
}

// libgdalgpu's functions for the libgdal that `original` is in; null where that isn't the libgdal
// that libgdalgpu was built for and is linked with. Says why, once in a process.
const gdalgpu::PreloadInterface* InterfaceFor(void* original) {
    Dl_info gdal;
    if (dladdr(original, &gdal) == 0 || gdal.dli_fname == nullptr) {
        return nullptr;
    }
    void* library = dlopen(gdal.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) {
        return nullptr;
    }
    const VersionInfo version_info =
        reinterpret_cast<VersionInfo>(dlsym(library, "GDALVersionInfo"));
    const ErrorFunction error = reinterpret_cast<ErrorFunction>(dlsym(library, "CPLError"));
    dlclose(library);
    if (version_info == nullptr || error == nullptr) {
        return nullptr;
    }
    char reason[768];
    const char* release = version_info("RELEASE_NAME");
    char built_for[32];
    const int length =
        snprintf(built_for, sizeof built_for, "%d.%d.", GDAL_VERSION_MAJOR, GDAL_VERSION_MINOR);
    if (strncmp(release, built_for, length) != 0) {
        snprintf(reason, sizeof reason, "%s is GDAL %s, and gdal-gpu was built for GDAL %s",
                 gdal.dli_fname, release, GDAL_RELEASE_NAME);
    } else {
        pthread_once(&load_once, Load);
        if (loaded == nullptr) {
            snprintf(reason, sizeof reason, "%s", load_error);
        } else {
            Dl_info linked;
            if (dladdr(loaded->gdal, &linked) != 0 && linked.dli_fbase == gdal.dli_fbase) {
                return loaded;
            }
            snprintf(reason, sizeof reason, "%s is in use, and gdal-gpu is linked with %s",
                     gdal.dli_fname, linked.dli_fname != nullptr ? linked.dli_fname : "another");
        }
    }
    // A race of two reasons may mix them; both say that the device isn't used.
    if (complaint[0] == '\0') {
        snprintf(complaint, sizeof complaint, "gdal-gpu: this program warps on the CPU: %s",
                 reason);
        complain_with = error;
    }
    pthread_once(&complain_once, Complain);
    return nullptr;
}

CPLErr ChunkAndWarp(const char* symbol, const void* taken_over, void* return_address,
                    GDALWarpOperation* operation, int x, int y, int width, int height, bool multi) {
    void* found = Original(symbol, taken_over, return_address);
    if (found == nullptr) {
        return CE_Failure;
    }
    const auto original = reinterpret_cast<gdalgpu::ChunkAndWarpFunction>(found);
    const gdalgpu::PreloadInterface* gpu = InterfaceFor(found);
    return gpu != nullptr ? gpu->chunk_and_warp(original, operation, x, y, width, height, multi)
                          : original(operation, x, y, width, height);
}

// Before an operation is destroyed. Opens nothing: what isn't loaded knows no operations.
void Destroy(const char* symbol, const void* taken_over, void* return_address,
             GDALWarpOperation* operation) {
    const gdalgpu::PreloadInterface* gpu = __atomic_load_n(&loaded, __ATOMIC_ACQUIRE);
    if (gpu != nullptr) {
        gpu->forget(operation);
    }
    if (void* found = Original(symbol, taken_over, return_address)) {
        reinterpret_cast<void (*)(GDALWarpOperation*)>(found)(operation);
    }
}

}  // namespace

#define CHUNK_AND_WARP_IMAGE "_ZN17GDALWarpOperation17ChunkAndWarpImageEiiii"
#define CHUNK_AND_WARP_MULTI "_ZN17GDALWarpOperation17ChunkAndWarpMultiEiiii"
#define WARP_REGION_TO_BUFFER \
    "_ZN17GDALWarpOperation18WarpRegionToBufferEiiiiPv12GDALDataTypeiiiidddd"
#define PERFORM_WARP "_ZN14GDALWarpKernel11PerformWarpEv"
#define DESTROY "_ZN17GDALWarpOperationD1Ev"
#define DESTROY_AND_DELETE "_ZN17GDALWarpOperationD0Ev"

extern "C" {

TAKEN_OVER CPLErr TakenOverChunkAndWarpImage(GDALWarpOperation* operation, int x, int y, int width,
                                             int height) __asm__(CHUNK_AND_WARP_IMAGE);
TAKEN_OVER CPLErr TakenOverChunkAndWarpMulti(GDALWarpOperation* operation, int x, int y, int width,
                                             int height) __asm__(CHUNK_AND_WARP_MULTI);
TAKEN_OVER CPLErr TakenOverWarpRegionToBuffer(GDALWarpOperation* operation, int x, int y, int width,
                                              int height, void* buffer, GDALDataType type,
                                              int source_x, int source_y, int source_width,
                                              int source_height, double source_x_extra,
                                              double source_y_extra, double progress_base,
                                              double progress_scale) __asm__(WARP_REGION_TO_BUFFER);
TAKEN_OVER CPLErr TakenOverPerformWarp(GDALWarpKernel* kernel) __asm__(PERFORM_WARP);
TAKEN_OVER void TakenOverDestroy(GDALWarpOperation* operation) __asm__(DESTROY);
TAKEN_OVER void TakenOverDestroyAndDelete(GDALWarpOperation* operation) __asm__(DESTROY_AND_DELETE);

CPLErr TakenOverChunkAndWarpImage(GDALWarpOperation* operation, int x, int y, int width,
                                  int height) {
    return ChunkAndWarp(CHUNK_AND_WARP_IMAGE,
                        reinterpret_cast<const void*>(&TakenOverChunkAndWarpImage),
                        __builtin_return_address(0), operation, x, y, width, height, false);
}

CPLErr TakenOverChunkAndWarpMulti(GDALWarpOperation* operation, int x, int y, int width,
                                  int height) {
    return ChunkAndWarp(CHUNK_AND_WARP_MULTI,
                        reinterpret_cast<const void*>(&TakenOverChunkAndWarpMulti),
                        __builtin_return_address(0), operation, x, y, width, height, true);
}

CPLErr TakenOverWarpRegionToBuffer(GDALWarpOperation* operation, int x, int y, int width,
                                   int height, void* buffer, GDALDataType type, int source_x,
                                   int source_y, int source_width, int source_height,
                                   double source_x_extra, double source_y_extra,
                                   double progress_base, double progress_scale) {
    void* found =
        Original(WARP_REGION_TO_BUFFER, reinterpret_cast<const void*>(&TakenOverWarpRegionToBuffer),
                 __builtin_return_address(0));
    if (found == nullptr) {
        return CE_Failure;
    }
    const auto original = reinterpret_cast<gdalgpu::WarpRegionToBufferFunction>(found);
    if (const gdalgpu::PreloadInterface* gpu = InterfaceFor(found)) {
        return gpu->warp_region_to_buffer(original, operation, x, y, width, height, buffer, type,
                                          source_x, source_y, source_width, source_height,
                                          source_x_extra, source_y_extra, progress_base,
                                          progress_scale);
    }
    return original(operation, x, y, width, height, buffer, type, source_x, source_y, source_width,
                    source_height, source_x_extra, source_y_extra, progress_base, progress_scale);
}

CPLErr TakenOverPerformWarp(GDALWarpKernel* kernel) {
    void* found = Original(PERFORM_WARP, reinterpret_cast<const void*>(&TakenOverPerformWarp),
                           __builtin_return_address(0));
    if (found == nullptr) {
        return CE_Failure;
    }
    const auto original = reinterpret_cast<gdalgpu::PerformWarpFunction>(found);
    const gdalgpu::PreloadInterface* gpu = InterfaceFor(found);
    return gpu != nullptr ? gpu->perform_warp(original, kernel) : original(kernel);
}

void TakenOverDestroy(GDALWarpOperation* operation) {
    Destroy(DESTROY, reinterpret_cast<const void*>(&TakenOverDestroy), __builtin_return_address(0),
            operation);
}

void TakenOverDestroyAndDelete(GDALWarpOperation* operation) {
    Destroy(DESTROY_AND_DELETE, reinterpret_cast<const void*>(&TakenOverDestroyAndDelete),
            __builtin_return_address(0), operation);
}

}  // extern "C"
