// NVRTC, the compiler of CUDA kernels, opened at run time.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace gpu {

class Nvrtc {
  public:
    // library: the one to open. Empty: libnvrtc of CUDA 13, 12 and 11, the first of Candidates(),
    // preferably one of at most CUDA `newest_major`, whose binaries an older driver reads too; 0:
    // any. Throws Error: Unavailable, or InvalidArgument where it was named.
    static std::shared_ptr<const Nvrtc> Find(const std::string& library, int newest_major);

    // Names for the loader and paths where NVRTC may be, in the order in which Find() tries them:
    // the loader's, pip's packages in the Python environment that is active or else runs this
    // process, conda's, the user's and the machine's, $CUDA_HOME, $CUDA_PATH, /usr/local/cuda*.
    static std::vector<std::string> Candidates();

    // Throws Error (InvalidArgument) where `library` is a path that can't be read. Opens nothing.
    static void Check(const std::string& library);

    // Compiles for `architecture`: 90 for sm_90. A binary (cubin) for that architecture where NVRTC
    // knows it, else PTX for the newest one below that it knows, which the driver compiles. Throws
    // Error (Compile) with NVRTC's own words.
    std::string compile(const std::string& text, int architecture) const;

    const std::string& path() const { return path_; }
    std::string version() const;      // "12.4"
    std::string description() const;  // "NVRTC 12.4, /usr/local/cuda/lib64/libnvrtc.so.12"
    // The options of compile() for `architecture`: those of every text, and all that it gives for
    // this one.
    std::vector<std::string> options(int architecture) const;
    std::vector<std::string> options(const std::string& text, int architecture) const;

  private:
    struct Functions;

    static std::shared_ptr<const Nvrtc> Open(const std::string& library);

    std::shared_ptr<const Functions> functions_;
    std::string path_;
    int major_ = 0;
    int minor_ = 0;
    std::vector<int> architectures_;
};

// Compiles `text` for an architecture ("sm_75") with the NVRTC that Nvrtc::Find() finds; needs no
// GPU. Returns the binary. Throws Error: Unavailable where there is no NVRTC, InvalidArgument for a
// bad name or one that NVRTC doesn't know, Compile.
std::string CompileForArchitecture(const std::string& text, const std::string& architecture);

}  // namespace gpu
