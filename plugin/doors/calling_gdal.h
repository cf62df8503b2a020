// Whose libgdal calls: for the plugin and the preload library, which come into programs with any
// GDAL, or several. Both are linked with libc alone, and open libgdalgpu, which brings its libgdal
// along, only for the libgdal that it is linked with.
#pragma once

#include <limits.h>
#include <stddef.h>

#include "cpl_error.h"

namespace gdalgpu {

using VersionInfoFunction = const char* (*)(const char* request);
using ErrorFunction = void (*)(CPLErr error_class, int number, const char* format, ...);

// The libgdal that an address lies in, or that the code there is linked with.
struct CallingGdal {
    const void* base = nullptr;  // where it is loaded; null where it exports no GDALVersionInfo
    char path[PATH_MAX] = "";    // of its file, or the caller's where it isn't found
    VersionInfoFunction version_info = nullptr;
    ErrorFunction error = nullptr;  // its CPLError; null where it exports none
    bool own_handler = false;       // the program handles errors itself, and may keep them to it
};
CallingGdal FindCallingGdal(const void* address);

// Whether it is the libgdal that libgdalgpu will be linked with once it is opened. Opens nothing.
// `why` gets the reason where it isn't.
bool IsOwnGdal(const CallingGdal& gdal, char* why, size_t size);

// Opens libgdalgpu at the first of `places`, paths that follow the folder of the file that holds
// `self` ("/../lib/"), a null at the end; else where the loader finds it. Null, with `why`, where
// it can't be opened, or turns out to be linked with another libgdal.
void* OpenLibgdalgpu(const void* self, const char* const* places, const CallingGdal& gdal,
                     char* why, size_t size);

// Tells the user that this GDAL does without gdal-gpu, and why, once in a process, whichever of the
// two libraries says it: on GDAL's error channel, and on the standard error where it has none or
// the program handles errors itself (rasterio gives them to a log that nobody sees by default).
void SayNotUsed(const CallingGdal& gdal, const char* why);

}  // namespace gdalgpu
