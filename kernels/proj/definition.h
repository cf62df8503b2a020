// What PROJ knows of every projection before the projection itself reads its parameters: ellipsoid,
// origin, scale. Set-up is C++ of the library (GPU_SETUP), no text of a module; a projection's
// Setup() reads its parameters, checks them, and may change the definition (utm sets its central
// meridian).
//
// Parameters come through a small interface, a template argument:
//
//   bool has(const char* name)               whether the parameter is there
//   double angle(const char* name)           degrees or DMS in the text, radians here; 0 if absent
//   double number(const char* name)          0 if absent
//   long integer(const char* name)           0 if absent
//   bool flag(const char* name)              false if absent
//   int list(const char* name, double* values, int most)     how many numbers; throws for more
//   bool is(const char* name, const char* value)
//   void fail(const char* name, const char* why)     throws
//   rules()                                  what the PROJ that is loaded decides: named booleans
#pragma once

#if defined(__CUDACC__) || defined(GPU_MODULE)
#define GPU_SETUP 0
#else
#define GPU_SETUP 1
#endif

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
    double r_a = 0;     // 1 / a where the inverse keeps another than the forward projection; else 0
    bool over = false;  // longitudes aren't wrapped
};

}  // namespace proj
}  // namespace kernels
