#include "plugin/report.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

#include "cpl_conv.h"
#include "cpl_error.h"
#include "cpl_json.h"
#include "gpu/per_process.h"
#include "plugin/options.h"

namespace gdalgpu {

namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Held for a write. Never destroyed: a report may be written while the process ends.
std::mutex& Writing() {
    static auto* mutex = new gpu::PerProcess<std::mutex>([] { return new std::mutex; });
    return mutex->get();
}

// For appending; a FIFO that nobody reads is an error, where an ordinary open() would wait for a
// reader.
int OpenReport(const std::string& path) {
    const int file =
        open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file >= 0) fcntl(file, F_SETFL, O_APPEND);
    return file;
}

// The stream of that name; -1 for others.
int StreamOfName(const std::string& target) {
    if (target == "stderr") return STDERR_FILENO;
    return target == "stdout" || target == "-" ? STDOUT_FILENO : -1;
}

std::string CannotBeWritten(const std::string& target, int error) {
    return "GDAL_GPU_REPORT=" + target + " can't be written: " + std::strerror(error);
}

// Appends a line with one write, so that lines of several processes don't mix.
void Append(const std::string& target, const std::string& line) {
    const int stream = StreamOfName(target);
    const int file = stream >= 0 ? stream : OpenReport(target);
    ssize_t written = -1;
    if (file >= 0) {
        const std::lock_guard<std::mutex> lock(Writing());
        do {
            written = write(file, line.data(), line.size());
        } while (written < 0 && errno == EINTR);
    }
    const int error = written < 0 ? errno : ENOSPC;
    if (file >= 0 && stream < 0) {
        close(file);
    }
    if (written != static_cast<ssize_t>(line.size())) WarnOnce(CannotBeWritten(target, error));
}

}  // namespace

std::string WhyNoReport(const std::string& target) {
    if (target.empty() || StreamOfName(target) >= 0) return "";
    const size_t slash = target.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
    struct stat status;
    if (stat(target.c_str(), &status) == 0) {
        if (S_ISDIR(status.st_mode)) return CannotBeWritten(target, EISDIR);
        if (access(target.c_str(), W_OK) != 0) return CannotBeWritten(target, errno);
    } else if (access(folder.c_str(), W_OK | X_OK) != 0) {
        return CannotBeWritten(target, errno);
    }
    return "";
}

Report::Report(std::string door, std::string operation)
    : door_(std::move(door)), operation_(std::move(operation)), start_(Clock::now()) {
    CheckOptions();  // also where the request is left to GDAL before it comes to a device
}

Report::~Report() {
    try {
        const double total = Since(start_);
        CPLDebug("GPU", "%s %s: %s%s%s, %llu pixels, %d compiled, %.6f s%s%s", door_.c_str(),
                 operation_.c_str(), device.c_str(), kernel.empty() ? "" : ", ", kernel.c_str(),
                 pixels, compiled, total, reason.empty() ? "" : "; ", reason.c_str());
        const std::string target = CPLGetConfigOption("GDAL_GPU_REPORT", "");
        if (target.empty()) {
            return;
        }
        CPLJSONObject line;
        line.Add("door", door_);
        line.Add("operation", operation_);
        line.Add("device", device);
        line.Add("kernel", kernel);
        line.Add("path", path);
        line.Add("precision", precision);
        line.Add("pixels", static_cast<GInt64>(pixels));
        line.Add("compiled", compiled);
        line.Add("reason", reason);
        CPLJSONObject stages;
        for (const auto& [stage, time] : seconds) {
            stages.Add(stage, time);
        }
        stages.Add("total", total);
        line.Add("seconds", stages);
        Append(target, line.Format(CPLJSONObject::PrettyFormat::Plain) + "\n");
    } catch (const std::exception& error) {
        CPLDebug("GPU", "no report: %s", error.what());
    }
}

Report::Stage::Stage(Report& report, const char* stage)
    : report_(report), stage_(stage), start_(Clock::now()) {}

Report::Stage::~Stage() { report_.seconds[stage_] += Since(start_); }

}  // namespace gdalgpu
