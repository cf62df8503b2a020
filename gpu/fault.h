// Failures on demand, so that tests can see what happens after them.
#pragma once

#include <atomic>
#include <string>

namespace gpu {

// Parsed from Options::fault: "allocate" (OutOfMemory), "launch" (Launch), "compile" (Compile),
// "copy" (Copy: uploads and downloads) or "lose" (Lost: a launch loses the device), optionally
// ":N": the first N calls succeed, or "=N": the N-th call alone fails. Empty: none.
class Fault {
  public:
    // Throws Error (InvalidArgument) for anything else.
    explicit Fault(const std::string& text);

    // Throws the error that belongs to `place` where it is its turn.
    void check(const char* place);
    // Whether it is `place`'s turn to fail; counts the call.
    bool strikes(const char* place);

  private:
    std::string place_;
    std::atomic<long long> successes_{0};  // until the next failure
    bool once_ = false;
};

}  // namespace gpu
