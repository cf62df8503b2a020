#include "plugin/coordinates/grid_geotiff.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "cpl_error.h"
#include "cpl_string.h"
#include "gdal_priv.h"
#include "ogr_spatialref.h"
#include "plugin/coordinates/coordinate_operation.h"

namespace gdalgpu {

namespace {

using kernels::proj::kPi;
using kernels::step::Subgrid;

// What a node's values are in the file. For shifts and heights kept from one directory to the next,
// as by PROJ.
struct Channels {
    int bands[3] = {1, 2, 3};
    double factor = 1;          // of all values
    bool positive_east = true;  // of the first
};

std::string Item(GDALMajorObject* object, const char* name) {
    const char* value = object->GetMetadataItem(name);
    return value != nullptr ? value : "";
}

class GeoTiffReader {
  public:
    GeoTiffReader(std::string path, GridUse use) : path_(std::move(path)), use_(use) {
        if (use == GridUse::Shift || use == GridUse::ShiftAsStored) {
            channels_ = {{2, 1, 0}, kPi / 180 / 3600, true};
        }
    }

    GridTree Read() {
        std::vector<std::string> names;
        {
            const GDALDatasetUniquePtr file = Open(path_);
            const CPLStringList subdatasets(CSLDuplicate(file->GetMetadata("SUBDATASETS")));
            for (int i = 1;; ++i) {
                const char* name = subdatasets.FetchNameValue(CPLSPrintf("SUBDATASET_%d_NAME", i));
                if (name == nullptr) break;
                names.emplace_back(name);
            }
        }
        if (names.empty()) names.push_back(path_);
        for (const std::string& name : names) ReadDirectory(*Open(name));
        if (tree_.grids.empty()) Fail("has no grid for this step");
        return std::move(tree_);
    }

  private:
    [[noreturn]] void Fail(const std::string& why) const {
        throw NotFusable("grid " + path_ + ": " + why);
    }

    GDALDatasetUniquePtr Open(const std::string& name) const {
        const char* const drivers[] = {"GTiff", nullptr};
        const char* const options[] = {"GEOREF_SOURCES=INTERNAL", nullptr};
        GDALDatasetUniquePtr dataset(
            GDALDataset::Open(name.c_str(), GDAL_OF_RASTER, drivers, options, nullptr));
        if (dataset == nullptr) Fail("GDAL can't open it");
        return dataset;
    }

    // The band with that description, or the one from before.
    bool FindChannel(GDALDataset& dataset, const std::vector<const char*>& names, int& band) const {
        bool found = false;
        for (int i = 1; i <= dataset.GetRasterCount(); ++i) {
            for (const char* name : names) {
                if (std::strcmp(dataset.GetRasterBand(i)->GetDescription(), name) == 0) {
                    band = i;
                    found = true;
                }
            }
        }
        return found;
    }

    // False where the directory holds something else.
    bool FindChannels(GDALDataset& dataset) {
        bool described = false;
        for (int i = 1; i <= dataset.GetRasterCount(); ++i)
            described |= dataset.GetRasterBand(i)->GetDescription()[0] != '\0';
        int needed = 1;
        bool found = true;
        switch (use_) {
            case GridUse::Height:
                found = FindChannel(dataset, {"geoid_undulation", "vertical_offset"},
                                    channels_.bands[0]);
                break;
            case GridUse::Shift:
            case GridUse::ShiftAsStored: {
                if (dataset.GetRasterCount() < 2) return false;
                const bool latitude = FindChannel(dataset, {"latitude_offset"}, channels_.bands[1]);
                found = FindChannel(dataset, {"longitude_offset"}, channels_.bands[0]);
                if (latitude != found) Fail("has one of the two offsets alone");
                needed = 2;
                break;
            }
            case GridUse::Translation:
                channels_ = {};
                FindChannel(dataset, {"x_translation"}, channels_.bands[0]);
                FindChannel(dataset, {"y_translation"}, channels_.bands[1]);
                FindChannel(dataset, {"z_translation"}, channels_.bands[2]);
                needed = 3;
                break;
            case GridUse::Velocity:
                channels_ = {};
                FindChannel(dataset, {"east_velocity"}, channels_.bands[0]);
                FindChannel(dataset, {"north_velocity"}, channels_.bands[1]);
                FindChannel(dataset, {"up_velocity"}, channels_.bands[2]);
                needed = 3;
                break;
        }
        if (described && !found) return false;
        for (int i = 0; i < needed; ++i) {
            if (channels_.bands[i] > dataset.GetRasterCount()) Fail("has too few bands");
        }
        if (needed == 2 && found) {
            const std::string positive =
                Item(dataset.GetRasterBand(channels_.bands[0]), "positive_value");
            if (!positive.empty() && positive != "west" && positive != "east")
                Fail("its positive_value is " + positive);
            if (!positive.empty()) channels_.positive_east = positive == "east";
        }
        ReadUnit(dataset);
        return true;
    }

    void ReadUnit(GDALDataset& dataset) {
        const std::string unit = dataset.GetRasterBand(channels_.bands[0])->GetUnitType();
        if (use_ == GridUse::Height || unit.empty()) return;
        const auto require = [&](bool known) {
            if (!known) Fail("its unit is " + unit);
        };
        if (use_ == GridUse::Translation) {
            require(unit == "metre");
        } else if (use_ == GridUse::Velocity) {
            require(unit == "millimetres per year");
        } else {
            require(unit == dataset.GetRasterBand(channels_.bands[1])->GetUnitType());
            require(unit == "arc-second" || unit == "arc-seconds per year" || unit == "radian" ||
                    unit == "degree");
            channels_.factor = unit == "radian"   ? 1
                               : unit == "degree" ? kPi / 180
                                                  : kPi / 180 / 3600;
        }
    }

    void ReadExtent(GDALDataset& dataset, Subgrid& extent, bool& bottom_up) const {
        double g[6];
        if (dataset.GetGeoTransform(g) != CE_None || g[2] != 0 || g[4] != 0)
            Fail("isn't georeferenced along longitude and latitude");
        const OGRSpatialReference* srs = dataset.GetSpatialRef();
        if (srs != nullptr && srs->IsProjected()) Fail("isn't in longitude and latitude");
        bottom_up = g[5] > 0;
        extent.width = dataset.GetRasterXSize();
        extent.height = dataset.GetRasterYSize();
        const double west = g[0] + 0.5 * g[1];
        const double top = g[3] + 0.5 * g[5];
        const double bottom = top + g[5] * static_cast<double>(extent.height - 1);
        const double degree = kPi / 180;
        extent.west = west * degree;
        extent.east = (west + g[1] * static_cast<double>(extent.width - 1)) * degree;
        extent.south = (bottom_up ? top : bottom) * degree;
        extent.north = (bottom_up ? bottom : top) * degree;
        extent.res_x = g[1] * degree;
        extent.res_y = std::fabs(g[5]) * degree;
        if (!FinishExtent(extent)) Fail("its extent makes no sense");
    }

    void ReadBand(GDALDataset& dataset, int channel, bool bottom_up, GridTree::Grid& grid) const {
        GDALRasterBand* band = dataset.GetRasterBand(channels_.bands[channel]);
        switch (band->GetRasterDataType()) {
            case GDT_Int16:
            case GDT_UInt16:
            case GDT_Int32:
            case GDT_UInt32:
            case GDT_Float32:
            case GDT_Float64:
                break;
            default:
                Fail("its data type isn't one that PROJ reads");
        }
        const int width = dataset.GetRasterXSize(), height = dataset.GetRasterYSize();
        const int stride = ValuesOfNode(use_);
        int has_nodata = 0;
        const auto nodata = static_cast<float>(band->GetNoDataValue(&has_nodata));
        const double scale = band->GetScale(), offset = band->GetOffset();
        std::vector<double> line(width);
        for (int row = 0; row < height; ++row) {
            const int from = bottom_up ? row : height - 1 - row;
            if (band->RasterIO(GF_Read, 0, from, width, 1, line.data(), width, 1, GDT_Float64, 0, 0,
                               nullptr) != CE_None) {
                Fail("can't be read");
            }
            float* to = &grid.values[(static_cast<size_t>(row) * width) * stride + channel];
            for (int column = 0; column < width; ++column, to += stride) {
                const auto stored = static_cast<float>(line[column]);
                const bool scaled = !has_nodata || stored != nodata;
                const float value =
                    scaled ? static_cast<float>(line[column] * scale + offset) : stored;
                *to = Converted(value, channel, has_nodata != 0, nodata);
            }
        }
    }

    float Converted(float value, int channel, bool has_nodata, float nodata) const {
        if (use_ == GridUse::Height)
            return has_nodata && value == nodata ? std::numeric_limits<float>::quiet_NaN() : value;
        if (use_ != GridUse::Shift && use_ != GridUse::ShiftAsStored) return value;
        const auto radians = static_cast<float>(value * channels_.factor);
        return channel == 0 && !channels_.positive_east ? -radians : radians;
    }

    static bool Contains(const Subgrid& outer, const Subgrid& inner) {
        return inner.west >= outer.west && inner.east <= outer.east && inner.south >= outer.south &&
               inner.north <= outer.north;
    }

    // Below the named parent; a grid without names below the deepest one that contains it.
    void Insert(GridTree::Grid grid, const std::string& name, const std::string& parent) {
        const size_t index = tree_.grids.size();
        const Subgrid extent = grid.extent;
        tree_.grids.push_back(std::move(grid));
        const auto named = parents_.find(parent);
        if (!name.empty()) parents_[name] = index;
        if (!parent.empty() && named != parents_.end() && named->second != index &&
            Contains(tree_.grids[named->second].extent, extent)) {
            tree_.grids[named->second].children.push_back(index);
            return;
        }
        std::vector<size_t>* among = &tree_.roots;
        for (bool deeper = !(parent.empty() && !name.empty()); deeper;) {
            deeper = false;
            for (const size_t candidate : *among) {
                if (Contains(tree_.grids[candidate].extent, extent)) {
                    among = &tree_.grids[candidate].children;
                    deeper = true;
                    break;
                }
            }
        }
        among->push_back(index);
    }

    void ReadDirectory(GDALDataset& dataset) {
        if (!FindChannels(dataset)) {
            if (tree_.grids.empty()) Fail("its first directory has no values for this step");
            return;
        }
        GridTree::Grid grid;
        bool bottom_up;
        ReadExtent(dataset, grid.extent, bottom_up);
        const int channels = ValuesOfNode(use_);
        if (static_cast<uint64_t>(grid.extent.width * grid.extent.height) >
            MostGridBytes() / sizeof(float) / channels) {
            Fail("is too large for this machine's memory");
        }
        grid.values.resize(grid.extent.width * grid.extent.height * channels);
        for (int channel = 0; channel < channels; ++channel)
            ReadBand(dataset, channel, bottom_up, grid);
        Insert(std::move(grid), Item(&dataset, "grid_name"), Item(&dataset, "parent_grid_name"));
    }

    const std::string path_;
    const GridUse use_;
    Channels channels_;
    GridTree tree_;
    std::map<std::string, size_t> parents_;
};

}  // namespace

GridTree ReadGeoTiffGrids(const std::string& path, GridUse use) {
    CPLErrorStateBackuper backup;
    CPLErrorHandlerPusher quiet(CPLQuietErrorHandler);
    return GeoTiffReader(path, use).Read();
}

}  // namespace gdalgpu
