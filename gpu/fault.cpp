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
    const size_t mark = text.find_first_of(":=");
    place_ = text.substr(0, mark);
    bool valid = Kinds().count(place_) == 1;
    if (mark != std::string::npos) {
        const std::string count = text.substr(mark + 1);
        once_ = text[mark] == '=';
        valid = valid && !count.empty() && count.size() < 10 &&
                count.find_first_not_of("0123456789") == std::string::npos &&
                (!once_ || std::stoll(count) > 0);
        successes_ = valid ? std::stoll(count) - (once_ ? 1 : 0) : 0;
    }
    if (!valid) {
        throw Error(
            Error::Kind::InvalidArgument,
            "GDAL_GPU_FAULT=" + text +
                " is none of allocate, launch, compile, copy and lose, perhaps with :N or =N");
    }
}

bool Fault::strikes(const char* place) {
    if (place_ != place) return false;
    const long long successes = successes_.fetch_sub(1);
    return once_ ? successes == 0 : successes <= 0;
}

void Fault::check(const char* place) {
    if (strikes(place)) {
        throw Error(Kinds().at(place_),
                    "'" + place_ + "' fails because GDAL_GPU_FAULT asks for it");
    }
}

}  // namespace gpu
