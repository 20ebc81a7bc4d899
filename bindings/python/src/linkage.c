/* Linkage: free bodies held together by joints that are made of impulses. */
#include <stdlib.h>

#include "ext.h"

typedef struct linkage_object {
    PyObject_HEAD carom_linkage linkage;
    double *numbers; /* its work */
} linkage_object;

static linkage_object *as_linkage(PyObject *self)
{
    return (linkage_object *)self;
}

static PyObject *refuse(PyObject *self, carom_status status)
{
    const core_state *state = PyType_GetModuleState(Py_TYPE(self));
    int joint = as_linkage(self)->linkage.culprit;
    char about[240];
    if (joint < 0)
        return raise_status(state, status, NULL);
    PyOS_snprintf(about, sizeof about, "joint %d: %s", joint, carom_status_message(status));
    return raise_status(state, status, about);
}

static carom_vec3 vec3_from(const double *x)
{
    return carom_vec3_make(x[0], x[1], x[2]);
}

/* ---- making one ---- */

static int members_from(const core_state *state, PyObject *list, carom_member *members)
{
    PyObject *all = copy_list(list);
    int fine = all != NULL;
    for (Py_ssize_t i = 0; fine && i < PyTuple_Size(all); i++) {
        carom_body_def def;
        fine = body_def_from(PyTuple_GetItem(all, i), &def);
        carom_status status = fine ? carom_member_init(&def, &members[i]) : CAROM_STATUS_OK;
        if (status) {
            raise_status(state, status, NULL);
            fine = 0;
        }
    }
    Py_XDECREF(all);
    return fine;
}

/* (a, b, linear, angular, point, axis_a, axis_b): point and axes in the world, where the bodies are. */
static int joint_from(const carom_linkage *l, PyObject *tuple, carom_joint_def *def)
{
    PyObject *point, *axis_a, *axis_b;
    double x[3], a[3], b[3];
    *def = carom_joint_def_default();
    if (!PyArg_ParseTuple(tuple, "iiiiOOO", &def->a, &def->b, &def->linear, &def->angular, &point, &axis_a, &axis_b) ||
        !numbers_from(point, x, 3, "point") || !numbers_from(axis_a, a, 3, "axis") ||
        !numbers_from(axis_b, b, 3, "axis"))
        return 0;
    if (def->a >= l->body_count || def->b >= l->body_count || def->a == def->b) {
        PyErr_SetString(PyExc_ValueError, "a joint needs two different bodies");
        return 0;
    }
    carom_joint_at(l->bodies, vec3_from(x), vec3_from(a), vec3_from(b), def);
    return 1;
}

static int joints_from(PyObject *self, PyObject *list)
{
    carom_linkage *l = &as_linkage(self)->linkage;
    carom_joint_def *defs = calloc((size_t)l->joint_count + 1, sizeof *defs);
    PyObject *all = copy_list(list);
    int fine = defs && all && PyTuple_Size(all) == l->joint_count;
    if (!fine && !PyErr_Occurred())
        PyErr_NoMemory();
    for (int i = 0; fine && i < l->joint_count; i++)
        fine = joint_from(l, PyTuple_GetItem(all, i), &defs[i]);
    Py_XDECREF(all);
    carom_status status = fine ? carom_linkage_init(l, defs) : CAROM_STATUS_OK;
    free(defs);
    if (status)
        refuse(self, status);
    return fine && !status;
}

static int allocate(linkage_object *o)
{
    carom_linkage *l = &o->linkage;
    l->rows = calloc((size_t)l->row_count + 1, sizeof *l->rows);
    l->work = o->numbers = calloc(l->work_size + 1, sizeof *l->work);
    if (l->rows && l->work)
        return 1;
    PyErr_NoMemory();
    return 0;
}

static PyObject *linkage_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *bodies, *joints, *gravity;
    double g[3];
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!O!O", &PyList_Type, &bodies, &PyList_Type, &joints, &gravity) ||
        !numbers_from(gravity, g, 3, "gravity"))
        return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = alloc(type, 0);
    if (!self)
        return NULL;
    carom_linkage *l = &as_linkage(self)->linkage;
    *l = carom_linkage_default();
    l->body_count = (int)PyList_Size(bodies);
    l->joint_count = (int)PyList_Size(joints);
    l->gravity = vec3_from(g);
    l->culprit = -1;
    l->bodies = calloc((size_t)l->body_count + 1, sizeof *l->bodies);
    l->joints = calloc((size_t)l->joint_count + 1, sizeof *l->joints);
    int fine = l->bodies && l->joints && members_from(PyType_GetModuleState(type), bodies, l->bodies) &&
               joints_from(self, joints) && allocate(as_linkage(self));
    carom_status status = fine ? carom_linkage_check(l) : CAROM_STATUS_OK;
    if (fine && status)
        refuse(self, status);
    if (fine && !status)
        return self;
    Py_DECREF(self);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}

static void linkage_free(PyObject *self)
{
    carom_linkage *l = &as_linkage(self)->linkage;
    PyTypeObject *type = Py_TYPE(self);
    free(l->bodies);
    free(l->joints);
    free(l->rows);
    free(as_linkage(self)->numbers);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

/* ---- moving it ---- */

static PyObject *said(PyObject *self, carom_status status)
{
    return status ? refuse(self, status) : Py_NewRef(Py_None);
}

static PyObject *linkage_correct(PyObject *self, PyObject *unused)
{
    (void)unused;
    return said(self, carom_linkage_correct(&as_linkage(self)->linkage));
}

static PyObject *linkage_constrain(PyObject *self, PyObject *unused)
{
    (void)unused;
    return said(self, carom_linkage_constrain(&as_linkage(self)->linkage));
}

static PyObject *linkage_advance(PyObject *self, PyObject *time)
{
    double duration = PyFloat_AsDouble(time);
    return PyErr_Occurred() ? NULL : said(self, carom_linkage_advance(&as_linkage(self)->linkage, duration));
}

static PyObject *linkage_body(PyObject *self, PyObject *args)
{
    const carom_linkage *l = &as_linkage(self)->linkage;
    int i;
    if (!PyArg_ParseTuple(args, "i", &i))
        return NULL;
    if (i < 0 || i >= l->body_count)
        return PyErr_Format(PyExc_IndexError, "there is no such body");
    const carom_member *m = &l->bodies[i];
    return Py_BuildValue("N(dddd)NN", triple_of(m->body.position), m->orientation.w, m->orientation.x, m->orientation.y,
                         m->orientation.z, triple_of(m->body.velocity), triple_of(m->body.omega));
}

static PyObject *get_energy(PyObject *self, void *unused)
{
    (void)unused;
    const carom_linkage *l = &as_linkage(self)->linkage;
    return Py_BuildValue("dd", carom_linkage_kinetic(l), carom_linkage_potential(l));
}

static PyObject *get_errors(PyObject *self, void *unused)
{
    (void)unused;
    const carom_linkage *l = &as_linkage(self)->linkage;
    return Py_BuildValue("dd", l->linear_error, l->angular_error);
}

/* ---- contact ---- */

typedef struct touching {
    int a, b;
    carom_contact contact;
    carom_problem problem;
} touching;

static carom_vec3 arm_of(const carom_linkage *l, int i, carom_vec3 point)
{
    return i < 0 ? carom_vec3_make(0, 0, 0) : carom_vec3_sub(point, l->bodies[i].body.position);
}

/* (a, b, point, normal, t1 or None), reduced. */
static int touching_from(PyObject *self, PyObject *tuple, touching *t)
{
    carom_linkage *l = &as_linkage(self)->linkage;
    PyObject *point, *normal, *t1;
    double x[3], n[3], s[3];
    if (!PyArg_ParseTuple(tuple, "iiOOO", &t->a, &t->b, &point, &normal, &t1) || !numbers_from(point, x, 3, "point") ||
        !numbers_from(normal, n, 3, "normal") || (t1 != Py_None && !numbers_from(t1, s, 3, "t1")))
        return 0;
    if (t->a < 0 || t->a >= l->body_count || t->b >= l->body_count || t->a == t->b) {
        PyErr_SetString(PyExc_ValueError, "a contact needs two different bodies");
        return 0;
    }
    t->contact = (carom_contact){.arm_a = arm_of(l, t->a, vec3_from(x)), .arm_b = arm_of(l, t->b, vec3_from(x))};
    carom_status status = t1 == Py_None ? carom_frame_init(vec3_from(n), &t->contact.frame)
                                        : carom_frame_init_t1(vec3_from(n), vec3_from(s), &t->contact.frame);
    if (!status)
        status = carom_linkage_reduce(l, t->a, t->b, &t->contact, &t->problem);
    if (status)
        refuse(self, status);
    return status == CAROM_STATUS_OK;
}

static PyObject *linkage_reduce(PyObject *self, PyObject *tuple)
{
    touching t;
    if (!PyTuple_Check(tuple) || !touching_from(self, tuple, &t))
        return NULL;
    const carom_csym *K = &t.problem.K;
    const carom_frame *f = &t.contact.frame;
    return Py_BuildValue("((ddd)(ddd)(ddd))(ddd)(NNN)", K->t11, K->t12, K->t1n, K->t12, K->t22, K->t2n, K->t1n, K->t2n,
                         K->nn, t.problem.u.t1, t.problem.u.t2, t.problem.u.n, triple_of(f->t1), triple_of(f->t2),
                         triple_of(f->n));
}

static PyObject *linkage_impact(PyObject *self, PyObject *args)
{
    const core_state *state = PyType_GetModuleState(Py_TYPE(self));
    PyObject *tuple, *rule_at;
    touching t;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &tuple, &rule_at))
        return NULL;
    const carom_rule *rule = rule_of(state, rule_at);
    if (!rule || !touching_from(self, tuple, &t))
        return NULL;
    outcome_object *o = outcome_new(state, 3);
    if (!o)
        return NULL;
    o->problem = t.problem;
    carom_status status = carom_solve(&t.problem, rule, NULL, &o->outcome);
    if (carom_status_is_error(status)) {
        Py_DECREF(o);
        return raise_status(state, status, NULL);
    }
    carom_linkage_apply(&as_linkage(self)->linkage, o->outcome.p);
    return (PyObject *)o;
}

static PyGetSetDef linkage_getters[] = {
    {"energy", get_energy, NULL, "Kinetic and potential energy, J.", NULL},
    {"errors", get_errors, NULL, "The largest opening of a joint, m and rad.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef linkage_methods[] = {
    {"correct", linkage_correct, METH_NOARGS, "correct()\n--\n\nClose every joint."},
    {"constrain", linkage_constrain, METH_NOARGS, "constrain()\n--\n\nVelocities that keep them closed."},
    {"advance", linkage_advance, METH_O, "advance(time, /)\n--\n\nMove under gravity."},
    {"body", linkage_body, METH_VARARGS, "body(i, /)\n--\n\nposition, orientation, velocity, omega."},
    {"reduce", linkage_reduce, METH_O, "reduce(contact, /)\n--\n\nK, u and axes of a contact."},
    {"impact", linkage_impact, METH_VARARGS, "impact(contact, rule, /)\n--\n\nSolve and apply."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot linkage_slots[] = {{Py_tp_doc, (void *)"Joined(bodies, joints, gravity)\n--\n\n"
                                                          "Bodies with joints; carom.Linkage is made of it."},
                                      {Py_tp_new, (void *)linkage_new},
                                      {Py_tp_dealloc, (void *)linkage_free},
                                      {Py_tp_getset, (void *)linkage_getters},
                                      {Py_tp_methods, (void *)linkage_methods},
                                      {0, NULL}};

PyType_Spec linkage_spec = {"carom._core.Joined", sizeof(linkage_object), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, linkage_slots};
