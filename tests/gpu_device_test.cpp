#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "gpu/device.h"

namespace gpu {
namespace {

constexpr char kScale[] = R"(
struct ScaleParams { const double* in; double* out; double factor; long long width; long long height; };
GPU_KERNEL(scale, ScaleParams, p) {
    GPU_FOR_2D(x, y, p.width, p.height) { p.out[y * p.width + x] += p.in[y * p.width + x] * p.factor; }
}
struct CountParams { double* out; long long count; };
GPU_KERNEL(count, CountParams, p) {
    GPU_FOR_1D(i, p.count) { p.out[i] += i; }
}
)";

struct ScaleParams {
    const double* in;
    double* out;
    double factor;
    long long width;
    long long height;
};

TEST(HostDevice, runs_a_kernel) {
    auto device = MakeHostDevice({});
    Source source;
    source.include("core/core.h").append(kScale);
    CompileInfo info;
    auto module = device->compile(source, &info);
    EXPECT_EQ(info.compiled, 1);
    auto stream = device->stream();
    for (auto [width, height] :
         {std::pair{1000LL, 700LL}, {700000LL, 1LL}, {1LL, 50LL}, {100000LL, 3LL}}) {
        std::vector<double> in(width * height);
        std::iota(in.begin(), in.end(), 0.0);
        auto a = stream->allocate(in.size() * 8);
        auto b = stream->allocate(in.size() * 8);
        stream->upload(a->address(), in.data(), in.size() * 8);
        stream->fill(b->address(), 0, in.size() * 8);
        const ScaleParams params{static_cast<double*>(a->address()),
                                 static_cast<double*>(b->address()), 2.0, width, height};
        stream->launch(module->kernel("scale"), {width, height}, &params, sizeof(params));
        std::vector<double> out(in.size());
        stream->download(out.data(), b->address(), out.size() * 8);
        stream->synchronize();
        for (size_t i = 0; i < out.size(); ++i) {
            ASSERT_EQ(out[i], 2.0 * i);
        }
    }
}

}  // namespace
}  // namespace gpu
