// Handles of the files that several threads read: a bounded number for the whole process.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "gdal_priv.h"

namespace gdalgpu {

// Which file lies at a path, and in which state: another one in its place, or one that was written
// to, differs. All zero: no plain file.
using FileState = std::array<int64_t, 5>;

// What a handle opens: a GeoTIFF in a certain state, with the file of its external overviews, one
// of which the dataset may stand for.
struct SourceFile {
    std::string path;
    std::string driver;
    std::vector<std::string> open_options;
    FileState state{};
    FileState overviews{};

    // The file that the dataset was opened from, as it lies there now.
    static SourceFile Of(GDALDataset& dataset);

    bool plain() const { return state != FileState{}; }
    // Whether the files at the path are still these.
    bool Unchanged() const;

    friend bool operator<(const SourceFile& a, const SourceFile& b) { return a.key() < b.key(); }

  private:
    using Key = std::tuple<const std::string&, const std::string&, const std::vector<std::string>&,
                           const FileState&, const FileState&>;
    Key key() const { return {path, driver, open_options, state, overviews}; }
};

// Handles stay open for the next read of their file, as long as somebody uses it and there is room:
// those that were used last. May be called from several threads.
class SourceHandles {
  public:
    // Handles that are the caller's while this lives; not to be kept beyond a fork.
    class Loan {
      public:
        Loan(Loan&& other) = default;
        Loan& operator=(Loan&&) = delete;
        ~Loan();

        size_t size() const { return handles_.size(); }
        GDALDataset& operator[](size_t index) { return *handles_[index]; }

      private:
        friend class SourceHandles;
        Loan(SourceHandles& owner, const SourceFile& file) : owner_(owner), file_(file) {}

        SourceHandles& owner_;
        const SourceFile& file_;
        std::vector<GDALDatasetUniquePtr> handles_;
    };

    // At most so many handles are open at once, lent ones included; for a loan of more, up to
    // `most_of_a_loan`.
    explicit SourceHandles(size_t most, size_t most_of_a_loan = 0)
        : most_(most), most_of_a_loan_(most_of_a_loan) {}

    // Those of this process (a forked child has its own): at most 32, 64 for a loan, fewer where
    // the process may have few files open.
    static SourceHandles& OfProcess();

    // Handles of the file, opened read-only: as many as asked for, or fewer where the bound, or the
    // system, allows no more; none where the file has changed. `user` uses the file from now on;
    // `file` must outlive the loan. Gives no CPLError.
    Loan Borrow(const SourceFile& file, const void* user, size_t count);

    // `user` doesn't use the file any more; where nobody does, its handles are closed.
    void Release(const SourceFile& file, const void* user);

    // How many are open, lent ones included.
    size_t open() const;

  private:
    using Handles = std::vector<GDALDatasetUniquePtr>;
    struct Idle {
        const SourceFile* file;  // a key of users_
        GDALDatasetUniquePtr handle;
    };

    void TakeIdle(const SourceFile& file, size_t most, Handles& to);
    void Return(const SourceFile& file, Handles& handles);

    const size_t most_;
    const size_t most_of_a_loan_;
    mutable std::mutex mutex_;
    size_t open_ = 0;
    std::map<SourceFile, std::set<const void*>> users_;
    std::list<Idle> idle_;  // the one used last at the end
};

}  // namespace gdalgpu
