/* A run written into a file: as a page, a picture, a table or lines. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/plot_motion.h"
#include "io/request/request.h"

typedef enum file_kind { FILE_PAGE, FILE_PICTURE, FILE_TABLE, FILE_LINES, FILE_KINDS } file_kind;

static file_kind kind_of(const char *path)
{
    static const struct {
        const char *ending;
        file_kind kind;
    } endings[] = {{".html", FILE_PAGE},   {".svg", FILE_PICTURE}, {".png", FILE_PICTURE},
                   {".pdf", FILE_PICTURE}, {".csv", FILE_TABLE},   {".jsonl", FILE_LINES}};
    const char *dot = path ? strrchr(path, '.') : ".svg";
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(dot, endings[i].ending) == 0)
            return endings[i].kind;
    return FILE_KINDS;
}

/* What is left to write when the run is over. */
static bool write_record(const carom_run_record *record, const carom_scene_run *run, const carom_run_file *to,
                         FILE *file, carom_case_error *error)
{
    char why[256] = "cannot be written";
    bool fine;
    if (record->lost)
        return carom_request_fail(error, "", "out of memory");
    if (kind_of(to->path) == FILE_PAGE)
        fine = carom_run_record_page(record, run, to->page, file);
    else {
        carom_picture *picture = carom_run_picture(record, run, why, sizeof why);
        fine = picture && (to->path ? carom_picture_write(picture, to->path, why, sizeof why)
                                    : carom_picture_print(picture, to->out));
        carom_picture_free(picture);
    }
    return fine || carom_request_fail(error, "path", "%s", why);
}

static bool save(const carom_scene_file *file, const carom_run_file *to, FILE *out, carom_case_error *error)
{
    const file_kind kind = kind_of(to->path);
    const bool recorded = kind == FILE_PAGE || kind == FILE_PICTURE;
    carom_scene_run run = {.rate = recorded ? carom_run_record_rate(file, file->rate) : file->rate};
    carom_run_record record = {0};
    bool fine = carom_scene_run_start(&run, file, error);
    const carom_run_sink sink = kind == FILE_TABLE ? carom_run_table(out) : carom_run_lines(out);
    if (fine && kind == FILE_TABLE)
        carom_run_table_head(out, file);
    if (fine && !recorded)
        carom_scene_run_add(&run, &sink);
    if (fine && recorded && !carom_run_record_open(&record, &run))
        fine = carom_request_fail(error, "", "out of memory");
    if (fine)
        carom_scene_run_go(&run);
    fine = fine && carom_scene_run_check(&run, error) &&
           (recorded ? write_record(&record, &run, to, out, error)
                     : !run.failed || carom_request_fail(error, "path", "cannot be written"));
    carom_run_record_free(&record);
    carom_scene_run_free(&run);
    return fine;
}

static bool open_and_save(const carom_scene_file *file, const carom_run_file *to, carom_case_error *error)
{
    const file_kind kind = kind_of(to->path);
    if (kind == FILE_KINDS)
        return carom_request_fail(error, "path", "unknown ending; known are .html, .svg, .png, .pdf, .csv and .jsonl");
    if (kind == FILE_PAGE && !to->page)
        return carom_request_fail(error, "path", "this build has no replay page; `./run replay` makes it");
    if (kind == FILE_PICTURE)
        return save(file, to, NULL, error);
    FILE *out = fopen(to->path, "wb");
    if (!out)
        return carom_request_fail(error, "path", "%s", strerror(errno));
    bool fine = save(file, to, out, error);
    return (fclose(out) == 0 || carom_request_fail(error, "path", "%s", strerror(errno))) && fine;
}

bool carom_run_save(const carom_text *scene, const char *options, const carom_run_file *to, carom_case_error *error)
{
    static const char *const known[] = {"time", "impacts", "rate", NULL};
    carom_reply reply = {0};
    request r = {.name = "save", .text = scene, .reply = &reply};
    carom_scene_file file = {0};
    request_limits l;
    bool fine = request_parse(&r, options) && request_options(&r, true, known) && request_read_scene(&r, &l, &file);
    *error = reply.error;
    fine = fine && open_and_save(&file, to, error);
    carom_scene_free(&file);
    json_decref(r.options);
    carom_reply_free(&reply);
    return fine;
}
