// A kernel's parameters as the bytes that a launch takes: structs, numbers and addresses, one after
// the other.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace gdalgpu {

// value: a kernel's struct, a number or an address; a multiple of 8 bytes.
template <class T>
void AppendBytes(std::vector<std::byte>& bytes, const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 8 == 0);
    const size_t before = bytes.size();
    bytes.resize(before + sizeof(T));
    std::memcpy(&bytes[before], &value, sizeof(T));
}

template <class T>
std::vector<std::byte> Bytes(const T& value) {
    std::vector<std::byte> bytes;
    AppendBytes(bytes, value);
    return bytes;
}

}  // namespace gdalgpu
