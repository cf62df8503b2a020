#include "gpu/fault.h"

#include <map>

#include "gpu/error.h"

namespace gpu {

namespace {

const std::map<std::string, Error::Kind>& Kinds() {
    static const std::map<std::string, Error::Kind> kinds = {{"allocate", Error::Kind::OutOfMemory},
                                                             {"launch", Error::Kind::Launch},
                                                             {"compile", Error::Kind::Compile},
                                                             {"copy", Error::Kind::Copy},
                                                             {"lose", Error::Kind::Lost}};
    return kinds;
}

}  // namespace

Fault::Fault(const std::string& text) {
    if (text.empty()) {
        return;
    }
    const size_t colon = text.find(':');
    place_ = text.substr(0, colon);
    bool valid = Kinds().count(place_) == 1;
    if (colon != std::string::npos) {
        const std::string count = text.substr(colon + 1);
        valid = valid && !count.empty() && count.size() < 10 &&
                count.find_first_not_of("0123456789") == std::string::npos;
        successes_ = valid ? std::stoll(count) : 0;
    }
    if (!valid) {
        throw Error(Error::Kind::InvalidArgument,
                    "GDAL_GPU_FAULT=" + text +
                        " is none of allocate, launch, compile, copy and lose, perhaps with :N");
    }
}

bool Fault::strikes(const char* place) { return place_ == place && successes_.fetch_sub(1) <= 0; }

void Fault::check(const char* place) {
    if (strikes(place)) {
        throw Error(Kinds().at(place_),
                    "'" + place_ + "' fails because GDAL_GPU_FAULT asks for it");
    }
}

}  // namespace gpu
