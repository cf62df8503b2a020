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
        Rectangle degrees;      // and in longitude and latitude
        double accuracy = -1;   // metres; negative: unknown
        bool offshore = false;
        bool needs_grid = false;
    };

    // In PROJ's order. One operation is used everywhere; several, each where its area of use is.
    explicit OperationCandidates(std::vector<Operation> operations)
        : operations_(std::move(operations)) {}

    const std::vector<Operation>& operations() const { return operations_; }

    // The operation that proj_trans() takes for a point of the source CRS (with `inverse`: of the
    // target CRS, on its way to the source CRS), or null where it has none: the most accurate one
    // whose area of use holds the point, else the first that needs no grid.
    const Operation* Select(double x, double y, bool inverse) const;

    // The operation that would be taken for a place, were areas of use compared in degrees of
    // longitude and latitude.
    const Operation* SelectAtLongLat(double longitude, double latitude) const;

    // The operation taken all over an area, or null where there are several different ones (equal
    // texts count as one).
    const Operation* SelectAll(const Rectangle& area, bool inverse) const;

  private:
    const Operation* Select(double x, double y, Rectangle Operation::*area) const;

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
