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

PyMethodDef derivative_methods[] = {
    {"derivative", derivative, METH_VARARGS,
     "derivative(K, u, rule, /)\n--\n\noutcome, by u, K and coefficients of p and of u_after, nonsmooth, border, "
     "distance."},
    {"has_derivatives", has_derivatives, METH_O, "has_derivatives(rule, /)\n--\n\nWhether the law has them."},
    {NULL, NULL, 0, NULL}};
