#include "gpu/host_compiler.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "gpu/disk_cache.h"
#include "gpu/error.h"

namespace gpu {

namespace {

// -ffp-contract=off: the same operations in the same order as written, on every processor.
const std::vector<std::string> kFlags = {
    "-std=c++17",         "-O3",   "-march=native", "-ffp-contract=off",   "-fno-math-errno",
    "-fno-trapping-math", "-fPIC", "-shared",       "-fvisibility=hidden", "-w",
    "-DGPU_MODULE=1"};

constexpr size_t kMessageBytes = 4000;

bool Executable(const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           access(path.c_str(), X_OK) == 0;
}

std::string FindInPath(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        return Executable(name) ? name : "";
    }
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string program = folder.append("/").append(name);
        if (program[0] == '/' && Executable(program)) {
            return program;
        }
    }
    return "";
}

std::string ReadFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

// Runs a program with its output in the file `log`; returns what waitpid says, or -1 where the
// application reaps its children itself. The program gets no file, signal mask or preloaded library
// of this process, and ends with it.
int Run(std::vector<std::string> arguments, const std::string& log, const std::string& tmpdir) {
    std::vector<std::string> environment = {"LC_ALL=C", "TMPDIR=" + tmpdir};
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        if (text.compare(0, 11, "LD_PRELOAD=") != 0 && text.compare(0, 7, "LC_ALL=") != 0 &&
            text.compare(0, 7, "TMPDIR=") != 0) {
            environment.push_back(text);
        }
    }
    const std::vector<char*> argument_pointers = Pointers(arguments);
    const std::vector<char*> environment_pointers = Pointers(environment);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) {
        throw Error(Error::Kind::Compile,
                    "can't start " + arguments[0] + ": " + std::strerror(errno));
    }
    if (child == 0) {
        // Only what is safe after a fork from a process with threads.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            _exit(127);
        }
        const int input = open("/dev/null", O_RDONLY);
        const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(input, 0);
        dup2(output, 1);
        dup2(output, 2);
#if defined(SYS_close_range)
        syscall(SYS_close_range, 3u, ~0u, 0u);
#endif
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        signal(SIGCHLD, SIG_DFL);
        execve(argument_pointers[0], argument_pointers.data(), environment_pointers.data());
        _exit(127);
    }
    int status = -1;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return status;
}

class PrivateFolder {
  public:
    explicit PrivateFolder(const DiskCache& folders) : path_(folders.temporary_folder()) {
        if (path_.empty()) {
            throw Error(Error::Kind::Compile,
                        "no folder for temporary files can be made in $TMPDIR or /tmp");
        }
    }
    ~PrivateFolder() { RemoveFolder(path_); }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    std::string file(const char* name) const { return path_ + "/" + name; }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

// The lines of /proc/cpuinfo that say what -march=native means here.
std::string Processor() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    std::string text;
    for (std::string line; std::getline(cpuinfo, line) && !line.empty();) {
        for (const char* name : {"vendor_id", "cpu family", "model", "flags", "Features", "CPU"}) {
            if (line.compare(0, std::strlen(name), name) == 0) {
                text += line + "\n";
                break;
            }
        }
    }
    return text;
}

}  // namespace

HostCompiler FindHostCompiler(const std::string& cxx) {
    const std::vector<std::string> names = cxx.empty()
                                               ? std::vector<std::string>{"c++", "g++", "clang++"}
                                               : std::vector<std::string>{cxx};
    for (const std::string& name : names) {
        const std::string path = FindInPath(name);
        if (path.empty()) {
            continue;
        }
        const PrivateFolder folder{DiskCache("", 0)};
        const std::string log = folder.file("version");
        const int status = Run({path, "--version"}, log, folder.path());
        const std::string output = ReadFile(log);
        if (status > 0 || output.empty()) {
            throw Error(Error::Kind::Unavailable,
                        path + " --version failed: " + output.substr(0, kMessageBytes));
        }
        return {path, output.substr(0, output.find('\n'))};
    }
    throw Error(
        Error::Kind::Unavailable,
        cxx.empty()
            ? "no C++ compiler (c++, g++ or clang++) in PATH; install g++, or set GDAL_GPU_CXX"
            : "the C++ compiler '" + cxx + "' (GDAL_GPU_CXX) doesn't exist");
}

std::string HostCompilerIdentity(const HostCompiler& compiler) {
    std::string identity = "HOST\n" + compiler.path + "\n" + compiler.version + "\n";
    for (const std::string& flag : kFlags) {
        identity += flag + " ";
    }
    return identity + "\n" + Processor();
}

std::string CompileForHost(const HostCompiler& compiler, const std::string& text,
                           const DiskCache& folders) {
    const PrivateFolder folder(folders);
    std::ofstream(folder.file("kernel.cpp"), std::ios::binary) << text;
    std::vector<std::string> arguments = {compiler.path};
    arguments.insert(arguments.end(), kFlags.begin(), kFlags.end());
    arguments.insert(arguments.end(), {folder.file("kernel.cpp"), "-o", folder.file("kernel.so")});
    const int status = Run(arguments, folder.file("log"), folder.path());
    const std::string log = ReadFile(folder.file("log"));
    std::string binary = ReadFile(folder.file("kernel.so"));
    if (status > 0 || binary.empty()) {
        std::string outcome = "no result";
        if (status > 0 && WIFSIGNALED(status)) {
            outcome = "signal " + std::to_string(WTERMSIG(status));
        } else if (status > 0) {
            outcome = "exit " + std::to_string(WEXITSTATUS(status));
        }
        throw Error(Error::Kind::Compile, compiler.path + " can't compile a kernel (" + outcome +
                                              "): " + log.substr(0, kMessageBytes));
    }
    return binary;
}

}  // namespace gpu
