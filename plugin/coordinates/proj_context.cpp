#include "plugin/coordinates/proj_context.h"

#include <vector>

#include "cpl_string.h"
#include "ogr_srs_api.h"
#include "plugin/coordinates/coordinate_operation.h"

namespace gdalgpu {

ProjContext MakeProjContext() {
    ProjContext context(proj_context_create());
    if (context == nullptr) throw NotFusable("PROJ gave no context");
    proj_log_level(context.get(), PJ_LOG_NONE);
    const CPLStringList paths(OSRGetPROJSearchPaths());
    if (!paths.empty()) {
        std::vector<const char*> list(paths.size());
        for (int i = 0; i < paths.size(); ++i) list[i] = paths[i];
        proj_context_set_search_paths(context.get(), static_cast<int>(list.size()), list.data());
    }
    const CPLStringList databases(OSRGetPROJAuxDbPaths());
    if (!databases.empty())
        proj_context_set_database_path(context.get(), proj_context_get_database_path(context.get()),
                                       databases.List(), nullptr);
    proj_context_set_enable_network(context.get(), OSRGetPROJEnableNetwork());
    return context;
}

}  // namespace gdalgpu
