// Equal-area maps on the faces of a regular polyhedron: Snyder (1992), "An Equal-Area Map
// Projection for Polyhedral Globes", Cartographica 29(1), in closed form both ways; the same with
// lines from the corners: van Leeuwen and Strebe (2006), "A 'Slice-and-Dice' Approach to Area
// Equivalence in Polyhedral Map Projections", CaGIS 33(4). An ellipsoid is seen by its authalic
// latitude. Orientation, faces and nets are those of PROJ 9.9's isea, ivea, dsea and tsea.
#pragma once

#include "proj/latitudes.h"

namespace kernels {
namespace proj {

// The right triangle of a face's middle, an edge's middle and a corner, on the sphere and on the
// plane. Lines start from one of its acute corners; `angle` is theirs from the edge's middle.
struct FaceTriangle {
    parameter cos_leg;  // of the arc to the edge's middle
    parameter tan_leg;
    parameter area;
    parameter plane_leg;
    parameter plane_side;  // the opposite side

    // Sine of half of the line's arc to the opposite side.
    GPU_FUNC real half_sine_of_line(real cosine) const {
        return sqrt(0.5 * (1 - cosine / sqrt(cosine * cosine + tan_leg * tan_leg)));
    }

    // half_sine: of half the arc from where the lines start.
    GPU_FUNC void to_plane(real half_sine, real angle, real& along, real& across) const {
        real sine, cosine;
        sin_cos(angle, sine, cosine);
        const real part = half_sine / half_sine_of_line(cosine);
        along = plane_leg * part;
        across = plane_side * part * (angle - asin(cos_leg * sine)) / area;
    }

    GPU_FUNC void to_sphere(real along, real across, real& half_sine, real& angle) const {
        const real part = along / plane_leg;
        real sine, cosine;
        sin_cos(part > 0 ? real(across / (plane_side * part) * area) : real(0), sine, cosine);
        angle = atan2(sine, cosine - cos_leg);
        half_sine = part * half_sine_of_line(cos(angle));
    }

#if GPU_SETUP
    static FaceTriangle Make(double cos_leg, double angle, double plane_leg, double plane_side) {
        return {cos_leg, sqrt(1 - cos_leg * cos_leg) / cos_leg, angle - asin(cos_leg * sin(angle)),
                plane_leg, plane_side};
    }
#endif
};

// Snyder's lines, from a face's middle. On the sphere a point is the vector (towards the edge's
// middle, towards the corner, towards the face's middle).
struct LinesFromMiddle {
    FaceTriangle triangle;

    GPU_FUNC void to_plane(const real (&point)[3], real& along, real& across) const {
        const real far = point[0] * point[0] + point[1] * point[1];
        triangle.to_plane(sqrt(far / (2 * (1 + point[2]))), atan2(point[1], point[0]), along,
                          across);
    }

    GPU_FUNC void to_sphere(real along, real across, real (&point)[3]) const {
        real half_sine, angle, sine, cosine;
        triangle.to_sphere(along, across, half_sine, angle);
        sin_cos(angle, sine, cosine);
        const real far = 2 * half_sine * sqrt((1 - half_sine) * (1 + half_sine));
        point[0] = far * cosine;
        point[1] = far * sine;
        point[2] = 1 - 2 * half_sine * half_sine;
    }

#if GPU_SETUP
    // corner: to one of the face, as a point.
    static LinesFromMiddle Make(const FaceTriangle& triangle, const double (&)[3]) {
        return {triangle};
    }
#endif
};

struct LinesFromCorners {
    FaceTriangle triangle;  // seen from the face's middle
    LinesFromMiddle lines;  // seen from the corner
    parameter axes[3][3];   // from the corner: to the edge's middle, across that, to the corner

    GPU_FUNC void to_plane(const real (&point)[3], real& along, real& across) const {
        real seen[3];
        for (int i = 0; i < 3; ++i) {
            seen[i] = axes[i][0] * point[0] + axes[i][1] * point[1] + axes[i][2] * point[2];
        }
        real from_corner, from_edge;
        if (seen[1] < 0) {
            seen[1] = 0;
        }
        lines.to_plane(seen, from_corner, from_edge);
        along = triangle.plane_leg - from_edge;
        across = triangle.plane_side - from_corner;
    }

    GPU_FUNC void to_sphere(real along, real across, real (&point)[3]) const {
        real seen[3];
        lines.to_sphere(triangle.plane_side - across, triangle.plane_leg - along, seen);
        for (int i = 0; i < 3; ++i) {
            point[i] = axes[0][i] * seen[0] + axes[1][i] * seen[1] + axes[2][i] * seen[2];
        }
    }

#if GPU_SETUP
    static LinesFromCorners Make(const FaceTriangle& triangle, const double (&corner)[3]) {
        LinesFromCorners l = {};
        l.triangle = triangle;
        const double edge[3] = {triangle.cos_leg * triangle.tan_leg, 0, triangle.cos_leg};
        const double cos_leg = edge[0] * corner[0] + edge[2] * corner[2];
        const double sin_leg = sqrt(1 - cos_leg * cos_leg);
        for (int i = 0; i < 3; ++i) {
            l.axes[0][i] = (edge[i] - cos_leg * corner[i]) / sin_leg;
            l.axes[2][i] = corner[i];
        }
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            l.axes[1][i] = l.axes[0][j] * l.axes[2][k] - l.axes[0][k] * l.axes[2][j];
        }
        const double angle = atan2(l.axes[1][2], l.axes[0][2]);
        l.lines = {FaceTriangle::Make(cos_leg, angle, triangle.plane_side, triangle.plane_leg)};
        return l;
    }
#endif
};

// A face: unit vectors to its middle and, in its plane, to the middle of its first edge; its middle
// on the map and the direction of that edge there.
struct Face {
    parameter middle[3];
    parameter edge[3];
    parameter x_0;
    parameter y_0;
    parameter sin_map;
    parameter cos_map;
};

template <int kFaces, int kCorners, class Lines = LinesFromMiddle>
struct Polyhedron {
    AuthalicLatitude authalic;
    parameter turn[3][3];  // from geographic axes to the polyhedron's
    Lines lines;
    Face faces[kFaces];

    static constexpr double kSector = kTwoPi / kCorners;

    GPU_FUNC static real dot(const parameter (&a)[3], real x, real y, real z) {
        return a[0] * x + a[1] * y + a[2] * z;
    }

    // The third axis of a face.
    GPU_FUNC static void third(const Face& f, real (&axis)[3]) {
        axis[0] = f.middle[1] * f.edge[2] - f.middle[2] * f.edge[1];
        axis[1] = f.middle[2] * f.edge[0] - f.middle[0] * f.edge[2];
        axis[2] = f.middle[0] * f.edge[1] - f.middle[1] * f.edge[0];
    }

    // The first of the faces to whose middle a point is nearest.
    GPU_FUNC bool forward(real lon, real lat, real& x, real& y) const {
        real sine, cosine, sin_lon, cos_lon;
        sin_cos(lat, sine, cosine);
        sin_cos(lon, sin_lon, cos_lon);
        if (authalic.es != 0) {
            const real gap = authalic.gap(sine, cosine);
            sine = copysign(real(1 - gap), sine);
            cosine = sqrt(gap * (2 - gap));
        }
        const real east = cosine * cos_lon, north = cosine * sin_lon;
        const real p = dot(turn[0], east, north, sine), q = dot(turn[1], east, north, sine),
                   r = dot(turn[2], east, north, sine);
        int nearest = 0;
        real cos_z = -2;
        for (int i = 0; i < kFaces; ++i) {
            const real near = dot(faces[i].middle, p, q, r);
            if (near > cos_z + rounding(4e-16)) {
                cos_z = near;
                nearest = i;
            }
        }
        const Face& face = faces[nearest];
        real axis[3];
        third(face, axis);
        const real u = dot(face.edge, p, q, r), v = axis[0] * p + axis[1] * q + axis[2] * r;
        const real azimuth = atan2(v, u);
        const real sector = kSector * rint(azimuth / kSector);
        real sin_sector, cos_sector, along, across;
        sin_cos(sector, sin_sector, cos_sector);
        const real point[3] = {u * cos_sector + v * sin_sector,
                               fabs(v * cos_sector - u * sin_sector), cos_z};
        lines.to_plane(point, along, across);
        place(face, sector, along, azimuth < sector ? -across : across, x, y);
        return true;
    }

    GPU_FUNC static void place(const Face& face, real sector, real along, real across, real& x,
                               real& y) {
        real sine, cosine;
        sin_cos(sector, sine, cosine);
        const real u = along * cosine - across * sine, v = along * sine + across * cosine;
        x = face.x_0 + u * face.cos_map - v * face.sin_map;
        y = face.y_0 + u * face.sin_map + v * face.cos_map;
    }

    // By the first of the faces that hold the point; false outside of the net.
    GPU_FUNC bool inverse(real x, real y, real& lon, real& lat) const {
        for (int i = 0; i < kFaces; ++i) {
            const Face& face = faces[i];
            const real dx = x - face.x_0, dy = y - face.y_0;
            const real u = dx * face.cos_map + dy * face.sin_map;
            const real v = dy * face.cos_map - dx * face.sin_map;
            const real direction = atan2(v, u);
            const real sector = kSector * rint(direction / kSector);
            real sine, cosine;
            sin_cos(sector, sine, cosine);
            const real along = u * cosine + v * sine, across = v * cosine - u * sine;
            if (along > lines.triangle.plane_leg * (1 + rounding(1e-10))) {
                continue;
            }
            real local[3], axis[3];
            lines.to_sphere(along, fabs(across), local);
            third(face, axis);
            const real beside = across < 0 ? -local[1] : local[1];
            const real to_edge = local[0] * cosine - beside * sine;
            const real to_axis = local[0] * sine + beside * cosine;
            real point[3], g[3];
            for (int k = 0; k < 3; ++k) {
                point[k] = local[2] * face.middle[k] + to_edge * face.edge[k] + to_axis * axis[k];
            }
            for (int k = 0; k < 3; ++k) {
                g[k] = turn[0][k] * point[0] + turn[1][k] * point[1] + turn[2][k] * point[2];
            }
            lon = atan2(g[1], g[0]);
            const real radius = sqrt(g[0] * g[0] + g[1] * g[1]);
            lat = atan2(g[2], radius);
            if (authalic.es != 0) {
                lat = authalic.geographic(lat, g[2], radius);
            }
            return true;
        }
        return false;
    }

#if GPU_SETUP
    // Where the polyhedron stands: its pole's authalic latitude and longitude, and azimuth;
    // degrees.
    struct Stand {
        double lat;
        double lon;
        double azimuth;
    };

    // corners: of each face, counterclockwise from outside. parents: the face (from 1) from which
    // each is unfolded; 0 for the root. The map's origin is the middle of the root, or of the box
    // around it; or where +lat_0 and +lon_0 lie.
    template <class Parameters>
    static Polyhedron Make(const Parameters& p, Definition& d, const double (*vertices)[3],
                           const int (*corners)[kCorners], const int* parents, Stand stand,
                           bool box) {
        Polyhedron h = {};
        h.authalic = AuthalicLatitude::Setup(p, d.ellipsoid);
        const double middle_angle = kPi / kCorners;
        SetFaces(h, vertices, corners);
        const Face& first = h.faces[0];
        const double* corner = vertices[corners[0][0]];
        const double cos_radius =
            first.middle[0] * corner[0] + first.middle[1] * corner[1] + first.middle[2] * corner[2];
        const double sin_radius = sqrt(1 - cos_radius * cos_radius);
        const double tan_leg = sin_radius / cos_radius * cos(middle_angle);
        const double plane_leg = sqrt(4 * kPi / (kFaces * kCorners * tan(middle_angle)));
        h.lines = Lines::Make(
            FaceTriangle::Make(1 / sqrt(1 + tan_leg * tan_leg), middle_angle, plane_leg,
                               plane_leg * tan(middle_angle)),
            {sin_radius * cos(middle_angle), sin_radius * sin(middle_angle), cos_radius});
        h.Unfold(corners, parents, stand);
        if (p.has("orient_lat")) {
            stand.lat = h.Authalic(p.number("orient_lat") * (kPi / 180)) * (180 / kPi);
        }
        stand.lon = p.has("orient_lon") ? p.number("orient_lon") : stand.lon;
        stand.azimuth = p.has("azi") ? p.number("azi") : stand.azimuth;
        h.Turn(stand);
        d.lon_0 = 0;
        if (d.ellipsoid.es != 0) {
            d.ellipsoid.a *= sqrt(0.5 * h.authalic.pole);
        }
        double x = 0, y = 0;
        if (p.has("lat_0") || p.has("lon_0")) {
            h.forward(p.angle("lon_0"), p.angle("lat_0"), x, y);
        } else if (box) {
            h.BoxMiddle(parents, x, y);
        }
        for (Face& face : h.faces) {
            face.x_0 -= x;
            face.y_0 -= y;
        }
        return h;
    }

    double Authalic(double lat) const {
        if (authalic.es == 0) {
            return lat;
        }
        const double below = authalic.gap(sin(lat), cos(lat));
        return copysign(atan2(1 - below, sqrt(below * (2 - below))), lat);
    }

    static void SetFaces(Polyhedron& h, const double (*vertices)[3],
                         const int (*corners)[kCorners]) {
        for (int i = 0; i < kFaces; ++i) {
            Face& face = h.faces[i];
            const double* a = vertices[corners[i][0]];
            const double* b = vertices[corners[i][1]];
            double length = 0, along = 0, size = 0;
            for (int k = 0; k < 3; ++k) {
                for (int j = 0; j < kCorners; ++j) {
                    face.middle[k] += vertices[corners[i][j]][k];
                }
                length += face.middle[k] * face.middle[k];
            }
            for (int k = 0; k < 3; ++k) {
                face.middle[k] /= sqrt(length);
                along += face.middle[k] * (a[k] + b[k]);
            }
            for (int k = 0; k < 3; ++k) {
                face.edge[k] = a[k] + b[k] - along * face.middle[k];
                size += face.edge[k] * face.edge[k];
            }
            for (int k = 0; k < 3; ++k) {
                face.edge[k] /= sqrt(size);
            }
        }
    }

    void Turn(const Stand& stand) {
        const double lat = stand.lat * (kPi / 180), lon = stand.lon * (kPi / 180),
                     azimuth = stand.azimuth * (kPi / 180);
        const double rows[3][3] = {{sin(lat) * cos(lon), sin(lat) * sin(lon), -cos(lat)},
                                   {-sin(lon), cos(lon), 0},
                                   {cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)}};
        for (int k = 0; k < 3; ++k) {
            turn[0][k] = cos(azimuth) * rows[0][k] - sin(azimuth) * rows[1][k];
            turn[1][k] = sin(azimuth) * rows[0][k] + cos(azimuth) * rows[1][k];
            turn[2][k] = rows[2][k];
        }
    }

    // Lays the faces out: the root with north upwards, or its first corner where north is upright
    // on it.
    void Unfold(const int (*corners)[kCorners], const int* parents, const Stand& stand) {
        const double lat = stand.lat * (kPi / 180), azimuth = stand.azimuth * (kPi / 180);
        const double north[3] = {-cos(azimuth) * cos(lat), -sin(azimuth) * cos(lat), sin(lat)};
        double direction[kFaces] = {};  // on the map, of the first edge's middle
        bool placed[kFaces] = {};
        for (int round = 0; round < kFaces; ++round) {
            for (int i = 0; i < kFaces; ++i) {
                Face& face = faces[i];
                const int parent = parents[i] - 1;
                if (placed[i] || (parent >= 0 && !placed[parent])) {
                    continue;
                }
                if (parent < 0) {
                    double axis[3];
                    third(face, axis);
                    const double u = dot(face.edge, north[0], north[1], north[2]);
                    const double v = axis[0] * north[0] + axis[1] * north[1] + axis[2] * north[2];
                    const double up = sqrt(u * u + v * v) < 1e-12 ? -kPi / kCorners : atan2(v, u);
                    direction[i] = kHalfPi - up;
                } else {
                    int own = 0, others = 0;
                    Shared(corners[i], corners[parent], own, others);
                    const double across = direction[parent] + others * kSector;
                    face.x_0 = faces[parent].x_0 + 2 * lines.triangle.plane_leg * cos(across);
                    face.y_0 = faces[parent].y_0 + 2 * lines.triangle.plane_leg * sin(across);
                    direction[i] = across + kPi - own * kSector;
                }
                face.sin_map = sin(direction[i]);
                face.cos_map = cos(direction[i]);
                placed[i] = true;
            }
        }
    }

    // The numbers of the edge that two faces share.
    static void Shared(const int (&a)[kCorners], const int (&b)[kCorners], int& of_a, int& of_b) {
        for (int i = 0; i < kCorners; ++i) {
            for (int j = 0; j < kCorners; ++j) {
                if (a[i] == b[(j + 1) % kCorners] && a[(i + 1) % kCorners] == b[j]) {
                    of_a = i;
                    of_b = j;
                }
            }
        }
    }

    void BoxMiddle(const int* parents, double& x, double& y) const {
        int root = 0;
        while (parents[root] != 0) {
            ++root;
        }
        double low_x = 1e9, high_x = -1e9, low_y = 1e9, high_y = -1e9;
        for (int k = 0; k < kCorners; ++k) {
            double at_x, at_y;
            place(faces[root], k * kSector, lines.triangle.plane_leg, lines.triangle.plane_side,
                  at_x, at_y);
            low_x = at_x < low_x ? at_x : low_x;
            high_x = at_x > high_x ? at_x : high_x;
            low_y = at_y < low_y ? at_y : low_y;
            high_y = at_y > high_y ? at_y : high_y;
        }
        x = 0.5 * (low_x + high_x);
        y = 0.5 * (low_y + high_y);
    }
#endif
};

#if GPU_SETUP
// A vertex by its height and longitude in degrees.
inline void SetVertex(double (&vertex)[3], double height, double lon) {
    const double radius = sqrt(1 - height * height);
    vertex[0] = radius * cos(lon * (kPi / 180));
    vertex[1] = radius * sin(lon * (kPi / 180));
    vertex[2] = height;
}
#endif

// +orient=isea, Snyder's, or pole.
template <class Lines>
struct IcosahedronOf : Polyhedron<20, 3, Lines> {
#if GPU_SETUP
    template <class Parameters>
    static IcosahedronOf Setup(const Parameters& p, Definition& d) {
        typename Polyhedron<20, 3, Lines>::Stand stand = {58.282525588539,
                                                          d.ellipsoid.es == 0 ? 11.25 : 11.20, 0};
        if (p.is("orient", "pole")) {
            stand = {90, 0, 0};
        } else if (p.has("orient") && !p.is("orient", "isea")) {
            p.fail("orient", "should be isea or pole");
        }
        double vertices[12][3];
        SetVertex(vertices[0], 1, 0);
        SetVertex(vertices[11], -1, 0);
        for (int k = 0; k < 5; ++k) {
            SetVertex(vertices[1 + k], 1 / sqrt(5.), 180 + 72 * k);
            SetVertex(vertices[6 + k], -1 / sqrt(5.), 216 + 72 * k);
        }
        // Rows of five: around the north pole, hanging from them, standing between these, and
        // around the south pole.
        int corners[20][3];
        for (int k = 0; k < 5; ++k) {
            const int next = (k + 1) % 5;
            const int rows[4][3] = {{0, 1 + k, 1 + next},
                                    {1 + k, 6 + k, 1 + next},
                                    {6 + k, 6 + next, 1 + next},
                                    {11, 6 + next, 6 + k}};
            for (int row = 0; row < 4; ++row) {
                for (int i = 0; i < 3; ++i) {
                    corners[5 * row + k][i] = rows[row][i];
                }
            }
        }
        const int parents[20] = {6, 7, 8, 9, 10, 11, 12, 0,  13, 14,
                                 7, 8, 8, 9, 10, 11, 12, 13, 14, 15};
        return {IcosahedronOf::Make(p, d, vertices, corners, parents, stand, true)};
    }
#endif
};

using Icosahedron = IcosahedronOf<LinesFromMiddle>;
using IcosahedronFromCorners = IcosahedronOf<LinesFromCorners>;

// +net=dsea, a5, crescent or flower.
struct Dodecahedron : Polyhedron<12, 5> {
#if GPU_SETUP
    template <class Parameters>
    static Dodecahedron Setup(const Parameters& p, Definition& d) {
        // By their heights above the plane across an axis through two vertices, and longitudes.
        const double top = sqrt(5.) / 3;
        const double near = atan(sqrt(3.) * (sqrt(5.) - 2)) * (180 / kPi);
        double vertices[20][3];
        const double heights[20] = {1,       top,     1. / 3, 1. / 3, top,     top,    1. / 3,
                                    -1. / 3, -1. / 3, 1. / 3, 1. / 3, -1. / 3, -top,   -1. / 3,
                                    1. / 3,  -1. / 3, -top,   -1,     -top,    -1. / 3};
        const double longitudes[20] = {0,           0,          60 - near, 60 + near,  120,
                                       -120,        -60 + near, near,      120 - near, 180 - near,
                                       -60 - near,  -near,      60,        120 + near, 180 + near,
                                       -120 + near, -60,        0,         180,        -120 - near};
        for (int i = 0; i < 20; ++i) {
            SetVertex(vertices[i], heights[i], longitudes[i]);
        }
        const int corners[12][5] = {{0, 1, 2, 3, 4},     {3, 8, 13, 9, 4},    {0, 4, 9, 14, 5},
                                    {0, 5, 10, 6, 1},    {1, 6, 11, 7, 2},    {2, 7, 12, 8, 3},
                                    {9, 13, 18, 19, 14}, {5, 14, 19, 15, 10}, {6, 10, 15, 16, 11},
                                    {7, 11, 16, 17, 12}, {8, 12, 17, 18, 13}, {15, 19, 18, 17, 16}};
        const char* const names[4] = {"dsea", "a5", "crescent", "flower"};
        const int nets[4][12] = {{4, 7, 8, 0, 9, 10, 3, 4, 4, 5, 6, 9},
                                 {4, 6, 8, 9, 6, 0, 2, 12, 10, 5, 7, 11},
                                 {4, 3, 4, 0, 4, 5, 8, 9, 4, 9, 10, 9},
                                 {4, 1, 1, 0, 1, 1, 12, 12, 4, 12, 12, 9}};
        int net = p.has("net") ? -1 : 0;
        for (int i = 0; i < 4; ++i) {
            net = p.is("net", names[i]) ? i : net;
        }
        if (net < 0) {
            p.fail("net", "should be dsea, a5, crescent or flower");
        }
        // The first face's middle at the pole.
        const Stand stand = {atan((3 + sqrt(5.)) / 4) * (180 / kPi), net == 1 ? -129. : -36., 240};
        return {Make(p, d, vertices, corners, nets[net], stand, false)};
    }
#endif
};

// +net=tsea or triangle.
struct Tetrahedron : Polyhedron<4, 3> {
#if GPU_SETUP
    template <class Parameters>
    static Tetrahedron Setup(const Parameters& p, Definition& d) {
        double vertices[4][3];
        SetVertex(vertices[0], 1, 0);
        SetVertex(vertices[1], -1. / 3, 60);
        SetVertex(vertices[2], -1. / 3, -60);
        SetVertex(vertices[3], -1. / 3, 180);
        const int corners[4][3] = {{0, 3, 2}, {0, 2, 1}, {1, 2, 3}, {0, 1, 3}};
        const int strip[4] = {2, 3, 0, 3}, triangle[4] = {3, 3, 0, 3};
        if (p.has("net") && !p.is("net", "tsea") && !p.is("net", "triangle")) {
            p.fail("net", "should be tsea or triangle");
        }
        return {Make(p, d, vertices, corners, p.is("net", "triangle") ? triangle : strip,
                     {90, 0, 0}, false)};
    }
#endif
};

}  // namespace proj
}  // namespace kernels
