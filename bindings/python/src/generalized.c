/* Many mechanisms: rows of M, J and speeds to columns of a batch, and impulses back to speeds. */
#include "ext.h"

enum { M_AT, J_AT, QDOT_AT, COLUMNS_AT, STATUS_AT, WORK_AT, LAST_AT, PARTS };

/* Buffers of a call; the Python file beside this one makes them, of the right sizes. */
typedef struct parts {
    Py_buffer view[PARTS];
    int count;
} parts;

static void release(parts *p)
{
    while (p->count > 0)
        PyBuffer_Release(&p->view[--p->count]);
}

/* Entries of these buffers are doubles, but for statuses. The least size of each is given. */
static int hold(parts *p, PyObject *const *objects, const size_t *least)
{
    for (int i = 0; i < PARTS; i++) {
        int flags = i <= QDOT_AT ? PyBUF_C_CONTIGUOUS : PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE;
        if (PyObject_GetBuffer(objects[i], &p->view[i], flags) < 0)
            return 0;
        p->count++;
        if ((size_t)p->view[i].len < least[i] * (i == STATUS_AT ? 1 : sizeof(double))) {
            PyErr_SetString(PyExc_ValueError, "an array of mechanisms is too short");
            return 0;
        }
    }
    return 1;
}

/* Zero, or the size of a row: a batch may share one array. */
static size_t step_of(const Py_buffer *b, size_t row, size_t count)
{
    return (size_t)b->len == row * sizeof(double) && count > 1 ? 0 : row;
}

static carom_generalized_rows rows_of(const parts *p, size_t count, int n, int dim)
{
    size_t N = (size_t)n, D = (size_t)dim;
    return (carom_generalized_rows){.count = count,
                                    .n = n,
                                    .dim = dim,
                                    .M = p->view[M_AT].buf,
                                    .J = p->view[J_AT].buf,
                                    .qdot = p->view[QDOT_AT].buf,
                                    .M_step = step_of(&p->view[M_AT], N * N, count),
                                    .J_step = step_of(&p->view[J_AT], D * N, count),
                                    .qdot_step = step_of(&p->view[QDOT_AT], N, count),
                                    .work = p->view[WORK_AT].buf};
}

static void reduce(const carom_generalized_rows *rows, const parts *p)
{
    double *c = p->view[COLUMNS_AT].buf;
    size_t k = rows->count;
    const carom_generalized_columns columns = {c,         c + k,     c + 2 * k, c + 3 * k, c + 4 * k,
                                               c + 5 * k, c + 6 * k, c + 7 * k, c + 8 * k, p->view[STATUS_AT].buf};
    carom_generalized_reduce_rows(rows, &columns);
}

static void apply(const carom_generalized_rows *rows, const parts *p)
{
    const double *c = p->view[COLUMNS_AT].buf;
    const carom_generalized_impulses impulses = {c, c + rows->count, c + 2 * rows->count, p->view[STATUS_AT].buf};
    carom_generalized_apply_rows(rows, &impulses, p->view[LAST_AT].buf);
}

typedef void rows_function(const carom_generalized_rows *rows, const parts *p);

static PyObject *on_rows(PyObject *args, rows_function *function, size_t columns)
{
    PyObject *o[PARTS];
    Py_ssize_t count;
    int n, dim;
    if (!PyArg_ParseTuple(args, "niiOOOOOOO", &count, &n, &dim, &o[0], &o[1], &o[2], &o[3], &o[4], &o[5], &o[6]))
        return NULL;
    if (count < 0 || n < 1 || (dim != 2 && dim != 3)) {
        PyErr_SetString(PyExc_ValueError, "a mechanism has at least one speed and 2 or 3 contact axes");
        return NULL;
    }
    size_t N = (size_t)n, D = (size_t)dim, k = (size_t)count;
    const size_t least[PARTS] = {N * N, D * N, N, columns * k, k, k * CAROM_GENERALIZED_WORK(n), k * N};
    parts p = {.count = 0};
    int fine = hold(&p, o, least);
    if (fine) {
        const carom_generalized_rows rows = rows_of(&p, k, n, dim);
        Py_BEGIN_ALLOW_THREADS;
        function(&rows, &p);
        Py_END_ALLOW_THREADS;
    }
    release(&p);
    return fine ? Py_NewRef(Py_None) : NULL;
}

static PyObject *generalized_work(PyObject *module, PyObject *n)
{
    (void)module;
    long speeds = PyLong_AsLong(n);
    return speeds == -1 && PyErr_Occurred() ? NULL : PyLong_FromSize_t(CAROM_GENERALIZED_WORK(speeds));
}

static PyObject *reduce_rows(PyObject *module, PyObject *args)
{
    (void)module;
    return on_rows(args, reduce, 9);
}

static PyObject *apply_rows(PyObject *module, PyObject *args)
{
    (void)module;
    return on_rows(args, apply, 3);
}

PyMethodDef generalized_methods[] = {
    {"generalized_work", generalized_work, METH_O, "generalized_work(n, /)\n--\n\nDoubles of workspace per mechanism."},
    {"reduce_rows", reduce_rows, METH_VARARGS,
     "reduce_rows(count, n, dim, M, J, qdot, columns, status, work, qdot_after, /)\n--\n\nK and u of every mechanism."},
    {"apply_rows", apply_rows, METH_VARARGS,
     "apply_rows(count, n, dim, M, J, qdot, impulses, status, work, qdot_after, /)\n--\n\nThe speeds after the "
     "impacts."},
    {NULL, NULL, 0, NULL}};
