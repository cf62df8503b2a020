#include "plugin/doors/calling_gdal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gdal_version.h"

// Where both libraries are loaded, the plugin's is bound to the preload library's.
extern "C" __attribute__((visibility("default"))) int gdalgpu_said_not_used;
int gdalgpu_said_not_used = 0;

namespace gdalgpu {

namespace {

constexpr char kLibrary[] = "libgdalgpu.so.0";
constexpr char kVersionInfo[] = "GDALVersionInfo";

const void* BaseOf(const void* address) {
    Dl_info info;
    return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

}  // namespace

CallingGdal FindCallingGdal(const void* address) {
    CallingGdal gdal;
    Dl_info caller;
    if (dladdr(address, &caller) == 0 || caller.dli_fname == nullptr) {
        return gdal;
    }
    snprintf(gdal.path, sizeof gdal.path, "%s", caller.dli_fname);
    // A program is in no library; nor is one found under the name of a program.
    void* library = dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    void* scope = library != nullptr ? library : RTLD_DEFAULT;
    void* found = dlsym(scope, kVersionInfo);
    Dl_info holder;
    if (found != nullptr && dladdr(found, &holder) != 0 && holder.dli_fname != nullptr) {
        gdal.base = holder.dli_fbase;
        gdal.version_info = reinterpret_cast<VersionInfoFunction>(found);
        snprintf(gdal.path, sizeof gdal.path, "%s", holder.dli_fname);
    }
    gdal.error = reinterpret_cast<ErrorFunction>(dlsym(scope, "CPLError"));
    // Newer GDALs tell; of older ones nobody knows.
    const auto handler =
        reinterpret_cast<void* (*)(void** data)>(dlsym(scope, "CPLGetErrorHandler"));
    void* data = nullptr;
    gdal.own_handler =
        handler != nullptr && handler(&data) != dlsym(scope, "CPLDefaultErrorHandler");
    if (library != nullptr) {
        dlclose(library);
    }
    return gdal;
}

bool IsOwnGdal(const CallingGdal& gdal, char* why, size_t size) {
    if (gdal.base == nullptr) {
        snprintf(why, size, "it shows no GDAL that gdal-gpu could use");
        return false;
    }
    char series[32];
    const int length =
        snprintf(series, sizeof series, "%d.%d.", GDAL_VERSION_MAJOR, GDAL_VERSION_MINOR);
    const char* release = gdal.version_info("RELEASE_NAME");
    if (release == nullptr || strncmp(release, series, length) != 0) {
        snprintf(why, size, "it is GDAL %s, and gdal-gpu was built for GDAL %s (%s)",
                 release != nullptr ? release : "?", GDAL_RELEASE_NAME, GDALGPU_GDAL_SONAME);
        return false;
    }
    // The loader gives libgdalgpu the library that is loaded under this name, if one is.
    void* own = dlopen(GDALGPU_GDAL_SONAME, RTLD_LAZY | RTLD_NOLOAD);
    const void* base = own != nullptr ? BaseOf(dlsym(own, kVersionInfo)) : nullptr;
    if (own != nullptr) {
        dlclose(own);
    }
    if (base != gdal.base) {
        snprintf(why, size, "it is a GDAL %s of its own, and gdal-gpu is linked with %s", release,
                 GDALGPU_GDAL_SONAME);
        return false;
    }
    return true;
}

void* OpenLibgdalgpu(const void* self, const char* const* places, const CallingGdal& gdal,
                     char* why, size_t size) {
    Dl_info info;
    char path[PATH_MAX] = "";
    char folder[PATH_MAX] = "";
    if (dladdr(self, &info) != 0 && info.dli_fname != nullptr &&
        realpath(info.dli_fname, folder) != nullptr && strrchr(folder, '/') != nullptr) {
        *strrchr(folder, '/') = '\0';
        for (; *places != nullptr; ++places) {
            const int length = snprintf(path, sizeof path, "%s%s%s", folder, *places, kLibrary);
            if (length < static_cast<int>(sizeof path) && access(path, R_OK) == 0) {
                break;
            }
        }
    }
    const bool beside = folder[0] != '\0' && *places != nullptr;
    void* library = dlopen(beside ? path : kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* reason = dlerror();
        snprintf(why, size, "%s", reason != nullptr ? reason : kLibrary);
        return nullptr;
    }
    // Never closed: it has threads, and what it registers stays.
    if (BaseOf(dlsym(library, kVersionInfo)) != gdal.base) {
        snprintf(why, size, "%s uses another libgdal", beside ? path : kLibrary);
        return nullptr;
    }
    return library;
}

void SayNotUsed(const CallingGdal& gdal, const char* why) {
    if (__atomic_exchange_n(&gdalgpu_said_not_used, 1, __ATOMIC_ACQ_REL) != 0) {
        return;
    }
    char text[PATH_MAX + 1024];
    snprintf(text, sizeof text,
             "gdal-gpu isn't used by %s: %s. Programs of that GDAL use the GPU; for others build "
             "gdal-gpu with theirs",
             gdal.path[0] != '\0' ? gdal.path : "this program", why);
    if (gdal.error != nullptr) {
        gdal.error(CE_Warning, CPLE_AppDefined, "%s", text);
    }
    if (gdal.error == nullptr || gdal.own_handler) {
        fprintf(stderr, "%s\n", text);
    }
}

}  // namespace gdalgpu
