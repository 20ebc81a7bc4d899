/* Recorded impacts, as a table and as lines of JSON: what is read is finite, and can be fitted or is refused. */
#include <math.h>

#include "carom/fit_data.h"
#include "fuzz.h"

enum { ROWS_FITTED = 3, BYTES_OF_A_FIT = 1 << 22 };

static void must_be_finite(const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        MUST(isfinite(numbers[i]));
}

static void must_be_sound(const carom_fit_data *data)
{
    for (int i = 0; i < data->count; i++) {
        const carom_fit_impact *x = &data->impacts[i];
        const carom_fit_row *row = &data->rows[i];
        MUST(x->count > 0 && x->count <= CAROM_FIT_MEASURED && row->count == x->count);
        MUST(row->group >= 0 && row->group < data->group_count);
        must_be_finite(x->A, 3 * x->count);
        must_be_finite(x->offset, x->count);
        must_be_finite(row->measured, row->count);
        must_be_finite(&x->log_det, 1);
        for (int k = 0; k < row->count; k++)
            MUST(row->sigma[k] > 0 && memchr(row->label[k], 0, CAROM_FIT_LABEL));
    }
}

/* A few rows with a law in closed form; no interval, which takes long. */
static void fit(const carom_fit_data *data)
{
    static double memory[BYTES_OF_A_FIT / sizeof(double)];
    static carom_fit_result result;
    int count = data->count < ROWS_FITTED ? data->count : ROWS_FITTED;
    carom_fit_task task = carom_fit_task_default(carom_law_find("newton"), count, data->impacts);
    task.intervals = false;
    if (count == 0 || carom_fit_memory(&task) > sizeof memory)
        return;
    if (carom_fit_solve(&task, memory, &result) == CAROM_STATUS_OK)
        MUST(!isnan(result.parameters[0].value));
}

static void read_table(const carom_text *text)
{
    carom_fit_data data = {0};
    carom_case_error error;
    if (carom_fit_data_add_csv(&data, text, &error))
        must_be_sound(&data);
    else
        must_be_clean(error.message);
    carom_fit_data_free(&data);
}

static void read_lines(const char *bytes, size_t size)
{
    carom_fit_data data = {0};
    carom_case_error error;
    for (size_t at = 0, line = 1; at < size; line++) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t length = end ? (size_t)(end - bytes) - at : size - at;
        carom_text text = {"fuzz", (long)line, bytes + at, length};
        int before = data.count;
        if (!carom_fit_data_add(&data, &text, &error)) {
            must_be_clean(error.message);
            MUST(data.count == before);
        }
        at += length + 1;
    }
    must_be_sound(&data);
    fit(&data);
    carom_fit_data_free(&data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    carom_text text = {"fuzz", 1, (const char *)data, size};
    read_table(&text);
    read_lines((const char *)data, size);
    return 0;
}
