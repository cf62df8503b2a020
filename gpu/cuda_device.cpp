#include "gpu/device.h"

namespace gpu {

std::shared_ptr<Device> MakeCudaDevice(const Options&) {
    throw Error(Error::Kind::Unavailable, "CUDA is not built yet");
}

}  // namespace gpu
