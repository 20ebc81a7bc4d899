/* Rule: a law with its coefficients and options, checked once and used for any number of impacts. */
#include "ext.h"

static const char *const *rule_members(void)
{
    static const char *const names[] = {"law", "coefficients", "options", NULL};
    return names;
}

static int set_coefficients(carom_rule *rule, PyObject *from)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (from && from != Py_None && PyDict_Next(from, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        double x = name ? PyFloat_AsDouble(value) : 0;
        if (PyErr_Occurred())
            return 0;
        carom_coeff i = carom_coeff_find(name);
        if (i == CAROM_COEFF_COUNT) {
            PyErr_Format(PyExc_TypeError, "no coefficient is called '%s'", name);
            return 0;
        }
        carom_coeffs_set(&rule->coeffs, i, x);
    }
    return 1;
}

static int set_options(carom_rule *rule, PyObject *from)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (from && from != Py_None && PyDict_Next(from, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL),
                   *word = name ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
        if (!word)
            return 0;
        carom_option i = carom_option_find(name);
        const carom_option_info *info = i == CAROM_OPTION_COUNT ? NULL : carom_option_at(i);
        int choice = !info ? -1 : !strcmp(word, info->words[0]) ? 0 : !strcmp(word, info->words[1]) ? 1 : -1;
        if (choice < 0) {
            PyErr_Format(PyExc_ValueError, "option '%s' has no reading '%s'", name, word);
            return 0;
        }
        carom_options_set(&rule->options, i, choice);
    }
    return 1;
}

static PyObject *refuse_rule(const core_state *state, carom_status status, carom_coeff culprit)
{
    if (status != CAROM_STATUS_BAD_COEFFICIENT && status != CAROM_STATUS_NOT_FINITE)
        return raise_status(state, status, NULL);
    const carom_coeff_info *info = carom_coeff_at(culprit);
    char about[200];
    PyOS_snprintf(about, sizeof about, "%s must be in its range %s", info->name, info->range);
    return raise_status(state, status, about);
}

static PyObject *rule_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    const core_state *state = PyType_GetModuleState(type);
    const char *id;
    PyObject *coefficients = NULL, *options = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "s|O!O!", (char **)rule_members(), &id, &PyDict_Type,
                                     &coefficients, &PyDict_Type, &options))
        return NULL;
    const carom_law *law = carom_law_find(id);
    if (!law)
        return PyErr_Format(PyExc_ValueError, "no law is called '%s'", id);
    carom_rule rule = carom_rule_default(law);
    carom_coeff culprit = CAROM_COEFF_e;
    if (!set_coefficients(&rule, coefficients) || !set_options(&rule, options))
        return NULL;
    carom_status status = carom_rule_check(&rule, &culprit);
    if (status)
        return refuse_rule(state, status, culprit);
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    rule_object *self = (rule_object *)alloc(type, 0);
    if (self)
        self->rule = rule;
    return (PyObject *)self;
}

static void rule_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

const carom_rule *rule_of(const core_state *state, PyObject *object)
{
    if (PyObject_TypeCheck(object, (PyTypeObject *)state->rule_type))
        return &((rule_object *)object)->rule;
    PyErr_SetString(PyExc_TypeError, "a carom.Rule is needed; carom.rule(\"newton\", e=0.8) makes one");
    return NULL;
}

/* ---- what it says about itself ---- */

static PyObject *get_law(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((rule_object *)self)->rule.law->id);
}

/* The coefficients that the law uses. */
static PyObject *get_coefficients(PyObject *self, void *unused)
{
    (void)unused;
    const carom_rule *rule = &((rule_object *)self)->rule;
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < CAROM_COEFF_COUNT; i++) {
        if (!(rule->law->uses >> i & 1))
            continue;
        PyObject *value = PyFloat_FromDouble(carom_coeffs_get(&rule->coeffs, (carom_coeff)i));
        if (!value || PyDict_SetItemString(all, carom_coeff_at((carom_coeff)i)->name, value) < 0)
            Py_CLEAR(all);
        Py_XDECREF(value);
    }
    return all;
}

static PyObject *get_options(PyObject *self, void *unused)
{
    (void)unused;
    const carom_rule *rule = &((rule_object *)self)->rule;
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < CAROM_OPTION_COUNT; i++) {
        const carom_option_info *info = carom_option_at((carom_option)i);
        PyObject *word = PyUnicode_FromString(info->words[carom_options_get(&rule->options, (carom_option)i)]);
        if (!word || PyDict_SetItemString(all, info->name, word) < 0)
            Py_CLEAR(all);
        Py_XDECREF(word);
    }
    return all;
}

static PyObject *rule_text(PyObject *self)
{
    PyObject *coefficients = get_coefficients(self, NULL);
    PyObject *text =
        coefficients ? PyUnicode_FromFormat("Rule('%s', %S)", ((rule_object *)self)->rule.law->id, coefficients) : NULL;
    Py_XDECREF(coefficients);
    return text;
}

static PyObject *rule_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *coefficients = get_coefficients(self, NULL), *options = coefficients ? get_options(self, NULL) : NULL;
    if (!options) {
        Py_XDECREF(coefficients);
        return NULL;
    }
    return Py_BuildValue("O(sNN)", (PyObject *)Py_TYPE(self), ((rule_object *)self)->rule.law->id, coefficients,
                         options);
}

static PyGetSetDef rule_getters[] = {{"law", get_law, NULL, "The id of the law.", NULL},
                                     {"coefficients", get_coefficients, NULL, "What the law uses, by name.", NULL},
                                     {"options", get_options, NULL, "Every option and its word.", NULL},
                                     {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef rule_methods[] = {{"__reduce__", rule_reduce, METH_NOARGS, "For pickle."}, {NULL, NULL, 0, NULL}};

static PyType_Slot rule_slots[] = {
    {Py_tp_doc, (void *)"Rule(law, coefficients={}, options={})\n--\n\n"
                        "A law with its coefficients and options, checked once; immutable. carom.rule() makes one from "
                        "keywords."},
    {Py_tp_new, (void *)rule_new},
    {Py_tp_dealloc, (void *)rule_free},
    {Py_tp_repr, (void *)rule_text},
    {Py_tp_getset, (void *)rule_getters},
    {Py_tp_methods, (void *)rule_methods},
    {0, NULL}};

PyType_Spec rule_spec = {"carom._core.Rule", sizeof(rule_object), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                         rule_slots};
