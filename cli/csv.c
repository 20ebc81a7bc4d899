#include "csv.h"
#include "carom/run_record.h"

#include <math.h>
#include <string.h>

static const char *const columns[] = {
#define QUANTITY(column, member, key, symbol, unit, meaning) #column,
#include "quantities.def"
#undef QUANTITY
};

enum {
#define QUANTITY(column, member, key, symbol, unit, meaning) AT_##column,
#include "quantities.def"
#undef QUANTITY
    COLUMNS
};

int csv_column_count(void)
{
    return COLUMNS;
}

const char *csv_column(int i)
{
    return columns[i];
}

/* Restitutions are defined or not, one by one. */
static bool is_defined(const carom_result *r, int i)
{
    unsigned bit = i == AT_restitution_newton    ? CAROM_HAS_NEWTON
                   : i == AT_restitution_poisson ? CAROM_HAS_POISSON
                   : i == AT_restitution_stronge ? CAROM_HAS_STRONGE
                   : i == AT_restitution_ivanov  ? CAROM_HAS_IVANOV
                                                 : 0;
    return !bit || r->outcome.restitution.defined & bit;
}

double csv_number(const carom_result *result, int i)
{
    const double values[] = {
#define QUANTITY(column, member, key, symbol, unit, meaning) (double)result->member,
#include "quantities.def"
#undef QUANTITY
    };
    return is_defined(result, i) ? values[i] + 0.0 : NAN;
}

void csv_head(FILE *out)
{
    fputs(",law,status,mode,flags", out);
    for (int i = 0; i < COLUMNS; i++)
        fprintf(out, ",%s", columns[i]);
}

void csv_numbers(FILE *out, const carom_result *result)
{
    char text[CAROM_NUMBER_SIZE];
    for (int i = 0; i < COLUMNS; i++) {
        double value = csv_number(result, i);
        fputc(',', out);
        if (isnan(value))
            continue;
        carom_number_print(text, value);
        fputs(text, out);
    }
}

void csv_words(FILE *out, const carom_case *c, const carom_result *result)
{
    const carom_outcome *o = &result->outcome;
    fprintf(out, ",%s,%s,", c->rule.law ? c->rule.law->id : "", carom_status_id(o->status));
    carom_csv_text(out, o->mode ? o->mode : "");
    fputc(',', out);
    const char *separator = "";
    for (int i = 0; i < CAROM_FLAG_COUNT; i++)
        if (o->flags >> i & 1) {
            fprintf(out, "%s%s", separator, carom_flag_word((carom_flag)i));
            separator = " ";
        }
}
