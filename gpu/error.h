#pragma once

#include <stdexcept>
#include <string>

namespace gpu {

// What went wrong, so that callers can choose: split the request (OutOfMemory), give up the device
// (Lost), or leave the request to other code (the rest). what() says what and where, with CUDA's
// own name of the error.
class Error : public std::runtime_error {
  public:
    enum class Kind { Unavailable, OutOfMemory, Compile, Launch, Copy, Lost, InvalidArgument };

    Error(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
    Kind kind() const { return kind_; }

  private:
    Kind kind_;
};

}  // namespace gpu
