/* Many impacts: columns are buffers of doubles, used where they lie. */
#include "ext.h"

#include <time.h>

enum { COLUMNS_IN = 9, BUFFERS_MOST = 128 };

/* Buffers that are held during a call. */
typedef struct holding {
    Py_buffer buffers[BUFFERS_MOST];
    int count;
    Py_ssize_t rows; /* -1: not yet known */
} holding;

static void release(holding *h)
{
    while (h->count > 0)
        PyBuffer_Release(&h->buffers[--h->count]);
}

/* The memory of a column: contiguous, of this format, with as many rows as the others. Null with an exception. */
static void *hold(holding *h, PyObject *object, int writable, char format, const char *name)
{
    if (h->count == BUFFERS_MOST) {
        PyErr_SetString(PyExc_ValueError, "too many columns");
        return NULL;
    }
    Py_buffer *b = &h->buffers[h->count];
    if (PyObject_GetBuffer(object, b, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0)) < 0) {
        PyErr_Format(PyExc_ValueError, "%s must be %scontiguous", name, writable ? "writable and " : "");
        return NULL;
    }
    h->count++;
    Py_ssize_t rows = b->itemsize ? b->len / b->itemsize : 0;
    if (!b->format || b->format[0] != format || b->format[1]) {
        PyErr_Format(PyExc_TypeError, "%s must be an array of %s", name, format == 'd' ? "float64" : "uint8");
        return NULL;
    }
    if (h->rows >= 0 && rows != h->rows) {
        PyErr_Format(PyExc_ValueError, "%s has %zd rows, the others have %zd", name, rows, h->rows);
        return NULL;
    }
    h->rows = rows;
    static char nothing; /* an empty buffer may have no memory */
    return b->buf ? b->buf : &nothing;
}

/* ---- columns that come in ---- */

static int hold_problem(holding *h, PyObject *columns, carom_batch_in *in)
{
    static const char *const names[COLUMNS_IN] = {"K_t11", "K_t12", "K_t22", "K_t1n", "K_t2n",
                                                  "K_nn",  "u_t1",  "u_t2",  "u_n"};
    const double **at[COLUMNS_IN] = {&in->K_t11, &in->K_t12, &in->K_t22, &in->K_t1n, &in->K_t2n,
                                     &in->K_nn,  &in->u_t1,  &in->u_t2,  &in->u_n};
    for (int i = 0; i < COLUMNS_IN; i++) {
        PyObject *column = PyTuple_GetItem(columns, i);
        if (!column)
            return 0;
        if (column == Py_None)
            continue;
        *at[i] = hold(h, column, 0, 'd', names[i]);
        if (!*at[i])
            return 0;
    }
    return 1;
}

static const double **coefficient(carom_batch_coeffs *own, const char *name)
{
#define CAROM_COEFF(field, unit, min, max, value, range, meaning)                                                      \
    if (strcmp(name, #field) == 0)                                                                                     \
        return &own->field;
#include "carom/coeffs.def"
#undef CAROM_COEFF
    PyErr_Format(PyExc_TypeError, "no coefficient is called '%s'", name);
    return NULL;
}

int batch_coefficients(PyObject *own, carom_batch_in *in, batch_take *take, void *context)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(own, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const double **column = name ? coefficient(&in->coeffs, name) : NULL;
        if (!column)
            return 0;
        *column = take(context, value, (batch_column){name, NULL, 'd', 0});
        if (PyErr_Occurred())
            return 0;
    }
    return 1;
}

/* ---- columns that come out ---- */

static batch_column result(carom_batch_out *out, const char *name)
{
    struct {
        const char *name;
        void *at;
    } const plain[] = {
        {"p_t1", &out->p_t1}, {"p_t2", &out->p_t2}, {"p_n", &out->p_n},
        {"u_t1", &out->u_t1}, {"u_t2", &out->u_t2}, {"u_n", &out->u_n},
#define CAROM_LEDGER(field, member, meaning) {#field, &out->ledger.field},
#include "carom/ledger.def"
#undef CAROM_LEDGER
    };
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strcmp(name, plain[i].name) == 0)
            return (batch_column){name, plain[i].at, 'd', 1};
    void *bytes = strcmp(name, "status") == 0    ? (void *)&out->status
                  : strcmp(name, "flags") == 0   ? (void *)&out->ledger.flags
                  : strcmp(name, "defined") == 0 ? (void *)&out->ledger.defined
                  : strcmp(name, "mode") == 0    ? (void *)&out->ledger.mode
                                                 : NULL;
    if (!bytes)
        PyErr_Format(PyExc_TypeError, "no column is called '%s'", name);
    return (batch_column){name, bytes, 'B', 1};
}

int batch_results(PyObject *results, carom_batch_out *out, batch_take *take, void *context)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(results, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const batch_column column = name ? result(out, name) : (batch_column){NULL, NULL, 0, 1};
        if (column.at)
            *column.at = take(context, value, column);
        if (PyErr_Occurred())
            return 0;
    }
    return 1;
}

static void *take_held(void *h, PyObject *value, batch_column column)
{
    return hold(h, value, column.writable, column.format, column.name);
}

/* Results must not lie over other columns, except velocities after over those before. */
static int lie_apart(const holding *h, int inputs)
{
    for (int i = inputs; i < h->count; i++)
        for (int j = 0; j < i; j++) {
            const char *a = h->buffers[i].buf, *b = h->buffers[j].buf;
            int apart = a + h->buffers[i].len <= b || b + h->buffers[j].len <= a, same = a == b && j < inputs;
            if (!apart && !same) {
                PyErr_SetString(PyExc_ValueError, "result arrays overlap other arrays");
                return 0;
            }
        }
    return 1;
}

/* The time that this thread has run: other programs do not count. */
static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const carom_rule *batch_rule(const core_state *state, PyObject *object)
{
    const carom_rule *rule = rule_of(state, object);
    if (rule && is_python_law(rule)) {
        PyErr_SetString(PyExc_TypeError, "a law written in Python takes one impact at a time");
        return NULL;
    }
    return rule;
}

/* Solve the batch of these arguments; the seconds that the C function took, or a negative number with an exception. */
static double solve_batch(PyObject *module, PyObject *args)
{
    const core_state *state = core_state_of(module);
    PyObject *rule_at, *columns, *own, *results;
    int threads = 0;
    if (!PyArg_ParseTuple(args, "OO!O!O!|i", &rule_at, &PyTuple_Type, &columns, &PyDict_Type, &own, &PyDict_Type,
                          &results, &threads))
        return -1;
    const carom_rule *rule = batch_rule(state, rule_at);
    if (!rule)
        return -1;
    carom_batch_in in = {0};
    carom_batch_out out = {0};
    carom_batch_options options = {.threads = threads};
    carom_status status = CAROM_STATUS_OK;
    double start = 0, end = 0;
    holding h = {.count = 0, .rows = -1};
    own = copy_dict(own);
    results = copy_dict(results);
    int fine = own && results && hold_problem(&h, columns, &in) && batch_coefficients(own, &in, take_held, &h),
        inputs = h.count;
    fine = fine && batch_results(results, &out, take_held, &h) && lie_apart(&h, inputs);
    Py_XDECREF(own);
    Py_XDECREF(results);
    if (fine) {
        in.count = out.count = (size_t)h.rows;
        Py_BEGIN_ALLOW_THREADS;
        start = clock_now();
        status = carom_batch_solve(&in, rule, &out, &options);
        end = clock_now();
        Py_END_ALLOW_THREADS;
    }
    release(&h);
    if (fine && status)
        raise_status(state, status, NULL);
    return fine && !status ? (end > start ? end - start : 0) : -1;
}

/* The memory of one result of a batch of derivatives: as many numbers a row as the name says. */
static int hold_derivatives(holding *h, PyObject *results, carom_batch_derivatives *out)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(results, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        struct {
            const char *name;
            void *at;
            char format;
        } const all[] = {{"p_u", &out->p_u, 'd'},
                         {"u_after_u", &out->u_after_u, 'd'},
                         {"p_K", &out->p_K, 'd'},
                         {"u_after_K", &out->u_after_K, 'd'},
                         {"p_coeffs", &out->p_coeffs, 'd'},
                         {"u_after_coeffs", &out->u_after_coeffs, 'd'},
                         {"p", &out->p, 'd'},
                         {"u_after", &out->u_after, 'd'},
                         {"status", &out->status, 'B'},
                         {"nonsmooth", &out->nonsmooth, 'B'}};
        void *memory = NULL;
        for (size_t i = 0; name && i < sizeof all / sizeof all[0]; i++)
            if (strcmp(name, all[i].name) == 0) {
                h->rows = -1; /* rows of matrices: the caller has made them */
                memory = hold(h, value, 1, all[i].format, name);
                *(void **)all[i].at = memory;
            }
        if (!memory)
            return PyErr_Occurred() ? 0 : (PyErr_Format(PyExc_TypeError, "no such result: %S", key), 0);
    }
    return 1;
}

/* Internal: the Python function beside it makes the arrays of results, whose sizes are not checked here. */
static PyObject *differentiate_columns(PyObject *module, PyObject *args)
{
    const core_state *state = core_state_of(module);
    PyObject *rule_at, *columns, *own, *results;
    carom_batch_options options = {0};
    if (!PyArg_ParseTuple(args, "OO!O!O!|i", &rule_at, &PyTuple_Type, &columns, &PyDict_Type, &own, &PyDict_Type,
                          &results, &options.threads))
        return NULL;
    const carom_rule *rule = batch_rule(state, rule_at);
    if (!rule)
        return NULL;
    carom_batch_in in = {0};
    carom_batch_derivatives out = {0};
    carom_status status = CAROM_STATUS_OK;
    holding h = {.count = 0, .rows = -1};
    own = copy_dict(own);
    results = copy_dict(results);
    int fine = own && results && hold_problem(&h, columns, &in) && batch_coefficients(own, &in, take_held, &h);
    in.count = out.count = (size_t)(h.rows > 0 ? h.rows : 0);
    fine = fine && hold_derivatives(&h, results, &out);
    Py_XDECREF(own);
    Py_XDECREF(results);
    if (fine) {
        Py_BEGIN_ALLOW_THREADS;
        status = carom_batch_differentiate(&in, rule, &out, &options);
        Py_END_ALLOW_THREADS;
    }
    release(&h);
    if (!fine)
        return NULL;
    return status ? raise_status(state, status, NULL) : Py_NewRef(Py_None);
}

static PyObject *solve_columns(PyObject *module, PyObject *args)
{
    return solve_batch(module, args) < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *time_columns(PyObject *module, PyObject *args)
{
    double seconds = solve_batch(module, args);
    return seconds < 0 ? NULL : PyFloat_FromDouble(seconds);
}

static PyObject *threads(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyLong_FromLong(carom_batch_threads());
}

static PyObject *instruction_set(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(carom_isa_word(carom_isa_best()));
}

PyMethodDef batch_methods[] = {
    {"solve_columns", solve_columns, METH_VARARGS,
     "solve_columns(rule, columns, coefficients, results, threads=0, /)\n--\n\n"
     "Resolve every row of nine columns (K_t11, K_t12, K_t22, K_t1n, K_t2n, K_nn, u_t1, u_t2, u_n) into the columns of "
     "results. Columns are contiguous arrays of float64 and are used where they lie."},
    {"time_columns", time_columns, METH_VARARGS,
     "time_columns(rule, columns, coefficients, results, threads=0, /)\n--\n\n"
     "solve_columns; the seconds that carom_batch_solve ran in this thread, for the benchmark."},
    {"differentiate_columns", differentiate_columns, METH_VARARGS,
     "differentiate_columns(rule, columns, coefficients, results, /)\n--\n\nDerivatives of every row."},
    {"threads", threads, METH_NOARGS, "threads()\n--\n\nThe number of threads that a batch can use."},
    {"instruction_set", instruction_set, METH_NOARGS, "instruction_set()\n--\n\nThe vector instructions in use."},
    {NULL, NULL, 0, NULL}};
