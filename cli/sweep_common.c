/* What all sweeps have in common. */
#include <stdlib.h>
#include <string.h>

#include "carom/batch.h"
#include "sweep.h"

enum { DRAWS = 1000 };

#define IDENTITY 0xcbf29ce484222325 /* of nothing */

void sweep_start(sweep *s, const char *command, bool shared)
{
    s->command = command;
    s->draws = DRAWS;
    s->seed = 1;
    s->identity = IDENTITY;
    s->of.settings = &s->settings;
    s->ranks = shared ? ranks_start() : (ranks){0, 1};
    s->threads = s->ranks.count > 1 ? 1 : carom_batch_threads();
    s->threads = s->threads < SWEEP_THREADS ? s->threads : SWEEP_THREADS;
}

void sweep_end(sweep *s)
{
    sweep_device_close(s);
    carom_vary_free(&s->of.v);
    ranks_end();
}

/* ---- options ---- */

bool take_vary(void *member, const char *text, const option_row *row)
{
    carom_case_error error;
    return carom_vary_add(member, row->name, text, &error) || (complain_error(NULL, &error), false);
}

bool take_random(void *member, const char *text, const option_row *row)
{
    carom_case_error error;
    return carom_vary_add_random(member, row->name, text, &error) || (complain_error(NULL, &error), false);
}

/* FNV-1a over all that decides the numbers. */
static void identify(sweep *s, const char *text)
{
    for (; *text; text++)
        s->identity = (s->identity ^ (unsigned char)*text) * 0x100000001b3;
    s->identity = (s->identity ^ '\n') * 0x100000001b3;
}

void sweep_identify(sweep *s, const option_row *row, const char *text)
{
    if (text && strcmp(row->name, "threads") != 0 && strcmp(row->name, "output") != 0 &&
        strcmp(row->name, "statistics") != 0 && strcmp(row->name, "device") != 0)
        identify(s, text);
}

void sweep_identify_document(sweep *s, const carom_json *document)
{
    char *text = must_have(json_text(document, 17));
    identify(s, text);
    free(text);
}

/* ---- points ---- */

int sweep_column_count(const sweep *s)
{
    return s->of.v.count + carom_sweep_numbers(&s->of);
}

const char *sweep_column(const sweep *s, int k)
{
    return k < s->of.v.count ? s->of.v.list[k].name : carom_sweep_number_name(&s->of, k - s->of.v.count);
}

bool sweep_open(carom_sweep_point *p, const sweep *s)
{
    carom_case_error error;
    return carom_sweep_open(p, &s->of, &error) || (complain_error(s->command, &error), false);
}

void sweep_close(sweep *s, carom_sweep_point *p)
{
    if (p->refused && (!s->refused || p->first_at < s->first_refused)) {
        s->first_refusal = p->first;
        s->first_refused = p->first_at;
    }
    s->refused += p->refused;
    carom_sweep_close(p);
}
