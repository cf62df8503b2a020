#include "plugin/coordinates/coordinate_pieces.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "plugin/coordinates/parameter_bytes.h"

namespace gdalgpu {

namespace {

constexpr int64_t kLeastPiece = 16384;  // smaller ones cost more than they carry

// A stream with room for one piece.
class Lane {
  public:
    Lane(gpu::Device& device, const CoordinateArrays& arrays, bool flags, int64_t piece)
        : stream_(device.stream()) {
        const auto bytes = static_cast<size_t>(piece) * sizeof(double);
        for (int k = 0; k < 4; ++k) {
            if (arrays[k] == nullptr) continue;
            memory_.push_back(stream_->allocate(bytes));
            device_[k] = static_cast<double*>(memory_.back()->address());
        }
        if (flags) {
            memory_.push_back(stream_->allocate(static_cast<size_t>(piece) * sizeof(int)));
            flags_ = static_cast<int*>(memory_.back()->address());
        }
    }

    // False where an error came before anything was written back.
    bool Run(gpu::Module& module, const std::vector<std::byte>& parameters, int64_t begin,
             int64_t count, const CoordinateArrays& arrays, int* success, std::string& problem) {
        const auto bytes = static_cast<size_t>(count) * sizeof(double);
        try {
            for (int k = 0; k < 4; ++k) {
                if (arrays[k] != nullptr) stream_->upload(device_[k], arrays[k] + begin, bytes);
            }
            LaunchCoordinates(*stream_, module.kernel("transform_coordinates"), parameters, count,
                              device_, device_, flags_);
            stream_->synchronize();
        } catch (const gpu::Error& error) {
            problem = error.what();
            return false;
        }
        for (int k = 0; k < 4; ++k) {
            if (arrays[k] != nullptr) stream_->download(arrays[k] + begin, device_[k], bytes);
        }
        if (success != nullptr)
            stream_->download(success + begin, flags_, static_cast<size_t>(count) * sizeof(int));
        stream_->synchronize();
        return true;
    }

  private:
    std::unique_ptr<gpu::Stream> stream_;
    std::vector<std::unique_ptr<gpu::Memory>> memory_;
    CoordinateArrays device_{};
    int* flags_ = nullptr;
};

}  // namespace

void EmitCoordinatesKernel(gpu::Source& source, const std::string& kernel,
                           const std::string& struct_name) {
    source.include("step/coordinates.h");
    source.append("\nGPU_KERNEL(" + kernel + ", kernels::step::TransformCoordinatesParams<" +
                  struct_name + ">, p) {\n    GPU_FOR_1D(i, p.count) { p.run(i); }\n}\n");
}

void LaunchCoordinates(gpu::Stream& stream, const gpu::Kernel& kernel,
                       const std::vector<std::byte>& parameters, int64_t count,
                       const CoordinateArrays& in, const CoordinateArrays& out, int* success) {
    std::vector<std::byte> all = parameters;
    AppendBytes(all, in);
    AppendBytes(all, out);
    AppendBytes(all, success);
    AppendBytes(all, count);
    stream.launch(kernel, {count, 1}, all.data(), all.size());
}

Pieces TransformInPieces(gpu::Device& device, gpu::Module& module,
                         const std::vector<std::byte>& parameters, int64_t count,
                         const CoordinateArrays& arrays, int* success, int64_t most) {
    Pieces result;
    std::vector<std::unique_ptr<Lane>> lanes;
    result.piece = std::min(count, most);
    while (lanes.empty()) {
        try {
            const int64_t wanted = count > result.piece ? 2 : 1;
            for (int64_t i = 0; i < wanted; ++i)
                lanes.push_back(
                    std::make_unique<Lane>(device, arrays, success != nullptr, result.piece));
        } catch (const gpu::Error& error) {
            lanes.clear();
            if (error.kind() != gpu::Error::Kind::OutOfMemory || result.piece <= kLeastPiece) {
                result.problem = error.what();
                result.done.assign(static_cast<size_t>((count - 1) / result.piece + 1), 0);
                return result;
            }
            result.piece = std::max(kLeastPiece, result.piece / 4);
        }
    }
    const int64_t pieces = (count - 1) / result.piece + 1;
    result.done.assign(static_cast<size_t>(pieces), 0);
    std::atomic<int64_t> next{0};
    std::mutex mutex;  // of what follows
    std::string problem, torn;
    const auto work = [&](Lane& lane) {
        for (int64_t i; (i = next++) < pieces;) {
            const int64_t begin = i * result.piece;
            std::string why;
            try {
                if (lane.Run(module, parameters, begin, std::min(result.piece, count - begin),
                             arrays, success, why)) {
                    result.done[static_cast<size_t>(i)] = 1;
                    continue;
                }
                const std::lock_guard<std::mutex> lock(mutex);
                problem = why;
            } catch (const std::exception& error) {
                const std::lock_guard<std::mutex> lock(mutex);
                torn = error.what();
            }
            next = pieces;
        }
    };
    std::thread second;
    if (lanes.size() > 1) second = std::thread([&] { work(*lanes[1]); });
    work(*lanes[0]);
    if (second.joinable()) second.join();
    if (!torn.empty())
        throw std::runtime_error("the device failed while results were copied back, and the " +
                                 std::string("arrays are incomplete: ") + torn);
    result.problem = problem;
    return result;
}

}  // namespace gdalgpu
