/* Sim: a scene in motion. Advancing runs without the interpreter's lock; one thread at a time may use a Sim. */
#include "io.h"

#include <math.h>
#include <stddef.h>

#include "carom/heap.h"
#include "carom/run.h"
#include "carom/run_record.h"
#include "of_speed.h"
#include "record.h"

enum { INSTANTS_AT_ONCE = 16 }; /* between two looks at the clock */

typedef struct sim_object {
    PyObject_HEAD char *text; /* what file reads from */
    carom_scene_file file;
    carom_sim *sim;
    run_record record;
    bool busy; /* a thread is advancing it */
} sim_object;

static sim_object *as_sim(PyObject *self)
{
    return (sim_object *)self;
}

/* True, or false with an exception while another thread advances it. */
static int is_free(const sim_object *s)
{
    if (s->busy)
        PyErr_SetString(PyExc_RuntimeError, "another thread is advancing this simulation");
    return !s->busy;
}

static PyObject *refuse(const sim_object *s, carom_status status, const carom_sim_error *blame)
{
    carom_case_error error;
    carom_scene_refuse(&s->file, status, blame, &error);
    return raise_case(&error);
}

/* ---- making one ---- */

typedef struct changes {
    const char *law;
    PyObject *coefficients, *options; /* dicts: name to number, name to 0 or 1 */
} changes;

/* The dicts are copies of sim_new: numbers of a caller may change what they lie in while they are read. */
static int change_coefficients(carom_rule *rule, PyObject *from)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(from, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        if (!name || !of_speed_take(&rule->coeffs, carom_coeff_find(name), value))
            return 0;
    }
    return 1;
}

static int change_options(carom_rule *rule, PyObject *from)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(from, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        long choice = name ? PyLong_AsLong(value) : 0;
        if (PyErr_Occurred())
            return 0;
        carom_options_set(&rule->options, carom_option_find(name), (int)choice);
    }
    return 1;
}

static int change_rule(const changes *c, carom_rule *rule)
{
    const carom_law *law = c->law ? carom_law_find(c->law) : NULL;
    rule->law = law ? law : rule->law;
    return change_coefficients(rule, c->coefficients) && change_options(rule, c->options);
}

static int change_scene(const changes *c, carom_scene_file *file)
{
    int fine = change_rule(c, &file->scene.rule);
    for (int i = 0; fine && i < file->scene.pair_count; i++)
        fine = change_rule(c, &file->pairs[i].rule);
    const carom_together *together = c->law ? carom_together_find(c->law) : NULL;
    file->scene.together.law = together ? together : file->scene.together.law;
    file->scene.together.options = file->scene.rule.options;
    return fine;
}

static PyObject *read_scene(sim_object *s, const carom_text *text, const changes *c)
{
    static const carom_memory memory = {carom_heap_resize, NULL};
    carom_case_error error;
    carom_sim_error blame = {CAROM_STATUS_OK, -1, -1, 0};
    if (!carom_scene_read(text, &s->file, &error))
        return raise_case(&error);
    if (!change_scene(c, &s->file))
        return NULL;
    if (!carom_scene_check(&s->file, &error))
        return raise_case(&error);
    carom_status status = carom_sim_create(&s->file.scene, &memory, &s->sim, &blame);
    if (status)
        return refuse(s, status, &blame);
    s->record.file = &s->file;
    s->record.sim = s->sim;
    return (PyObject *)s;
}

static PyObject *sim_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const char *bytes, *name;
    Py_ssize_t length;
    changes c = {0};
    if (keywords && PyDict_Size(keywords))
        return PyErr_Format(PyExc_TypeError, "Sim takes no keywords");
    if (!PyArg_ParseTuple(args, "s#szO!O!", &bytes, &length, &name, &c.law, &PyDict_Type, &c.coefficients, &PyDict_Type,
                          &c.options))
        return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    sim_object *s = (sim_object *)alloc(type, 0);
    size_t named = strlen(name) + 1;
    if (s)
        s->text = malloc(named + (size_t)length + 1);
    if (!s || !s->text) {
        Py_XDECREF(s);
        return PyErr_NoMemory();
    }
    memcpy(s->text, name, named);
    memcpy(s->text + named, bytes, (size_t)length);
    const carom_text text = {s->text, 1, s->text + named, (size_t)length};
    c.coefficients = PyDict_Copy(c.coefficients);
    c.options = PyDict_Copy(c.options);
    PyObject *made = c.coefficients && c.options ? read_scene(s, &text, &c) : NULL;
    Py_XDECREF(c.coefficients);
    Py_XDECREF(c.options);
    if (!made)
        Py_DECREF(s);
    return made;
}

static void sim_dealloc(PyObject *self)
{
    sim_object *s = as_sim(self);
    PyTypeObject *type = Py_TYPE(self);
    carom_sim_free(s->sim);
    carom_scene_free(&s->file);
    carom_result_free(&s->record.result);
    run_record_end(&s->record);
    free(s->text);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- going on ---- */

static bool take_sample(void *context)
{
    sim_object *s = context;
    run_record_sample(&s->record);
    return !s->record.failed;
}

/* To the end of the run, without the lock; false with an exception when a signal came. */
static int advance_run(sim_object *s, carom_run *run)
{
    bool more = true;
    carom_run_start(run);
    while (more) {
        Py_BEGIN_ALLOW_THREADS;
        for (double start = clock_now(); more && clock_now() - start < SIGNALS;)
            more = carom_run_on(run, INSTANTS_AT_ONCE) && !s->record.failed;
        Py_END_ALLOW_THREADS;
        if (PyErr_CheckSignals() < 0)
            return 0;
    }
    return 1;
}

/* What was recorded, as (samples, events), both bytes. */
static PyObject *take_record(run_record *r)
{
    if (r->failed || fflush(r->samples.stream) || fflush(r->events.stream))
        return PyErr_NoMemory();
    return Py_BuildValue("y#y#", r->samples.bytes, (Py_ssize_t)r->samples.length, r->events.bytes,
                         (Py_ssize_t)r->events.length);
}

static PyObject *run_and_record(sim_object *s, carom_run *run)
{
    if (!run_record_start(&s->record))
        return PyErr_NoMemory();
    const carom_sim_observer observer = {.after = run_record_event, .context = &s->record};
    carom_sim_observe(s->sim, &observer);
    s->busy = true;
    int fine = advance_run(s, run);
    s->busy = false;
    carom_sim_observe(s->sim, NULL);
    if (!fine)
        return NULL;
    PyObject *taken = take_record(&s->record);
    return taken ? Py_BuildValue("sN", carom_sim_stop_word(run->stop), taken) : NULL;
}

static PyObject *sim_advance(PyObject *self, PyObject *args)
{
    sim_object *s = as_sim(self);
    carom_run run = {.sim = s->sim, .until = carom_sim_until_default(), .sample = take_sample, .context = s};
    int rest, keeps;
    if (!PyArg_ParseTuple(args, "dLLpdp", &run.until.time, &run.until.impacts, &run.until.events, &rest, &run.rate,
                          &keeps) ||
        !is_free(s))
        return NULL;
    run.until.rest = rest;
    s->record.keeps_events = keeps;
    s->record.failed = false;
    PyObject *got = run_and_record(s, &run);
    run_record_end(&s->record);
    if (got && run.status != CAROM_STATUS_OK) {
        carom_sim_error blame = carom_sim_blame(s->sim);
        Py_DECREF(got);
        return refuse(s, run.status, &blame);
    }
    return got;
}

/* ---- looking ---- */

static PyObject *sim_names(PyObject *self, void *unused)
{
    (void)unused;
    const carom_scene_file *file = &as_sim(self)->file;
    PyObject *all = PyList_New(0);
    for (int i = 0; all && i < file->scene.body_count; i++) {
        PyObject *item = Py_BuildValue("sO", file->names[i], file->bodies[i].def.fixed ? Py_True : Py_False);
        if (!item || PyList_Append(all, item) < 0)
            Py_CLEAR(all);
        Py_XDECREF(item);
    }
    return all;
}

/* (name or None, law, dimension, (time, impacts, rest), rate) */
static PyObject *sim_about(PyObject *self, void *unused)
{
    (void)unused;
    const carom_scene_file *f = &as_sim(self)->file;
    return Py_BuildValue("zsi(dLi)d", f->name, f->scene.rule.law->id, f->scene.dim, f->until.time, f->until.impacts,
                         (int)f->until.rest, f->rate);
}

static PyObject *sim_now(PyObject *self, void *unused)
{
    (void)unused;
    const sim_object *s = as_sim(self);
    if (!is_free(s))
        return NULL;
    return Py_BuildValue("dLLd", carom_sim_time(s->sim), carom_sim_impacts(s->sim), carom_sim_events(s->sim),
                         carom_sim_next(s->sim));
}

static PyObject *sim_energy(PyObject *self, void *unused)
{
    (void)unused;
    const sim_object *s = as_sim(self);
    if (!is_free(s))
        return NULL;
    carom_sim_ledger l = carom_sim_energy(s->sim);
    return Py_BuildValue("ddddddd(ddd)(ddd)ddd", l.before, l.after, l.normal, l.friction, l.rest, l.sliding, l.residual,
                         l.momentum.x, l.momentum.y, l.momentum.z, l.angular.x, l.angular.y, l.angular.z, l.fields,
                         l.driven, l.spin);
}

static int body_index(const sim_object *s, int i)
{
    if (i >= 0 && i < s->file.scene.body_count)
        return 1;
    PyErr_SetString(PyExc_IndexError, "there is no such body");
    return 0;
}

static PyObject *sim_body(PyObject *self, PyObject *args)
{
    const sim_object *s = as_sim(self);
    int i;
    if (!PyArg_ParseTuple(args, "i", &i) || !is_free(s) || !body_index(s, i))
        return NULL;
    carom_sim_state x = carom_sim_body(s->sim, i);
    return Py_BuildValue("(ddd)(dddd)(ddd)(ddd)Nsdd", x.position.x, x.position.y, x.position.z, x.orientation.w,
                         x.orientation.x, x.orientation.y, x.orientation.z, x.velocity.x, x.velocity.y, x.velocity.z,
                         x.omega.x, x.omega.y, x.omega.z, PyBool_FromLong(x.resting), carom_sim_road_word(x.road),
                         x.since, x.error);
}

static PyObject *sim_next_impact(PyObject *self, PyObject *args)
{
    sim_object *s = as_sim(self);
    carom_sim_meeting next;
    double end;
    if (!PyArg_ParseTuple(args, "d", &end) || !is_free(s))
        return NULL;
    carom_status status = carom_sim_next_impact(s->sim, end, &next);
    carom_sim_error blame = carom_sim_blame(s->sim);
    if (status)
        return refuse(s, status, &blame);
    return Py_BuildValue("dii", next.time, next.a, next.b);
}

static PyObject *sim_distance(PyObject *self, PyObject *args)
{
    const sim_object *s = as_sim(self);
    int i, j;
    if (!PyArg_ParseTuple(args, "ii", &i, &j) || !is_free(s) || !body_index(s, i) || !body_index(s, j))
        return NULL;
    if (i == j)
        return PyErr_Format(PyExc_ValueError, "two different bodies are needed");
    return PyFloat_FromDouble(carom_sim_distance(s->sim, i, j));
}

static PyObject *sim_touches(PyObject *self, void *unused)
{
    (void)unused;
    const sim_object *s = as_sim(self);
    PyObject *all = is_free(s) ? PyList_New(0) : NULL;
    for (int i = 0; all && i < carom_sim_touch_count(s->sim); i++) {
        carom_sim_touch t = carom_sim_touch_at(s->sim, i);
        PyObject *item = Py_BuildValue("ss(ddd)(ddd)N", s->file.names[t.a], s->file.names[t.b], t.point.x, t.point.y,
                                       t.point.z, t.normal.x, t.normal.y, t.normal.z, PyBool_FromLong(t.slips));
        if (!item || PyList_Append(all, item) < 0)
            Py_CLEAR(all);
        Py_XDECREF(item);
    }
    return all;
}

/* ---- snapshots: capsules, so that no other bytes are taken for one ---- */

#define SNAPSHOT "carom snapshot"

typedef struct snapshot {
    const sim_object *owner; /* holds a reference */
    max_align_t bytes[];
} snapshot;

static void free_snapshot(PyObject *capsule)
{
    snapshot *x = PyCapsule_GetPointer(capsule, SNAPSHOT);
    Py_DECREF((PyObject *)x->owner);
    free(x);
}

static PyObject *sim_save(PyObject *self, PyObject *unused)
{
    (void)unused;
    const sim_object *s = as_sim(self);
    if (!is_free(s))
        return NULL;
    snapshot *x = malloc(sizeof *x + carom_sim_snapshot_size(s->sim));
    PyObject *capsule = x ? PyCapsule_New(x, SNAPSHOT, free_snapshot) : PyErr_NoMemory();
    if (!capsule) {
        free(x);
        return NULL;
    }
    x->owner = (sim_object *)Py_NewRef(self);
    carom_sim_save(s->sim, x->bytes);
    return capsule;
}

static PyObject *sim_restore(PyObject *self, PyObject *capsule)
{
    sim_object *s = as_sim(self);
    if (!is_free(s))
        return NULL;
    if (!PyCapsule_IsValid(capsule, SNAPSHOT))
        return PyErr_Format(PyExc_TypeError, "a snapshot is needed, as snapshot() makes it");
    const snapshot *x = PyCapsule_GetPointer(capsule, SNAPSHOT);
    if (x->owner != s)
        return PyErr_Format(PyExc_ValueError, "the snapshot is of another simulation");
    carom_status status = carom_sim_restore(s->sim, x->bytes);
    if (status)
        return PyErr_Format(PyExc_ValueError, "%s", carom_status_message(status));
    Py_RETURN_NONE;
}

static PyMethodDef sim_methods[] = {
    {"advance", sim_advance, METH_VARARGS,
     "advance(time, impacts, events, rest, rate, keeps_events, /)\n--\n\nGo on; (stop, (samples, events), status)."},
    {"body", sim_body, METH_VARARGS,
     "body(i, /)\n--\n\n(position, orientation, velocity, omega, resting, road, since, error) now."},
    {"next_impact", sim_next_impact, METH_VARARGS, "next_impact(end, /)\n--\n\nTime and bodies of the next impact."},
    {"distance", sim_distance, METH_VARARGS, "distance(i, j, /)\n--\n\nThe gap between two bodies now, m."},
    {"save", sim_save, METH_NOARGS, "save()\n--\n\nA snapshot."},
    {"restore", sim_restore, METH_O, "restore(snapshot, /)\n--\n\nGo back to a snapshot."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef sim_getters[] = {{"names", sim_names, NULL, "(name, fixed) of every body.", NULL},
                                    {"about", sim_about, NULL, "name, law, dimension, limits, rate.", NULL},
                                    {"now", sim_now, NULL, "time, impacts, events, time of the next event.", NULL},
                                    {"energy", sim_energy, NULL, "The ledger.", NULL},
                                    {"touches", sim_touches, NULL, "Closed contacts.", NULL},
                                    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot sim_slots[] = {{Py_tp_doc, (void *)"Sim(text, file, law, coefficients, options)\n--\n\n"
                                                      "A scene in motion; carom.Simulation is made of it."},
                                  {Py_tp_new, (void *)sim_new},
                                  {Py_tp_dealloc, (void *)sim_dealloc},
                                  {Py_tp_methods, (void *)sim_methods},
                                  {Py_tp_getset, (void *)sim_getters},
                                  {0, NULL}};

PyType_Spec sim_spec = {"carom._io.Sim", sizeof(sim_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                        sim_slots};
