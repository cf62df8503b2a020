// A GDALWarpKernel's arrays on their way to the device and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/device.h"
#include "plugin/coordinates/pixel_transform.h"

namespace gdalgpu {

// Copies the part of a raster of `width` columns with elements of that size to the device, without
// gaps.
void UploadPart(gpu::Stream& stream, void* device, const void* raster, size_t element,
                int64_t width, const PixelWindow& part);

// Words of a packed mask that hold the rows of a part, and the bit of its first pixel in them.
struct MaskPart {
    int64_t first_word = 0;
    int64_t words = 0;
    int64_t origin = 0;
};
MaskPart MaskPartOf(int64_t width, const PixelWindow& part);

// One array of the destination. Nothing of the original changes before Commit(), other than where
// all its elements were the same (an INIT_DEST that was just made): those are known, are never
// uploaded, and Rollback() brings them back.
class DestinationArray {
  public:
    DestinationArray(void* original, size_t element, int64_t width, int64_t height);

    // What the array holds before the warp, into device memory. `module` has the kernel `fill`.
    void Load(gpu::Stream& stream, gpu::Module& module, void* device,
              const PixelWindow& part) const;
    // Takes the result of a part. FinishSave() after the stream was synchronized.
    void Save(gpu::Stream& stream, const void* device, const PixelWindow& part);
    void FinishSave(const PixelWindow& part);

    void Commit();
    void Rollback();

  private:
    size_t Units(const PixelWindow& part) const;
    std::byte* target() const;
    void MakeAside();

    std::byte* original_;
    size_t element_;
    size_t unit_;  // of what is compared and refilled: the element, of one of 16 bytes its halves
    int64_t width_;
    int64_t height_;
    bool uniform_ = false;
    bool touched_ = false;
    uint64_t value_ = 0;                   // of a uniform array's units, in its first bytes
    std::unique_ptr<std::byte[]> aside_;   // the result, until Commit()
    std::unique_ptr<std::byte[]> packed_;  // a part that isn't whole rows, until FinishSave()
};

}  // namespace gdalgpu
