/* What the files of carom._io share. */
#ifndef CAROM_PYTHON_IO_H
#define CAROM_PYTHON_IO_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdlib.h>
#include <string.h>

#include "carom/case.h"

/* Raise ValueError(message, key, rule, status, line, column). Returns null. */
PyObject *raise_case(const carom_case_error *error);

/* A JSON tree as text; the tree is freed. */
PyObject *json_text(carom_json *json);

#define SIGNALS 0.05 /* s between two looks at signals */

/* Seconds, from anywhere. */
double clock_now(void);

PyObject *io_request(PyObject *module, PyObject *args);
PyObject *io_save_run(PyObject *module, PyObject *args);
PyObject *io_fit(PyObject *module, PyObject *args);

extern PyType_Spec sim_spec;

#endif
