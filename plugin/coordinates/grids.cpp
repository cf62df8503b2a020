#include "plugin/coordinates/grids.h"

#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <string>

#include "cpl_string.h"
#include "cpl_vsi.h"
#include "ogr_srs_api.h"

namespace gdalgpu {

namespace {

using kernels::step::kNone;
using kernels::step::Subgrid;
using Table = std::shared_ptr<const std::vector<std::byte>>;

// An empty path stands for PROJ's null grid.
std::vector<std::string> FindGrids(const StepParameters& p, const char* parameter) {
    std::vector<std::string> paths;
    const CPLStringList names(CSLTokenizeString2(p.text(parameter), ",", CSLT_ALLOWEMPTYTOKENS));
    for (int i = 0; i < names.size(); ++i) {
        const bool optional = names[i][0] == '@';
        const std::string name = names[i] + (optional ? 1 : 0);
        if (name == "null") {
            paths.emplace_back();
        } else if (const auto path = FindGrid(name)) {
            paths.push_back(*path);
        } else if (!optional) {
            p.fail(parameter, "needs the grid " + name + ", which isn't on this machine");
        } else if (OSRGetPROJEnableNetwork()) {
            p.fail(parameter, "may use the grid " + name + ", which PROJ looks for on the network");
        }
    }
    return paths;
}

// What the table depends on.
std::string Key(const std::vector<std::string>& paths, GridUse use, double multiplier) {
    std::ostringstream key;
    key.precision(17);
    key << static_cast<int>(use) << ' ' << multiplier;
    for (const std::string& path : paths) {
        VSIStatBufL status = {};
        if (!path.empty() && VSIStatL(path.c_str(), &status) != 0) status = {};
        key << '\n' << path << ' ' << status.st_size << ' ' << status.st_mtime;
    }
    return key.str();
}

void Append(GridTree& tree, GridTree more) {
    const size_t first = tree.grids.size();
    for (GridTree::Grid& grid : more.grids) {
        for (size_t& child : grid.children) child += first;
        tree.grids.push_back(std::move(grid));
    }
    for (const size_t root : more.roots) tree.roots.push_back(root + first);
}

GridTree NullGrid() {
    GridTree tree;
    tree.grids.emplace_back();
    tree.grids[0].extent.flags = kernels::step::kNullGrid;
    tree.roots.push_back(0);
    return tree;
}

// The first root is the first grid: a parent comes before its children.
Table Flatten(const GridTree& tree) {
    std::vector<Subgrid> table;
    const size_t header = tree.grids.size() * sizeof(Subgrid);
    size_t floats = header / sizeof(float);
    for (const GridTree::Grid& grid : tree.grids) {
        table.push_back(grid.extent);
        table.back().values = static_cast<int64_t>(floats);
        table.back().child =
            grid.children.empty() ? kNone : static_cast<int64_t>(grid.children.front());
        table.back().next = kNone;
        floats += grid.values.size();
    }
    const auto chain = [&](const std::vector<size_t>& siblings) {
        for (size_t i = 1; i < siblings.size(); ++i)
            table[siblings[i - 1]].next = static_cast<int64_t>(siblings[i]);
    };
    chain(tree.roots);
    auto bytes = std::make_shared<std::vector<std::byte>>(floats * sizeof(float));
    for (const GridTree::Grid& grid : tree.grids) {
        chain(grid.children);
        if (grid.values.empty()) continue;
        const size_t index = &grid - tree.grids.data();
        std::memcpy(bytes->data() + table[index].values * sizeof(float), grid.values.data(),
                    grid.values.size() * sizeof(float));
    }
    std::memcpy(bytes->data(), table.data(), header);
    return bytes;
}

}  // namespace

Table LoadGrids(const StepParameters& p, const char* parameter, GridUse use, double multiplier) {
    const std::vector<std::string> paths = FindGrids(p, parameter);
    if (paths.empty()) return nullptr;
    static std::mutex mutex;
    static std::map<std::string, Table> tables;
    const std::string key = Key(paths, use, multiplier);
    const std::lock_guard<std::mutex> lock(mutex);
    Table& table = tables[key];
    if (!table) {
        GridTree tree;
        for (const std::string& path : paths)
            Append(tree, path.empty() ? NullGrid() : ReadGridFile(path, use, multiplier));
        table = Flatten(tree);
    }
    return table;
}

}  // namespace gdalgpu
