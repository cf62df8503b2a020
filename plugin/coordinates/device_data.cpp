#include "plugin/coordinates/device_data.h"

#include <cstring>

namespace gdalgpu {

std::vector<std::byte> WithAddresses(std::vector<std::byte> parameters,
                                     const std::vector<DeviceData>& data, gpu::Stream& stream) {
    for (const DeviceData& item : data) {
        const void* address = stream.resident(item.bytes);
        std::memcpy(parameters.data() + item.offset, &address, sizeof(address));
    }
    return parameters;
}

}  // namespace gdalgpu
