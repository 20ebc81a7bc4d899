/* The manifests: laws, coefficients, options, statuses, flags, traits. */
#include "ext.h"

#include "of_speed.h"

static PyObject *words_of(const char *const *words, int count)
{
    PyObject *all = PyTuple_New(count);
    for (int i = 0; all && i < count; i++) {
        PyObject *word = PyUnicode_FromString(words[i] ? words[i] : "");
        if (!word || PyTuple_SetItem(all, i, word) < 0)
            Py_CLEAR(all);
    }
    return all;
}

static PyObject *coefficients_of(const carom_law *law)
{
    const char *names[CAROM_COEFF_COUNT];
    int count = 0;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (law->uses >> i & 1)
            names[count++] = carom_coeff_at((carom_coeff)i)->name;
    return words_of(names, count);
}

static PyObject *traits_of(const carom_law *law)
{
    const char *names[CAROM_TRAIT_COUNT];
    int count = 0;
    for (int i = 0; i < CAROM_TRAIT_COUNT; i++)
        if (law->traits >> i & 1)
            names[count++] = carom_trait_word((carom_trait)i);
    return words_of(names, count);
}

/* A list made of one item per line of a manifest. */
static PyObject *list_of(int count, PyObject *(*item)(int i))
{
    PyObject *all = PyList_New(count);
    for (int i = 0; all && i < count; i++) {
        PyObject *one = item(i);
        if (!one || PyList_SetItem(all, i, one) < 0)
            Py_CLEAR(all);
    }
    return all;
}

static PyObject *law_item(int i)
{
    const carom_law *law = carom_law_at(i);
    return Py_BuildValue("sssssNNN", law->id, law->name, law->family, law->summary,
                         law->reference ? law->reference : "", coefficients_of(law), traits_of(law),
                         words_of(law->modes, law->mode_count));
}

static PyObject *coefficient_item(int i)
{
    const carom_coeff_info *info = carom_coeff_at((carom_coeff)i);
    return Py_BuildValue("sssddds", info->name, info->unit, info->range, info->min, info->max, info->value,
                         info->meaning);
}

static PyObject *option_item(int i)
{
    const carom_option_info *info = carom_option_at((carom_option)i);
    return Py_BuildValue("sNs", info->name,
                         words_of(info->words, info->words[3]   ? 4
                                               : info->words[2] ? 3
                                                                : 2),
                         info->meaning);
}

static PyObject *status_item(int i)
{
    carom_status status = (carom_status)i;
    return Py_BuildValue("issO", i, carom_status_id(status), carom_status_message(status),
                         carom_status_is_answer(status) ? Py_True : Py_False);
}

static PyObject *flag_item(int i)
{
    return Py_BuildValue("iss", 1 << i, carom_flag_word((carom_flag)i), carom_flag_meaning((carom_flag)i));
}

static PyObject *together_item(int i)
{
    const carom_together *law = carom_together_at(i);
    const char *names[CAROM_COEFF_COUNT];
    int count = 0;
    for (int k = 0; k < CAROM_COEFF_COUNT; k++)
        if (law->uses >> k & 1)
            names[count++] = carom_coeff_at((carom_coeff)k)->name;
    return Py_BuildValue("sssssNNN", law->id, law->name, "several contacts", law->summary, law->reference,
                         words_of(names, count), words_of(NULL, 0), words_of(NULL, 0));
}

static PyObject *laws(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return list_of(carom_law_count(), law_item);
}

static PyObject *manifest(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return Py_BuildValue("{sNsNsNsNsN}", "coefficients", list_of(CAROM_COEFF_COUNT, coefficient_item), "options",
                         list_of(CAROM_OPTION_COUNT, option_item), "statuses", list_of(CAROM_STATUS_COUNT, status_item),
                         "flags", list_of(CAROM_FLAG_COUNT, flag_item), "together",
                         list_of(carom_together_count(), together_item));
}

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(carom_version());
}

/* A coefficient at a speed of approach, held in its range. */
static PyObject *at_speed(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name;
    PyObject *value;
    double v;
    carom_coeffs coeffs = carom_coeffs_default();
    if (!PyArg_ParseTuple(args, "sOd", &name, &value, &v))
        return NULL;
    const carom_coeff i = carom_coeff_find(name);
    if (i == CAROM_COEFF_COUNT)
        return PyErr_Format(PyExc_TypeError, "no coefficient is called '%s'", name);
    if (!of_speed_take(&coeffs, i, value))
        return NULL;
    coeffs = carom_coeffs_at_speed(&coeffs, v);
    return PyFloat_FromDouble(carom_coeffs_get(&coeffs, i));
}

PyMethodDef law_methods[] = {
    {"version", version, METH_NOARGS, "version()\n--\n\nThe version of the library."},
    {"laws", laws, METH_NOARGS, "laws()\n--\n\nEvery law and its descriptor."},
    {"manifest", manifest, METH_NOARGS, "manifest()\n--\n\nEvery word of the library."},
    {"at_speed", at_speed, METH_VARARGS, "at_speed(name, function, v, /)\n--\n\nA coefficient at a speed of approach."},
    {NULL, NULL, 0, NULL}};
