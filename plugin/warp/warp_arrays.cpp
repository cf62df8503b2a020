#include "plugin/warp/warp_arrays.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>

#include "gpu/thread_pool.h"
#include "kernels/core/fill.h"
#include "plugin/runtime.h"

namespace gdalgpu {

namespace {

// Work on [0, bytes) in pieces, by several threads where it is large.
void InPieces(size_t bytes, const std::function<void(size_t begin, size_t end)>& work) {
    constexpr size_t kPiece = 16u << 20;
    HostThreads().run(static_cast<int64_t>((bytes + kPiece - 1) / kPiece), [&](int64_t piece) {
        const size_t begin = static_cast<size_t>(piece) * kPiece;
        work(begin, std::min(bytes, begin + kPiece));
    });
}

bool AllTheSame(const std::byte* data, size_t element, size_t count) {
    if (count == 0) {
        return false;
    }
    std::atomic<bool> same{true};
    // Each element equals the next one: the data equals itself, moved by one element.
    InPieces((count - 1) * element, [&](size_t begin, size_t end) {
        constexpr size_t kStride = 1u << 16;
        for (size_t at = begin; at < end && same; at += kStride) {
            const size_t bytes = std::min(kStride, end - at);
            if (std::memcmp(data + at, data + at + element, bytes) != 0) {
                same = false;
            }
        }
    });
    return same;
}

void Refill(std::byte* data, size_t element, size_t count, uint64_t value) {
    InPieces(count * element, [&](size_t begin, size_t end) {
        for (size_t at = begin; at < end; at += element) {
            std::memcpy(data + at, &value, element);
        }
    });
}

bool WholeRows(const PixelWindow& part, int64_t width) {
    return part.x == 0 && part.width == width;
}

size_t Bytes(const PixelWindow& part, size_t element) {
    return static_cast<size_t>(part.width) * static_cast<size_t>(part.height) * element;
}

size_t Offset(int64_t width, int64_t x, int64_t y, size_t element) {
    return (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * element;
}

}  // namespace

void UploadPart(gpu::Stream& stream, void* device, const void* raster, size_t element,
                int64_t width, const PixelWindow& part) {
    if (part.width <= 0 || part.height <= 0) {
        return;
    }
    const std::byte* const from = static_cast<const std::byte*>(raster);
    if (WholeRows(part, width)) {
        stream.upload(device, from + Offset(width, 0, part.y, element), Bytes(part, element));
        return;
    }
    const std::unique_ptr<std::byte[]> packed(new std::byte[Bytes(part, element)]);
    const size_t row_bytes = static_cast<size_t>(part.width) * element;
    for (int64_t row = 0; row < part.height; ++row) {
        std::memcpy(packed.get() + static_cast<size_t>(row) * row_bytes,
                    from + Offset(width, part.x, part.y + row, element), row_bytes);
    }
    stream.upload(device, packed.get(), Bytes(part, element));
}

MaskPart MaskPartOf(int64_t width, const PixelWindow& part) {
    MaskPart mask;
    if (part.width <= 0 || part.height <= 0) {
        return mask;
    }
    const int64_t first_bit = part.y * width + part.x;
    const int64_t last_bit = (part.y + part.height - 1) * width + part.x + part.width - 1;
    mask.first_word = first_bit / 32;
    mask.words = last_bit / 32 - mask.first_word + 1;
    mask.origin = first_bit - mask.first_word * 32;
    return mask;
}

DestinationArray::DestinationArray(void* original, size_t element, int64_t width, int64_t height)
    : original_(static_cast<std::byte*>(original)),
      element_(element),
      unit_(std::min(element, sizeof(value_))),
      width_(width),
      height_(height) {
    uniform_ = AllTheSame(original_, unit_, Units({0, 0, width, height}));
    if (uniform_) {
        std::memcpy(&value_, original_, unit_);
    }
}

size_t DestinationArray::Units(const PixelWindow& part) const {
    return Bytes(part, element_) / unit_;
}

std::byte* DestinationArray::target() const { return uniform_ ? original_ : aside_.get(); }

void DestinationArray::Load(gpu::Stream& stream, gpu::Module& module, void* device,
                            const PixelWindow& part) const {
    if (!uniform_) {
        UploadPart(stream, device, original_, element_, width_, part);
        return;
    }
    unsigned char bytes[8];
    std::memcpy(bytes, &value_, sizeof(bytes));
    if (std::all_of(bytes, bytes + unit_, [&](unsigned char byte) { return byte == bytes[0]; })) {
        stream.fill(device, bytes[0], Bytes(part, element_));
        return;
    }
    kernels::FillParams params;
    params.out = device;
    params.count = static_cast<kernels::int64>(Units(part));
    params.bytes = static_cast<kernels::int64>(unit_);
    params.value = value_;
    stream.launch(module.kernel("fill"), {params.count, 1}, &params, sizeof(params));
}

void DestinationArray::MakeAside() {
    if (!uniform_ && aside_ == nullptr) {
        aside_.reset(new std::byte[Offset(width_, 0, height_, element_)]);
    }
}

void DestinationArray::Save(gpu::Stream& stream, const void* device, const PixelWindow& part) {
    MakeAside();
    touched_ = true;
    if (WholeRows(part, width_)) {
        stream.download(target() + Offset(width_, 0, part.y, element_), device,
                        Bytes(part, element_));
        return;
    }
    packed_.reset(new std::byte[Bytes(part, element_)]);
    stream.download(packed_.get(), device, Bytes(part, element_));
}

void DestinationArray::FinishSave(const PixelWindow& part) {
    if (packed_ == nullptr) {
        return;
    }
    const size_t row_bytes = static_cast<size_t>(part.width) * element_;
    for (int64_t row = 0; row < part.height; ++row) {
        std::memcpy(target() + Offset(width_, part.x, part.y + row, element_),
                    packed_.get() + static_cast<size_t>(row) * row_bytes, row_bytes);
    }
    packed_.reset();
}

void DestinationArray::Commit() {
    if (aside_ != nullptr) {
        gpu::ParallelCopy(HostThreads(), original_, aside_.get(),
                          Offset(width_, 0, height_, element_));
    }
}

void DestinationArray::Rollback() {
    if (uniform_ && touched_) {
        Refill(original_, unit_, Units({0, 0, width_, height_}), value_);
    }
}

}  // namespace gdalgpu
