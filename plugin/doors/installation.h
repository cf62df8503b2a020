// Where the parts lie beside each other: built (bin/, lib/, gdalplugins/) and installed (bin/, lib/
// or lib/<triplet>/, with gdalplugins/ below it). For the command, which is linked with nothing,
// and for libgdalgpu.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <string>

namespace gdalgpu {

struct Installation {
    std::string library;  // libgdalgpu.so.0
    std::string preload;  // libgdalgpu_preload.so
    std::string plugins;  // the folder of gdal_GPU.so
    std::string problem;  // what is missing, for people; empty where all is there
};

// The path without links and "..", or nothing where there is no such file.
inline std::string RealPath(const std::string& path) {
    char* resolved = realpath(path.c_str(), nullptr);
    std::string result = resolved != nullptr ? resolved : "";
    free(resolved);
    return result;
}

inline std::string Folder(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

// What lies in and around `folder`, that of libgdalgpu.
inline Installation InstallationAt(const std::string& folder) {
    Installation found;
    found.library = folder + "/libgdalgpu.so.0";
    found.preload = folder + "/libgdalgpu_preload.so";
    found.plugins = RealPath(folder + "/gdalplugins");
    if (access((found.plugins + "/gdal_GPU.so").c_str(), R_OK) != 0) {
        found.plugins = RealPath(folder + "/../gdalplugins");
    }
    for (const std::string& part :
         {found.library, found.preload,
          (found.plugins.empty() ? folder : found.plugins) + "/gdal_GPU.so"}) {
        if (found.problem.empty() && access(part.c_str(), R_OK) != 0) {
            found.problem = part + " is missing; install gdal-gpu again";
        }
    }
    return found;
}

}  // namespace gdalgpu
