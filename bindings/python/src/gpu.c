/* Batches on a GPU. Arrays come in as addresses, which gpu.py finds by the protocols that they speak. */
#include "ext.h"

#include <stdint.h>

#include "carom/gpu.h"

#define GPU_CAPSULE "carom.gpu"

enum { COLUMNS_IN = 9 };

static carom_gpu *gpu_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, GPU_CAPSULE);
}

static void free_gpu(PyObject *capsule)
{
    carom_gpu *gpu = gpu_of(capsule);
    carom_gpu_close(gpu);
    PyMem_Free(gpu);
}

/* With the sentence that the device has for it. */
static PyObject *raise_from(PyObject *module, carom_status status, const carom_gpu *gpu)
{
    const bool explains = status == CAROM_STATUS_NO_DEVICE || status == CAROM_STATUS_NO_DEVICE_LAW ||
                          status == CAROM_STATUS_BAD_ADDRESS || status == CAROM_STATUS_DEVICE_LOST;
    const char *why = explains ? carom_gpu_problem(gpu) : "";
    return raise_status(core_state_of(module), status, why[0] ? why : NULL);
}

static PyObject *gpu_open(PyObject *module, PyObject *args)
{
    int device = 0;
    if (!PyArg_ParseTuple(args, "|i", &device))
        return NULL;
    carom_gpu *gpu = PyMem_Malloc(sizeof *gpu);
    if (!gpu)
        return PyErr_NoMemory();
    const carom_gpu_options options = {.device = device};
    const carom_status status = carom_gpu_open(gpu, &options);
    if (status)
        raise_from(module, status, gpu);
    PyObject *capsule = status ? NULL : PyCapsule_New(gpu, GPU_CAPSULE, free_gpu);
    if (!capsule) {
        carom_gpu_close(gpu);
        PyMem_Free(gpu);
    }
    return capsule;
}

static PyObject *gpu_close(PyObject *module, PyObject *capsule)
{
    (void)module;
    carom_gpu *gpu = gpu_of(capsule);
    if (!gpu)
        return NULL;
    carom_gpu_close(gpu);
    return Py_NewRef(Py_None);
}

static PyObject *gpu_name(PyObject *module, PyObject *capsule)
{
    (void)module;
    const carom_gpu *gpu = gpu_of(capsule);
    return gpu ? PyUnicode_FromString(carom_gpu_name(gpu)) : NULL;
}

/* ---- memory ---- */

static PyObject *gpu_take(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    Py_ssize_t bytes;
    if (!PyArg_ParseTuple(args, "On", &capsule, &bytes))
        return NULL;
    carom_gpu *gpu = gpu_of(capsule);
    void *memory = gpu ? carom_gpu_take(gpu, (size_t)bytes) : NULL;
    if (gpu && !memory)
        raise_from(module, CAROM_STATUS_NO_DEVICE, gpu);
    return memory ? PyLong_FromVoidPtr(memory) : NULL;
}

static PyObject *gpu_give_back(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *address;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &address))
        return NULL;
    carom_gpu *gpu = gpu_of(capsule);
    void *memory = PyLong_AsVoidPtr(address);
    if (!gpu || PyErr_Occurred())
        return NULL;
    carom_gpu_give_back(gpu, memory);
    return Py_NewRef(Py_None);
}

/* Copy all of a buffer to the device, or from there. */
static PyObject *copy(PyObject *module, PyObject *args, int to_device)
{
    PyObject *capsule, *address, *object;
    Py_buffer b;
    if (!PyArg_ParseTuple(args, "OOO", &capsule, &address, &object))
        return NULL;
    carom_gpu *gpu = gpu_of(capsule);
    void *memory = PyLong_AsVoidPtr(address);
    if (!gpu || PyErr_Occurred() ||
        PyObject_GetBuffer(object, &b, PyBUF_C_CONTIGUOUS | (to_device ? 0 : PyBUF_WRITABLE)) < 0)
        return NULL;
    carom_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = to_device ? carom_gpu_send(gpu, memory, b.buf, (size_t)b.len)
                       : carom_gpu_fetch(gpu, b.buf, memory, (size_t)b.len);
    Py_END_ALLOW_THREADS;
    PyBuffer_Release(&b);
    return status ? raise_from(module, status, gpu) : Py_NewRef(Py_None);
}

static PyObject *gpu_send(PyObject *module, PyObject *args)
{
    return copy(module, args, 1);
}

static PyObject *gpu_fetch(PyObject *module, PyObject *args)
{
    return copy(module, args, 0);
}

/* ---- a batch ---- */

static int read_problem(PyObject *columns, carom_batch_in *in)
{
    const double **at[COLUMNS_IN] = {&in->K_t11, &in->K_t12, &in->K_t22, &in->K_t1n, &in->K_t2n,
                                     &in->K_nn,  &in->u_t1,  &in->u_t2,  &in->u_n};
    for (int i = 0; i < COLUMNS_IN; i++) {
        PyObject *address = PyTuple_GetItem(columns, i);
        if (!address)
            return 0;
        *at[i] = address == Py_None ? NULL : PyLong_AsVoidPtr(address);
    }
    return !PyErr_Occurred();
}

/* Columns on the device are given by their addresses. */
static void *take_address(void *context, PyObject *value, batch_column column)
{
    (void)context;
    (void)column;
    return PyLong_AsVoidPtr(value);
}

static PyObject *gpu_solve(PyObject *module, PyObject *args)
{
    const core_state *state = core_state_of(module);
    PyObject *capsule, *rule_at, *columns, *own, *results;
    Py_ssize_t rows;
    if (!PyArg_ParseTuple(args, "OOnO!O!O!", &capsule, &rule_at, &rows, &PyTuple_Type, &columns, &PyDict_Type, &own,
                          &PyDict_Type, &results))
        return NULL;
    carom_gpu *gpu = gpu_of(capsule);
    const carom_rule *rule = gpu ? batch_rule(state, rule_at) : NULL;
    carom_batch_in in = {.count = (size_t)rows};
    carom_batch_out out = {.count = (size_t)rows};
    if (!rule || !read_problem(columns, &in) || !batch_coefficients(own, &in, take_address, NULL) ||
        !batch_results(results, &out, take_address, NULL))
        return NULL;
    const carom_gpu_call call = {.device_arrays = true};
    carom_gpu_report report;
    carom_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = carom_gpu_solve(gpu, &in, rule, &out, &call, &report);
    Py_END_ALLOW_THREADS;
    return status ? raise_from(module, status, gpu) : PyLong_FromSize_t(report.on_host);
}

/* ---- DLPack, a protocol for arrays: https://dmlc.github.io/dlpack ---- */

enum { DL_CUDA = 2, DL_UINT = 1, DL_FLOAT = 2 };

typedef struct dl_tensor {
    void *data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
    dl_tensor tensor;
    void *owner;
    void (*deleter)(struct dl_managed *);
} dl_managed;

typedef struct dl_versioned {
    uint32_t major, minor;
    void *owner;
    void (*deleter)(struct dl_versioned *);
    uint64_t flags;
    dl_tensor tensor;
} dl_versioned;

static const dl_tensor *tensor_of(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor"))
        return &((const dl_managed *)PyCapsule_GetPointer(capsule, "dltensor"))->tensor;
    if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
        return &((const dl_versioned *)PyCapsule_GetPointer(capsule, "dltensor_versioned"))->tensor;
    PyErr_SetString(PyExc_TypeError, "__dlpack__ gave no tensor");
    return NULL;
}

/* One number behind the other, in the order of the axes. */
static int is_contiguous(const dl_tensor *t)
{
    int64_t step = 1;
    for (int i = t->ndim - 1; t->strides && i >= 0; i--) {
        if (t->shape[i] != 1 && t->strides[i] != step)
            return 0;
        step *= t->shape[i];
    }
    return 1;
}

/* The capsule stays as it is, and keeps the array alive. */
static PyObject *dlpack_look(PyObject *module, PyObject *capsule)
{
    (void)module;
    const dl_tensor *t = tensor_of(capsule);
    if (!t)
        return NULL;
    const char *type = t->lanes != 1                          ? "vectors"
                       : t->code == DL_FLOAT && t->bits == 64 ? "f8"
                       : t->code == DL_UINT && t->bits == 8   ? "u1"
                                                              : "another type";
    Py_ssize_t rows = 1;
    for (int i = 0; i < t->ndim; i++)
        rows *= (Py_ssize_t)t->shape[i];
    return Py_BuildValue("NnsO", PyLong_FromVoidPtr((char *)t->data + t->byte_offset), rows, type,
                         is_contiguous(t) ? Py_True : Py_False);
}

static void delete_tensor(dl_managed *m)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    Py_DECREF((PyObject *)m->owner);
    PyMem_Free(m);
    PyGILState_Release(lock);
}

/* A capsule that nobody has taken over. */
static void free_tensor(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, "dltensor"))
        delete_tensor(PyCapsule_GetPointer(capsule, "dltensor"));
}

static PyObject *dlpack_make(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *owner, *address;
    Py_ssize_t rows;
    int device, bytes;
    if (!PyArg_ParseTuple(args, "OOnii", &owner, &address, &rows, &bytes, &device))
        return NULL;
    struct {
        dl_managed m;
        int64_t shape[1];
    } *made = PyMem_Calloc(1, sizeof *made);
    if (!made)
        return PyErr_NoMemory();
    made->shape[0] = rows;
    made->m.tensor =
        (dl_tensor){.data = PyLong_AsVoidPtr(address), .device_type = DL_CUDA, .device_id = device, .ndim = 1};
    made->m.tensor.code = bytes == 1 ? DL_UINT : DL_FLOAT;
    made->m.tensor.bits = (uint8_t)(8 * bytes);
    made->m.tensor.lanes = 1;
    made->m.tensor.shape = made->shape;
    made->m.owner = Py_NewRef(owner);
    made->m.deleter = delete_tensor;
    return PyCapsule_New(&made->m, "dltensor", free_tensor);
}

PyMethodDef gpu_methods[] = {
    {"gpu_open", gpu_open, METH_VARARGS, "gpu_open(device=0, /)\n--\n\nOpen a GPU."},
    {"gpu_close", gpu_close, METH_O, "gpu_close(gpu, /)\n--\n\nFree what it holds; it is not open afterwards."},
    {"gpu_name", gpu_name, METH_O, "gpu_name(gpu, /)\n--\n\nThe name of the device."},
    {"gpu_take", gpu_take, METH_VARARGS, "gpu_take(gpu, bytes, /)\n--\n\nMemory of the device: its address."},
    {"gpu_give_back", gpu_give_back, METH_VARARGS, "gpu_give_back(gpu, address, /)\n--\n\nFree it."},
    {"gpu_send", gpu_send, METH_VARARGS, "gpu_send(gpu, address, buffer, /)\n--\n\nCopy a buffer to the device."},
    {"gpu_fetch", gpu_fetch, METH_VARARGS, "gpu_fetch(gpu, address, buffer, /)\n--\n\nFill a buffer from the device."},
    {"gpu_solve", gpu_solve, METH_VARARGS,
     "gpu_solve(gpu, rule, rows, columns, coefficients, results, /)\n--\n\n"
     "Resolve every row of nine columns, given by their addresses; the number of rows that the processors solved."},
    {"dlpack_look", dlpack_look, METH_O,
     "dlpack_look(capsule, /)\n--\n\nAddress, number of entries, type and whether they are contiguous."},
    {"dlpack_make", dlpack_make, METH_VARARGS,
     "dlpack_make(owner, address, rows, bytes, device, /)\n--\n\nA capsule for an array of the device."},
    {NULL, NULL, 0, NULL}};
