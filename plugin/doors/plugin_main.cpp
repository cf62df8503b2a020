// gdal_GPU.so: what GDAL looks for in a driver plugin of this name. Any GDAL may open it.
#include <dlfcn.h>
#include <pthread.h>

#include "cpl_port.h"
#include "plugin/doors/calling_gdal.h"

extern "C" CPL_DLL void GDALRegister_GPU();

namespace {

using Register = void (*)();

// libgdalgpu's GDALGPURegister(); null where it can't be used.
Register register_all = nullptr;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// From the build's gdalplugins/, and from gdalplugins/ in an installation's folder of libraries.
const char* const kPlaces[] = {"/../lib/", "/../", nullptr};

}  // namespace

__attribute__((noinline)) void GDALRegister_GPU() {
    const gdalgpu::CallingGdal gdal = gdalgpu::FindCallingGdal(__builtin_return_address(0));
    char why[1024] = "";
    Register registration = nullptr;
    if (gdalgpu::IsOwnGdal(gdal, why, sizeof why)) {
        pthread_mutex_lock(&mutex);
        if (register_all == nullptr) {
            void* library = gdalgpu::OpenLibgdalgpu(
                reinterpret_cast<const void*>(&GDALRegister_GPU), kPlaces, gdal, why, sizeof why);
            if (library != nullptr) {
                register_all = reinterpret_cast<Register>(dlsym(library, "GDALGPURegister"));
            }
        }
        registration = register_all;
        pthread_mutex_unlock(&mutex);
    }
    if (registration != nullptr) {
        registration();
    } else {
        gdalgpu::SayNotUsed(gdal, why[0] != '\0' ? why : "libgdalgpu is of another version");
    }
}
