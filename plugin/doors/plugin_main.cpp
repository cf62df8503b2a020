// gdal_GPU.so: what GDAL looks for in a driver plugin of this name.
#include "cpl_port.h"
#include "plugin/doors/register.h"

extern "C" CPL_DLL void GDALRegister_GPU();

void GDALRegister_GPU() { gdalgpu::RegisterAll(); }
