/* --report DIR: report.md and its figures. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "figures.h"
#include "literature.h"
#include "output.h"

enum { PATH_ROOM = 4096 };

static const char not_drawn[] =
    "The texts at hand carry no figures, only their numbers and captions in part. Figures are therefore drawn from the "
    "systems that the texts "
    "describe, not traced from the originals:\n\n"
    "- **Thesis, Figures 7.2–7.9.** Drawn: the impulse space of the pendulum for three masses, what laws I–III can "
    "reach, and both tables as curves. "
    "Not drawn: the construction of section 7.4 with the line CG at an angle β, because the text contradicts itself "
    "for coupled M (a straight line "
    "does not follow) and only the figure could tell; and panels whose data the text does not give.\n"
    "- **Baber, Figures 1–3.** Drawn as the path, the works and the slip plane of the worked example. The signs of u_0 "
    "were lost in the text; "
    "(630, −780, −0.22) is the only choice that gives the published zeros.\n"
    "- **Jia, Figures 11–17.** The studies of the ball and the pencil are drawn from the equations as printed, so they "
    "differ from the originals where "
    "erratum J1 acts: in restitution slip, for 0 < e < 1.\n\n";

static void write_figures_of(FILE *out, const char *section)
{
    for (int i = 0; i < figure_count(); i++) {
        const figure *f = figure_at(i);
        if (strcmp(f->section, section) == 0)
            fprintf(out, "![%s](%s.svg)\n\n*%s*\n\n", f->caption, f->name, f->caption);
    }
}

static void write_figures(FILE *out)
{
    fputs("## Figures, drawn again\n\n", out);
    fputs(not_drawn, out);
    for (int i = 0; i < figure_count(); i++) {
        const char *section = figure_at(i)->section;
        if (i > 0 && strcmp(section, figure_at(i - 1)->section) == 0)
            continue;
        fprintf(out, "### %s\n\n", section);
        write_figures_of(out, section);
    }
}

static void write_row(FILE *out, const finding *f)
{
    fprintf(out, "| %s | %s | %.10g | %d | %s %s |", f->what, f->published, f->got, f->digits, verdict_word(f->verdict),
            erratum_at(f->erratum)->key);
    if (isfinite(f->explained))
        fprintf(out, " %.8g |\n", f->explained);
    else
        fputs(" |\n", out);
}

static void write_rows(FILE *out, const literature *l)
{
    const place *at = NULL;
    fputs("## Numbers\n", out);
    for (int i = 0; i < l->count; i++) {
        const finding *f = &l->list[i];
        if (f->place != at)
            fprintf(out,
                    "\n### %s: %s, %s\n\n| number | published | Carom | digits | verdict | with the erratum |\n"
                    "|---|---|---|---|---|---|\n",
                    group_word(f->place->group), document_at(f->place->document)->name, f->place->section);
        at = f->place;
        write_row(out, f);
    }
    fputc('\n', out);
}

static void write_text(FILE *out, const literature *l)
{
    fprintf(out, "# What the literature printed, and what Carom gets\n\nCarom %s.\n\n", carom_version());
    fputs("| group | passed | failed | errata |\n|---|---|---|---|\n", out);
    for (int g = 0; g < GROUP_COUNT; g++)
        fprintf(out, "| %s | %d | %d | %d |\n", group_word((group)g), l->counts[g][VERDICT_PASS],
                l->counts[g][VERDICT_FAIL], l->counts[g][VERDICT_ERRATUM]);
    fputs("\nA printed number passes when Carom's rounds to the string that the document shows. Derived numbers are "
          "formulas of a document, evaluated for one example. Own findings are confirmed by a second method. Where the "
          "equations of a document do not give what it prints, the number is an erratum; its key is explained below, "
          "and where the explanation can be computed the last column shows what it gives.\n\n",
          out);
    fputs("## Documents\n\n", out);
    for (int d = 0; d < DOCUMENT_COUNT; d++)
        fprintf(out, "- **%s**: %s\n", document_at((document_key)d)->name, document_at((document_key)d)->reference);
    fputc('\n', out);
    write_rows(out, l);
    fputs("## Errata\n\n", out);
    for (int k = NO_ERRATUM + 1; k < ERRATUM_COUNT; k++) {
        const erratum *e = erratum_at((erratum_key)k);
        fprintf(out, "- **%s** (%s). %s\n", e->key, e->source, e->text);
    }
    fputc('\n', out);
    write_figures(out);
}

static bool write_pictures(const char *folder)
{
    char path[PATH_ROOM], why[512];
    for (int i = 0; i < figure_count(); i++) {
        const figure *f = figure_at(i);
        carom_picture *picture = figure_draw(f);
        snprintf(path, sizeof path, "%s/%s.svg", folder, f->name);
        bool fine = picture && carom_picture_write(picture, path, why, sizeof why);
        if (!fine)
            complain("%s", picture ? why : f->name);
        carom_picture_free(picture);
        if (!fine)
            return false;
    }
    return true;
}

/* The report appears complete or not at all, like its figures. */
static bool write_report(const literature *l, const char *folder)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/report.md", folder);
    output_file f = output_open(path);
    if (f.file)
        write_text(f.file, l);
    return f.file && output_close(&f, true);
}

bool literature_report(const literature *l, const char *folder)
{
    if (strlen(folder) > PATH_ROOM - 64) {
        complain("--report: the name of the folder is too long");
        return false;
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        complain("%s: %s", folder, strerror(errno));
        return false;
    }
    output_hold_signals();
    return write_pictures(folder) && write_report(l, folder);
}
