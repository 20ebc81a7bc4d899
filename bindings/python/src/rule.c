/* Rule: a law with its coefficients and options, checked once and used for any number of impacts. */
#include "ext.h"

#include <stddef.h>

#include "of_speed.h"

static const char *const *rule_members(void)
{
    static const char *const names[] = {"law", "coefficients", "options", NULL};
    return names;
}

static int set_coefficients(carom_rule *rule, PyObject *from)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (from && PyDict_Next(from, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        carom_coeff i = name ? carom_coeff_find(name) : CAROM_COEFF_COUNT;
        if (name && i == CAROM_COEFF_COUNT)
            PyErr_Format(PyExc_TypeError, "no coefficient is called '%s'", name);
        if (i == CAROM_COEFF_COUNT || !of_speed_take(&rule->coeffs, i, value))
            return 0;
    }
    return 1;
}

static int set_options(carom_rule *rule, PyObject *from)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (from && PyDict_Next(from, &at, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL),
                   *word = name ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
        if (!word)
            return 0;
        carom_option i = carom_option_find(name);
        const carom_option_info *info = i == CAROM_OPTION_COUNT ? NULL : carom_option_at(i);
        int choice = info ? carom_option_choice(i, word) : -1;
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

/* ---- laws written in Python ---- */

static const rule_object *object_of(const carom_rule *rule)
{
    return (const rule_object *)((const char *)rule - offsetof(rule_object, rule));
}

/* K and u as tuples, of the plane where the problem is planar. */
static PyObject *arguments_of(const carom_impact *x, int dim)
{
    const carom_csym *K = &x->K;
    if (dim == 2)
        return Py_BuildValue("(((dd)(dd))(dd))", K->t11, K->t1n, K->t1n, K->nn, x->u.t1, x->u.n);
    return Py_BuildValue("(((ddd)(ddd)(ddd))(ddd))", K->t11, K->t12, K->t1n, K->t12, K->t22, K->t2n, K->t1n, K->t2n,
                         K->nn, x->u.t1, x->u.t2, x->u.n);
}

/* A carom_law_solve: calls the function; false statuses leave its exception, which raise_status keeps. */
static carom_status call_python(const carom_impact *x, const carom_rule *rule, const carom_tracer *tracer,
                                carom_outcome *outcome)
{
    (void)tracer;
    const rule_object *self = object_of(rule);
    const int dim = x->kind == CAROM_KIND_PLANAR ? 2 : 3;
    double p[3] = {0, 0, 0};
    PyObject *arguments = arguments_of(x, dim);
    PyObject *got = arguments ? PyObject_Call(self->call, arguments, self->keywords) : NULL;
    int fine = got && numbers_from(got, p, dim, "the impulse of a law");
    Py_XDECREF(arguments);
    Py_XDECREF(got);
    if (!fine)
        return CAROM_STATUS_OUT_OF_RANGE;
    outcome->p = dim == 3 ? carom_cvec_make(p[0], p[1], p[2]) : carom_cvec_make(p[0], 0, p[1]);
    outcome->mode = "own";
    outcome->solutions = 1;
    return CAROM_STATUS_OK;
}

int is_python_law(const carom_rule *rule)
{
    return rule->law->solve == call_python;
}

/* The descriptor of a function; it uses the coefficients that are given. */
static int make_own(rule_object *self, PyObject *call, PyObject *coefficients)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    self->call = Py_NewRef(call);
    self->keywords = coefficients ? Py_NewRef(coefficients) : PyDict_New();
    self->name = PyObject_GetAttrString(call, "__name__");
    if (!self->name) {
        PyErr_Clear();
        self->name = PyUnicode_FromString("own");
    }
    const char *id = self->name && PyUnicode_Check(self->name) ? PyUnicode_AsUTF8AndSize(self->name, NULL) : NULL;
    if (!self->keywords || !id)
        return 0;
    self->own =
        (carom_law){.id = id, .name = id, .family = "own", .summary = "", .reference = "", .solve = call_python};
    while (coefficients && PyDict_Next(coefficients, &at, &key, &value)) {
        carom_coeff i = carom_coeff_find(PyUnicode_AsUTF8AndSize(key, NULL));
        self->own.uses |= i < CAROM_COEFF_COUNT ? (uint64_t)1 << i : 0;
    }
    self->rule.law = &self->own;
    return 1;
}

/* ---- making one ---- */

/* The law, with copies of the dicts. */
static int fill_rule(rule_object *self, PyObject *law, PyObject *coefficients, PyObject *options)
{
    const core_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)self));
    const char *id = PyUnicode_Check(law) ? PyUnicode_AsUTF8AndSize(law, NULL) : NULL;
    const carom_law *known = id ? carom_law_find(id) : NULL;
    carom_coeff culprit = CAROM_COEFF_e;
    if (!known && (id || !PyCallable_Check(law))) {
        PyErr_Format(PyExc_ValueError, "no law is called '%S'", law);
        return 0;
    }
    self->rule = carom_rule_default(known);
    if (!set_coefficients(&self->rule, coefficients) || !set_options(&self->rule, options) ||
        (!known && !make_own(self, law, coefficients)))
        return 0;
    carom_status status = carom_rule_check(&self->rule, &culprit);
    if (status)
        refuse_rule(state, status, culprit);
    return !status;
}

static PyObject *rule_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *law, *coefficients = NULL, *options = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|O!O!", (char **)rule_members(), &law, &PyDict_Type,
                                     &coefficients, &PyDict_Type, &options))
        return NULL;
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    rule_object *self = (rule_object *)alloc(type, 0);
    coefficients = coefficients ? copy_dict(coefficients) : NULL;
    options = options ? copy_dict(options) : NULL;
    int fine = self && fill_rule(self, law, coefficients, options);
    Py_XDECREF(coefficients);
    Py_XDECREF(options);
    if (!fine) {
        Py_XDECREF((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}

static void rule_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    rule_object *r = (rule_object *)self;
    Py_XDECREF(r->call);
    Py_XDECREF(r->keywords);
    Py_XDECREF(r->name);
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

/* A coefficient as rule() takes it: a number, or an object like {"power": {"value": 0.8, "q": 0.1, ...}}. */
static PyObject *coefficient_object(const carom_coeffs *coeffs, carom_coeff i)
{
    const carom_of_speed none = {0}, *f = i == CAROM_COEFF_e    ? &coeffs->e_of_speed
                                          : i == CAROM_COEFF_mu ? &coeffs->mu_of_speed
                                                                : &none;
    const double c = carom_coeffs_get(coeffs, i);
    if (!(f->form > 0))
        return PyFloat_FromDouble(c);
    return Py_BuildValue("{s:{s:d,s:d,s:d,s:d,s:d}}", carom_speed_word((carom_speed_form)f->form), "value", c, "q",
                         f->q, "speed", f->speed, "from", f->from, "to", f->to);
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
        PyObject *value = coefficient_object(&rule->coeffs, (carom_coeff)i);
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
    const rule_object *r = (const rule_object *)self;
    PyObject *law = r->call ? Py_NewRef(r->call) : PyUnicode_FromString(r->rule.law->id);
    return Py_BuildValue("O(NNN)", (PyObject *)Py_TYPE(self), law, coefficients, options);
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
