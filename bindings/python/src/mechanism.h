/* What the files of Mechanism share. */
#ifndef CAROM_PYTHON_MECHANISM_H
#define CAROM_PYTHON_MECHANISM_H

#include "ext.h"

typedef struct mechanism_object {
    PyObject_HEAD carom_mechanism mechanism;
    carom_motion motion;
    carom_link *links;
    double *numbers; /* q, qdot, the work of flights */
    PyObject *gap;   /* of the flight in progress; borrowed */
    int is_flying, gap_failed;
} mechanism_object;

static inline mechanism_object *as_mechanism(PyObject *self)
{
    return (mechanism_object *)self;
}

static inline const core_state *state_of(PyObject *self)
{
    return PyType_GetModuleState(Py_TYPE(self));
}

carom_vec3 mechanism_vec3(const double *x);

/* Tuples of numbers, and of rows of them. */
PyObject *mechanism_numbers(const double *x, int count);
PyObject *mechanism_rows(const double *x, int rows, int columns);

/* False, with an exception, during a flight. */
int mechanism_is_still(const mechanism_object *m);

/* Methods: mechanism_touch.c. */
PyObject *mechanism_reduce(PyObject *self, PyObject *tuple);
PyObject *mechanism_jacobian(PyObject *self, PyObject *tuple);
PyObject *mechanism_impact(PyObject *self, PyObject *args);
PyObject *mechanism_contacts(PyObject *self, PyObject *list);
PyObject *mechanism_push(PyObject *self, PyObject *args);

#endif
