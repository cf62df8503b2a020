#include <gtest/gtest.h>

#include "gpu/error.h"
#include "gpu/source.h"

namespace gpu {
namespace {

const std::map<std::string, std::string>& Headers() {
    static const std::map<std::string, std::string> headers = {
        {"core/a.h", "#pragma once\n#include <cmath>\nint a;\n"},
        {"core/b.h", "#pragma once\n#include \"core/a.h\"\nint b;\n"},
        {"warp/c.h",
         "#pragma once\n  # include \"../core/b.h\"\n#include \"kernels/core/a.h\"\nint c;"},
        {"warp/bad.h", "#include \"core/none.h\"\n"}};
    return headers;
}

size_t Count(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
}

TEST(Source, PutsEachHeaderInOnceAndInOrder) {
    Source source(Headers());
    source.include("warp/c.h").include("core/a.h").include("kernels/core/b.h");
    const std::string& text = source.text();
    for (const char* part : {"int a;\n", "int b;\n", "int c;\n"}) {
        EXPECT_EQ(Count(text, part), 1u) << part;
    }
    EXPECT_LT(text.find("int a;"), text.find("int b;"));
    EXPECT_LT(text.find("int b;"), text.find("int c;"));
    EXPECT_EQ(Count(text, "#include <cmath>"), 1u);
    EXPECT_EQ(Count(text, "include \""), 0u);
    EXPECT_EQ(Count(text, "#pragma once"), 0u);
}

TEST(Source, LinesKeepTheNamesAndNumbersOfTheirFiles) {
    Source source(Headers());
    source.include("core/b.h").append("int generated;");
    EXPECT_EQ(
        source.text(),
        "#line 1 \"kernels/core/b.h\"\n\n#line 1 \"kernels/core/a.h\"\n\n#include <cmath>\nint a;\n"
        "#line 3 \"kernels/core/b.h\"\nint b;\n#line 1 \"generated\"\nint generated;\n");
}

TEST(Source, NamesAHeaderThatIsMissing) {
    Source source(Headers());
    for (const char* path : {"none.h", "warp/bad.h", "../core/a.h", ""}) {
        try {
            source.include(path);
            ADD_FAILURE() << path;
        } catch (const Error& error) {
            EXPECT_EQ(static_cast<int>(error.kind()),
                      static_cast<int>(Error::Kind::InvalidArgument));
        }
    }
}

}  // namespace
}  // namespace gpu
