/* Two bodies that touch at a point. A body comes as (mass, inertia, orientation, position, velocity, omega, fixed). */
#include "ext.h"

static carom_vec3 vec3_from(const double *x)
{
    return carom_vec3_make(x[0], x[1], x[2]);
}

int body_def_from(PyObject *tuple, carom_body_def *to)
{
    double mass, inertia[6], q[4], position[3], velocity[3], omega[3];
    PyObject *I, *o, *x, *v, *w;
    int fixed;
    if (!PyArg_ParseTuple(tuple, "dOOOOOp", &mass, &I, &o, &x, &v, &w, &fixed))
        return 0;
    if (!numbers_from(I, inertia, 6, "inertia") || !numbers_from(o, q, 4, "orientation") ||
        !numbers_from(x, position, 3, "position") || !numbers_from(v, velocity, 3, "velocity") ||
        !numbers_from(w, omega, 3, "omega"))
        return 0;
    carom_body_def def = carom_body_def_default();
    def.mass = mass;
    def.inertia = (carom_sym3){.xx = inertia[0], .yy = inertia[1], .zz = inertia[2]};
    def.inertia.xy = inertia[3];
    def.inertia.xz = inertia[4];
    def.inertia.yz = inertia[5];
    def.orientation = (carom_quat){.w = q[0], .x = q[1], .y = q[2], .z = q[3]};
    def.position = vec3_from(position);
    def.velocity = vec3_from(velocity);
    def.omega = vec3_from(omega);
    def.fixed = fixed;
    *to = def;
    return 1;
}

static int body_from(const core_state *state, PyObject *tuple, carom_body *body)
{
    carom_body_def def;
    if (!body_def_from(tuple, &def))
        return 0;
    carom_status status = carom_body_init(&def, body);
    if (status)
        raise_status(state, status, NULL);
    return status == CAROM_STATUS_OK;
}

typedef struct meeting {
    carom_body a, b;
    carom_contact contact;
    carom_problem problem;
} meeting;

static int contact_from(const core_state *state, PyObject *point, PyObject *normal, PyObject *t1, meeting *m)
{
    double at[3], n[3], t[3];
    if (!numbers_from(point, at, 3, "point") || !numbers_from(normal, n, 3, "normal"))
        return 0;
    if (t1 != Py_None && !numbers_from(t1, t, 3, "t1"))
        return 0;
    m->contact = (carom_contact){.arm_a = carom_vec3_sub(vec3_from(at), m->a.position),
                                 .arm_b = carom_vec3_sub(vec3_from(at), m->b.position)};
    carom_status status = t1 == Py_None ? carom_frame_init(vec3_from(n), &m->contact.frame)
                                        : carom_frame_init_t1(vec3_from(n), vec3_from(t), &m->contact.frame);
    if (!status)
        status = carom_bodies_reduce(&m->a, &m->b, &m->contact, &m->problem);
    if (status)
        raise_status(state, status, NULL);
    return status == CAROM_STATUS_OK;
}

static int meeting_from(const core_state *state, PyObject *args, meeting *m, PyObject **rule)
{
    PyObject *a, *b, *point, *normal, *t1;
    *rule = NULL;
    return PyArg_ParseTuple(args, "O!O!OOO|O", &PyTuple_Type, &a, &PyTuple_Type, &b, &point, &normal, &t1, rule) &&
           body_from(state, a, &m->a) && body_from(state, b, &m->b) && contact_from(state, point, normal, t1, m);
}

static PyObject *reduce(PyObject *module, PyObject *args)
{
    meeting m;
    PyObject *rule;
    if (!meeting_from(core_state_of(module), args, &m, &rule))
        return NULL;
    const carom_csym *K = &m.problem.K;
    const carom_frame *f = &m.contact.frame;
    return Py_BuildValue("((ddd)(ddd)(ddd))(ddd)(NNN)", K->t11, K->t12, K->t1n, K->t12, K->t22, K->t2n, K->t1n, K->t2n,
                         K->nn, m.problem.u.t1, m.problem.u.t2, m.problem.u.n, triple_of(f->t1), triple_of(f->t2),
                         triple_of(f->n));
}

static PyObject *impact(PyObject *module, PyObject *args)
{
    const core_state *state = core_state_of(module);
    meeting m;
    PyObject *rule_at;
    if (!meeting_from(state, args, &m, &rule_at))
        return NULL;
    const carom_rule *rule = rule_of(state, rule_at ? rule_at : Py_None);
    outcome_object *o = rule ? outcome_new(state, 3) : NULL;
    if (!o)
        return NULL;
    o->problem = m.problem;
    carom_status status = carom_solve(&m.problem, rule, NULL, &o->outcome);
    if (carom_status_is_error(status)) {
        Py_DECREF(o);
        return raise_status(state, status, NULL);
    }
    double before = carom_body_energy(&m.a) + carom_body_energy(&m.b);
    carom_bodies_apply(&m.contact, o->outcome.p, &m.a, &m.b);
    const carom_frame *f = &m.contact.frame;
    return Py_BuildValue("N(NN)(NN)N(NNN)d", o, triple_of(m.a.velocity), triple_of(m.a.omega), triple_of(m.b.velocity),
                         triple_of(m.b.omega), triple_of(carom_frame_to_world(*f, o->outcome.p)), triple_of(f->t1),
                         triple_of(f->t2), triple_of(f->n), before);
}

/* ---- shapes ---- */

static PyObject *shape(PyObject *module, PyObject *args)
{
    (void)module;
    const char *word;
    double mass, size[3] = {0, 0, 0};
    if (!PyArg_ParseTuple(args, "sdddd", &word, &mass, &size[0], &size[1], &size[2]))
        return NULL;
    static const char *const words[] = {
#define CAROM_SHAPE(name, function, shape_word, keys, meaning) shape_word,
#include "carom/shapes.def"
#undef CAROM_SHAPE
    };
    for (int i = 0; i < CAROM_SHAPE_COUNT; i++)
        if (strcmp(word, words[i]) == 0) {
            const carom_shape s = {(carom_shape_kind)i, {size[0], size[1], size[2]}};
            const carom_body_def def = carom_shape_body(&s, mass);
            return Py_BuildValue("d(dddddd)d", def.mass, def.inertia.xx, def.inertia.yy, def.inertia.zz, def.inertia.xy,
                                 def.inertia.xz, def.inertia.yz, carom_shape_volume(&s));
        }
    return PyErr_Format(PyExc_ValueError, "no shape is called '%s'", word);
}

PyMethodDef body_methods[] = {
    {"reduce", reduce, METH_VARARGS, "reduce(a, b, point, normal, t1, /)\n--\n\nK, u and the contact axes."},
    {"impact", impact, METH_VARARGS,
     "impact(a, b, point, normal, t1, rule, /)\n--\n\nThe outcome, velocities after, impulse, axes, energy before."},
    {"shape", shape, METH_VARARGS, "shape(word, mass, *sizes, /)\n--\n\nMass, inertia and volume of a shape."},
    {NULL, NULL, 0, NULL}};
