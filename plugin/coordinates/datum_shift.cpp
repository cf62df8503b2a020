#include "plugin/coordinates/datum_shift.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "plugin/coordinates/step_setup.h"

namespace gdalgpu {

namespace {

struct Datum {
    const char* name;
    const char* ellipsoid;
    const char* to_wgs84;  // nullptr: by grids
};

// Names, ellipsoids and shifts as PROJ knows them.
constexpr Datum kDatums[] = {
    {"WGS84", "WGS84", "0,0,0"},
    {"GGRS87", "GRS80", "-199.87,74.79,246.62"},
    {"NAD83", "GRS80", "0,0,0"},
    {"NAD27", "clrk66", nullptr},
    {"potsdam", "bessel", nullptr},
    {"carthage", "clrk80ign", "-263.0,6.0,431.0"},
    {"hermannskogel", "bessel", "577.326,90.129,463.919,5.137,1.474,5.297,2.4232"},
    {"ire65", "mod_airy", "482.530,-130.596,564.557,-1.042,-0.214,-0.631,8.15"},
    {"nzgd49", "intl", "59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993"},
    {"OSGB36", "airy", "446.448,-125.157,542.060,0.1502,0.2470,0.8421,-20.4894"},
};

const Datum& FindDatum(const StepParameters& p) {
    for (const Datum& datum : kDatums) {
        if (p.is("datum", datum.name)) {
            return datum;
        }
    }
    p.fail("datum", "names no datum");
}

// Up to seven numbers, those that lack 0.
std::array<double, 7> ParseToWgs84(const StepParameters& p, const std::string& text) {
    std::array<double, 7> values = {};
    size_t count = 0, at = 0;
    while (at < text.size()) {
        const size_t comma = std::min(text.find(',', at), text.size());
        if (count == values.size()) {
            p.fail("towgs84", "has more than seven numbers");
        }
        try {
            values[count++] = ParseNumber(text.substr(at, comma - at));
        } catch (const std::invalid_argument&) {
            p.fail("towgs84", "should be numbers");
        }
        at = comma + 1;
    }
    return values;
}

}  // namespace

kernels::step::Affine MakeAffine(const Vector& before, const Matrix& matrix, const Vector& after) {
    kernels::step::Affine affine = {};
    for (int i = 0; i < 3; ++i) {
        affine.before[i] = before[i];
        affine.after[i] = after[i];
        for (int j = 0; j < 3; ++j) {
            affine.matrix[3 * i + j] = matrix[i][j];
        }
    }
    return affine;
}

Matrix Rotation(const Vector& angle, bool exact, bool position_vector) {
    const double f = angle[0], t = angle[1], p = angle[2];
    Matrix r = {{{1, p, -t}, {-p, 1, f}, {t, -f, 1}}};
    if (exact) {
        const double cf = std::cos(f), sf = std::sin(f), ct = std::cos(t), st = std::sin(t);
        const double cp = std::cos(p), sp = std::sin(p);
        r = {{{ct * cp, cf * sp + sf * st * cp, sf * sp - cf * st * cp},
              {-ct * sp, cf * cp - sf * st * sp, sf * cp + cf * st * sp},
              {st, -sf * ct, cf * ct}}};
    }
    return position_vector ? Transpose(r) : r;
}

Matrix Transpose(const Matrix& matrix) {
    Matrix transposed = {};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            transposed[i][j] = matrix[j][i];
        }
    }
    return transposed;
}

Matrix Scale(const Matrix& matrix, double factor) {
    Matrix scaled = matrix;
    for (auto& row : scaled) {
        for (double& value : row) {
            value *= factor;
        }
    }
    return scaled;
}

kernels::step::Cart MakeCart(const kernels::proj::Ellipsoid& ellipsoid) {
    const double second = std::tan(std::asin(ellipsoid.e));
    return {ellipsoid.a, ellipsoid.b, ellipsoid.es, second * second};
}

const char* DatumEllipsoid(const StepParameters& p) { return FindDatum(p).ellipsoid; }

std::optional<ToWgs84> ReadToWgs84(const StepParameters& p) {
    const char* text = p.text("towgs84");
    if (p.has("datum")) {
        const Datum& datum = FindDatum(p);
        if (!datum.to_wgs84) {
            p.fail("datum", "isn't supported: it stands for grids");
        }
        text = text ? text : datum.to_wgs84;
    }
    if (!text) {
        return std::nullopt;
    }
    const std::array<double, 7> values = ParseToWgs84(p, text);
    ToWgs84 to_wgs84;
    for (int i = 0; i < 3; ++i) {
        to_wgs84.shift[i] = values[i];
        to_wgs84.angle[i] = values[3 + i] * kArcSecond;
    }
    // PROJ keeps the scale as a factor, with its rounding.
    to_wgs84.scale = (values[6] / 1e6 + 1 - 1) * 1e6;
    return to_wgs84;
}

DatumShifts MakeDatumShifts(const ToWgs84& to_wgs84, const kernels::proj::Ellipsoid& ellipsoid) {
    kernels::proj::Ellipsoid wgs84;
    wgs84.a = 6378137;
    wgs84.f = 1 / 298.257223563;
    wgs84.es = 2 * wgs84.f - wgs84.f * wgs84.f;
    wgs84.e = std::sqrt(wgs84.es);
    wgs84.b = (1 - wgs84.f) * wgs84.a;
    const double factor = 1 + to_wgs84.scale * 1e-6;
    const Matrix rotation = Rotation(to_wgs84.angle, true, true);
    DatumShifts shifts = {};
    shifts.to_wgs84.from = shifts.from_wgs84.to = MakeCart(ellipsoid);
    shifts.to_wgs84.to = shifts.from_wgs84.from = MakeCart(wgs84);
    shifts.to_wgs84.shift = MakeAffine({}, Scale(rotation, factor), to_wgs84.shift);
    shifts.from_wgs84.shift =
        MakeAffine(to_wgs84.shift, Scale(Transpose(rotation), 1 / factor), {});
    return shifts;
}

bool IsWgs84(const ToWgs84& to_wgs84, const kernels::proj::Ellipsoid& ellipsoid) {
    return to_wgs84.shift == Vector{} && to_wgs84.angle == Vector{} && to_wgs84.scale == 0 &&
           std::fabs(ellipsoid.a - 6378137) < 1e-8 &&
           std::fabs(ellipsoid.es - 0.0066943799901413) < 1e-15;
}

}  // namespace gdalgpu
