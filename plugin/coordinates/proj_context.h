// PROJ's contexts, as this project uses them.
#pragma once

#include <proj.h>

#include <memory>

namespace gdalgpu {

struct ProjContextDeleter {
    void operator()(PJ_CONTEXT* context) const { proj_context_destroy(context); }
};
using ProjContext = std::unique_ptr<PJ_CONTEXT, ProjContextDeleter>;

struct PjDeleter {
    void operator()(PJ* pj) const { proj_destroy(pj); }
};
using Pj = std::unique_ptr<PJ, PjDeleter>;

// A context with the search paths, databases and network setting that GDAL gives PROJ, and without
// a log. It belongs to one thread at a time. Throws NotFusable where PROJ gives none.
ProjContext MakeProjContext();

}  // namespace gdalgpu
