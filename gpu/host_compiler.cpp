#include "gpu/host_compiler.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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
// A kernel's text, the compiler's assembly and objects, and the library.
constexpr uint64_t kRoom = 32 << 20;

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

struct Outcome {
    int status = -1;  // what waitpid says, or -1 where the application reaps its children itself
    std::string output;
};

std::string ReadAll(int file) {
    std::string text;
    char buffer[4096];
    lseek(file, 0, SEEK_SET);
    for (ssize_t got; (got = read(file, buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<size_t>(got));
    }
    return text;
}

// Runs a program. It gets no file, signal mask or preloaded library of this process, and ends with
// it. tmpdir: for its temporary files; empty: as this process.
Outcome Run(std::vector<std::string> arguments, const std::string& tmpdir) {
    std::vector<std::string> environment = {"LC_ALL=C"};
    if (!tmpdir.empty()) {
        environment.push_back("TMPDIR=" + tmpdir);
    }
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        if (text.compare(0, 11, "LD_PRELOAD=") != 0 && text.compare(0, 7, "LC_ALL=") != 0 &&
            (tmpdir.empty() || text.compare(0, 7, "TMPDIR=") != 0)) {
            environment.push_back(text);
        }
    }
    const std::vector<char*> argument_pointers = Pointers(arguments);
    const std::vector<char*> environment_pointers = Pointers(environment);
    // In memory: what it says of a full disk isn't lost to the full disk.
    const int memory = memfd_create("compiler-output", MFD_CLOEXEC);
    const int log = fcntl(memory, F_DUPFD_CLOEXEC, 3);  // beyond what becomes the program's streams
    close(memory);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) {
        const int error = errno;
        close(log);
        throw Error(Error::Kind::Compile,
                    "can't start " + arguments[0] + ": " + std::strerror(error));
    }
    if (child == 0) {
        // Only what is safe after a fork from a process with threads.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) {
            _exit(127);
        }
        const int input = open("/dev/null", O_RDWR);
        const int output = log >= 0 ? log : input;
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
    Outcome outcome;
    while (waitpid(child, &outcome.status, 0) < 0) {
        if (errno != EINTR) {
            outcome.status = -1;
            break;
        }
    }
    if (log >= 0) {
        outcome.output = ReadAll(log);
        close(log);
    }
    return outcome;
}

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

// How a program ended and what it said.
std::string Words(int status, const std::string& output) {
    std::string words = "no result";
    if (status > 0 && WIFSIGNALED(status)) {
        words = "signal " + std::to_string(WTERMSIG(status));
    } else if (status > 0) {
        words = "exit " + std::to_string(WEXITSTATUS(status));
    }
    return words + ", " + (output.empty() ? "no message" : output.substr(0, kMessageBytes));
}

// "120 MB free"
std::string FreeSpace(const std::string& folder) {
    struct statvfs status;
    if (statvfs(folder.c_str(), &status) != 0) {
        return std::strerror(errno);
    }
    const uint64_t bytes = uint64_t{status.f_bavail} * status.f_frsize;
    return std::to_string(bytes >> 20) + " MB free";
}

}  // namespace

void CheckHostCompiler(const std::string& cxx) {
    if (!cxx.empty() && FindInPath(cxx).empty()) {
        throw Error(Error::Kind::InvalidArgument,
                    "GDAL_GPU_CXX=" + cxx + " is no program" +
                        (cxx.find('/') == std::string::npos ? " in PATH" : " that can be run") +
                        "; install a C++ compiler or name another");
    }
}

HostCompiler FindHostCompiler(const std::string& cxx) {
    CheckHostCompiler(cxx);
    const std::vector<std::string> names = cxx.empty()
                                               ? std::vector<std::string>{"c++", "g++", "clang++"}
                                               : std::vector<std::string>{cxx};
    for (const std::string& name : names) {
        const std::string path = FindInPath(name);
        if (path.empty()) {
            continue;
        }
        const auto [status, output] = Run({path, "--version"}, "");
        if (status > 0 || output.empty()) {
            std::string problem = cxx.empty() ? "" : "GDAL_GPU_CXX=" + cxx + ": ";
            problem.append(path).append(" --version fails: ");
            problem += Words(status, output.substr(0, output.find('\n')));
            throw Error(cxx.empty() ? Error::Kind::Unavailable : Error::Kind::InvalidArgument,
                        problem);
        }
        return {path, output.substr(0, output.find('\n'))};
    }
    throw Error(Error::Kind::Unavailable,
                "no C++ compiler (c++, g++ or clang++) in PATH; install g++, or set GDAL_GPU_CXX");
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
    const std::string what = compiler.path + " can't compile a kernel";
    const PrivateFolder folder(folders.temporary_starts(), kRoom);
    if (folder.path().empty()) {
        throw Error(Error::Kind::Compile, what + ": no folder for its files: " + folder.problem());
    }
    const std::string problem = WriteNewFile(folder.file("kernel.cpp"), text);
    if (!problem.empty()) {
        throw Error(Error::Kind::Compile,
                    what + ": its text can't be written to " + folder.path() + ": " + problem);
    }
    std::vector<std::string> arguments = {compiler.path};
    arguments.insert(arguments.end(), kFlags.begin(), kFlags.end());
    arguments.insert(arguments.end(), {folder.file("kernel.cpp"), "-o", folder.file("kernel.so")});
    const auto [status, output] = Run(arguments, folder.path());
    std::string binary = ReadFile(folder.file("kernel.so"));
    if (status > 0 || binary.empty()) {
        throw Error(Error::Kind::Compile, what + " in " + folder.path() + " (" +
                                              FreeSpace(folder.path()) +
                                              "): " + Words(status, output));
    }
    return binary;
}

}  // namespace gpu
