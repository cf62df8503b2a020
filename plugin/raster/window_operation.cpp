#include "plugin/raster/window_operation.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "plugin/runtime.h"

namespace gdalgpu {

namespace {

constexpr int64_t kHalo = 1;
constexpr int64_t kHostBytes = 256 << 20;  // of source and result pixels at once
constexpr int64_t kSmallestBudget =
    1 << 16;  // bytes of device memory; with less than that the CPU does the rest
constexpr int kFewRows = 64;

// The source pixels of a part, with the halo that lies inside the raster.
struct Part {
    RasterWindow output;
    RasterWindow input;
};

int64_t Pixels(const RasterWindow& window) { return int64_t{window.width} * window.height; }

// One request: cuts its window to parts that fit, and computes them one after the other.
class Computation {
  public:
    Computation(const WindowOperation& operation, GDALRasterBand& source,
                const RasterWindow& window, void* output, Report& report)
        : operation_(operation),
          source_(source),
          window_(window),
          output_(static_cast<unsigned char*>(output)),
          report_(report),
          input_pixel_(GDALGetDataTypeSizeBytes(operation.read_type)),
          output_pixel_(GDALGetDataTypeSizeBytes(operation.output_type)) {
        choose_device();
    }

    void compute(const RasterWindow& window) {
        const Part part = with_halo(window);
        if (input_bytes(part) + output_bytes(part) > budget_ && Pixels(window) > 1) {
            compute_halves(window);
            return;
        }
        read(part);
        if (device_) {
            try {
                run_on_device(part);
                return;
            } catch (const gpu::Error& error) {
                if (error.kind() == gpu::Error::Kind::OutOfMemory && budget_ > kSmallestBudget) {
                    budget_ = std::max(kSmallestBudget, budget_ / 2);
                    compute(window);
                    return;
                }
                leave_device(error.what());
            }
        }
        run_on_cpu(part);
    }

    const char* device_name() const { return device_ ? device_->kind_name() : "GDAL"; }

  private:
    void choose_device() {
        const Selection selection =
            SelectDevice(operation_.raster_width * operation_.raster_height);
        if (!selection.device) {
            report_.reason = selection.reason;
            return;
        }
        const Report::Stage stage(report_, "compile");
        try {
            device_ = selection.device;
            gpu::CompileInfo info;
            module_ = device_->compile(operation_.source(), &info);
            report_.compiled += info.compiled;
            stream_ = device_->stream();
            const int64_t half = static_cast<int64_t>(device_->available_memory() / 2);
            budget_ = std::clamp(half, kSmallestBudget, kHostBytes);
        } catch (const gpu::Error& error) {
            leave_device(error.what());
        }
    }

    void leave_device(const char* reason) {
        stream_.reset();
        module_.reset();
        device_.reset();
        budget_ = kHostBytes;
        report_.reason = reason;
    }

    Part with_halo(const RasterWindow& window) const {
        const int64_t x_begin = std::max<int64_t>(0, window.x - kHalo);
        const int64_t y_begin = std::max<int64_t>(0, window.y - kHalo);
        const int64_t x_end =
            std::min(operation_.raster_width, int64_t{window.x} + window.width + kHalo);
        const int64_t y_end =
            std::min(operation_.raster_height, int64_t{window.y} + window.height + kHalo);
        return {window,
                {static_cast<int>(x_begin), static_cast<int>(y_begin),
                 static_cast<int>(x_end - x_begin), static_cast<int>(y_end - y_begin)}};
    }

    int64_t input_bytes(const Part& part) const { return Pixels(part.input) * input_pixel_; }
    int64_t output_bytes(const Part& part) const { return Pixels(part.output) * output_pixel_; }

    // By rows while there are many: the source is most often stored that way, and the output stays
    // in one piece.
    void compute_halves(const RasterWindow& window) {
        RasterWindow first = window;
        RasterWindow second = window;
        if (window.height >= kFewRows || window.height >= window.width) {
            first.height = window.height / 2;
            second.y += first.height;
            second.height -= first.height;
        } else {
            first.width = window.width / 2;
            second.x += first.width;
            second.width -= first.width;
        }
        compute(first);
        compute(second);
    }

    void read(const Part& part) {
        const Report::Stage stage(report_, "read");
        input_.resize(static_cast<size_t>(input_bytes(part)));
        if (source_.RasterIO(GF_Read, part.input.x, part.input.y, part.input.width,
                             part.input.height, input_.data(), part.input.width, part.input.height,
                             operation_.read_type, input_pixel_, input_pixel_ * part.input.width,
                             nullptr) != CE_None)
            throw std::runtime_error("the source can't be read");
    }

    kernels::NeighbourhoodParams describe(const Part& part, const void* input, void* output) const {
        kernels::NeighbourhoodParams params{};
        params.input = input;
        params.output = output;
        params.width = part.output.width;
        params.height = part.output.height;
        params.x = part.output.x;
        params.y = part.output.y;
        params.raster_width = operation_.raster_width;
        params.raster_height = operation_.raster_height;
        params.input_width = part.input.width;
        params.input_x = part.output.x - part.input.x;
        params.input_y = part.output.y - part.input.y;
        return params;
    }

    // Where the part's output goes: its place in the result, or a buffer where its rows don't
    // follow each other there.
    unsigned char* destination(const Part& part) {
        if (part.output.width == window_.width) return place(part, 0);
        piece_.resize(static_cast<size_t>(output_bytes(part)));
        return piece_.data();
    }

    unsigned char* place(const Part& part, int64_t row) {
        const int64_t x = part.output.x - window_.x;
        const int64_t y = part.output.y - window_.y + row;
        return output_ + (y * window_.width + x) * output_pixel_;
    }

    void deliver(const Part& part) {
        if (part.output.width == window_.width) return;
        const int64_t row_bytes = part.output.width * output_pixel_;
        for (int64_t row = 0; row < part.output.height; ++row)
            std::copy_n(piece_.data() + row * row_bytes, row_bytes, place(part, row));
    }

    void run_on_device(const Part& part) {
        const auto device_input = stream_->allocate(input_bytes(part));
        const auto device_output = stream_->allocate(output_bytes(part));
        {
            const Report::Stage stage(report_, "upload");
            stream_->upload(device_input->address(), input_.data(), input_bytes(part));
        }
        {
            const Report::Stage stage(report_, "kernel");
            const auto parameters = operation_.parameters(
                describe(part, device_input->address(), device_output->address()));
            stream_->launch(module_->kernel(operation_.entry()),
                            {part.output.width, part.output.height}, parameters.data(),
                            parameters.size());
            stream_->synchronize();
        }
        const Report::Stage stage(report_, "download");
        stream_->download(destination(part), device_output->address(), output_bytes(part));
        stream_->synchronize();
        deliver(part);
    }

    void run_on_cpu(const Part& part) {
        const Report::Stage stage(report_, "cpu");
        operation_.RunOnCpu(describe(part, input_.data(), destination(part)));
        deliver(part);
    }

    const WindowOperation& operation_;
    GDALRasterBand& source_;
    const RasterWindow window_;
    unsigned char* const output_;
    Report& report_;
    const int64_t input_pixel_;
    const int64_t output_pixel_;
    int64_t budget_ = kHostBytes;  // bytes of input and output of a part
    std::shared_ptr<gpu::Device> device_;
    std::shared_ptr<gpu::Module> module_;
    std::unique_ptr<gpu::Stream> stream_;
    std::vector<unsigned char> input_;
    std::vector<unsigned char> piece_;
};

}  // namespace

void ComputeWindow(const WindowOperation& operation, GDALRasterBand& source,
                   const RasterWindow& window, void* output, Report& report) {
    report.kernel = operation.kernel;
    report.pixels += Pixels(window);
    Computation computation(operation, source, window, output, report);
    computation.compute(window);
    report.device = computation.device_name();
}

}  // namespace gdalgpu
