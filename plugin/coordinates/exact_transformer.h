// GDAL's own transformer on the CPU, without the approximation, from several threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "gdal_alg.h"
#include "plugin/coordinates/transformer_description.h"

namespace gdalgpu {

class ExactTransformer {
    struct Copy;

  public:
    // tree: the transformer's XML, or null where it has none. The transformer itself is used only
    // where it can't be copied, and then must outlive this. The calling thread must be one that may
    // use it. destination_pixels: column, row, column, row, ...: pixels of the destination at which
    // a copy must agree with the transformer. Empty: unknown.
    ExactTransformer(GDALTransformerFunc transformer, void* argument, const CPLXMLNode* tree,
                     const TransformerDescription& description,
                     const std::vector<int64_t>& destination_pixels = {});
    ~ExactTransformer();
    ExactTransformer(const ExactTransformer&) = delete;
    ExactTransformer& operator=(const ExactTransformer&) = delete;

    // One copy, for one thread at a time; waits for one where all are in use.
    class Lease {
      public:
        explicit Lease(ExactTransformer& owner);
        ~Lease();
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;

        // Transforms pixel coordinates from destination to source in place, as a warp does a
        // scanline (z is 0). Where a point fails, x and y become NaN.
        void ToSource(size_t count, double* x, double* y);

      private:
        ExactTransformer& owner_;
        Copy* copy_;
        std::vector<double> x_, y_, z_;
        std::vector<int> success_;
    };

    // Whether points fail that the inverse doesn't bring back (TransformerDescription). Where the
    // copies can't tell: as CHECK_WITH_INVERT_PROJ is now.
    bool inverse_checked() const { return inverse_checked_; }

    // Calls piece(lease, 0) ... piece(lease, count - 1) from several threads, with the caller's
    // thread-local configuration. Rethrows the first exception.
    void Run(int64_t count, const std::function<void(Lease&, int64_t)>& piece);

  private:
    // The threads that can work at once.
    int parallel();
    void Transform(Copy& copy, bool to_source, std::vector<double>& x, std::vector<double>& y,
                   std::vector<double>& z, std::vector<int>& success) const;
    std::unique_ptr<Copy> MakeCopy(void* original) const;
    bool Agrees(Copy& original, Copy& copy, const std::vector<int64_t>& destination_pixels) const;

    GDALTransformerFunc transformer_;
    void* argument_;
    bool approximates_;
    bool inverse_checked_;
    int parallel_ = 1;

    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<std::unique_ptr<Copy>> copies_;
    std::vector<Copy*> free_;
};

// The threads for CPU work on coordinates: GDAL_NUM_THREADS, else all cores.
int CoordinateThreads();

}  // namespace gdalgpu
