/* Requests: texts in, texts out. Fits also take arrays, and give arrays. */
#include "io.h"

#include <math.h>

#include "carom/fit_plan.h"
#include "carom/request.h"
#include "carom/run_record.h"

/* A JSON tree as text; the tree is freed. */
PyObject *json_text(carom_json *json)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = json ? open_memstream(&bytes, &length) : NULL;
    if (out) {
        carom_json_print(out, json, true);
        fclose(out);
    }
    carom_json_free(json);
    PyObject *text = bytes ? PyUnicode_FromStringAndSize(bytes, (Py_ssize_t)length) : PyErr_NoMemory();
    free(bytes);
    return text;
}

/* ---- signals ---- */

/* Work that a signal can end; it runs without the interpreter's lock. */
typedef struct watched {
    double next;
    bool interrupted; /* with an exception */
} watched;

static bool watch(void *context, double share)
{
    watched *w = context;
    (void)share;
    if (w->interrupted || clock_now() < w->next)
        return !w->interrupted;
    PyGILState_STATE state = PyGILState_Ensure();
    w->interrupted = PyErr_CheckSignals() < 0;
    PyGILState_Release(state);
    w->next = clock_now() + SIGNALS;
    return !w->interrupted;
}

/* ---- any request ---- */

static PyObject *told(const carom_reply *reply)
{
    PyObject *all = PyList_New(0);
    for (int i = 0; all && i < reply->warning_count; i++) {
        const carom_told *t = &reply->warnings[i];
        PyObject *one = Py_BuildValue("ss", carom_warning_word(t->kind), t->what.message);
        if (!one || PyList_Append(all, one) < 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

PyObject *io_request(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name, *bytes, *file, *options;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "sz#sz", &name, &bytes, &length, &file, &options))
        return NULL;
    const carom_text text = {file, 1, bytes, (size_t)length};
    watched w = {0, false};
    const carom_watcher watcher = {watch, &w};
    carom_reply reply;
    bool fine;
    Py_BEGIN_ALLOW_THREADS;
    fine = carom_request(name, bytes ? &text : NULL, options, &watcher, &reply);
    Py_END_ALLOW_THREADS;
    PyObject *got = NULL;
    if (w.interrupted)
        ;
    else if (!fine)
        raise_case(&reply.error);
    else {
        PyObject *warnings = told(&reply), *answer = warnings ? json_text(reply.answer) : NULL;
        reply.answer = NULL;
        got = answer ? Py_BuildValue("NN", answer, warnings) : NULL;
        if (!answer)
            Py_XDECREF(warnings);
    }
    carom_reply_free(&reply);
    return got;
}

/* ---- files of runs ---- */

/* save_run(text, file, options, path, page): None, or the SVG text where the path is None. */
PyObject *io_save_run(PyObject *module, PyObject *args)
{
    (void)module;
    const char *bytes, *file, *options, *path, *page;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "s#sszz", &bytes, &length, &file, &options, &path, &page))
        return NULL;
    const carom_text text = {file, 1, bytes, (size_t)length};
    char *svg = NULL;
    size_t svg_length = 0;
    carom_case_error error = {.status = CAROM_STATUS_OK};
    const carom_run_file to = {path, page, path ? NULL : open_memstream(&svg, &svg_length)};
    if (!path && !to.out)
        return PyErr_NoMemory();
    bool fine;
    Py_BEGIN_ALLOW_THREADS;
    fine = carom_run_save(&text, options, &to, &error);
    Py_END_ALLOW_THREADS;
    if (to.out)
        fclose(to.out);
    PyObject *got = !fine  ? raise_case(&error)
                    : path ? Py_NewRef(Py_None)
                           : PyUnicode_FromStringAndSize(svg, (Py_ssize_t)svg_length);
    free(svg);
    return got;
}

/* ---- fits ---- */

/* Columns of doubles, by rows: K, u, u_after, covariance, weight. */
enum { COLUMNS = 5 };

typedef struct columns {
    int dim;
    Py_ssize_t rows;
    Py_buffer buffers[COLUMNS];
    int held;
} columns;

static void release(columns *c)
{
    while (c->held > 0)
        PyBuffer_Release(&c->buffers[--c->held]);
}

static int hold(columns *c, PyObject *tuple)
{
    const int widths[COLUMNS] = {c->dim * c->dim, c->dim, c->dim, c->dim * c->dim, 1};
    for (int i = 0; i < COLUMNS; i++) {
        Py_buffer *b = &c->buffers[i];
        if (PyObject_GetBuffer(PyTuple_GetItem(tuple, i), b, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
            return 0;
        c->held++;
        if (b->itemsize != (Py_ssize_t)sizeof(double) || b->len != c->rows * widths[i] * b->itemsize) {
            PyErr_SetString(PyExc_ValueError, "columns of a fit must be float64 and of one length");
            return 0;
        }
    }
    return 1;
}

/* One impact per row; groups is a list of words, or None. */
static int add_rows(const columns *c, PyObject *groups, carom_fit_data *data)
{
    const double *at[COLUMNS];
    const size_t dim = (size_t)c->dim;
    for (int i = 0; i < COLUMNS; i++)
        at[i] = c->buffers[i].buf;
    for (size_t row = 0; row < (size_t)c->rows; row++) {
        PyObject *word = groups == Py_None ? NULL : PyTuple_GetItem(groups, (Py_ssize_t)row);
        carom_fit_numbers x = {c->dim,
                               at[0] + row * dim * dim,
                               at[1] + row * dim,
                               at[2] + row * dim,
                               at[3] + row * dim * dim,
                               at[4][row],
                               word ? PyUnicode_AsUTF8AndSize(word, NULL) : NULL,
                               (long)row + 1};
        carom_case_error error = {.status = CAROM_STATUS_OK};
        if (PyErr_Occurred())
            return 0;
        if (!carom_fit_data_add_numbers(data, &x, &error)) {
            raise_case(&error);
            return 0;
        }
    }
    return 1;
}

static int read_arrays(PyObject *arrays, carom_fit_data *data)
{
    columns c = {0};
    PyObject *tuple, *groups;
    if (!PyArg_ParseTuple(arrays, "inO!O", &c.dim, &c.rows, &PyTuple_Type, &tuple, &groups))
        return 0;
    if ((c.dim != 2 && c.dim != 3) || PyTuple_Size(tuple) != COLUMNS) {
        PyErr_SetString(PyExc_ValueError, "a fit takes five columns in two or three dimensions");
        return 0;
    }
    int fine = hold(&c, tuple) && add_rows(&c, groups, data);
    release(&c);
    if (fine && c.rows == 0)
        PyErr_SetString(PyExc_ValueError, "data: no impacts in it");
    return fine && c.rows > 0;
}

static int read_text(PyObject *source, carom_fit_data *data)
{
    const char *bytes, *file;
    Py_ssize_t length;
    carom_case_error error = {.status = CAROM_STATUS_OK};
    if (!PyArg_ParseTuple(source, "s#s", &bytes, &length, &file))
        return 0;
    const carom_text text = {file, 1, bytes, (size_t)length};
    if (!carom_fit_data_add_text(data, &text, &error))
        raise_case(&error);
    return !PyErr_Occurred();
}

/* The diagnoses of all impacts: width, residuals and standardised ones (NaN where a row has fewer), leverage, Cook's
 * distance; then modes and labels as tuples of words. */
static PyObject *diagnoses(const carom_fit_answer *answer, const carom_fit_data *data)
{
    int width = 0;
    for (int i = 0; i < data->count; i++)
        width = data->rows[i].count > width ? data->rows[i].count : width;
    const size_t rows = (size_t)data->count, wide = (size_t)width;
    double *numbers = malloc((2 * wide + 2) * rows * sizeof *numbers + 1);
    PyObject *modes = PyTuple_New(data->count), *got = NULL;
    double *leverage = numbers + 2 * rows * wide, *cook = leverage + rows;
    for (int i = 0; numbers && modes && i < data->count; i++) {
        carom_fit_case d = {.leverage = NAN, .cook = NAN};
        (void)!carom_fit_diagnose(&answer->task, &answer->result, i, &d);
        for (int k = 0; k < width; k++) {
            numbers[(size_t)i * wide + (size_t)k] = k < d.count ? d.residual[k] : (double)NAN;
            numbers[(rows + (size_t)i) * wide + (size_t)k] = k < d.count ? d.standard[k] : (double)NAN;
        }
        leverage[i] = d.leverage;
        cook[i] = d.cook;
        PyObject *mode = PyUnicode_FromString(d.mode ? d.mode : "");
        if (!mode || PyTuple_SetItem(modes, i, mode) < 0)
            Py_CLEAR(modes);
    }
    if (numbers && modes)
        got = Py_BuildValue("iy#y#O", width, (char *)numbers, (Py_ssize_t)(2 * rows * wide * sizeof(double)),
                            (char *)leverage, (Py_ssize_t)(2 * rows * sizeof(double)), modes);
    else if (!PyErr_Occurred())
        PyErr_NoMemory();
    Py_XDECREF(modes);
    free(numbers);
    return got;
}

static PyObject *fit(const carom_fit_plan *plan, carom_fit_data *data, const char *file)
{
    carom_fit_answers answers = {0};
    carom_case_error error = {.status = CAROM_STATUS_OK};
    watched w = {0, false};
    const carom_watcher watcher = {watch, &w};
    bool fine;
    Py_BEGIN_ALLOW_THREADS;
    fine = carom_fit_run(plan, data, &watcher, &answers, &error);
    Py_END_ALLOW_THREADS;
    PyObject *got = NULL;
    if (!fine && !w.interrupted)
        raise_case(&error);
    if (fine && !w.interrupted) {
        PyObject *text = json_text(carom_fit_json(&answers, plan, data, file));
        PyObject *impacts = text ? diagnoses(&answers.list[0], data) : NULL;
        got = impacts ? Py_BuildValue("NN", text, impacts) : NULL;
        if (!impacts)
            Py_XDECREF(text);
    }
    carom_fit_answers_free(&answers);
    return got;
}

PyObject *io_fit(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *source, *arrays;
    const char *options, *file;
    if (!PyArg_ParseTuple(args, "OOss", &source, &arrays, &file, &options))
        return NULL;
    carom_fit_data data = {0};
    carom_fit_plan plan;
    carom_case_error error = {.status = CAROM_STATUS_OK};
    PyObject *got = NULL;
    if (!carom_fit_plan_read(&plan, options, &error))
        raise_case(&error);
    else {
        plan.impacts = false; /* they come as arrays */
        if (source != Py_None ? read_text(source, &data) : read_arrays(arrays, &data))
            got = fit(&plan, &data, file);
    }
    carom_fit_data_free(&data);
    return got;
}
