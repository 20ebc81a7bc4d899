/* A coefficient as Python gives it: a number, or ("power", value, q, speed, from, to) where it depends on the speed. */
#ifndef CAROM_PYTHON_OF_SPEED_H
#define CAROM_PYTHON_OF_SPEED_H

#include "carom/coeffs.h"

static inline int of_speed_take(carom_coeffs *coeffs, carom_coeff i, PyObject *value)
{
    carom_of_speed f = {0};
    const char *word = NULL;
    double x = 0;
    if (!PyTuple_Check(value))
        x = PyFloat_AsDouble(value);
    else if (!PyArg_ParseTuple(value, "sddddd", &word, &x, &f.q, &f.speed, &f.from, &f.to))
        return 0;
    if (PyErr_Occurred())
        return 0;
    carom_coeffs_set(coeffs, i, x);
    for (int form = CAROM_SPEED_LINEAR; word && form < CAROM_SPEED_COUNT; form++)
        f.form = strcmp(word, carom_speed_word((carom_speed_form)form)) == 0 ? form : f.form;
    if (word)
        *(i == CAROM_COEFF_e ? &coeffs->e_of_speed : &coeffs->mu_of_speed) = f;
    return 1;
}

#endif
