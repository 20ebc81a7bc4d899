/* The driver of the GPU, opened when a program asks for it. The one file that loads a library at run time. */
#include "engine/gpu/gpu_state.h"

#ifdef CAROM_HAVE_DLOPEN
#include <dlfcn.h>
#include <string.h>

/* A function pointer from dlsym: ISO C has no cast for it, POSIX guarantees that the bits mean it. */
static bool find(const gpu_driver *d, const char *symbol, void *function)
{
    void *address = dlsym(d->library, symbol);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

const char *gpu_driver_open(gpu_driver *d)
{
    bool all = true;
    d->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!d->library)
        return "libcuda.so.1, NVIDIA's driver, is not installed";
#define DRIVER(name, symbol, parameters) all &= find(d, symbol, &d->name);
#include "engine/gpu/gpu_driver.def"
#undef DRIVER
    return all ? NULL : "NVIDIA's driver is too old: functions are missing";
}

void gpu_driver_close(gpu_driver *d)
{
    if (d->library)
        dlclose(d->library);
    d->library = NULL;
}

#else

const char *gpu_driver_open(gpu_driver *d)
{
    d->library = NULL;
    return "this build of the library cannot open drivers";
}

void gpu_driver_close(gpu_driver *d)
{
    (void)d;
}

#endif
