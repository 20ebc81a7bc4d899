/* carom._io: case files, pictures and scenes, as text in and text out. Needs cairo. */
#include "io.h"

#include <time.h>

#include "carom/import.h"
#include "carom/plot.h"

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What the caller wants changed, and where warnings go. */
typedef struct request {
    const char *bytes, *file, *law;
    Py_ssize_t length;
    int line, all;
} request;

PyObject *raise_case(const carom_case_error *error)
{
    PyObject *args = Py_BuildValue("(sssill)", error->message, error->key, error->rule, (int)error->status, error->line,
                                   error->column);
    if (args)
        PyErr_SetObject(PyExc_ValueError, args);
    Py_XDECREF(args);
    return NULL;
}

static int read_case(const request *r, carom_case *c, carom_case_error *error)
{
    const carom_text text = {r->file, r->line, r->bytes, (size_t)r->length};
    if (!carom_case_read(&text, c, error))
        return 0;
    if (r->law) {
        c->rule.law = carom_law_find(r->law);
        if (!c->rule.law)
            return carom_case_blame(c, "law", "no law has this id", error);
    }
    return carom_case_check(c, error);
}

static PyObject *warnings_of(const carom_case *c)
{
    unsigned bits = carom_case_warnings(c);
    PyObject *all = PyList_New(0);
    for (int i = 0; all && i < CAROM_WARNING_COUNT; i++) {
        carom_case_error error;
        if (!(bits >> i & 1))
            continue;
        carom_case_warn(c, (carom_warning)i, &error);
        PyObject *text = PyUnicode_FromString(error.message);
        if (!text || PyList_Append(all, text) < 0)
            Py_CLEAR(all);
        Py_XDECREF(text);
    }
    return all;
}

static PyObject *answer(const request *r, carom_case *c, carom_result *result)
{
    carom_case_error error;
    if (!read_case(r, c, &error))
        return raise_case(&error);
    carom_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = carom_case_solve(c, result);
    Py_END_ALLOW_THREADS;
    if (result->lost)
        return PyErr_NoMemory();
    if (carom_status_is_refusal(status)) {
        carom_case_refuse(c, status, &error);
        return raise_case(&error);
    }
    PyObject *text = json_text(carom_case_answer(c, result));
    PyObject *all = !text ? NULL : r->all ? json_text(carom_case_solutions(c, result)) : Py_NewRef(Py_None);
    PyObject *warnings = all ? warnings_of(c) : NULL;
    if (warnings)
        return Py_BuildValue("NNN", text, all, warnings);
    Py_XDECREF(text);
    Py_XDECREF(all);
    return NULL;
}

static PyObject *solve_case(PyObject *module, PyObject *args)
{
    (void)module;
    request r = {.line = 1};
    if (!PyArg_ParseTuple(args, "s#s|zip", &r.bytes, &r.length, &r.file, &r.law, &r.line, &r.all))
        return NULL;
    carom_case c = {0};
    carom_result result = {0};
    PyObject *got = answer(&r, &c, &result);
    carom_result_free(&result);
    carom_case_free(&c);
    return got;
}

/* ---- pictures ---- */

static carom_plot_draw *drawing(const char *kind)
{
    static const struct {
        const char *kind;
        carom_plot_draw *draw;
    } all[] = {{"scene", carom_plot_scene},     {"region", carom_plot_region}, {"hodograph", carom_plot_hodograph},
               {"impulse", carom_plot_impulse}, {"energy", carom_plot_energy}, {"force", carom_plot_force},
               {"speeds", carom_plot_speeds},   {"patch", carom_plot_patch}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(kind, all[i].kind) == 0)
            return all[i].draw;
    PyErr_Format(PyExc_ValueError,
                 "no picture is called '%s'; there are scene, region, hodograph, impulse, energy, "
                 "force, speeds, patch",
                 kind);
    return NULL;
}

/* The picture as SVG. */
static PyObject *svg_of(const carom_picture *picture)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    bool fine = out && carom_picture_print(picture, out);
    if (out)
        fclose(out);
    PyObject *text = fine ? PyUnicode_FromStringAndSize(bytes, (Py_ssize_t)length) : PyErr_NoMemory();
    free(bytes);
    return text;
}

static PyObject *plot(PyObject *module, PyObject *args)
{
    (void)module;
    const char *kind, *path;
    request r = {.line = 1};
    if (!PyArg_ParseTuple(args, "szs#s|z", &kind, &path, &r.bytes, &r.length, &r.file, &r.law))
        return NULL;
    carom_plot_draw *draw = drawing(kind);
    if (!draw)
        return NULL;
    carom_case c = {0};
    carom_case_error error;
    carom_picture *picture = NULL;
    char why[640] = "";
    PyObject *got = NULL;
    int read = read_case(&r, &c, &error);
    if (read) {
        const carom_plot ask = {.c = &c};
        picture = draw(&ask, why, sizeof why);
        got = !picture                                              ? NULL
              : !path                                               ? svg_of(picture)
              : carom_picture_write(picture, path, why, sizeof why) ? Py_NewRef(Py_None)
                                                                    : NULL;
    }
    carom_picture_free(picture);
    carom_case_free(&c);
    if (!read)
        return raise_case(&error);
    return got || PyErr_Occurred() ? got : PyErr_Format(PyExc_ValueError, "%s", why);
}

/* A model of another program: scene, losses and warnings as JSON. */
static PyObject *import_model(PyObject *module, PyObject *args)
{
    (void)module;
    const char *path;
    double ground;
    long long impact;
    carom_import_result r;
    char why[CAROM_IMPORT_MESSAGE];
    if (!PyArg_ParseTuple(args, "sdL", &path, &ground, &impact))
        return NULL;
    if (!carom_import(path, &r, why) || (ground >= 0 && !carom_import_ground(&r, ground, why)) ||
        (impact > 0 && !carom_import_impact(&r, impact, why))) {
        carom_import_free(&r);
        return PyErr_Format(PyExc_ValueError, "%s", why);
    }
    char *scene = carom_json_text(r.scene, 0), *losses = carom_json_text(r.losses, 0),
         *warnings = carom_json_text(r.warnings, 0);
    PyObject *all = scene && losses && warnings ? Py_BuildValue("(sss)", scene, losses, warnings) : PyErr_NoMemory();
    free(scene);
    free(losses);
    free(warnings);
    carom_import_free(&r);
    return all;
}

/* A scene as a model of another program: its text, mesh files and losses, the last two as JSON. */
static PyObject *export_model(PyObject *module, PyObject *args)
{
    (void)module;
    const char *bytes, *name, *word, *stem;
    Py_ssize_t length;
    carom_model_format format;
    carom_scene_file file = {0};
    carom_export_result r = {NULL, NULL, NULL};
    carom_case_error error;
    PyObject *all = NULL;
    if (!PyArg_ParseTuple(args, "s#sss", &bytes, &length, &name, &word, &stem))
        return NULL;
    if (!carom_model_format_of(word, &format))
        return PyErr_Format(PyExc_ValueError, "which format? A model is called .xml (MJCF) or .sdf, not %s", word);
    const carom_text text = {name, 1, bytes, (size_t)length};
    if (carom_scene_read(&text, &file, &error) && carom_model_export(&file, format, stem, &r, &error)) {
        char *files = carom_json_text(r.files, 0), *losses = carom_json_text(r.losses, 0);
        all = files && losses ? Py_BuildValue("(sss)", r.text, files, losses) : PyErr_NoMemory();
        free(files);
        free(losses);
    } else {
        raise_case(&error);
    }
    carom_export_free(&r);
    carom_scene_free(&file);
    return all;
}

static PyMethodDef methods[] = {
    {"export_model", export_model, METH_VARARGS,
     "export_model(text, file, format, stem, /)\n--\n\nA scene as MJCF or SDF, its mesh files and what is lost."},
    {"import_model", import_model, METH_VARARGS,
     "import_model(path, ground, impact, /)\n--\n\nA model in URDF, MJCF or SDF as a scene or, where impact is "
     "positive,\n"
     "a case, what is lost, and warnings, all as JSON."},
    {"solve_case", solve_case, METH_VARARGS,
     "solve_case(text, file, law=None, line=1, all=False, /)\n--\n\n"
     "The answer as JSON, its solutions, and the warnings."},
    {"plot", plot, METH_VARARGS, "plot(kind, path, text, file, law=None, /)\n--\n\nDraw a case into a file."},
    {"request", io_request, METH_VARARGS,
     "request(name, text, file, options, /)\n--\n\nThe answer as JSON, and the warnings as (word, sentence)."},
    {"save_run", io_save_run, METH_VARARGS,
     "save_run(text, file, options, path, page, /)\n--\n\nRun a scene and write it; its picture as SVG without a "
     "path."},
    {"fit", io_fit, METH_VARARGS,
     "fit(source, arrays, file, options, /)\n--\n\nThe answer as JSON, and the diagnoses of the impacts."},
    {NULL, NULL, 0, NULL}};

static int start(PyObject *module)
{
    PyObject *type = PyType_FromModuleAndSpec(module, &sim_spec, NULL);
    int status = type ? PyModule_AddObjectRef(module, "Sim", type) : -1;
    Py_XDECREF(type);
    return status;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)start}, {0, NULL}};

static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "carom._io",
                                        .m_doc = "Case files, pictures and scenes.",
                                        .m_size = 0,
                                        .m_methods = methods,
                                        .m_slots = slots};

PyMODINIT_FUNC PyInit__io(void);
PyMODINIT_FUNC PyInit__io(void)
{
    return PyModuleDef_Init(&definition);
}
