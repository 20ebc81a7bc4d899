/* Mechanism: a tree of links, its coordinates and speeds, and impacts of its links. */
#include <stdlib.h>

#include "ext.h"

typedef struct mechanism_object {
    PyObject_HEAD carom_mechanism mechanism;
    carom_motion motion;
    carom_link *links;
    double *numbers; /* q, qdot, the work of flights */
    PyObject *gap;   /* of the flight in progress; borrowed */
    int is_flying, gap_failed;
} mechanism_object;

static mechanism_object *as_mechanism(PyObject *self)
{
    return (mechanism_object *)self;
}

static const core_state *state_of(PyObject *self)
{
    return PyType_GetModuleState(Py_TYPE(self));
}

static PyObject *refuse(PyObject *self, carom_status status, int link)
{
    char about[240];
    if (link < 0)
        return raise_status(state_of(self), status, NULL);
    PyOS_snprintf(about, sizeof about, "link %d: %s", link, carom_status_message(status));
    return raise_status(state_of(self), status, about);
}

static carom_vec3 vec3_from(const double *x)
{
    return carom_vec3_make(x[0], x[1], x[2]);
}

static PyObject *list_of_numbers(const double *x, int count)
{
    PyObject *all = PyTuple_New(count);
    for (int i = 0; all && i < count; i++) {
        PyObject *one = PyFloat_FromDouble(x[i]);
        if (!one || PyTuple_SetItem(all, i, one) < 0)
            Py_CLEAR(all);
    }
    return all;
}

static PyObject *rows_of_numbers(const double *x, int rows, int columns)
{
    PyObject *all = PyTuple_New(rows);
    for (int i = 0; all && i < rows; i++) {
        PyObject *one = list_of_numbers(x + (ptrdiff_t)i * columns, columns);
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
    def->axis = vec3_from(a);
    def->origin = vec3_from(o);
    def->rotation = (carom_quat){q[0], q[1], q[2], q[3]};
    def->com = vec3_from(c);
    def->inertia = (carom_sym3){.xx = I[0], .yy = I[1], .zz = I[2], .xy = I[3], .xz = I[4], .yz = I[5]};
    return 1;
}

static int links_from(mechanism_object *m, PyObject *list, PyObject *self)
{
    int count = (int)PyList_Size(list), fine = 1;
    carom_link_def *defs = calloc((size_t)count + 1, sizeof *defs);
    m->links = calloc((size_t)count + 1, sizeof *m->links);
    if (!defs || !m->links) {
        free(defs);
        PyErr_NoMemory();
        return 0;
    }
    for (int i = 0; fine && i < count; i++)
        fine = link_from(PyList_GetItem(list, i), &defs[i]);
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
        m->mechanism.gravity = vec3_from(g);
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

static int is_still(const mechanism_object *m)
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
    if (!PyArg_ParseTuple(args, "OO", &q, &qdot) || !is_still(m))
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
    return list_of_numbers(as_mechanism(self)->motion.q, as_mechanism(self)->mechanism.nq);
}

static PyObject *get_qdot(PyObject *self, void *unused)
{
    (void)unused;
    return list_of_numbers(as_mechanism(self)->motion.qdot, as_mechanism(self)->mechanism.nv);
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
    PyObject *rows = rows_of_numbers(M, nv, nv);
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
    PyObject *all = list_of_numbers(x, m->mechanism.nv);
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
    *point = vec3_from(x);
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

/* ---- contact ---- */

/* (link, point, normal, t1 or None, against): a touch of this mechanism with the world or with itself. */
static int touch_from(PyObject *self, PyObject *tuple, carom_touch *touch)
{
    mechanism_object *m = as_mechanism(self);
    int link, against;
    PyObject *point, *normal, *t1;
    double x[3], n[3], t[3];
    if (!PyArg_ParseTuple(tuple, "iOOOi", &link, &point, &normal, &t1, &against) ||
        !numbers_from(point, x, 3, "point") || !numbers_from(normal, n, 3, "normal") ||
        (t1 != Py_None && !numbers_from(t1, t, 3, "t1")))
        return 0;
    carom_status status = carom_touch_init(&m->motion, link, vec3_from(x), vec3_from(n), touch);
    if (!status && t1 != Py_None)
        status = carom_frame_init_t1(vec3_from(n), vec3_from(t), &touch->frame);
    if (!status && against >= 0) {
        touch->b = &m->motion;
        touch->link_b = against;
    }
    if (!status && (against >= m->mechanism.count || against == link))
        status = CAROM_STATUS_BAD_LINK;
    if (status)
        raise_status(state_of(self), status, NULL);
    return status == CAROM_STATUS_OK;
}

static PyObject *axes_of(const carom_frame *f)
{
    return Py_BuildValue("NNN", triple_of(f->t1), triple_of(f->t2), triple_of(f->n));
}

static PyObject *mechanism_reduce(PyObject *self, PyObject *tuple)
{
    carom_touch touch;
    carom_problem problem;
    if (!PyTuple_Check(tuple) || !touch_from(self, tuple, &touch))
        return NULL;
    carom_status status = carom_touch_reduce(&touch, &problem);
    if (status)
        return raise_status(state_of(self), status, NULL);
    const carom_csym *K = &problem.K;
    return Py_BuildValue("((ddd)(ddd)(ddd))(ddd)N", K->t11, K->t12, K->t1n, K->t12, K->t22, K->t2n, K->t1n, K->t2n,
                         K->nn, problem.u.t1, problem.u.t2, problem.u.n, axes_of(&touch.frame));
}

static PyObject *mechanism_jacobian(PyObject *self, PyObject *tuple)
{
    mechanism_object *m = as_mechanism(self);
    carom_touch touch;
    if (!PyTuple_Check(tuple) || !touch_from(self, tuple, &touch))
        return NULL;
    double *J = calloc(3 * (size_t)m->mechanism.nv + 1, sizeof *J);
    if (!J)
        return PyErr_NoMemory();
    carom_touch_jacobian(&touch, &m->motion, J);
    PyObject *rows = rows_of_numbers(J, 3, m->mechanism.nv);
    free(J);
    return rows;
}

static PyObject *mechanism_impact(PyObject *self, PyObject *args)
{
    const core_state *state = state_of(self);
    PyObject *tuple, *rule_at;
    carom_touch touch;
    carom_problem problem;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &tuple, &rule_at) || !is_still(as_mechanism(self)))
        return NULL;
    const carom_rule *rule = rule_of(state, rule_at);
    if (!rule || !touch_from(self, tuple, &touch))
        return NULL;
    carom_status status = carom_touch_reduce(&touch, &problem);
    if (status)
        return raise_status(state, status, NULL);
    outcome_object *o = outcome_new(state, 3);
    if (!o)
        return NULL;
    o->problem = problem;
    status = carom_solve(&problem, rule, NULL, &o->outcome);
    if (carom_status_is_error(status)) {
        Py_DECREF(o);
        return raise_status(state, status, NULL);
    }
    carom_touch_apply(&touch, o->outcome.p);
    return (PyObject *)o;
}

/* ---- several contacts ---- */

/* The touches of a list, in memory of malloc; null with an exception. */
static carom_touch *touches_from(PyObject *self, PyObject *list, int *count)
{
    *count = (int)PyList_Size(list);
    carom_touch *all = calloc((size_t)*count + 1, sizeof *all);
    int fine = all && *count > 0;
    if (!all)
        PyErr_NoMemory();
    else if (!fine)
        PyErr_SetString(PyExc_ValueError, "there is no contact");
    for (int i = 0; fine && i < *count; i++)
        fine = touch_from(self, PyList_GetItem(list, i), &all[i]);
    if (fine)
        return all;
    free(all);
    return NULL;
}

/* K of all contacts as a full matrix. */
static PyObject *full_matrix(const carom_contacts *c)
{
    int size = c->count * c->dim;
    double *K = calloc((size_t)size * (size_t)size + 1, sizeof *K);
    if (!K)
        return PyErr_NoMemory();
    for (int j = 0; j < c->count; j++)
        for (int k = c->row[j]; k < c->row[j + 1]; k++)
            for (int r = 0; r < c->dim; r++)
                for (int s = 0; s < c->dim; s++)
                    K[(j * c->dim + r) * size + c->column[k] * c->dim + s] = c->K[(k * c->dim + r) * c->dim + s];
    PyObject *rows = rows_of_numbers(K, size, size);
    free(K);
    return rows;
}

static PyObject *mechanism_contacts(PyObject *self, PyObject *list)
{
    int count;
    carom_touch *touches = PyList_Check(list) ? touches_from(self, list, &count) : NULL;
    if (!touches)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a list of contacts is needed");
    const carom_touches set = {count, touches, 3};
    carom_contacts problem;
    void *memory = malloc(carom_touches_size(&set));
    carom_status status = memory ? carom_touches_reduce(&set, memory, &problem) : CAROM_STATUS_NO_MEMORY;
    PyObject *got = status ? raise_status(state_of(self), status, NULL)
                           : Py_BuildValue("NN", full_matrix(&problem), list_of_numbers(problem.u, 3 * count));
    free(memory);
    free(touches);
    return got;
}

static PyObject *mechanism_push(PyObject *self, PyObject *args)
{
    PyObject *list, *p;
    int count;
    if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &list, &p) || !is_still(as_mechanism(self)))
        return NULL;
    carom_touch *touches = touches_from(self, list, &count);
    double *x = touches ? calloc(3 * (size_t)count, sizeof *x) : NULL;
    int fine = x && numbers_from(p, x, 3 * count, "p");
    if (fine) {
        const carom_touches set = {count, touches, 3};
        carom_touches_apply(&set, x);
    }
    free(x);
    free(touches);
    return fine ? Py_NewRef(Py_None) : NULL;
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
    if (!PyArg_ParseTuple(args, "dOd", &flight.until, &gap, &flight.tolerance) || !is_still(m))
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
