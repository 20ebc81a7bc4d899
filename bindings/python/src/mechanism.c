/* Mechanism: a tree of links, its coordinates and speeds, and impacts of its links. */
#include <stdlib.h>

#include "mechanism.h"

static PyObject *refuse(PyObject *self, carom_status status, int link)
{
    char about[240];
    if (link < 0)
        return raise_status(state_of(self), status, NULL);
    PyOS_snprintf(about, sizeof about, "link %d: %s", link, carom_status_message(status));
    return raise_status(state_of(self), status, about);
}

carom_vec3 mechanism_vec3(const double *x)
{
    return carom_vec3_make(x[0], x[1], x[2]);
}

PyObject *mechanism_numbers(const double *x, int count)
{
    PyObject *all = PyTuple_New(count);
    for (int i = 0; all && i < count; i++) {
        PyObject *one = PyFloat_FromDouble(x[i]);
        if (!one || PyTuple_SetItem(all, i, one) < 0)
            Py_CLEAR(all);
    }
    return all;
}

PyObject *mechanism_rows(const double *x, int rows, int columns)
{
    PyObject *all = PyTuple_New(rows);
    for (int i = 0; all && i < rows; i++) {
        PyObject *one = mechanism_numbers(x + (ptrdiff_t)i * columns, columns);
        if (!one || PyTuple_SetItem(all, i, one) < 0)
            Py_CLEAR(all);
    }
    return all;
}

/* ---- making one ---- */

static int joint_from(const char *word, carom_joint_type *type)
{
    for (int i = 0; i < CAROM_JOINT_TYPE_COUNT; i++)
        if (strcmp(word, carom_joint_type_word((carom_joint_type)i)) == 0) {
            *type = (carom_joint_type)i;
            return 1;
        }
    PyErr_Format(PyExc_ValueError,
                 "no joint is called '%s'; there are fixed, revolute, prismatic, spherical, planar, free", word);
    return 0;
}

/* (parent, joint, axis, origin, rotation, mass, com, inertia) */
static int link_from(PyObject *tuple, carom_link_def *def)
{
    const char *word;
    PyObject *axis, *origin, *rotation, *com, *inertia;
    double a[3], o[3], q[4], c[3], I[6];
    *def = carom_link_def_default();
    if (!PyArg_ParseTuple(tuple, "isOOOdOO", &def->parent, &word, &axis, &origin, &rotation, &def->mass, &com,
                          &inertia))
        return 0;
    if (!joint_from(word, &def->joint) || !numbers_from(axis, a, 3, "axis") || !numbers_from(origin, o, 3, "origin") ||
        !numbers_from(rotation, q, 4, "rotation") || !numbers_from(com, c, 3, "com") ||
        !numbers_from(inertia, I, 6, "inertia"))
        return 0;
    def->axis = mechanism_vec3(a);
    def->origin = mechanism_vec3(o);
    def->rotation = (carom_quat){q[0], q[1], q[2], q[3]};
    def->com = mechanism_vec3(c);
    def->inertia = (carom_sym3){.xx = I[0], .yy = I[1], .zz = I[2], .xy = I[3], .xz = I[4], .yz = I[5]};
    return 1;
}

static int links_from(mechanism_object *m, PyObject *list, PyObject *self)
{
    PyObject *all = copy_list(list);
    int count = all ? (int)PyTuple_Size(all) : 0, fine = 1;
    carom_link_def *defs = calloc((size_t)count + 1, sizeof *defs);
    m->links = calloc((size_t)count + 1, sizeof *m->links);
    if (!defs || !m->links || !all) {
        free(defs);
        Py_XDECREF(all);
        PyErr_NoMemory();
        return 0;
    }
    for (int i = 0; fine && i < count; i++)
        fine = link_from(PyTuple_GetItem(all, i), &defs[i]);
    Py_DECREF(all);
    carom_status status = fine ? carom_mechanism_init(defs, count, m->links, &m->mechanism) : CAROM_STATUS_OK;
    free(defs);
    if (fine && status)
        refuse(self, status, m->mechanism.culprit);
    return fine && !status;
}

static int allocate_motion(mechanism_object *m)
{
    size_t nq = (size_t)m->mechanism.nq, nv = (size_t)m->mechanism.nv;
    m->numbers = calloc(nq + nv + CAROM_FLIGHT_WORK(nq, nv) + 1, sizeof *m->numbers);
    m->motion = (carom_motion){.mechanism = &m->mechanism, .q = m->numbers, .qdot = m->numbers + nq};
    m->motion.links = calloc((size_t)m->mechanism.count + 1, sizeof *m->motion.links);
    m->motion.freedoms = calloc(nv + 1, sizeof *m->motion.freedoms);
    if (!m->numbers || !m->motion.links || !m->motion.freedoms) {
        PyErr_NoMemory();
        return 0;
    }
    return 1;
}

static PyObject *mechanism_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *links, *gravity;
    double g[3];
    if (keywords && PyDict_Size(keywords))
        return PyErr_Format(PyExc_TypeError, "Tree takes no keywords");
    if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &links, &gravity) || !numbers_from(gravity, g, 3, "gravity"))
        return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    mechanism_object *m = (mechanism_object *)alloc(type, 0);
    if (!m)
        return NULL;
    PyObject *self = (PyObject *)m;
    carom_status status = CAROM_STATUS_OK;
    int fine = links_from(m, links, self) && allocate_motion(m);
    if (fine) {
        m->mechanism.gravity = mechanism_vec3(g);
        carom_motion_reset(&m->motion);
        status = carom_motion_place(&m->motion);
    }
    if (fine && status)
        refuse(self, status, m->motion.culprit);
    if (fine && !status)
        return self;
    Py_DECREF(self);
    return NULL;
}

static void mechanism_free(PyObject *self)
{
    mechanism_object *m = as_mechanism(self);
    PyTypeObject *type = Py_TYPE(self);
    free(m->links);
    free(m->numbers);
    free(m->motion.links);
    free(m->motion.freedoms);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- the state ---- */

int mechanism_is_still(const mechanism_object *m)
{
    if (m->is_flying)
        PyErr_SetString(PyExc_RuntimeError, "the mechanism cannot be changed while it flies");
    return !m->is_flying;
}

/* Coordinates and speeds, both or none: a refusal changes nothing. */
static PyObject *mechanism_set(PyObject *self, PyObject *args)
{
    mechanism_object *m = as_mechanism(self);
    PyObject *q, *qdot;
    int nq = m->mechanism.nq, nv = m->mechanism.nv;
    if (!PyArg_ParseTuple(args, "OO", &q, &qdot) || !mechanism_is_still(m))
        return NULL;
    double *old = malloc((size_t)(nq + nv + 1) * sizeof *old);
    if (!old)
        return PyErr_NoMemory();
    memcpy(old, m->numbers, (size_t)(nq + nv) * sizeof *old);
    int fine = numbers_from(q, m->motion.q, nq, "q") && numbers_from(qdot, m->motion.qdot, nv, "qdot");
    carom_status status = fine ? carom_motion_place(&m->motion) : CAROM_STATUS_OK;
    int culprit = m->motion.culprit;
    if (!fine || status) {
        memcpy(m->numbers, old, (size_t)(nq + nv) * sizeof *old);
        (void)!carom_motion_place(&m->motion);
    }
    free(old);
    if (!fine)
        return NULL;
    return status ? refuse(self, status, culprit) : Py_NewRef(Py_None);
}

static PyObject *get_q(PyObject *self, void *unused)
{
    (void)unused;
    return mechanism_numbers(as_mechanism(self)->motion.q, as_mechanism(self)->mechanism.nq);
}

static PyObject *get_qdot(PyObject *self, void *unused)
{
    (void)unused;
    return mechanism_numbers(as_mechanism(self)->motion.qdot, as_mechanism(self)->mechanism.nv);
}

static PyObject *get_energy(PyObject *self, void *unused)
{
    (void)unused;
    const carom_motion *motion = &as_mechanism(self)->motion;
    return Py_BuildValue("dd", carom_motion_kinetic(motion), carom_motion_potential(motion));
}

static PyObject *mechanism_mass_matrix(PyObject *self, PyObject *unused)
{
    (void)unused;
    mechanism_object *m = as_mechanism(self);
    int nv = m->mechanism.nv;
    double *M = calloc((size_t)nv * (size_t)nv + 1, sizeof *M);
    if (!M)
        return PyErr_NoMemory();
    carom_motion_mass_matrix(&m->motion, M);
    PyObject *rows = mechanism_rows(M, nv, nv);
    free(M);
    return rows;
}

/* One vector with an entry per speed, made by fill. */
static PyObject *speeds_of(mechanism_object *m, void (*fill)(carom_motion *, const double *, double *),
                           const double *in)
{
    double *x = calloc((size_t)m->mechanism.nv + 1, sizeof *x);
    if (!x)
        return PyErr_NoMemory();
    fill(&m->motion, in, x);
    PyObject *all = mechanism_numbers(x, m->mechanism.nv);
    free(x);
    return all;
}

static void fill_bias(carom_motion *motion, const double *unused, double *h)
{
    (void)unused;
    carom_motion_bias(motion, h);
}

static PyObject *mechanism_bias(PyObject *self, PyObject *unused)
{
    (void)unused;
    return speeds_of(as_mechanism(self), fill_bias, NULL);
}

static PyObject *mechanism_accelerate(PyObject *self, PyObject *tau)
{
    mechanism_object *m = as_mechanism(self);
    double *x = calloc((size_t)m->mechanism.nv + 1, sizeof *x);
    if (!x)
        return PyErr_NoMemory();
    PyObject *got = tau == Py_None || numbers_from(tau, x, m->mechanism.nv, "tau")
                        ? speeds_of(m, carom_motion_accelerate, x)
                        : NULL;
    free(x);
    return got;
}

static int link_point(PyObject *self, PyObject *args, int *link, carom_vec3 *point)
{
    PyObject *at;
    double x[3];
    if (!PyArg_ParseTuple(args, "iO", link, &at) || !numbers_from(at, x, 3, "point"))
        return 0;
    if (*link < 0 || *link >= as_mechanism(self)->mechanism.count) {
        PyErr_SetString(PyExc_IndexError, "there is no such link");
        return 0;
    }
    *point = mechanism_vec3(x);
    return 1;
}

static PyObject *mechanism_point(PyObject *self, PyObject *args)
{
    int link;
    carom_vec3 point;
    return link_point(self, args, &link, &point)
               ? triple_of(carom_motion_point(&as_mechanism(self)->motion, link, point))
               : NULL;
}

static PyObject *mechanism_velocity(PyObject *self, PyObject *args)
{
    int link;
    carom_vec3 point;
    return link_point(self, args, &link, &point)
               ? triple_of(carom_motion_velocity(&as_mechanism(self)->motion, link, point))
               : NULL;
}

/* ---- flight ---- */

static double gap_of(void *context, const carom_motion *motion)
{
    mechanism_object *m = context;
    (void)motion; /* it is m->motion */
    PyObject *got = m->gap_failed ? NULL : PyObject_CallFunctionObjArgs(m->gap, (PyObject *)m, NULL);
    double gap = got ? PyFloat_AsDouble(got) : -1;
    Py_XDECREF(got);
    m->gap_failed |= !got || PyErr_Occurred();
    return m->gap_failed ? -1 : gap;
}

static PyObject *mechanism_advance(PyObject *self, PyObject *args)
{
    mechanism_object *m = as_mechanism(self);
    carom_flight flight = carom_flight_default();
    PyObject *gap;
    if (!PyArg_ParseTuple(args, "dOd", &flight.until, &gap, &flight.tolerance) || !mechanism_is_still(m))
        return NULL;
    m->gap = gap;
    m->gap_failed = 0;
    flight.gap = gap == Py_None ? NULL : gap_of;
    flight.context = m;
    flight.work = m->numbers + m->mechanism.nq + m->mechanism.nv;
    m->is_flying = 1;
    carom_status status = carom_motion_advance(&m->motion, &flight);
    m->is_flying = 0;
    m->gap = NULL;
    if (m->gap_failed)
        return NULL;
    return status ? refuse(self, status, -1)
                  : Py_BuildValue("dNi", flight.time, PyBool_FromLong(flight.hit), flight.steps);
}

static PyGetSetDef mechanism_getters[] = {{"q", get_q, NULL, "Coordinates.", NULL},
                                          {"qdot", get_qdot, NULL, "Speeds.", NULL},
                                          {"energy", get_energy, NULL, "Kinetic and potential energy, J.", NULL},
                                          {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef mechanism_methods[] = {
    {"set", mechanism_set, METH_VARARGS, "set(q, qdot, /)\n--\n\nCoordinates and speeds."},
    {"mass_matrix", mechanism_mass_matrix, METH_NOARGS, "mass_matrix()\n--\n\nM by rows."},
    {"bias", mechanism_bias, METH_NOARGS, "bias()\n--\n\nCoriolis, centrifugal and gravity forces."},
    {"accelerate", mechanism_accelerate, METH_O, "accelerate(tau, /)\n--\n\nThe rates of the speeds."},
    {"point", mechanism_point, METH_VARARGS, "point(link, point, /)\n--\n\nA point of a link in the world."},
    {"velocity", mechanism_velocity, METH_VARARGS, "velocity(link, point, /)\n--\n\nIts velocity."},
    {"reduce", mechanism_reduce, METH_O, "reduce(contact, /)\n--\n\nK, u and axes of a contact."},
    {"jacobian", mechanism_jacobian, METH_O, "jacobian(contact, /)\n--\n\nJ by rows t1, t2, n."},
    {"impact", mechanism_impact, METH_VARARGS, "impact(contact, rule, /)\n--\n\nSolve and apply."},
    {"contacts", mechanism_contacts, METH_O, "contacts(list, /)\n--\n\nK and u of several contacts."},
    {"push", mechanism_push, METH_VARARGS, "push(list, p, /)\n--\n\nApply impulses at several contacts."},
    {"advance", mechanism_advance, METH_VARARGS, "advance(until, gap, tolerance, /)\n--\n\nFly: time, hit, steps."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot mechanism_slots[] = {{Py_tp_doc, (void *)"Tree(links, gravity)\n--\n\n"
                                                            "A tree of links; carom.Mechanism is made of it."},
                                        {Py_tp_new, (void *)mechanism_new},
                                        {Py_tp_dealloc, (void *)mechanism_free},
                                        {Py_tp_getset, (void *)mechanism_getters},
                                        {Py_tp_methods, (void *)mechanism_methods},
                                        {0, NULL}};

PyType_Spec mechanism_spec = {"carom._core.Tree", sizeof(mechanism_object), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_BASETYPE, mechanism_slots};
