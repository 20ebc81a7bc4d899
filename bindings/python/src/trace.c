/* The path inside an impact, sampled. */
#include "ext.h"

/* Rows of (p, u, work_normal, work_friction, time, compression, mode) and of events, as lists. */
typedef struct trace {
    PyObject *rows, *events;
    int samples, failed;
} trace;

static void keep(trace *t, PyObject *list, PyObject *item)
{
    if (!item || PyList_Append(list, item) < 0)
        t->failed = 1;
    Py_XDECREF(item);
}

static PyObject *state_row(const carom_state *x, const char *word)
{
    return Py_BuildValue("(ddd)(ddd)dddds", x->p.t1, x->p.t2, x->p.n, x->u.t1, x->u.t2, x->u.n, x->work_normal,
                         x->work_friction, x->time, x->compression, word);
}

static void on_piece(void *context, const carom_piece *piece)
{
    trace *t = context;
    for (int i = 0; i <= t->samples && !t->failed; i++) {
        carom_state x;
        piece->at(piece, (double)i / t->samples, &x);
        keep(t, t->rows, state_row(&x, piece->mode));
    }
}

static void on_event(void *context, const carom_event *event)
{
    trace *t = context;
    if (!t->failed)
        keep(t, t->events, state_row(&event->at, carom_event_word(event->kind)));
}

static PyObject *trace_path(PyObject *module, PyObject *args)
{
    const core_state *state = core_state_of(module);
    PyObject *K, *u, *rule_at;
    trace t = {.samples = 16};
    carom_problem problem;
    if (!PyArg_ParseTuple(args, "OOO|i", &K, &u, &rule_at, &t.samples))
        return NULL;
    const carom_rule *rule = rule_of(state, rule_at);
    if (!rule || !problem_from(state, K, u, &problem))
        return NULL;
    if (t.samples < 1 || t.samples > 100000)
        return PyErr_Format(PyExc_ValueError, "samples must be 1...100000");
    t.rows = PyList_New(0);
    t.events = PyList_New(0);
    const carom_tracer tracer = {on_event, on_piece, &t};
    carom_outcome out;
    carom_status status = t.rows && t.events ? carom_solve(&problem, rule, &tracer, &out) : CAROM_STATUS_OK;
    if (t.failed || !t.rows || !t.events || carom_status_is_error(status)) {
        Py_XDECREF(t.rows);
        Py_XDECREF(t.events);
        return PyErr_Occurred() ? NULL : raise_status(state, status, NULL);
    }
    return Py_BuildValue("NN", t.rows, t.events);
}

PyMethodDef trace_methods[] = {
    {"trace", trace_path, METH_VARARGS,
     "trace(K, u, rule, samples=16, /)\n--\n\nThe states along the path, and its events; both lists of rows."},
    {NULL, NULL, 0, NULL}};
