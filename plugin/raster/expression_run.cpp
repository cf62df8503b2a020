#include "plugin/raster/expression_run.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cpl_conv.h"
#include "plugin/pixel_type.h"
#include "plugin/runtime.h"
#include "raster/expression.h"

namespace gdalgpu {

namespace {

constexpr int64_t kSmallestPart = 4096;  // pixels; where not even these fit, the CPU does the rest
constexpr size_t kLargestParameters = 4000;  // bytes; CUDA 12.0 and older takes 4096

// Packed pixels of the whole request, in a type that the kernel writes, spread to the caller's
// spacing.
class PackedOutput {
  public:
    explicit PackedOutput(const ExpressionRequest& request) : request_(request) {
        type_ = DeviceTypeName(request.output_type) ? request.output_type : GDT_Float64;
        size_ = GDALGetDataTypeSizeBytes(type_);
        direct_ = type_ == request.output_type && request.pixel_space == size_ &&
                  request.line_space == size_ * request.width &&
                  reinterpret_cast<uintptr_t>(request.output) % size_ == 0;
        if (!direct_) buffer_.resize(static_cast<size_t>(request.width * request.height) * size_);
    }

    GDALDataType type() const { return type_; }
    int64_t size() const { return size_; }
    unsigned char* data() {
        return direct_ ? static_cast<unsigned char*>(request_.output) : buffer_.data();
    }

    void finish() {
        if (direct_) return;
        auto* const output = static_cast<unsigned char*>(request_.output);
        for (int64_t y = 0; y < request_.height; ++y)
            GDALCopyWords64(buffer_.data() + y * request_.width * size_, type_,
                            static_cast<int>(size_), output + y * request_.line_space,
                            request_.output_type, static_cast<int>(request_.pixel_space),
                            request_.width);
    }

  private:
    const ExpressionRequest& request_;
    GDALDataType type_;
    int64_t size_;
    bool direct_;
    std::vector<unsigned char> buffer_;
};

// Pixels from begin to end.
void RunOnCpu(const Expression& expression, const ExpressionRequest& request, PackedOutput& output,
              int64_t begin, int64_t end) {
    constexpr int kBlock = ExpressionEvaluator::kBlock;
    const size_t source_count = expression.sources().size();
    ExpressionEvaluator evaluator(expression);
    std::vector<double> values((source_count + 1) * kBlock);
    std::vector<const double*> blocks;
    for (size_t i = 0; i < source_count; ++i) blocks.push_back(&values[i * kBlock]);
    double* const result = &values[source_count * kBlock];
    const bool has_nodata = expression.nodata().has_value();
    const double nodata = expression.nodata().value_or(0);
    const double source_nodata = expression.source_nodata().value_or(0);

    for (int64_t at = begin; at < end; at += kBlock) {
        const int count = static_cast<int>(std::min<int64_t>(kBlock, end - at));
        for (size_t i = 0; i < source_count; ++i)
            DispatchPixelType(request.source_type, [&](auto tag) {
                using T = typename decltype(tag)::type;
                const T* const pixels =
                    static_cast<const T*>(request.sources[expression.sources()[i]]) + at;
                double* const block = &values[i * kBlock];
                for (int k = 0; k < count; ++k) block[k] = static_cast<double>(pixels[k]);
            });
        evaluator.Evaluate(blocks.data(), result, count);
        if (has_nodata)
            for (size_t i = 0; i < source_count; ++i)
                if (expression.masked()[i])
                    for (int k = 0; k < count; ++k)
                        if (kernels::expression::IsNodata(blocks[i][k], source_nodata))
                            result[k] = nodata;
        DispatchPixelType(output.type(), [&](auto tag) {
            using T = typename decltype(tag)::type;
            T* const pixels = reinterpret_cast<T*>(output.data()) + at;
            for (int k = 0; k < count; ++k) pixels[k] = kernels::FromDouble<T>::convert(result[k]);
        });
    }
}

// Parameters of the kernel, as ExpressionSource declares them.
class Parameters {
  public:
    void add(const void* pointer) { append(&pointer); }
    void add(int64_t number) { append(&number); }
    void add(double number) { append(&number); }
    const void* data() const { return words_.data(); }
    size_t size() const { return words_.size() * sizeof(uint64_t); }

  private:
    template <typename T>
    void append(const T* word) {
        static_assert(sizeof(T) == sizeof(uint64_t));
        words_.emplace_back();
        std::memcpy(&words_.back(), word, sizeof(T));
    }

    std::vector<uint64_t> words_;
};

size_t ParameterBytes(const Expression& expression) {
    return 8 * (4 + std::max<size_t>(1, expression.sources().size()) +
                std::max<size_t>(1, expression.constants().size()));
}

// Pixels from *done on, in parts of `part` pixels; *done says how far it came where it throws.
void RunParts(gpu::Device& device, const gpu::Kernel& kernel, const Expression& expression,
              const ExpressionRequest& request, PackedOutput& output, int64_t part, int64_t* done,
              Report& report) {
    const int64_t pixels = request.width * request.height;
    const size_t source_size = GDALGetDataTypeSizeBytes(request.source_type);
    const double nodata = expression.nodata().value_or(0);
    const auto stream = device.stream();
    std::vector<std::unique_ptr<gpu::Memory>> sources;
    std::unique_ptr<gpu::Memory> result;
    {
        const Report::Stage stage(report, "allocate");
        for (size_t i = 0; i < expression.sources().size(); ++i)
            sources.push_back(stream->allocate(part * source_size));
        result = stream->allocate(part * output.size());
    }
    while (*done < pixels) {
        const int64_t count = std::min(part, pixels - *done);
        Parameters parameters;
        {
            const Report::Stage stage(report, "upload");
            for (size_t i = 0; i < sources.size(); ++i) {
                const auto* const pixel =
                    static_cast<const unsigned char*>(request.sources[expression.sources()[i]]);
                stream->upload(sources[i]->address(), pixel + *done * source_size,
                               count * source_size);
                parameters.add(sources[i]->address());
            }
        }
        if (sources.empty()) parameters.add(static_cast<const void*>(nullptr));
        parameters.add(result->address());
        parameters.add(count);
        parameters.add(expression.source_nodata().value_or(0));
        parameters.add(nodata);
        for (double constant : expression.constants()) parameters.add(constant);
        if (expression.constants().empty()) parameters.add(0.0);
        {
            const Report::Stage stage(report, "kernel");
            stream->launch(kernel, {count, 1}, parameters.data(), parameters.size());
            stream->synchronize();
        }
        const Report::Stage stage(report, "download");
        stream->download(output.data() + *done * output.size(), result->address(),
                         count * output.size());
        stream->synchronize();
        *done += count;
    }
}

// True where all pixels are done; else report.reason says why, and *done how many are.
bool RunOnDevice(gpu::Device& device, const Expression& expression,
                 const ExpressionRequest& request, PackedOutput& output, int64_t* done,
                 Report& report) {
    if (ParameterBytes(expression) > kLargestParameters) {
        report.reason = "the expression has more sources and constants than a kernel takes";
        return false;
    }
    try {
        std::shared_ptr<gpu::Module> module;
        {
            const Report::Stage stage(report, "compile");
            gpu::CompileInfo info;
            module = device.compile(
                ExpressionSource(expression, request.source_type, output.type()), &info);
            report.compiled += info.compiled;
        }
        const gpu::Kernel& kernel = module->kernel("evaluate_expression");
        const int64_t pixels = request.width * request.height;
        const int64_t pixel_bytes = GDALGetDataTypeSizeBytes(request.source_type) *
                                        static_cast<int64_t>(expression.sources().size()) +
                                    output.size();
        const int64_t fitting = static_cast<int64_t>(device.available_memory() / 2) / pixel_bytes;
        int64_t part = std::clamp(fitting, std::min(kSmallestPart, pixels), pixels);
        for (;;) {
            try {
                RunParts(device, kernel, expression, request, output, part, done, report);
                return true;
            } catch (const gpu::Error& error) {
                if (error.kind() != gpu::Error::Kind::OutOfMemory || part <= kSmallestPart) throw;
                part = std::max(kSmallestPart, part / 2);
            }
        }
    } catch (const gpu::Error& error) {
        report.reason = error.what();
        return false;
    }
}

}  // namespace

double HeldNodata(double nodata, GDALDataType type) {
    return type == GDT_Float32 ? static_cast<double>(kernels::FromDouble<float>::convert(nodata))
                               : nodata;
}

gpu::Source ExpressionSource(const Expression& expression, GDALDataType source_type,
                             GDALDataType output_type) {
    const size_t sources = expression.sources().size();
    const size_t constants = expression.constants().size();
    std::ostringstream text;
    text << "namespace kernels {\n"
         << "struct ExpressionParams {\n"
         << "    const void* source[" << std::max<size_t>(1, sources) << "];\n"
         << "    void* output;\n"
         << "    int64 count;\n"
         << "    double source_nodata;\n"
         << "    double nodata;\n"
         << "    double value[" << std::max<size_t>(1, constants) << "];\n"
         << "};\n"
         << "GPU_KERNEL(evaluate_expression, ExpressionParams, p) {\n"
         << "    using In = " << DeviceTypeName(source_type) << ";\n"
         << "    using Out = " << DeviceTypeName(output_type) << ";\n"
         << "    Out* const output = static_cast<Out*>(p.output);\n";
    for (size_t i = 0; i < sources; ++i)
        text << "    const In* const source" << i << " = static_cast<const In*>(p.source[" << i
             << "]);\n";
    text << "    GPU_FOR_1D(i, p.count) {\n";
    for (size_t i = 0; i < sources; ++i)
        text << "        const double s" << i << " = static_cast<double>(source" << i << "[i]);\n";
    text << expression.DeviceText() << "        output[i] = FromDouble<Out>::convert(";
    for (size_t i = 0; i < sources; ++i)
        if (expression.nodata() && expression.masked()[i])
            text << "expression::IsNodata(s" << i << ", p.source_nodata) ? p.nodata : ";
    text << "result);\n    }\n}\n}  // namespace kernels\n";
    gpu::Source source;
    source.include("raster/expression.h").append(text.str());
    return source;
}

void RunExpression(const Expression& expression, const ExpressionRequest& request, Report& report) {
    if (!DeviceTypeName(request.source_type))
        throw std::invalid_argument(std::string("sources of type ") +
                                    GDALGetDataTypeName(request.source_type) +
                                    " are not supported");
    PackedOutput output(request);
    const int64_t pixels = request.width * request.height;
    report.pixels += pixels;
    report.kernel = std::string("expression<") + DeviceTypeName(request.source_type) + "," +
                    DeviceTypeName(output.type()) + ">";
    const Selection selection = SelectDevice(pixels);
    int64_t done = 0;
    if (selection.device) {
        if (RunOnDevice(*selection.device, expression, request, output, &done, report))
            report.device = selection.device->kind_name();
    } else {
        report.reason = selection.reason;
    }
    if (done < pixels) {
        report.device = "GDAL";
        const Report::Stage stage(report, "cpu");
        RunOnCpu(expression, request, output, done, pixels);
    }
    output.finish();
}

}  // namespace gdalgpu
