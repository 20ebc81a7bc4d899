/* What the files of carom._io share. */
#ifndef CAROM_PYTHON_IO_H
#define CAROM_PYTHON_IO_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "carom/case.h"

/* Raise ValueError(message, key, rule, status). Returns null. */
PyObject *raise_case(const carom_case_error *error);

extern PyType_Spec sim_spec;

#endif
