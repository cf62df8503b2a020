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

// Throws Error (InvalidArgument) where `cxx` (a path, or a name looked for in PATH; empty: right)
// is no program. Runs nothing.
void CheckHostCompiler(const std::string& cxx);

// `cxx` as above; empty: c++, g++ or clang++. Throws Error: Unavailable, or InvalidArgument where
// it was named.
HostCompiler FindHostCompiler(const std::string& cxx);

// What a binary depends on besides the text: compiler, options and this machine's processor.
std::string HostCompilerIdentity(const HostCompiler& compiler);

// Compiles `text` to a shared library and returns its bytes. Throws Error (Compile) with what
// failed and the compiler's own words. Its files are in a private folder at one of folders'
// temporary_starts(), which is removed in any case.
std::string CompileForHost(const HostCompiler& compiler, const std::string& text,
                           const DiskCache& folders);

}  // namespace gpu
