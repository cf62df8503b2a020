// HOST's compiler: the system's C++ compiler, run as a process of its own.
#pragma once

#include <string>

namespace gpu {

class DiskCache;

struct HostCompiler {
    std::string path;
    std::string version;  // the first line of --version
    std::string description() const { return version + ", " + path; }
};

// `cxx`: a path, or a name looked for in PATH; empty: c++, g++ or clang++. Throws Error
// (Unavailable).
HostCompiler FindHostCompiler(const std::string& cxx);

// What a binary depends on besides the text: compiler, options and this machine's processor.
std::string HostCompilerIdentity(const HostCompiler& compiler);

// Compiles `text` to a shared library and returns its bytes. Throws Error (Compile) with the
// compiler's own words. `folders` makes the private folder for its files, which is removed in any
// case.
std::string CompileForHost(const HostCompiler& compiler, const std::string& text,
                           const DiskCache& folders);

}  // namespace gpu
