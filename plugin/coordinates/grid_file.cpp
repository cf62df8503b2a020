#include "plugin/coordinates/grid_file.h"

#include <proj.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>

#include "cpl_conv.h"
#include "cpl_port.h"
#include "cpl_string.h"
#include "cpl_vsi.h"
#include "ogr_srs_api.h"
#include "plugin/coordinates/coordinate_operation.h"
#include "plugin/coordinates/grid_geotiff.h"
#include "plugin/coordinates/proj_context.h"

namespace gdalgpu {

namespace {

using kernels::proj::kPi;
using kernels::step::Subgrid;

constexpr double kDegree = kPi / 180;
constexpr double kArcSecond = kPi / 180 / 3600;

bool IsFile(const std::string& path) {
    VSIStatBufL status;
    return VSIStatL(path.c_str(), &status) == 0 && VSI_ISREG(status.st_mode);
}

std::vector<std::string> Split(const char* paths) {
    const CPLStringList list(CSLTokenizeString2(paths, ":", 0));
    return std::vector<std::string>(list.List(), list.List() + list.size());
}

// The folders in which PROJ looks, in its order.
std::vector<std::string> Folders(PJ_CONTEXT* context) {
    const CPLStringList given(OSRGetPROJSearchPaths());
    if (!given.empty()) return std::vector<std::string>(given.List(), given.List() + given.size());
    std::vector<std::string> folders;
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && value[0] != '\0' ? value : nullptr;
    };
    if (!set("PROJ_SKIP_READ_USER_WRITABLE_DIRECTORY"))
        folders.emplace_back(proj_context_get_user_writable_directory(context, 0));
    const char* variable = set("PROJ_DATA") ? set("PROJ_DATA") : set("PROJ_LIB");
    if (variable != nullptr) {
        for (const std::string& folder : Split(variable)) folders.push_back(folder);
        return folders;
    }
    // The installation's folder is where its database is.
    if (const char* database = proj_context_get_database_path(context)) {
        const std::string path(database);
        folders.push_back(path.substr(0, path.rfind('/')));
    }
    folders.emplace_back(".");
    return folders;
}

// Reads a file from front to back; whatever isn't there is an error.
class Reader {
  public:
    explicit Reader(const std::string& path) : path_(path), file_(VSIFOpenL(path.c_str(), "rb")) {
        if (file_ == nullptr) Fail("can't be opened");
        VSIFSeekL(file_, 0, SEEK_END);
        size_ = VSIFTellL(file_);
        VSIFSeekL(file_, 0, SEEK_SET);
    }
    ~Reader() {
        if (file_ != nullptr) VSIFCloseL(file_);
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    [[noreturn]] void Fail(const std::string& why) const {
        throw NotFusable("grid " + path_ + ": " + why);
    }

    // Up to `count` bytes from the start, where the position stays.
    std::string Start(size_t count) {
        std::string start(count, '\0');
        start.resize(VSIFReadL(start.data(), 1, count, file_));
        VSIFSeekL(file_, 0, SEEK_SET);
        return start;
    }

    template <class T>
    std::vector<T> Read(uint64_t count) {
        if (count > (size_ - VSIFTellL(file_)) / sizeof(T)) Fail("is shorter than its header says");
        if (count > MostGridBytes() / sizeof(T)) Fail("is too large for this machine's memory");
        std::vector<T> values(count);
        if (VSIFReadL(values.data(), sizeof(T), count, file_) != count) Fail("can't be read");
        return values;
    }

    // Pieces of a header.
    template <class T>
    static T Get(const std::vector<char>& header, size_t offset, bool swap) {
        T value;
        std::memcpy(&value, header.data() + offset, sizeof(T));
        return swap ? Swapped(value) : value;
    }

    template <class T>
    static T Swapped(T value) {
        auto* bytes = reinterpret_cast<unsigned char*>(&value);
        std::reverse(bytes, bytes + sizeof(T));
        return value;
    }

  private:
    const std::string path_;
    VSILFILE* const file_;
    uint64_t size_ = 0;
};

constexpr bool kBigEndian = !CPL_IS_LSB;

// width and height from the outermost nodes. False where they are too many to be true.
bool CountNodes(Subgrid& extent) {
    const double width = std::fabs((extent.east - extent.west) * extent.inverse_x + 0.5) + 1;
    const double height = std::fabs((extent.north - extent.south) * extent.inverse_y + 0.5) + 1;
    if (!(width < 1e9 && height < 1e9)) return false;
    extent.width = static_cast<int64_t>(width);
    extent.height = static_cast<int64_t>(height);
    return true;
}

GridTree OneGrid(GridTree::Grid grid) {
    GridTree tree;
    tree.grids.push_back(std::move(grid));
    tree.roots.push_back(0);
    return tree;
}

GridTree ReadGtx(Reader& reader, double multiplier) {
    const std::vector<char> header = reader.Read<char>(40);
    const auto number = [&](size_t at) { return Reader::Get<double>(header, at, !kBigEndian); };
    const double south = number(0), step_y = number(16), step_x = number(24);
    double west = number(8);
    GridTree::Grid grid;
    Subgrid& extent = grid.extent;
    extent.height = Reader::Get<int32_t>(header, 32, !kBigEndian);
    extent.width = Reader::Get<int32_t>(header, 36, !kBigEndian);
    if (extent.width <= 0 || extent.height <= 0 || !(std::fabs(west) <= 360) ||
        !(std::fabs(south) <= 90) || !(step_x > 0) || !(step_y > 0)) {
        reader.Fail("its header makes no sense");
    }
    if (west >= 180) west -= 360;
    extent.west = west * kDegree;
    extent.south = south * kDegree;
    extent.east = (west + step_x * static_cast<double>(extent.width - 1)) * kDegree;
    extent.north = (south + step_y * static_cast<double>(extent.height - 1)) * kDegree;
    extent.res_x = step_x * kDegree;
    extent.res_y = step_y * kDegree;
    FinishExtent(extent);
    grid.values = reader.Read<float>(extent.width * extent.height);
    for (float& value : grid.values) {
        if (!kBigEndian) value = Reader::Swapped(value);
        if (std::isnan(value)) reader.Fail("has values that are NaN");
        // The format's own mark, and what else can't be a height.
        if (std::fabs(value * multiplier) > 1000 || value == -88.8888f)
            value = std::numeric_limits<float>::quiet_NaN();
    }
    return OneGrid(std::move(grid));
}

// lon_sign: -1 where the shift becomes east positive.
GridTree ReadNtv1(Reader& reader, float lon_sign) {
    const std::vector<char> header = reader.Read<char>(192);
    const auto degrees = [&](size_t at) {
        return Reader::Get<double>(header, at, !kBigEndian) * kDegree;
    };
    if (Reader::Get<int32_t>(header, 8, !kBigEndian) != 12) reader.Fail("isn't an NTv1 grid");
    GridTree::Grid grid;
    Subgrid& extent = grid.extent;
    extent.west = -degrees(72);
    extent.east = -degrees(56);
    extent.south = degrees(24);
    extent.north = degrees(40);
    extent.res_x = degrees(104);
    extent.res_y = degrees(88);
    if (!FinishExtent(extent) || !CountNodes(extent)) reader.Fail("its extent makes no sense");
    const std::vector<double> pairs = reader.Read<double>(2 * extent.width * extent.height);
    grid.values.resize(pairs.size());
    for (int64_t row = 0; row < extent.height; ++row) {
        for (int64_t column = 0; column < extent.width; ++column) {
            // From east to west; latitude first.
            const double* from = &pairs[2 * (row * extent.width + extent.width - 1 - column)];
            float* to = &grid.values[2 * (row * extent.width + column)];
            const auto radians = [](double seconds) {
                return static_cast<float>((kBigEndian ? seconds : Reader::Swapped(seconds)) *
                                          kArcSecond);
            };
            to[0] = lon_sign * radians(from[1]);
            to[1] = radians(from[0]);
        }
    }
    return OneGrid(std::move(grid));
}

GridTree ReadCtable2(Reader& reader, float lon_sign) {
    const std::vector<char> header = reader.Read<char>(160);
    const auto number = [&](size_t at) { return Reader::Get<double>(header, at, kBigEndian); };
    GridTree::Grid grid;
    Subgrid& extent = grid.extent;
    extent.west = number(96);
    extent.south = number(104);
    extent.res_x = number(112);
    extent.res_y = number(120);
    extent.width = Reader::Get<int32_t>(header, 128, kBigEndian);
    extent.height = Reader::Get<int32_t>(header, 132, kBigEndian);
    if (extent.width <= 0 || extent.height <= 0) reader.Fail("its header makes no sense");
    extent.east = extent.west + static_cast<double>(extent.width - 1) * extent.res_x;
    // By the width of a cell, as PROJ has it.
    extent.north = extent.south + static_cast<double>(extent.height - 1) * extent.res_x;
    if (!FinishExtent(extent)) reader.Fail("its extent makes no sense");
    grid.values = reader.Read<float>(2 * extent.width * extent.height);
    for (size_t i = 0; i < grid.values.size(); ++i) {
        if (kBigEndian) grid.values[i] = Reader::Swapped(grid.values[i]);
        if (i % 2 == 0) grid.values[i] *= lon_sign;
    }
    return OneGrid(std::move(grid));
}

GridTree ReadNtv2(Reader& reader, float lon_sign) {
    const std::vector<char> overview = reader.Read<char>(176);
    if (std::memcmp(&overview[56], "SECONDS", 7) != 0)
        reader.Fail("its values aren't in seconds of arc");
    const bool swap = (overview[8] == 11) == kBigEndian;
    const auto count = Reader::Get<uint32_t>(overview, 40, swap);
    GridTree tree;
    std::map<std::string, size_t> by_name;
    for (uint32_t i = 0; i < count; ++i) {
        const std::vector<char> header = reader.Read<char>(176);
        if (std::memcmp(header.data(), "SUB_NAME", 8) != 0)
            reader.Fail("has no subgrid where one should be");
        const auto seconds = [&](size_t at) {
            return Reader::Get<double>(header, at, swap) * kDegree / 3600;
        };
        GridTree::Grid grid;
        Subgrid& extent = grid.extent;
        extent.south = seconds(72);
        extent.north = seconds(88);
        extent.east = -seconds(104);
        extent.west = -seconds(120);
        extent.res_y = seconds(136);
        extent.res_x = seconds(152);
        if (!FinishExtent(extent) || !CountNodes(extent))
            reader.Fail("a subgrid's extent makes no sense");
        const auto nodes = Reader::Get<uint32_t>(header, 168, swap);
        if (nodes / extent.width != extent.height)
            reader.Fail("a subgrid's size doesn't match its extent");
        // Shifts and their accuracies, latitude first, from east to west.
        const std::vector<float> stored = reader.Read<float>(4 * uint64_t{nodes});
        grid.values.resize(2 * extent.width * extent.height);
        for (int64_t row = 0; row < extent.height; ++row) {
            for (int64_t column = 0; column < extent.width; ++column) {
                const float* from = &stored[4 * (row * extent.width + extent.width - 1 - column)];
                float* to = &grid.values[2 * (row * extent.width + column)];
                const auto radians = [&](float seconds_of_arc) {
                    return static_cast<float>(
                        (swap ? Reader::Swapped(seconds_of_arc) : seconds_of_arc) * kArcSecond);
                };
                to[0] = lon_sign * radians(from[1]);
                to[1] = radians(from[0]);
            }
        }
        const auto parent = by_name.find(std::string(&header[24], 8));
        (parent == by_name.end() ? tree.roots : tree.grids[parent->second].children)
            .push_back(tree.grids.size());
        by_name[std::string(&header[8], 8)] = tree.grids.size();
        tree.grids.push_back(std::move(grid));
    }
    return tree;
}

bool IsTiff(const std::string& start) {
    return start.size() >= 4 &&
           (start.compare(0, 2, "II") == 0 || start.compare(0, 2, "MM") == 0) &&
           (start[2] == 0x2a || start[3] == 0x2a || start[2] == 0x2b || start[3] == 0x2b);
}

bool EndsWith(const std::string& text, const char* end) {
    const size_t length = std::strlen(end);
    return text.size() >= length && text.compare(text.size() - length, length, end) == 0;
}

}  // namespace

int ValuesOfNode(GridUse use) {
    switch (use) {
        case GridUse::Height:
            return 1;
        case GridUse::Shift:
        case GridUse::ShiftAsStored:
            return 2;
        default:
            return 3;
    }
}

uint64_t MostGridBytes() {
    const auto memory = static_cast<uint64_t>(CPLGetUsablePhysicalRAM());
    return std::min(uint64_t{4} << 30, memory / 4);
}

bool FinishExtent(Subgrid& extent) {
    extent.inverse_x = 1 / extent.res_x;
    extent.inverse_y = 1 / extent.res_y;
    extent.flags = extent.east - extent.west + extent.res_x >= 2 * kPi - 1e-10
                       ? kernels::step::kWholeWorld
                       : 0;
    return std::fabs(extent.west) <= 4 * kPi && std::fabs(extent.east) <= 4 * kPi &&
           std::fabs(extent.north) <= kPi + 1e-5 && std::fabs(extent.south) <= kPi + 1e-5 &&
           extent.west < extent.east && extent.south < extent.north && extent.res_x > 1e-10 &&
           extent.res_y > 1e-10;
}

std::optional<std::string> FindGrid(const std::string& name) {
    const auto starts = [&](const char* text) {
        return name.compare(0, std::strlen(text), text) == 0;
    };
    if (starts("/") || starts("./") || starts("../"))
        return IsFile(name) ? std::optional(name) : std::nullopt;
    if (name.empty() || starts("~/") || starts("http://") || starts("https://"))
        return std::nullopt;
    const ProjContext context = MakeProjContext();
    for (const std::string& folder : Folders(context.get())) {
        const std::string path = CPLFormFilename(folder.c_str(), name.c_str(), nullptr);
        if (IsFile(path)) return path;
    }
    // PROJ's database knows other names for it.
    const char* path = nullptr;
    int available = 0;
    if (proj_grid_get_info_from_database(context.get(), name.c_str(), &path, nullptr, nullptr,
                                         nullptr, nullptr, &available) &&
        available && path != nullptr && IsFile(path)) {
        return std::string(path);
    }
    return std::nullopt;
}

GridTree ReadGridFile(const std::string& path, GridUse use, double multiplier) {
    Reader reader(path);
    const std::string start = reader.Start(160);
    if (use == GridUse::Height && (EndsWith(path, "gtx") || EndsWith(path, "GTX")))
        return ReadGtx(reader, multiplier);
    if (use == GridUse::Shift || use == GridUse::ShiftAsStored) {
        const float lon_sign = use == GridUse::Shift ? -1.0f : 1.0f;
        const auto has = [&](size_t at, const char* text) {
            return start.size() >= at + std::strlen(text) &&
                   start.compare(at, std::strlen(text), text) == 0;
        };
        if (has(0, "HEADER") && has(96, "W GRID") && has(144, "TO      NAD83   "))
            return ReadNtv1(reader, lon_sign);
        if (has(0, "CTABLE V2")) return ReadCtable2(reader, lon_sign);
        if (has(0, "NUM_OREC") && has(48, "GS_TYPE")) return ReadNtv2(reader, lon_sign);
    }
    if (IsTiff(start)) return ReadGeoTiffGrids(path, use);
    reader.Fail("isn't of a format that PROJ reads");
}

}  // namespace gdalgpu
