#pragma once

#include <string>

namespace gpu {

// SHA-256 (FIPS 180-4) of `data`, 32 bytes.
std::string Sha256(const std::string& data);

}  // namespace gpu
