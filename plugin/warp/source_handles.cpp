#include "plugin/warp/source_handles.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "cpl_error.h"
#include "cpl_string.h"
#include "gpu/per_process.h"

namespace gdalgpu {

namespace {

constexpr size_t kMostHandles = 32;
constexpr size_t kMostOfALoan = 64;
constexpr size_t kShareOfFiles = 8;  // of the files that the process may have open

FileState StateOf(const std::string& path) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    return {static_cast<int64_t>(status.st_dev), static_cast<int64_t>(status.st_ino),
            static_cast<int64_t>(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

size_t Affordable() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return kMostOfALoan;
    return static_cast<size_t>(limit.rlim_cur) / kShareOfFiles;
}

GDALDatasetUniquePtr Open(const SourceFile& file) {
    CPLStringList options;
    for (const std::string& option : file.open_options) options.AddString(option.c_str());
    const char* const drivers[] = {file.driver.c_str(), nullptr};
    return GDALDatasetUniquePtr(GDALDataset::Open(
        file.path.c_str(), GDAL_OF_RASTER | GDAL_OF_INTERNAL, drivers, options.List(), nullptr));
}

}  // namespace

SourceFile SourceFile::Of(GDALDataset& dataset) {
    SourceFile file;
    file.path = dataset.GetDescription();
    if (dataset.GetDriver() != nullptr) file.driver = dataset.GetDriver()->GetDescription();
    for (CSLConstList option = dataset.GetOpenOptions(); option != nullptr && *option != nullptr;
         ++option) {
        file.open_options.emplace_back(*option);
    }
    file.state = StateOf(file.path);
    file.overviews = StateOf(file.path + ".ovr");
    return file;
}

bool SourceFile::Unchanged() const {
    return StateOf(path) == state && StateOf(path + ".ovr") == overviews;
}

SourceHandles& SourceHandles::OfProcess() {
    // Never destroyed: datasets may be closed until the process ends.
    static auto* handles = new gpu::PerProcess<SourceHandles>([] {
        return new SourceHandles(std::min(kMostHandles, Affordable()),
                                 std::min(kMostOfALoan, Affordable()));
    });
    return handles->get();
}

SourceHandles::Loan::~Loan() {
    if (!handles_.empty()) owner_.Return(file_, handles_);
}

// `file` is a key of users_; the lock is held.
void SourceHandles::TakeIdle(const SourceFile& file, size_t most, Handles& to) {
    for (auto idle = idle_.begin(); idle != idle_.end() && most > 0;) {
        if (idle->file != &file) {
            ++idle;
            continue;
        }
        to.push_back(std::move(idle->handle));
        idle = idle_.erase(idle);
        --most;
    }
}

SourceHandles::Loan SourceHandles::Borrow(const SourceFile& file, const void* user, size_t count) {
    Loan loan(*this, file);
    Handles to_close;  // without the lock
    size_t to_open = 0;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        const auto entry = users_.try_emplace(file).first;
        entry->second.insert(user);
        TakeIdle(entry->first, count, loan.handles_);
        to_open = count - loan.size();
        const size_t most = std::max(most_, std::min(count, most_of_a_loan_));
        for (; open_ + to_open > most && !idle_.empty(); --open_) {
            to_close.push_back(std::move(idle_.front().handle));
            idle_.pop_front();
        }
        to_open = std::min(to_open, most - std::min(most, open_));
        open_ += to_open;
    }
    if (to_open == 0) return loan;
    size_t opened = 0;
    {
        CPLErrorStateBackuper state;
        CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
        to_close.clear();
        for (; opened < to_open; ++opened) {
            GDALDatasetUniquePtr handle = Open(file);
            if (handle == nullptr) break;
            loan.handles_.push_back(std::move(handle));
        }
    }
    size_t gone = to_open - opened;
    if (!file.Unchanged()) {  // what was opened may be another file
        gone = loan.size() + to_open - opened;
        loan.handles_.clear();
    }
    std::lock_guard<std::mutex> lock(mutex_);
    open_ -= gone;
    return loan;
}

void SourceHandles::Return(const SourceFile& file, Handles& handles) {
    Handles to_close;
    std::lock_guard<std::mutex> lock(mutex_);
    const auto entry = users_.find(file);
    if (entry == users_.end()) {
        open_ -= handles.size();
        to_close = std::move(handles);
        return;
    }
    for (GDALDatasetUniquePtr& handle : handles)
        idle_.push_back({&entry->first, std::move(handle)});
}

void SourceHandles::Release(const SourceFile& file, const void* user) {
    Handles to_close;
    std::lock_guard<std::mutex> lock(mutex_);
    const auto entry = users_.find(file);
    if (entry == users_.end()) return;
    entry->second.erase(user);
    if (!entry->second.empty()) return;
    TakeIdle(entry->first, idle_.size(), to_close);
    open_ -= to_close.size();
    users_.erase(entry);
}

size_t SourceHandles::open() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return open_;
}

}  // namespace gdalgpu
