/* Derivatives of one impact. */
#include "ext.h"

/* Rows of a Jacobian whose columns are count vectors: (t1, t2, n), or (t, n) in the plane. */
static PyObject *rows_of(int dim, const carom_cvec *columns, const int *which, int count)
{
    PyObject *rows = PyTuple_New(dim);
    for (int i = 0; rows && i < dim; i++) {
        PyObject *row = PyTuple_New(count);
        for (int j = 0; row && j < count; j++) {
            const carom_cvec *c = &columns[which[j]];
            PyObject *x = PyFloat_FromDouble(i == 0 ? c->t1 : i == dim - 1 ? c->n : c->t2);
            if (!x || PyTuple_SetItem(row, j, x) < 0)
                Py_CLEAR(row);
        }
        if (!row || PyTuple_SetItem(rows, i, row) < 0)
            Py_CLEAR(rows);
    }
    return rows;
}

/* By coefficients that the law uses: name to vector. */
static PyObject *by_coefficients(const carom_rule *rule, int dim, const carom_cvec *columns)
{
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < CAROM_COEFF_COUNT; i++) {
        if (!(rule->law->uses >> i & 1))
            continue;
        PyObject *vector = vector_of(dim, columns[i]);
        if (!vector || PyDict_SetItemString(all, carom_coeff_at((carom_coeff)i)->name, vector) < 0)
            Py_CLEAR(all);
        Py_XDECREF(vector);
    }
    return all;
}

static PyObject *jacobian_of(const carom_rule *rule, int dim, const carom_jacobian *j)
{
    static const int space[] = {0, 1, 2, 3, 4, 5}, u_plane[] = {0, 2}, K_plane[] = {0, 3, 5};
    return Py_BuildValue("NNN", rows_of(dim, j->u, dim == 3 ? space : u_plane, dim),
                         rows_of(dim, j->K, dim == 3 ? space : K_plane, dim == 3 ? 6 : 3),
                         by_coefficients(rule, dim, j->coeffs));
}

static PyObject *derivative(PyObject *module, PyObject *args)
{
    const core_state *state = core_state_of(module);
    PyObject *K, *u, *rule_at;
    carom_problem problem;
    carom_derivative d;
    if (!PyArg_ParseTuple(args, "OOO", &K, &u, &rule_at))
        return NULL;
    const carom_rule *rule = rule_of(state, rule_at);
    int dim = rule ? problem_from(state, K, u, &problem) : 0;
    outcome_object *o = dim ? outcome_new(state, dim) : NULL;
    if (!o)
        return NULL;
    o->problem = problem;
    carom_status status = carom_derivative_solve(&problem, rule, &o->outcome, &d);
    if (carom_status_is_error(status)) {
        Py_DECREF(o);
        return raise_status(state, status, NULL);
    }
    return Py_BuildValue("NNNNsd", o, jacobian_of(rule, dim, &d.p), jacobian_of(rule, dim, &d.u_after),
                         PyBool_FromLong(d.nonsmooth), d.border, d.distance);
}

static PyObject *has_derivatives(PyObject *module, PyObject *rule_at)
{
    const carom_rule *rule = rule_of(core_state_of(module), rule_at);
    return rule ? PyBool_FromLong(carom_law_has_derivatives(rule->law)) : NULL;
}

/* ---- saltation ---- */

/* Numbers of a mechanism in one block: M, J, qdot, M_q, J_q, qddot before and after, two workspaces, the matrix. */
typedef struct saltation_numbers {
    double *block, *part[10];
} saltation_numbers;

static int read_part(saltation_numbers *s, int i, PyObject *object, size_t count, const char *name)
{
    if (object == Py_None) {
        s->part[i] = NULL;
        return 1;
    }
    return numbers_from(object, s->part[i], (int)count, name);
}

static int allocate_saltation(saltation_numbers *s, size_t n, size_t dim)
{
    const size_t sizes[10] = {
        n * n, dim * n, n, n * n * n, n * dim * n, n, n, CAROM_GENERALIZED_WORK(n), CAROM_SALTATION_WORK(n), 4 * n * n};
    size_t total = 1;
    for (int i = 0; i < 10; i++)
        total += sizes[i];
    s->block = PyMem_Calloc(total, sizeof *s->block);
    double *at = s->block;
    for (int i = 0; i < 10 && s->block; i++, at += sizes[i - 1])
        s->part[i] = at;
    if (!s->block)
        PyErr_NoMemory();
    return s->block != NULL;
}

static PyObject *saltate(const core_state *state, const carom_rule *rule, int n, int dim, const saltation_numbers *s)
{
    const carom_generalized mechanism = {n, dim, s->part[0], s->part[1], s->part[2], s->part[7]};
    const carom_mechanism_variation variation = {s->part[3], s->part[4], s->part[5], s->part[6]};
    carom_saltation found;
    carom_problem problem;
    carom_status status = carom_generalized_reduce(&mechanism, &problem);
    if (!status)
        status = carom_saltation_mechanism(&mechanism, &variation, rule, s->part[8], s->part[9], &found);
    if (status && !carom_status_is_answer(status))
        return raise_status(state, status, NULL);
    outcome_object *o = outcome_new(state, dim);
    if (!o)
        return NULL;
    o->problem = problem;
    o->outcome = found.outcome;
    return Py_BuildValue("y#NNN", (const char *)s->part[9], (Py_ssize_t)(4 * (size_t)n * (size_t)n * sizeof(double)), o,
                         PyBool_FromLong(found.nonsmooth), PyBool_FromLong(found.grazing));
}

static PyObject *saltation(PyObject *module, PyObject *args)
{
    enum { MOST = 200 };
    const core_state *state = core_state_of(module);
    PyObject *rule_at, *given[7];
    int n, dim;
    if (!PyArg_ParseTuple(args, "OiiOOOOOOO", &rule_at, &n, &dim, &given[0], &given[1], &given[2], &given[3], &given[4],
                          &given[5], &given[6]))
        return NULL;
    if (n < 1 || n > MOST || (dim != 2 && dim != 3))
        return PyErr_Format(PyExc_ValueError, "a mechanism has 1 to %d speeds and 2 or 3 contact axes", MOST);
    const carom_rule *rule = rule_of(state, rule_at);
    saltation_numbers s = {NULL, {NULL}};
    const size_t N = (size_t)n, D = (size_t)dim, sizes[7] = {N * N, D * N, N, N * N * N, N * D * N, N, N};
    static const char *const names[7] = {"M", "J", "qdot", "M_q", "J_q", "qddot_before", "qddot_after"};
    int fine = rule && allocate_saltation(&s, N, D);
    for (int i = 0; i < 7 && fine; i++)
        fine = read_part(&s, i, given[i], sizes[i], names[i]);
    PyObject *got = fine ? saltate(state, rule, n, dim, &s) : NULL;
    PyMem_Free(s.block);
    return got;
}

PyMethodDef derivative_methods[] = {
    {"saltation", saltation, METH_VARARGS,
     "saltation(rule, n, dim, M, J, qdot, M_q, J_q, qddot_before, qddot_after, /)\n--\n\n"
     "The matrix as bytes, the outcome, nonsmooth, grazing."},
    {"derivative", derivative, METH_VARARGS,
     "derivative(K, u, rule, /)\n--\n\noutcome, by u, K and coefficients of p and of u_after, nonsmooth, border, "
     "distance."},
    {"has_derivatives", has_derivatives, METH_O, "has_derivatives(rule, /)\n--\n\nWhether the law has them."},
    {NULL, NULL, 0, NULL}};
