#include "gpu/source.h"

#include <sstream>

#include "gpu/error.h"

namespace gpu {

namespace {

using Headers = std::map<std::string, std::string>;

// "kernels/core/core.h" and "core/core.h" name the same header; "../core/core.h" is relative to the
// including one.
std::string Resolve(const Headers& headers, const std::string& path, const std::string& includer) {
    const std::string root = "kernels/";
    std::string below = path.compare(0, root.size(), root) == 0 ? path.substr(root.size()) : path;
    if (headers.count(below)) {
        return below;
    }
    std::string folder = includer.substr(0, includer.find_last_of('/') + 1);
    std::string rest = path;
    while (rest.compare(0, 3, "../") == 0 && !folder.empty()) {
        rest = rest.substr(3);
        folder.pop_back();
        folder = folder.substr(0, folder.find_last_of('/') + 1);
    }
    if (headers.count(folder + rest)) {
        return folder + rest;
    }
    throw Error(
        Error::Kind::InvalidArgument,
        "no kernel header '" + path + "'" + (includer.empty() ? "" : ", included by " + includer));
}

// The path of a line #include "path"; empty for any other line.
std::string IncludedPath(const std::string& line) {
    size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') {
        return "";
    }
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line.compare(at, 7, "include") != 0) {
        return "";
    }
    const size_t open = line.find_first_not_of(" \t", at + 7);
    if (open == std::string::npos || line[open] != '"') {
        return "";
    }
    const size_t close = line.find('"', open + 1);
    return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

void Flatten(const Headers& headers, const std::string& path, std::set<std::string>& included,
             std::string& text) {
    if (!included.insert(path).second) {
        return;
    }
    text += "#line 1 \"kernels/" + path + "\"\n";
    std::istringstream lines(headers.at(path));
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string inner = IncludedPath(line);
        if (!inner.empty()) {
            Flatten(headers, Resolve(headers, inner, path), included, text);
            text += "#line " + std::to_string(number + 1) + " \"kernels/" + path + "\"\n";
        } else if (line == "#pragma once") {
            text += "\n";
        } else {
            text += line + "\n";
        }
    }
}

}  // namespace

Source::Source(const std::map<std::string, std::string>& headers) : headers_(&headers) {}

Source& Source::include(const std::string& path) {
    Flatten(*headers_, Resolve(*headers_, path, ""), included_, text_);
    return *this;
}

Source& Source::append(const std::string& text) {
    text_ += "#line 1 \"generated\"\n" + text;
    if (!text.empty() && text.back() != '\n') {
        text_ += "\n";
    }
    return *this;
}

}  // namespace gpu
