/* Outcome: what came out of one impact. Numbers become Python objects when they are asked for. */
#include "ext.h"

outcome_object *outcome_new(const core_state *state, int dim)
{
    PyTypeObject *type = (PyTypeObject *)state->outcome_class;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    outcome_object *self = (outcome_object *)alloc(type, 0);
    if (self)
        self->dim = dim;
    return self;
}

static PyObject *refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type;
    (void)args;
    (void)keywords;
    PyErr_SetString(PyExc_TypeError, "outcomes are made by carom.solve");
    return NULL;
}

static void outcome_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static const outcome_object *as_outcome(PyObject *self)
{
    return (const outcome_object *)self;
}

static PyObject *get_p(PyObject *self, void *unused)
{
    (void)unused;
    return vector_of(as_outcome(self)->dim, as_outcome(self)->outcome.p);
}

static PyObject *get_u_after(PyObject *self, void *unused)
{
    (void)unused;
    return vector_of(as_outcome(self)->dim, as_outcome(self)->outcome.u_after);
}

static PyObject *get_status(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong((long)as_outcome(self)->outcome.status);
}

static PyObject *get_flags(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(as_outcome(self)->outcome.flags);
}

static PyObject *text_or_none(const char *text)
{
    if (!text)
        Py_RETURN_NONE;
    return PyUnicode_FromString(text);
}

static PyObject *get_mode(PyObject *self, void *unused)
{
    (void)unused;
    return text_or_none(as_outcome(self)->outcome.mode);
}

static PyObject *get_energy(PyObject *self, void *unused)
{
    (void)unused;
    const carom_energy *e = &as_outcome(self)->outcome.energy;
    return Py_BuildValue("(ddddd)", e->before, e->after, e->change, e->normal, e->friction);
}

static PyObject *number_if(int defined, double value)
{
    if (!defined)
        Py_RETURN_NONE;
    return PyFloat_FromDouble(value);
}

static PyObject *get_restitution(PyObject *self, void *unused)
{
    (void)unused;
    const carom_restitution *r = &as_outcome(self)->outcome.restitution;
    return Py_BuildValue("(NNNN)", number_if((int)(r->defined & CAROM_HAS_NEWTON), r->newton),
                         number_if((int)(r->defined & CAROM_HAS_POISSON), r->poisson),
                         number_if((int)(r->defined & CAROM_HAS_STRONGE), r->stronge),
                         number_if((int)(r->defined & CAROM_HAS_IVANOV), r->ivanov));
}

static PyObject *get_margins(PyObject *self, void *unused)
{
    (void)unused;
    const carom_margins *m = &as_outcome(self)->outcome.margins;
    return Py_BuildValue("(ddd)", m->normal, m->energy, m->cone);
}

static PyObject *get_friction_ratio(PyObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(as_outcome(self)->outcome.friction_ratio);
}

static PyObject *get_phases(PyObject *self, void *unused)
{
    (void)unused;
    const carom_phases *f = &as_outcome(self)->outcome.phases;
    return Py_BuildValue("(idddddNN)", f->phases, f->p_compression, f->p_restitution, f->work_compression,
                         f->work_decompression, f->work_friction, text_or_none(f->path), text_or_none(f->first));
}

static PyObject *get_force(PyObject *self, void *unused)
{
    (void)unused;
    const carom_contact_force *f = &as_outcome(self)->outcome.force;
    return Py_BuildValue("(dddddddddi)", f->duration, f->max_compression, f->peak_force, f->dissipated_normal,
                         f->dissipated_friction, f->dissipated_tangential, f->residual_tangential, f->vibration_energy,
                         f->dissipated_vibration, f->contacts);
}

static PyObject *get_solutions(PyObject *self, void *unused)
{
    (void)unused;
    const outcome_object *o = as_outcome(self);
    int kept = o->outcome.solutions < CAROM_SOLUTIONS_KEPT ? o->outcome.solutions : CAROM_SOLUTIONS_KEPT;
    if (kept <= 1)
        return Py_BuildValue("(N)", vector_of(o->dim, o->outcome.p));
    PyObject *all = PyTuple_New(kept);
    for (int i = 0; all && i < kept; i++) {
        PyObject *p = vector_of(o->dim, o->outcome.all[i]);
        if (!p || PyTuple_SetItem(all, i, p) < 0)
            Py_CLEAR(all);
    }
    return all;
}

static PyGetSetDef outcome_getters[] = {
    {"p", get_p, NULL, "Impulse on body A, N s, in contact axes.", NULL},
    {"u_after", get_u_after, NULL, "Relative velocity after the impact, m/s.", NULL},
    {"_status", get_status, NULL, "The status as a number.", NULL},
    {"_flags", get_flags, NULL, "The flags as bits.", NULL},
    {"mode", get_mode, NULL, "The branch that the law took, e.g. 'stick'.", NULL},
    {"_energy", get_energy, NULL, "before, after, change, normal, friction.", NULL},
    {"_restitution", get_restitution, NULL, "newton, poisson, stronge, ivanov.", NULL},
    {"_margins", get_margins, NULL, "normal, energy, cone.", NULL},
    {"friction_ratio", get_friction_ratio, NULL, "|p_t| / p_n, zero without impulse.", NULL},
    {"_phases", get_phases, NULL, "Compression and restitution along the path.", NULL},
    {"_force", get_force, NULL, "What a contact-force law says besides.", NULL},
    {"solutions", get_solutions, NULL, "The impulses of every solution found.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot outcome_slots[] = {{Py_tp_doc, (void *)"What came out of one impact."},
                                      {Py_tp_new, (void *)refuse_new},
                                      {Py_tp_dealloc, (void *)outcome_free},
                                      {Py_tp_getset, (void *)outcome_getters},
                                      {0, NULL}};

PyType_Spec outcome_spec = {"carom._core.Outcome", sizeof(outcome_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                            outcome_slots};
