#include "csv.h"

#include <math.h>

#include "carom/json.h"
#include "carom/run_record.h"

void csv_word(FILE *out, const char *word)
{
    fputc(',', out);
    carom_csv_text(out, word);
}

void csv_number(FILE *out, double value)
{
    char text[CAROM_NUMBER_SIZE] = "";
    if (!isnan(value))
        carom_number_print(text, value);
    fputc(',', out);
    fputs(text, out);
}
