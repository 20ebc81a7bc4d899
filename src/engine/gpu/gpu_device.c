/* A device, from opening to closing: driver, context, kernels, memory. */
#include <string.h>

#include "engine/gpu/gpu_job.h"
#include "engine/gpu/gpu_state.h"

/* Numbers of the driver's interface. */
enum {
    ATTRIBUTE_PROCESSORS = 16,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    LIMIT_STACK = 0,
    STREAM_NON_BLOCKING = 1
};

enum { MAJOR_LEAST = 7 };      /* compute capability of the PTX */
enum { VERSION_LEAST = 9000 }; /* of the driver: CUDA 9 */
enum {
    STACK_BYTES = 12288
}; /* of a thread: the deepest law calls by pointers, whose frames the driver cannot add up */

/* ---- what went wrong ---- */

static size_t append(char *text, size_t at, size_t room, const char *more)
{
    while (*more && at + 1 < room)
        text[at++] = *more++;
    text[at] = 0;
    return at;
}

static const char *digits_of(int number, char text[16])
{
    char *at = text + 15;
    *at = 0;
    do
        *--at = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return at;
}

void gpu_complain(gpu_state *g, const char *before, int number, const char *after)
{
    char digits[16];
    size_t at = append(g->problem, 0, sizeof g->problem, before);
    if (number >= 0)
        at = append(g->problem, at, sizeof g->problem, digits_of(number, digits));
    append(g->problem, at, sizeof g->problem, after);
}

bool gpu_worked(gpu_state *g, int error, const char *doing)
{
    if (error == 0)
        return true;
    gpu_complain(g, "the device failed (CUDA error ", error, ") ");
    append(g->problem, strlen(g->problem), sizeof g->problem, doing);
    return false;
}

carom_status gpu_lacks(gpu_state *g, const carom_law *law)
{
    gpu_complain(g, law && law->id ? law->id : "this law", -1, " has no kernels for a GPU");
    return CAROM_STATUS_NO_DEVICE_LAW;
}

/* ---- opening ---- */

static bool is_recent(gpu_state *g)
{
    int version = 0;
    if (g->driver.init(0) || g->driver.driver_version(&version)) {
        gpu_complain(g, "NVIDIA's driver is installed but does not work here", -1, "");
        return false;
    }
    if (version < VERSION_LEAST)
        gpu_complain(g, "NVIDIA's driver is too old: it knows CUDA ", version / 1000, ", and 9 is needed");
    return version >= VERSION_LEAST;
}

static bool find_device(gpu_state *g, int ordinal)
{
    int count = 0;
    if (g->driver.device_count(&count) || ordinal < 0 || ordinal >= count) {
        gpu_complain(g, "there is no device ", ordinal < 0 ? 0 : ordinal, " on this machine");
        return false;
    }
    if (!gpu_worked(g, g->driver.device_get(&g->device, ordinal), "when it was looked for") ||
        !gpu_worked(g, g->driver.device_name(g->name, sizeof g->name, g->device), "when it was asked for its name") ||
        !gpu_worked(g, g->driver.device_attribute(&g->processors, ATTRIBUTE_PROCESSORS, g->device),
                    "when it was measured") ||
        !gpu_worked(g, g->driver.device_attribute(&g->major, ATTRIBUTE_MAJOR, g->device), "when it was measured") ||
        !gpu_worked(g, g->driver.device_attribute(&g->minor, ATTRIBUTE_MINOR, g->device), "when it was measured"))
        return false;
    if (g->major < MAJOR_LEAST)
        gpu_complain(g, "the device is too old: its compute capability is ", g->major, ", and 7.0 is needed");
    return g->major >= MAJOR_LEAST;
}

static bool enter(gpu_state *g)
{
    if (!gpu_worked(g, g->driver.context_retain(&g->context, g->device), "when its context was opened"))
        return false;
    void *before;
    bool good = gpu_worked(g, g->driver.context_push(g->context), "when its context was entered");
    for (int i = 0; good && i < GPU_SLOTS; i++)
        good =
            gpu_worked(g, g->driver.stream_create(&g->slot[i].stream, STREAM_NON_BLOCKING), "when a stream was made");
    good = good && gpu_worked(g, g->driver.alloc(&g->shared, sizeof(gpu_shared)), "when memory was taken");
    (void)g->driver.context_pop(&before);
    return good;
}

carom_status carom_gpu_open(carom_gpu *gpu, const carom_gpu_options *options)
{
    gpu_state *g = state_of(gpu);
    memset(gpu, 0, sizeof *gpu);
    atomic_flag_clear(&g->used);
    if (carom_gpu_image_count == 0) {
        gpu_complain(g, "this build of the library has no kernels: clang and LLVM were not there when it was made", -1,
                     "");
        return CAROM_STATUS_NO_DEVICE;
    }
    g->rows_most = options && options->rows > 0 ? (size_t)options->rows : GPU_LIST_ROWS;
    const char *why = gpu_driver_open(&g->driver);
    if (why)
        gpu_complain(g, why, -1, "");
    g->open = !why && is_recent(g) && find_device(g, options ? options->device : 0) && enter(g);
    return g->open ? CAROM_STATUS_OK : CAROM_STATUS_NO_DEVICE;
}

/* ---- memory ---- */

static bool take(gpu_state *g, uint64_t *address, size_t bytes)
{
    return *address || gpu_worked(g, g->driver.alloc(address, bytes), "when memory was taken");
}

static bool take_locked(gpu_state *g, void *address, size_t bytes)
{
    void **place = address;
    return *place || gpu_worked(g, g->driver.host_alloc(place, bytes, 0), "when memory of the host was locked");
}

bool gpu_take_lists(gpu_state *g)
{
    bool good = true;
    for (int i = 0; i < GPU_SLOTS; i++)
        good = good && take(g, &g->slot[i].lists, (2 * (size_t)GPU_LIST_ROWS + 64) * sizeof(uint32_t)) &&
               take_locked(g, &g->slot[i].counts, 2 * sizeof(uint32_t));
    return good;
}

bool gpu_take_staging(gpu_state *g)
{
    bool good = true;
    for (int i = 0; i < GPU_SLOTS; i++)
        good = good && take(g, &g->slot[i].columns, GPU_STAGING_BYTES) &&
               take_locked(g, &g->slot[i].staging, GPU_STAGING_BYTES);
    return good;
}

bool gpu_take_parcel(gpu_state *g, size_t bytes)
{
    return take(g, &g->parcel, bytes) && take_locked(g, &g->parcel_mirror, bytes);
}

static uint64_t address_of(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static bool enter_context(gpu_state *g)
{
    return g->open && gpu_worked(g, g->driver.context_push(g->context), "when its context was entered");
}

static void leave_context(gpu_state *g)
{
    void *before;
    (void)g->driver.context_pop(&before);
}

void *carom_gpu_take(carom_gpu *gpu, size_t bytes)
{
    gpu_state *g = state_of(gpu);
    uint64_t address = 0;
    if (!enter_context(g))
        return NULL;
    (void)take(g, &address, bytes);
    leave_context(g);
    return (void *)(uintptr_t)address;
}

void carom_gpu_give_back(carom_gpu *gpu, void *memory)
{
    gpu_state *g = state_of(gpu);
    if (!memory || !enter_context(g))
        return;
    (void)g->driver.free(address_of(memory));
    leave_context(g);
}

/* The copy was begun on the default stream: wait for it. */
static carom_status copied(gpu_state *g, int error)
{
    bool good = gpu_worked(g, error, "when memory was copied") &&
                gpu_worked(g, g->driver.stream_wait(NULL), "when memory was copied");
    leave_context(g);
    return good ? CAROM_STATUS_OK : CAROM_STATUS_BAD_ADDRESS;
}

carom_status carom_gpu_send(carom_gpu *gpu, void *to, const void *from, size_t bytes)
{
    gpu_state *g = state_of(gpu);
    return enter_context(g) ? copied(g, g->driver.copy_in(address_of(to), from, bytes, NULL)) : CAROM_STATUS_NO_DEVICE;
}

carom_status carom_gpu_fetch(carom_gpu *gpu, void *to, const void *from, size_t bytes)
{
    gpu_state *g = state_of(gpu);
    return enter_context(g) ? copied(g, g->driver.copy_out(to, address_of(from), bytes, NULL)) : CAROM_STATUS_NO_DEVICE;
}

/* ---- kernels ---- */

const gpu_image *gpu_image_of(const carom_law *law)
{
    for (int i = 0; i < carom_gpu_image_count; i++)
        if (law == carom_law_find(carom_gpu_images[i].id))
            return &carom_gpu_images[i];
    return NULL;
}

/* The kernel SYMBOL_what of a law. */
static bool find_kernel(gpu_state *g, const gpu_image *image, const char *what, void *module, void **kernel)
{
    char name[48];
    size_t at = append(name, 0, sizeof name, image->symbol);
    append(name, at, sizeof name, what);
    return gpu_worked(g, g->driver.module_function(kernel, module, name), "when a kernel was looked for");
}

/* What was compiled ahead for this very device, if there is such a thing and the driver takes it. */
static bool load_cubin(gpu_state *g, const gpu_image *image, gpu_kernels *k)
{
    const char here[] = {(char)('0' + g->major), (char)('0' + g->minor), 0};
    return image->cubin && strcmp(here, carom_gpu_cubin_arch) == 0 &&
           g->driver.module_load(&k->module, image->cubin) == 0;
}

static bool load_module(gpu_state *g, const gpu_image *image, gpu_kernels *k)
{
    return (load_cubin(g, image, k) ||
            gpu_worked(g, g->driver.module_load(&k->module, image->ptx), "when kernels were compiled")) &&
           (!image->has_rows || find_kernel(g, image, "_rows", k->module, &k->rows)) &&
           (!image->has_paths || find_kernel(g, image, "_paths", k->module, &k->paths)) &&
           find_kernel(g, image, "_pack", k->module, &k->pack) &&
           find_kernel(g, image, "_unpack", k->module, &k->unpack);
}

static bool deepen_stack(gpu_state *g)
{
    size_t now = 0;
    return gpu_worked(g, g->driver.get_limit(&now, LIMIT_STACK), "when its stack was measured") &&
           (now >= STACK_BYTES ||
            gpu_worked(g, g->driver.set_limit(LIMIT_STACK, STACK_BYTES), "when its stack was made deeper"));
}

const gpu_kernels *gpu_kernels_of(gpu_state *g, const gpu_image *image)
{
    gpu_kernels *k = &g->kernels[image - carom_gpu_images];
    if (k->unpack)
        return k;
    return (!image->has_paths || deepen_stack(g)) && load_module(g, image, k) ? k : NULL;
}

carom_status carom_gpu_load(carom_gpu *gpu, const carom_law *law)
{
    gpu_state *g = state_of(gpu);
    const gpu_image *image = law ? gpu_image_of(law) : NULL;
    if (!g->open)
        return CAROM_STATUS_NO_DEVICE;
    if (!image)
        return gpu_lacks(g, law);
    if (!enter_context(g))
        return CAROM_STATUS_NO_DEVICE;
    const gpu_kernels *k = gpu_kernels_of(g, image);
    leave_context(g);
    return k ? CAROM_STATUS_OK : CAROM_STATUS_NO_DEVICE;
}

/* ---- closing ---- */

static void free_slot(const gpu_driver *d, gpu_slot *s)
{
    if (s->lists)
        (void)d->free(s->lists);
    if (s->columns)
        (void)d->free(s->columns);
    if (s->staging)
        (void)d->host_free(s->staging);
    if (s->counts)
        (void)d->host_free(s->counts);
    if (s->stream)
        (void)d->stream_destroy(s->stream);
}

static void free_all(gpu_state *g)
{
    const gpu_driver *d = &g->driver;
    for (int i = 0; i < GPU_SLOTS; i++)
        free_slot(d, &g->slot[i]);
    for (int i = 0; i < GPU_LAWS_MOST; i++)
        if (g->kernels[i].module)
            (void)d->module_unload(g->kernels[i].module);
    if (g->parcel)
        (void)d->free(g->parcel);
    if (g->parcel_mirror)
        (void)d->host_free(g->parcel_mirror);
    if (g->shared)
        (void)d->free(g->shared);
}

void carom_gpu_close(carom_gpu *gpu)
{
    gpu_state *g = state_of(gpu);
    void *before;
    if (g->context && g->driver.context_push(g->context) == 0) {
        free_all(g);
        (void)g->driver.context_pop(&before);
    }
    if (g->context)
        (void)g->driver.context_release(g->device);
    gpu_driver_close(&g->driver);
    memset(gpu, 0, sizeof *gpu);
}

/* ---- looking ---- */

const char *carom_gpu_problem(const carom_gpu *gpu)
{
    return ((const gpu_state *)(const void *)gpu)->problem;
}

const char *carom_gpu_name(const carom_gpu *gpu)
{
    return ((const gpu_state *)(const void *)gpu)->name;
}

bool carom_gpu_has_law(const carom_law *law)
{
    return law && gpu_image_of(law) != NULL;
}
