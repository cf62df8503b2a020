// The coordinate operations that PROJ has for a pair of CRSs, and which of them it takes for a
// point.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gdalgpu {

struct Rectangle {
    double min_x, min_y, max_x, max_y;  // inclusive
};

// Degrees: west, south, east, north.
using AreaOfInterest = std::array<double, 4>;

class OperationCandidates {
  public:
    struct Operation {
        std::string name;
        std::string
            text;  // pipeline, from the source CRS to the target CRS, axes in the CRSs' own order
        Rectangle source_area;  // area of use in the source CRS
        Rectangle target_area;  // and in the target CRS
        double accuracy = -1;   // metres; negative: unknown
        bool offshore = false;
        double extent = 0;  // of the area of use, on the unit sphere
        bool area_known = true;
        bool keeps_place = false;  // no other of the same accuracy takes its place
        bool needs_grid = false;
    };

    // In PROJ's order. One operation is used everywhere; several, each where its area of use is.
    explicit OperationCandidates(std::vector<Operation> operations)
        : operations_(std::move(operations)) {}

    const std::vector<Operation>& operations() const { return operations_; }

    // For each operation, whether proj_trans() can come to it for a point of the area, which is in
    // the source CRS (with `inverse`: in the target CRS, on the way to the source CRS). Operations
    // without grids are taken to refuse the same points: those outside of a CRS.
    std::vector<bool> Reachable(const Rectangle& area, bool inverse) const;

    // The first operation that needs no grid, which proj_trans() takes where no other is left; -1:
    // there is none.
    int Fallback() const;

  private:
    // The number of the operation that proj_trans() takes for a point, those that are in `refused`
    // left out: the most accurate one whose area of use holds the point. -1: none does.
    int Select(double x, double y, Rectangle Operation::*area,
               const std::array<int, 2>& refused) const;

    std::vector<Operation> operations_;
};

// What proj_create_crs_to_crs() finds, with the search paths and settings that GDAL gives PROJ.
// source and target: what proj_create() takes. The latest results are kept. Throws NotFusable where
// PROJ finds none, or the CRS can't be made. Thread-safe.
std::shared_ptr<const OperationCandidates> FindOperations(
    const std::string& source, const std::string& target,
    const std::optional<AreaOfInterest>& area);

// The one operation that the text (PROJ string, WKT or URN) names. Throws NotFusable.
std::shared_ptr<const OperationCandidates> GivenOperation(const std::string& text);

}  // namespace gdalgpu
