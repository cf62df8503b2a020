// Which known name somebody may have meant. For the command too, which is linked with nothing.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace gdalgpu {

// Letters to insert, remove, replace or swap with their neighbour (Damerau 1964, each letter
// touched once) that make one word of the other; upper and lower case are the same.
inline size_t EditDistance(const std::string& a, const std::string& b) {
    const auto same = [](char x, char y) {
        return std::tolower(static_cast<unsigned char>(x)) ==
               std::tolower(static_cast<unsigned char>(y));
    };
    std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i) {
        for (size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                d[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
            const bool swapped =
                i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
            if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

// The candidate that is nearest to `name`, the first of several; empty where none is close: more
// than a third of its letters would have to change.
inline std::string NearestName(const std::string& name,
                               const std::vector<std::string>& candidates) {
    std::string nearest;
    size_t least = std::string::npos;
    for (const std::string& candidate : candidates) {
        const size_t distance = EditDistance(name, candidate);
        if (distance < least && distance <= std::max<size_t>(1, candidate.size() / 3)) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

// "; is NEAREST meant?", or `otherwise` where none is close.
inline std::string SuggestionOr(const std::string& name, const std::vector<std::string>& candidates,
                                const std::string& otherwise) {
    const std::string nearest = NearestName(name, candidates);
    return nearest.empty() ? otherwise : "; is " + nearest + " meant?";
}

}  // namespace gdalgpu
