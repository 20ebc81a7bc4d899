#include "carom/status.h"

enum { ANSWER, PARTIAL, REFUSED };

typedef struct line {
    const char *id, *message;
    int kind;
} line;

static const line lines[CAROM_STATUS_COUNT] = {
#define CAROM_STATUS(name, value, id, kind, message) [value] = {id, message, kind},
#include "carom/status.def"
#undef CAROM_STATUS
};

static const line unknown = {"unknown", "not a status of Carom", REFUSED};

static const line *line_of(carom_status status)
{
    return (unsigned)status < CAROM_STATUS_COUNT ? &lines[status] : &unknown;
}

const char *carom_status_id(carom_status status)
{
    return line_of(status)->id;
}

const char *carom_status_message(carom_status status)
{
    return line_of(status)->message;
}

bool carom_status_is_answer(carom_status status)
{
    return line_of(status)->kind == ANSWER;
}

bool carom_status_is_error(carom_status status)
{
    return line_of(status)->kind != ANSWER;
}

bool carom_status_is_refusal(carom_status status)
{
    return line_of(status)->kind == REFUSED;
}

const char *carom_version(void)
{
    return CAROM_VERSION;
}
