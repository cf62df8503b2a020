#include "plugin/vrt/block_store.h"

#include <algorithm>
#include <utility>

#include "gpu/thread_pool.h"
#include "plugin/runtime.h"

namespace gdalgpu {

namespace {

constexpr size_t kMostRectangles = 4;
constexpr int64_t kParallelBytes = 4 << 20;  // are worth being copied by several threads

// Block columns [begin, end) and rows [top, bottom).
struct BlockRange {
    int begin = 0;
    int end = 0;
    int top = 0;
    int bottom = 0;
};

// Blocks that were put into the cache, locked, and have no pixels yet. What isn't kept in the end,
// because an exception came first, leaves the cache again.
class NewBlocks {
  public:
    NewBlocks() = default;
    NewBlocks(const NewBlocks&) = delete;
    NewBlocks& operator=(const NewBlocks&) = delete;
    ~NewBlocks() {
        for (GDALRasterBlock* block : blocks_) {
            GDALRasterBand& band = *block->GetBand();
            const int column = block->GetXOff(), row = block->GetYOff();
            block->DropLock();
            band.FlushBlock(column, row, FALSE);
        }
    }

    void Add(GDALRasterBlock& block) { blocks_.push_back(&block); }
    void Keep() {
        for (GDALRasterBlock* block : blocks_) block->DropLock();
        blocks_.clear();
    }

    int64_t size() const { return static_cast<int64_t>(blocks_.size()); }
    GDALRasterBlock& operator[](int64_t i) const { return *blocks_[i]; }

  private:
    std::vector<GDALRasterBlock*> blocks_;
};

void Join(BlockRange& range, const BlockRange& other) {
    range = {std::min(range.begin, other.begin), std::max(range.end, other.end),
             std::min(range.top, other.top), std::max(range.bottom, other.bottom)};
}

}  // namespace

BlockStore::BlockStore(GDALDataset& dataset) : dataset_(dataset) {
    dataset.GetRasterBand(1)->GetBlockSize(&block_width_, &block_height_);
    columns_ = DIV_ROUND_UP(dataset.GetRasterXSize(), block_width_);
}

PixelWindow BlockStore::WholeBlocks(const PixelWindow& window) const {
    const int64_t x = window.x / block_width_ * block_width_;
    const int64_t y = window.y / block_height_ * block_height_;
    const auto end = [](int64_t last, int64_t block, int64_t size) {
        return std::min((last + block - 1) / block * block, size);
    };
    return {x, y, end(window.x + window.width, block_width_, dataset_.GetRasterXSize()) - x,
            end(window.y + window.height, block_height_, dataset_.GetRasterYSize()) - y};
}

PixelWindow BlockStore::WindowOfBlocks(int begin, int end, int row) const {
    return WholeBlocks({int64_t{begin} * block_width_, int64_t{row} * block_height_,
                        int64_t{end - begin} * block_width_, 1});
}

int64_t BlockStore::Bytes(const PixelWindow& window) const {
    int64_t bytes = 0;  // of a pixel
    for (int band = 1; band <= dataset_.GetRasterCount(); ++band)
        bytes += GDALGetDataTypeSizeBytes(dataset_.GetRasterBand(band)->GetRasterDataType());
    const auto up = [](int64_t size, int64_t block) { return (size + block - 1) / block * block; };
    const PixelWindow blocks = WholeBlocks(window);
    return bytes * up(blocks.width, block_width_) * up(blocks.height, block_height_);
}

// Locked; nullptr where it isn't there.
GDALRasterBlock* BlockStore::Find(int band, int column, int row) const {
    return dataset_.GetRasterBand(band)->TryGetLockedBlockRef(column, row);
}

bool BlockStore::Holds(int band, int column, int row) const {
    GDALRasterBlock* block = Find(band, column, row);
    if (block != nullptr) block->DropLock();
    return block != nullptr;
}

bool BlockStore::Holds(const PixelWindow& window, const std::vector<int>& bands) const {
    for (int64_t row = window.y / block_height_; row * block_height_ < window.y + window.height;
         ++row) {
        for (int64_t column = window.x / block_width_;
             column * block_width_ < window.x + window.width; ++column) {
            for (const int band : bands) {
                if (!Holds(band, static_cast<int>(column), static_cast<int>(row))) return false;
            }
        }
    }
    return true;
}

// `held` is asked once for each block of the window.
template <class Held>
std::vector<PixelWindow> BlockStore::CollectMissing(const PixelWindow& window, Held&& held) const {
    const auto block = [](int64_t place, int size) { return static_cast<int>(place / size); };
    const int last_row = block(window.y + window.height - 1, block_height_);
    const int last_column = block(window.x + window.width - 1, block_width_);
    std::vector<BlockRange> ranges;
    for (int row = block(window.y, block_height_); row <= last_row; ++row) {
        BlockRange range{0, 0, row, row + 1};
        for (int column = block(window.x, block_width_); column <= last_column; ++column) {
            if (held(column, row)) continue;
            if (range.end == 0) range.begin = column;
            range.end = column + 1;
        }
        if (range.end == 0) continue;
        BlockRange* above = ranges.empty() ? nullptr : &ranges.back();
        if (above != nullptr && above->bottom == row && above->begin == range.begin &&
            above->end == range.end) {
            above->bottom = row + 1;
        } else {
            ranges.push_back(range);
        }
    }
    if (ranges.size() > kMostRectangles) {
        for (const BlockRange& range : ranges) Join(ranges.front(), range);
        ranges.resize(1);
    }
    std::vector<PixelWindow> windows;
    windows.reserve(ranges.size());
    for (const BlockRange& range : ranges) {
        windows.push_back(
            WholeBlocks({int64_t{range.begin} * block_width_, int64_t{range.top} * block_height_,
                         int64_t{range.end - range.begin} * block_width_,
                         int64_t{range.bottom - range.top} * block_height_}));
    }
    return windows;
}

std::vector<PixelWindow> BlockStore::Missing(const PixelWindow& window,
                                             const std::vector<int>& bands) const {
    return CollectMissing(window, [&](int column, int row) {
        return std::all_of(bands.begin(), bands.end(),
                           [&](int band) { return Holds(band, column, row); });
    });
}

std::vector<PixelWindow> BlockStore::Deliver(const ReadRequest& request) const {
    struct Locked {
        GDALRasterBlock* block;
        size_t band_index;
    };
    std::vector<Locked> locked;
    const auto deliver = [&] {
        const auto copy = [&](int64_t i) { Copy(request, *locked[i].block, locked[i].band_index); };
        const auto count = static_cast<int64_t>(locked.size());
        if (count > 0 && count * locked[0].block->GetBlockSize() >= kParallelBytes) {
            HostThreads().run(count, copy);
        } else {
            for (int64_t i = 0; i < count; ++i) copy(i);
        }
        for (const Locked& one : locked) one.block->DropLock();
        locked.clear();
    };
    int last_row = -1;
    std::vector<PixelWindow> missing = CollectMissing(request.window, [&](int column, int row) {
        if (row != last_row) deliver();
        last_row = row;
        const size_t before = locked.size();
        for (size_t i = 0; i < request.bands.size(); ++i) {
            GDALRasterBlock* block = Find(request.bands[i], column, row);
            if (block == nullptr) {
                for (; locked.size() > before; locked.pop_back()) locked.back().block->DropLock();
                return false;
            }
            locked.push_back({block, i});
        }
        return true;
    });
    deliver();
    return missing;
}

// What the request asks for of a block.
void BlockStore::Copy(const ReadRequest& request, GDALRasterBlock& block, size_t band_index) const {
    const PixelWindow window =
        WindowOfBlocks(block.GetXOff(), block.GetXOff() + 1, block.GetYOff());
    const PixelWindow part = Intersection(window, request.window);
    const GDALDataType type = block.GetDataType();
    const int word = GDALGetDataTypeSizeBytes(type);
    const int64_t line = int64_t{word} * block_width_;
    const GByte* from = static_cast<const GByte*>(block.GetDataRef()) + (part.y - window.y) * line +
                        (part.x - window.x) * word;
    GByte* to = static_cast<GByte*>(request.data) +
                request.band_space * static_cast<GSpacing>(band_index) +
                request.line_space * (part.y - request.window.y) +
                request.pixel_space * (part.x - request.window.x);
    for (int64_t y = 0; y < part.height; ++y) {
        GDALCopyWords64(from + y * line, type, word, to + y * request.line_space, request.type,
                        static_cast<int>(request.pixel_space), part.width);
    }
}

ReadRequest BlockStore::RequestForBlock(int band, int column, int row, void* data) const {
    ReadRequest request;
    request.window = WindowOfBlocks(column, column + 1, row);
    request.bands = {band};
    request.data = data;
    request.type = dataset_.GetRasterBand(band)->GetRasterDataType();
    request.pixel_space = GDALGetDataTypeSizeBytes(request.type);
    request.line_space = request.pixel_space * block_width_;
    return request;
}

void BlockStore::Keep(const PixelWindow& window,
                      const std::function<void(const ReadRequest&)>& fill) const {
    const int first_column = static_cast<int>(window.x / block_width_);
    const int last_column = static_cast<int>((window.x + window.width - 1) / block_width_);
    const int last_row = static_cast<int>((window.y + window.height - 1) / block_height_);
    bool room = true;
    for (int row = static_cast<int>(window.y / block_height_); row <= last_row && room; ++row) {
        NewBlocks blocks;
        for (int column = first_column; column <= last_column && room; ++column) {
            for (int band = 1; band <= dataset_.GetRasterCount() && room; ++band) {
                if (Holds(band, column, row)) continue;
                GDALRasterBlock* block =
                    dataset_.GetRasterBand(band)->GetLockedBlockRef(column, row, TRUE);
                room = block != nullptr;
                if (room) blocks.Add(*block);
            }
        }
        HostThreads().run(blocks.size(), [&](int64_t i) {
            GDALRasterBlock& block = blocks[i];
            fill(RequestForBlock(block.GetBand()->GetBand(), block.GetXOff(), block.GetYOff(),
                                 block.GetDataRef()));
        });
        blocks.Keep();
    }
}

}  // namespace gdalgpu
