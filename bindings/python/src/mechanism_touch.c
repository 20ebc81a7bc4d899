/* Contacts of the links of a mechanism: reduced, solved and pushed, one or several at once. */
#include <stdlib.h>

#include "mechanism.h"

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
    carom_status status = carom_touch_init(&m->motion, link, mechanism_vec3(x), mechanism_vec3(n), touch);
    if (!status && t1 != Py_None)
        status = carom_frame_init_t1(mechanism_vec3(n), mechanism_vec3(t), &touch->frame);
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

PyObject *mechanism_reduce(PyObject *self, PyObject *tuple)
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

PyObject *mechanism_jacobian(PyObject *self, PyObject *tuple)
{
    mechanism_object *m = as_mechanism(self);
    carom_touch touch;
    if (!PyTuple_Check(tuple) || !touch_from(self, tuple, &touch))
        return NULL;
    double *J = calloc(3 * (size_t)m->mechanism.nv + 1, sizeof *J);
    if (!J)
        return PyErr_NoMemory();
    carom_touch_jacobian(&touch, &m->motion, J);
    PyObject *rows = mechanism_rows(J, 3, m->mechanism.nv);
    free(J);
    return rows;
}

PyObject *mechanism_impact(PyObject *self, PyObject *args)
{
    const core_state *state = state_of(self);
    PyObject *tuple, *rule_at;
    carom_touch touch;
    carom_problem problem;
    if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &tuple, &rule_at) || !mechanism_is_still(as_mechanism(self)))
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
    PyObject *items = copy_list(list);
    *count = items ? (int)PyTuple_Size(items) : 0;
    carom_touch *all = calloc((size_t)*count + 1, sizeof *all);
    int fine = items && all && *count > 0;
    if (!items || !all)
        PyErr_NoMemory();
    else if (!fine)
        PyErr_SetString(PyExc_ValueError, "there is no contact");
    for (int i = 0; fine && i < *count; i++)
        fine = touch_from(self, PyTuple_GetItem(items, i), &all[i]);
    Py_XDECREF(items);
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
    PyObject *rows = mechanism_rows(K, size, size);
    free(K);
    return rows;
}

PyObject *mechanism_contacts(PyObject *self, PyObject *list)
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
                           : Py_BuildValue("NN", full_matrix(&problem), mechanism_numbers(problem.u, 3 * count));
    free(memory);
    free(touches);
    return got;
}

PyObject *mechanism_push(PyObject *self, PyObject *args)
{
    PyObject *list, *p;
    int count;
    if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &list, &p) || !mechanism_is_still(as_mechanism(self)))
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
