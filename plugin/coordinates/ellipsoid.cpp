#include "plugin/coordinates/ellipsoid.h"

#include <proj.h>

#include <cmath>
#include <cstring>
#include <initializer_list>

#include "kernels/proj/angles.h"
#include "plugin/coordinates/datum_shift.h"

namespace gdalgpu {

namespace {

using kernels::proj::Ellipsoid;

// What is known before the derived members are computed; f and b are 0 where nothing gave them.
struct Shape {
    double a = 0;
    double b = 0;
    double f = 0;
    double e = 0;
    double es = 0;
};

void SetInverseFlattening(Shape& shape, double rf) {
    shape.f = 1 / rf;
    shape.es = 2 * shape.f - shape.f * shape.f;
}

void SetMinorAxis(Shape& shape, double b) {
    shape.b = b;
    if (b != shape.a) {
        shape.f = (shape.a - b) / shape.a;
        shape.es = 2 * shape.f - shape.f * shape.f;
    }
}

// From PROJ's own table, where major is "a=6378137.0" and ell "rf=298.257222101" or
// "b=6356034.446".
Shape NamedEllipsoid(const StepParameters& p, const char* parameter, const char* name) {
    for (const PJ_ELLPS* ellipsoid = proj_list_ellps(); ellipsoid->id; ++ellipsoid) {
        if (std::strcmp(ellipsoid->id, name) == 0) {
            Shape shape;
            shape.a = ParseNumber(std::strchr(ellipsoid->major, '=') + 1);
            const double value = ParseNumber(std::strchr(ellipsoid->ell, '=') + 1);
            if (ellipsoid->ell[0] == 'b') {
                SetMinorAxis(shape, value);
            } else {
                SetInverseFlattening(shape, value);
            }
            return shape;
        }
    }
    p.fail(parameter, "names no ellipsoid");
}

// The first of rf, f, es, e, b that is there replaces the shape.
void ReadShape(const StepParameters& p, Shape& shape) {
    const char* name = nullptr;
    for (const char* candidate : {"rf", "f", "es", "e", "b"}) {
        if (p.has(candidate) && !name) {
            name = candidate;
        }
    }
    if (!name) {
        return;
    }
    const double value = p.number(name);
    shape.b = shape.f = shape.e = shape.es = 0;
    if (std::strcmp(name, "rf") == 0) {
        if (value <= 0) p.fail(name, "should be greater than 0");
        SetInverseFlattening(shape, value);
    } else if (std::strcmp(name, "f") == 0) {
        if (value < 0) p.fail(name, "should be 0 or more");
        shape.f = value;
        shape.es = 2 * value - value * value;
    } else if (std::strcmp(name, "b") == 0) {
        if (value <= 0) p.fail(name, "should be greater than 0");
        SetMinorAxis(shape, value);
    } else {
        if (value < 0 || value >= 1) p.fail(name, "should be at least 0 and less than 1");
        shape.e = std::strcmp(name, "e") == 0 ? value : 0;
        shape.es = shape.e > 0 ? value * value : value;
    }
    if (!(shape.es >= 0) || shape.es >= 1) {
        p.fail(name, "gives no ellipsoid");
    }
}

double MinorAxis(const Shape& shape) {
    return shape.b > 0 ? shape.b : shape.a * std::sqrt(1 - shape.es);
}

// A sphere that stands for the ellipsoid, by the first of R_A, R_V, R_a, R_g, R_h, R_lat_a,
// R_lat_g, R_C that is there.
void ReadSphere(const StepParameters& p, Shape& shape) {
    const char* names[] = {"R_A", "R_V", "R_a", "R_g", "R_h", "R_lat_a", "R_lat_g", "R_C"};
    int chosen = -1;
    for (int i = p.rules().has_conformal_radius ? 7 : 6; i >= 0; --i) {
        if (p.has(names[i])) {
            chosen = i;
        }
    }
    if (chosen < 0) {
        return;
    }
    const double a = shape.a, b = MinorAxis(shape), es = shape.es;
    double radius = 0;
    switch (chosen) {
        case 0:
            radius = a * (1 - es * (1. / 6 + es * (17. / 360 + es * (67. / 3024))));
            break;
        case 1:
            radius = a * (1 - es * (1. / 6 + es * (5. / 72 + es * (55. / 1296))));
            break;
        case 2:
            radius = (a + b) / 2;
            break;
        case 3:
            radius = std::sqrt(a * b);
            break;
        case 4:
            radius = 2 * a * b / (a + b);
            break;
        case 7:  // of the conformal sphere at the equator: PROJ takes no other latitude
            radius = a * std::sqrt(1 - es);
            break;
        default: {
            const double latitude = p.angle(names[chosen]);
            if (std::fabs(latitude) > kernels::proj::kHalfPi) {
                p.fail(names[chosen], "should be within 90 degrees");
            }
            const double t = 1 - es * std::sin(latitude) * std::sin(latitude);
            radius =
                chosen == 5 ? a * (1 - es + t) / (2 * t * std::sqrt(t)) : a * std::sqrt(1 - es) / t;
        }
    }
    shape = Shape();
    shape.a = radius;
}

Ellipsoid Derive(const Shape& shape) {
    Ellipsoid ellipsoid;
    ellipsoid.a = shape.a;
    ellipsoid.es = shape.es;
    ellipsoid.e = shape.e > 0 ? shape.e : std::sqrt(shape.es);
    ellipsoid.one_es = 1 - shape.es;
    const double angular = std::asin(ellipsoid.e);
    ellipsoid.f = shape.f > 0 ? shape.f : 1 - std::cos(angular);
    ellipsoid.b = shape.b > 0 ? shape.b : (1 - ellipsoid.f) * shape.a;
    ellipsoid.n = std::tan(angular / 2) * std::tan(angular / 2);
    return ellipsoid;
}

}  // namespace

Ellipsoid ReadEllipsoid(const StepParameters& p) {
    Shape shape;
    if (p.has("R")) {
        for (const char* overruled : {"ellps", "datum", "a", "b", "rf", "f", "es", "e", "R_A",
                                      "R_V", "R_a", "R_g", "R_h", "R_lat_a", "R_lat_g", "R_C"}) {
            p.has(overruled);
        }
        shape.a = p.number("R");
        if (shape.a <= 0) {
            p.fail("R", "should be greater than 0");
        }
        return Derive(shape);
    }
    if (p.has("ellps")) {
        shape = NamedEllipsoid(p, "ellps", p.text("ellps"));
        if (p.has("datum")) {
            DatumEllipsoid(p);
        }
    } else if (p.has("datum")) {
        shape = NamedEllipsoid(p, "datum", DatumEllipsoid(p));
    } else {
        bool given = p.has("no_defs");
        for (const char* name : {"a", "b", "rf", "f", "es", "e"}) {
            given = p.has(name) || given;
        }
        if (!given) {
            shape = NamedEllipsoid(p, "ellps", "GRS80");
        }
    }
    if (p.has("a")) {
        shape.a = p.number("a");
    }
    if (!(shape.a > 0)) {
        p.fail("a", "is missing or not greater than 0");
    }
    ReadShape(p, shape);
    ReadSphere(p, shape);
    return Derive(shape);
}

}  // namespace gdalgpu
