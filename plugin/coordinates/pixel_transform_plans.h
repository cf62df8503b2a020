// The kinds of PixelTransform.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plugin/coordinates/exact_transformer.h"
#include "plugin/coordinates/fused_chain.h"
#include "plugin/coordinates/pixel_transform.h"
#include "plugin/coordinates/position_tiles.h"

namespace gdalgpu {

// tiles: for the CPU; null where the chain is two geotransforms alone.
std::unique_ptr<PixelTransform> MakeFusedPixelTransform(FusedChain chain,
                                                        std::shared_ptr<ExactTransformer> exact,
                                                        std::shared_ptr<PositionTiles> tiles,
                                                        PixelPoints points);

std::unique_ptr<PixelTransform> MakeTiledPixelTransform(std::string description,
                                                        std::shared_ptr<ExactTransformer> exact,
                                                        std::shared_ptr<PositionTiles> tiles,
                                                        PixelPoints points);

// threshold: the error in source pixels to stay within; 0: the transformer's own result at each
// point.
std::unique_ptr<PixelTransform> MakeSampledPixelTransform(std::shared_ptr<ExactTransformer> exact,
                                                          double threshold, bool smooth,
                                                          PixelPoints points);

// Adds the kernel `transform_pixels` for the struct `PixelTransform`.
void EmitTransformPixels(gpu::Source& source);

// A grid of pixels of the window, its edges included: column, row, column, row, ... densely: about
// ten times as many.
std::vector<int64_t> CheckedPixels(const PixelWindow& window, bool densely = false);

// Copies values to the device, into memory that `bound` holds; they must live until the copy is
// through. Returns where they are.
template <class T>
const T* Upload(gpu::Stream& stream, const std::vector<T>& values, PixelTransform::Bound& bound) {
    const size_t bytes = values.size() * sizeof(T);
    bound.memory.push_back(stream.allocate(bytes));
    stream.upload(bound.memory.back()->address(), values.data(), bytes);
    return static_cast<const T*>(bound.memory.back()->address());
}

// A piece of the window: its middle.
PixelWindow MiddleOf(const PixelWindow& window);

// Of distances in the source: its pixels, or the destination's where those are smaller there.
enum class ToleranceUnit { SourcePixels, SmallerPixels };

// Runs `transform_pixels` over CheckedPixels() and compares with the exact transformer. tolerance:
// in that unit, along each axis. Empty where all agree.
std::string CompareWithExact(ExactTransformer& exact, gpu::Module& module, gpu::Stream& stream,
                             const PixelTransform::Bound& bound, const PixelWindow& window,
                             PixelPoints points, double tolerance,
                             ToleranceUnit unit = ToleranceUnit::SourcePixels);

}  // namespace gdalgpu
