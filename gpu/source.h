#pragma once

#include <map>
#include <set>
#include <string>

namespace gpu {

// The kernel headers that the library carries: path below kernels/ -> text.
const std::map<std::string, std::string>& EmbeddedKernels();

// One self-contained source text, put together from embedded headers and generated code. #include
// "..." lines of embedded headers (paths below kernels/) are resolved in place, each header once;
// lines of <...> stay.
class Source {
  public:
    explicit Source(const std::map<std::string, std::string>& headers = EmbeddedKernels());

    // Appends an embedded header and those it includes, unless it is already in. Throws Error
    // (InvalidArgument) for a path that isn't embedded.
    Source& include(const std::string& path);
    // Appends generated text as it is.
    Source& append(const std::string& text);

    const std::string& text() const { return text_; }

  private:
    const std::map<std::string, std::string>* headers_;
    std::set<std::string> included_;
    std::string text_;
};

}  // namespace gpu
