// Launches over arrays of coordinates: those that lie on the device, and those of the host, piece
// by piece.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "plugin/coordinates/proj_points.h"

namespace gdalgpu {

// Adds the kernel of that name over kernels::step::TransformCoordinatesParams of a struct that the
// text has.
void EmitCoordinatesKernel(gpu::Source& source, const std::string& kernel,
                           const std::string& struct_name);

// Enqueues a kernel over kernels::step::TransformCoordinatesParams, on arrays in the device's
// memory. parameters: the bytes of its Transform. Throws gpu::Error.
void LaunchCoordinates(gpu::Stream& stream, const gpu::Kernel& kernel,
                       const std::vector<std::byte>& parameters, int64_t count,
                       const CoordinateArrays& in, const CoordinateArrays& out, int* success);

// What became of the pieces of a request: the points [i * piece, (i + 1) * piece).
struct Pieces {
    int64_t piece = 0;
    std::vector<char> done;  // by piece: its results are in the arrays; else it is untouched
    std::string problem;     // where some aren't
};

// Points of the host's arrays in place, by the kernel `transform_coordinates`, through device
// memory: one piece goes up while another comes down, on two streams. most: points of a piece; it
// is made smaller where memory is short. Throws std::runtime_error where a piece was lost on its
// way back.
Pieces TransformInPieces(gpu::Device& device, gpu::Module& module,
                         const std::vector<std::byte>& parameters, int64_t count,
                         const CoordinateArrays& arrays, int* success, int64_t most);

}  // namespace gdalgpu
