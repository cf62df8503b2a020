// Data on the device that the bytes of a kernel's parameters point to.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gpu/device.h"

namespace gdalgpu {

// Read-only bytes, and where in the parameters their address on the device goes.
struct DeviceData {
    size_t offset;
    std::shared_ptr<const std::vector<std::byte>> bytes;
};

// The parameters with the addresses of their data on the stream's device, where the data is
// uploaded on first use. `data` must be held until the stream is synchronized. Throws gpu::Error.
std::vector<std::byte> WithAddresses(std::vector<std::byte> parameters,
                                     const std::vector<DeviceData>& data, gpu::Stream& stream);

}  // namespace gdalgpu
