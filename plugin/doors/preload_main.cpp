// libgdalgpu_preload.so: put before libgdal by LD_PRELOAD (`gdal-gpu run`), it takes over a few
// functions of it. It is loaded into every program that the command starts, shells and interpreters
// too, so it links neither libgdal nor libgdalgpu nor libstdc++, does nothing when it is loaded,
// and opens libgdalgpu.so beside itself at the first call.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "plugin/doors/calling_gdal.h"
#include "plugin/doors/preload.h"

#define TAKEN_OVER __attribute__((visibility("default"), noinline))

namespace {

using GetInterface = const gdalgpu::PreloadInterface* (*)();

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
const gdalgpu::PreloadInterface* loaded = nullptr;
bool tried = false;
char load_error[1024] = "";

const char* const kPlaces[] = {"/", nullptr};

void Load(const gdalgpu::CallingGdal& gdal) {
    void* library = gdalgpu::OpenLibgdalgpu(reinterpret_cast<const void*>(&Load), kPlaces, gdal,
                                            load_error, sizeof load_error);
    const GetInterface get =
        library != nullptr ? reinterpret_cast<GetInterface>(dlsym(library, GDALGPU_PRELOAD_ENTRY))
                           : nullptr;
    if (get != nullptr) {
        __atomic_store_n(&loaded, get(), __ATOMIC_RELEASE);
    } else if (load_error[0] == '\0') {
        snprintf(load_error, sizeof load_error, "libgdalgpu is of another version");
    }
}

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
// that libgdalgpu is linked with. Says why, once in a process.
const gdalgpu::PreloadInterface* InterfaceFor(void* original) {
    const gdalgpu::PreloadInterface* gpu = __atomic_load_n(&loaded, __ATOMIC_ACQUIRE);
    Dl_info module;
    if (gpu != nullptr && dladdr(original, &module) != 0) {
        Dl_info linked;
        if (dladdr(gpu->gdal, &linked) != 0 && linked.dli_fbase == module.dli_fbase) {
            return gpu;
        }
    }
    const gdalgpu::CallingGdal gdal = gdalgpu::FindCallingGdal(original);
    char why[1024] = "";
    if (gdalgpu::IsOwnGdal(gdal, why, sizeof why)) {
        pthread_mutex_lock(&mutex);
        if (!tried) {
            tried = true;
            Load(gdal);
        }
        pthread_mutex_unlock(&mutex);
        gpu = __atomic_load_n(&loaded, __ATOMIC_ACQUIRE);
        if (gpu != nullptr) {
            return gpu;
        }
        snprintf(why, sizeof why, "%s", load_error);
    }
    gdalgpu::SayNotUsed(gdal, why);
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
