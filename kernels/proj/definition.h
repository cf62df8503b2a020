// What PROJ knows of every projection before the projection itself reads its parameters: ellipsoid,
// origin, scale. A projection's setup() may change it (utm sets its own central meridian). Set-up
// is C++ of the library, not device code; parameters come through a small interface:
//     bool has(const char* name)            the parameter is there
//     double angle(const char* name)        degrees or DMS in the text, radians here; 0 where
//     absent double number(const char* name)       0 where absent long integer(const char* name)
//     bool flag(const char* name)
//     const char* text(const char* name)    nullptr where absent
//     void fail(const char* name, const char* why)    doesn't return
#pragma once

namespace kernels {
namespace proj {

struct Ellipsoid {
    double a = 0;       // semi-major axis, metres
    double b = 0;       // semi-minor axis
    double f = 0;       // flattening
    double e = 0;       // eccentricity
    double es = 0;      // eccentricity squared
    double one_es = 1;  // 1 - es
    double n = 0;       // third flattening
};

struct Definition {
    Ellipsoid ellipsoid;
    double lon_0 = 0;  // radians
    double lat_0 = 0;
    double k_0 = 1;
    double x_0 = 0;  // metres
    double y_0 = 0;
};

}  // namespace proj
}  // namespace kernels
