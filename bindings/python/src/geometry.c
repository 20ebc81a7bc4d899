/* The geometry of an impact, black boxes, and conversions. */
#include "ext.h"

static PyObject *triple(carom_cvec v)
{
    return Py_BuildValue("(ddd)", v.t1, v.t2, v.n);
}

static double open_end(double x)
{
    return x >= CAROM_UNBOUNDED ? (double)INFINITY : x <= -CAROM_UNBOUNDED ? -(double)INFINITY : x;
}

/* K and u, and up to two further arguments: mu and p. */
static int read_problem(PyObject *module, PyObject *args, carom_problem *problem, double *mu, carom_cvec *p)
{
    PyObject *K, *u, *at = NULL;
    double x[3] = {0, 0, 0};
    *mu = 0;
    if (!PyArg_ParseTuple(args, "OO|dO", &K, &u, mu, &at))
        return 0;
    int dim = problem_from(core_state_of(module), K, u, problem);
    if (!dim || (at && !numbers_from(at, x, dim, "p")))
        return 0;
    *p = dim == 3 ? (carom_cvec){x[0], x[1], x[2]} : (carom_cvec){x[0], 0, x[1]};
    return 1;
}

static PyObject *ellipsoid(PyObject *module, PyObject *args)
{
    carom_problem problem;
    carom_ellipsoid e;
    carom_cvec p;
    double mu;
    if (!read_problem(module, args, &problem, &mu, &p))
        return NULL;
    carom_status status = carom_ellipsoid_of(&problem, &e);
    if (status)
        return raise_status(core_state_of(module), status, NULL);
    return Py_BuildValue("N(NNN)(ddd)i", triple(e.centre), triple(e.axis[0]), triple(e.axis[1]), triple(e.axis[2]),
                         open_end(e.radius[0]), open_end(e.radius[1]), open_end(e.radius[2]), e.rank);
}

static PyObject *distances(PyObject *module, PyObject *args)
{
    carom_problem problem;
    carom_distances d;
    carom_cvec p;
    double mu;
    if (!read_problem(module, args, &problem, &mu, &p))
        return NULL;
    carom_status status = carom_distances_at(&problem, mu, p, &d);
    if (status)
        return raise_status(core_state_of(module), status, NULL);
    return Py_BuildValue("dddd", d.compression, d.energy, d.cone, carom_energy_at(&problem, p));
}

static PyObject *place(PyObject *module, PyObject *args)
{
    carom_problem problem;
    carom_region_place at;
    carom_cvec p;
    double mu;
    if (!read_problem(module, args, &problem, &mu, &p))
        return NULL;
    carom_status status = carom_region_place_of(&problem, mu, p, &at);
    return status ? raise_status(core_state_of(module), status, NULL) : Py_BuildValue("ddd", at.e, at.share, at.turn);
}

/* ---- the region ---- */

static PyObject *corner_of(const carom_corner *c)
{
    return Py_BuildValue("ddN", c->p.t1, c->p.n, PyBool_FromLong(c->at_infinity));
}

/* (kind, straight, from, to, points along it) */
static PyObject *edge_of(const carom_region *region, const carom_edge *edge, int samples)
{
    static const char *const words[] = {"compression", "cone+", "energy", "cone-"};
    PyObject *points = PyList_New(0);
    for (int i = 0; points && i <= samples; i++) {
        if ((edge->from.at_infinity && i == 0) || (edge->to.at_infinity && i == samples))
            continue;
        carom_cvec p = carom_edge_at(region, edge, (double)i / samples);
        PyObject *one = Py_BuildValue("dd", p.t1, p.n);
        if (!one || PyList_Append(points, one) < 0)
            Py_CLEAR(points);
        Py_XDECREF(one);
    }
    if (!points)
        return NULL;
    return Py_BuildValue("sNNNN", words[edge->kind], PyBool_FromLong(edge->is_straight), corner_of(&edge->from),
                         corner_of(&edge->to), points);
}

static PyObject *region(PyObject *module, PyObject *args)
{
    PyObject *K, *u;
    double mu;
    int samples;
    carom_problem problem;
    carom_region r;
    if (!PyArg_ParseTuple(args, "OOdi", &K, &u, &mu, &samples) || !problem_from(core_state_of(module), K, u, &problem))
        return NULL;
    if (samples < 1 || samples > 100000)
        return PyErr_Format(PyExc_ValueError, "samples must be 1...100000");
    carom_status status = carom_region_of(&problem, mu, &r);
    if (status)
        return raise_status(core_state_of(module), status, NULL);
    PyObject *edges = PyList_New(0);
    for (int i = 0; edges && i < r.count; i++) {
        PyObject *one = edge_of(&r, &r.edges[i], samples);
        if (!one || PyList_Append(edges, one) < 0)
            Py_CLEAR(edges);
        Py_XDECREF(one);
    }
    return edges ? Py_BuildValue("N(dd)N", edges, r.angle[0], r.angle[1], PyBool_FromLong(r.bounded)) : NULL;
}

/* ---- the slip plane ---- */

static PyObject *ray_of(const carom_ray *r)
{
    static const char *const words[] = {"converging", "stationary", "diverging"};
    return Py_BuildValue("d(dd)ddsNN", r->angle, cos(r->angle), sin(r->angle), r->g, r->f_slope, words[r->kind],
                         PyBool_FromLong(r->attracting), PyBool_FromLong(r->repelling));
}

static PyObject *hodograph(PyObject *module, PyObject *args)
{
    PyObject *K, *u;
    double mu;
    carom_problem problem;
    carom_hodograph h;
    if (!PyArg_ParseTuple(args, "OOd", &K, &u, &mu) || !problem_from(core_state_of(module), K, u, &problem))
        return NULL;
    carom_status status = carom_hodograph_of(&problem.K, mu, &h);
    if (status)
        return raise_status(core_state_of(module), status, NULL);
    PyObject *rays = PyList_New(0);
    for (int i = 0; rays && i < h.count; i++) {
        PyObject *one = ray_of(&h.rays[i]);
        if (!one || PyList_Append(rays, one) < 0)
            Py_CLEAR(rays);
        Py_XDECREF(one);
    }
    return rays ? Py_BuildValue("NNN", rays, PyBool_FromLong(h.every), PyBool_FromLong(h.sticks)) : NULL;
}

/* ---- any K as two bodies ---- */

static PyObject *body_of(const carom_body_def *d)
{
    const carom_sym3 *I = &d->inertia;
    return Py_BuildValue("d(dddddd)(dddd)NNN", d->mass, I->xx, I->yy, I->zz, I->xy, I->xz, I->yz, d->orientation.w,
                         d->orientation.x, d->orientation.y, d->orientation.z, triple_of(d->position),
                         triple_of(d->velocity), triple_of(d->omega));
}

static PyObject *realize(PyObject *module, PyObject *args)
{
    carom_problem problem;
    carom_realization r;
    carom_cvec p;
    double mu;
    if (!read_problem(module, args, &problem, &mu, &p))
        return NULL;
    carom_status status = carom_realize(&problem, &r);
    if (status)
        return raise_status(core_state_of(module), status, NULL);
    return Py_BuildValue("NNNNNN", body_of(&r.a), body_of(&r.b), triple_of(r.arm_a), triple_of(r.arm_b),
                         triple_of(r.normal), triple_of(r.t1));
}

/* ---- K from a black box ---- */

typedef struct black_box {
    PyObject *function;
    int dim, failed;
} black_box;

static bool respond(void *context, const double *push, double *answer)
{
    black_box *b = context;
    PyObject *in = b->failed     ? NULL
                   : b->dim == 3 ? Py_BuildValue("((ddd))", push[0], push[1], push[2])
                                 : Py_BuildValue("((dd))", push[0], push[1]);
    PyObject *out = in ? PyObject_CallObject(b->function, in) : NULL;
    int fine = out && numbers_from(out, answer, b->dim, "the response");
    Py_XDECREF(in);
    Py_XDECREF(out);
    b->failed |= !fine;
    return fine;
}

static PyObject *response(PyObject *module, PyObject *args)
{
    black_box b = {0};
    PyObject *u;
    double push, tolerance, v[3];
    if (!PyArg_ParseTuple(args, "OiOdd", &b.function, &b.dim, &u, &push, &tolerance))
        return NULL;
    if (u != Py_None && !numbers_from(u, v, b.dim == 2 ? 2 : 3, "u"))
        return NULL;
    const carom_response box = {respond, &b, b.dim, push, tolerance};
    carom_problem problem;
    carom_response_report report = {.rank = 0};
    carom_status status = carom_response_reduce(&box, u == Py_None ? NULL : v, &problem, &report);
    if (PyErr_Occurred())
        return NULL;
    if (status)
        return raise_status(core_state_of(module), status, NULL);
    const carom_csym *K = &problem.K;
    PyObject *matrix = b.dim == 3 ? Py_BuildValue("(ddd)(ddd)(ddd)", K->t11, K->t12, K->t1n, K->t12, K->t22, K->t2n,
                                                  K->t1n, K->t2n, K->nn)
                                  : Py_BuildValue("(dd)(dd)", K->t11, K->t1n, K->t1n, K->nn);
    return Py_BuildValue("NNdddii", matrix, vector_of(b.dim, problem.u), report.asymmetry, report.nonlinearity,
                         report.smallest, report.rank, report.calls);
}

/* ---- conversions: functions of one to four numbers ---- */

typedef struct conversion {
    const char *name;
    int count;
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
    double (*four)(double, double, double, double);
} conversion;

static const conversion conversions[] = {
    {"e_from_zeta", 1, .one = carom_e_from_zeta},
    {"zeta_from_e", 1, .one = carom_zeta_from_e},
    {"spring_dashpot_phase", 1, .one = carom_spring_dashpot_phase},
    {"stiffness_from_time", 3, .three = carom_stiffness_from_time},
    {"e_from_hunt_crossley", 1, .one = carom_e_from_hunt_crossley},
    {"hunt_crossley_from_e", 1, .one = carom_hunt_crossley_from_e},
    {"power_compression", 4, .four = carom_power_compression},
    {"power_time_factor", 1, .one = carom_power_time_factor},
    {"e_from_slopes", 2, .two = carom_e_from_slopes},
    {"unloading_from_e", 2, .two = carom_unloading_from_e},
    {"e_t_from_ratio", 3, .three = carom_e_t_from_ratio},
    {"ratio_from_e_t", 3, .three = carom_ratio_from_e_t},
    {"kappa_from_poisson", 1, .one = carom_kappa_from_poisson},
    {"poisson_from_kappa", 1, .one = carom_poisson_from_kappa},
    {"eta_from_kappa", 1, .one = carom_eta_from_kappa},
    {"kappa_from_eta", 1, .one = carom_kappa_from_eta},
    {"wave_speed", 2, .two = carom_wave_speed},
};

static PyObject *convert(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    double x[4] = {0, 0, 0, 0};
    if (!PyArg_ParseTuple(args, "s|dddd", &name, &x[0], &x[1], &x[2], &x[3]))
        return NULL;
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
        const conversion *c = &conversions[i];
        if (strcmp(c->name, name) != 0)
            continue;
        double y = c->one     ? c->one(x[0])
                   : c->two   ? c->two(x[0], x[1])
                   : c->three ? c->three(x[0], x[1], x[2])
                              : c->four(x[0], x[1], x[2], x[3]);
        return PyFloat_FromDouble(y);
    }
    return PyErr_Format(PyExc_ValueError, "no conversion is called '%s'", name);
}

PyMethodDef geometry_methods[] = {
    {"ellipsoid", ellipsoid, METH_VARARGS, "ellipsoid(K, u, /)\n--\n\ncentre, axes, radii, rank."},
    {"distances", distances, METH_VARARGS, "distances(K, u, mu, p, /)\n--\n\nTo the three borders; and the energy."},
    {"place", place, METH_VARARGS, "place(K, u, mu, p, /)\n--\n\ne, share, turn."},
    {"region", region, METH_VARARGS, "region(K, u, mu, samples, /)\n--\n\nedges, angles, bounded."},
    {"hodograph", hodograph, METH_VARARGS, "hodograph(K, u, mu, /)\n--\n\nrays, every, sticks."},
    {"realize", realize, METH_VARARGS, "realize(K, u, /)\n--\n\nTwo bodies with this K."},
    {"response", response, METH_VARARGS,
     "response(function, dim, u, push, tolerance, /)\n--\n\nK and u of a black box."},
    {"convert", convert, METH_VARARGS, "convert(name, *numbers)\n--\n\nOne function of carom/convert.h."},
    {NULL, NULL, 0, NULL}};
