/* Sweeps as HDF5: the file that `carom sweep -o FILE.h5` writes is read back and compared, number by number, with the
 * CSV of the same sweep. */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/status.h"
#include "support/check.h"

enum { ROWS = 1200, LINE = 4096, COLUMNS = 64 };

static void sweep(const char *arguments, const char *file)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' sweep '%s/ball.json' %s -o %s 2>/dev/null", CAROM_PROGRAM, CAROM_CASES,
             arguments, file);
    assert_int_equal(system(command), 0);
}

/* One column; returns its length. */
static hsize_t column(hid_t file, const char *name, hid_t type, void *values)
{
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(data >= 0);
    hid_t space = H5Dget_space(data);
    hsize_t count;
    assert_int_equal(H5Sget_simple_extent_ndims(space), 1);
    H5Sget_simple_extent_dims(space, &count, NULL);
    assert_true(count <= ROWS);
    assert_true(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(data);
    return count;
}

/* Cut a line of CSV at its commas (no cell of these tables has one inside). */
static int cut(char *line, char *cells[COLUMNS])
{
    int count = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *at = line; at && count < COLUMNS; count++) {
        cells[count] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = 0;
    }
    return count;
}

static bool is_word(const char *name)
{
    static const char *const words[] = {"law", "mode", "flags", "status"};
    for (int i = 0; i < 4; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

/* Column k of the CSV against the dataset of its name; empty cells are NaN. */
static void compare_column(hid_t file, const char *csv, int k)
{
    char line[LINE], head[LINE], *cells[COLUMNS], *names[COLUMNS];
    static double values[ROWS];
    FILE *in = fopen(csv, "r");
    assert_non_null(in);
    assert_non_null(fgets(head, sizeof head, in));
    cut(head, names);
    hsize_t count = is_word(names[k]) ? 0 : column(file, names[k], H5T_NATIVE_DOUBLE, values), row = 0;
    for (; !is_word(names[k]) && fgets(line, sizeof line, in); row++) {
        assert_true(cut(line, cells) > k && row < count);
        if (cells[k][0])
            assert_true(values[row] == strtod(cells[k], NULL));
        else
            assert_true(isnan(values[row]) != 0);
    }
    assert_true(row == count);
    fclose(in);
}

static void check(const char *arguments, int columns)
{
    sweep(arguments, "sweep.csv");
    sweep(arguments, "sweep.h5");
    hid_t file = H5Fopen("sweep.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    for (int k = 0; k < columns; k++)
        compare_column(file, "sweep.csv", k);
    H5Fclose(file);
}

static void test_same_as_csv(void **state)
{
    (void)state;
    check("--law jia --vary bodies.a.velocity.0=-15:15:121 --vary mu=0.2,0.4", 28);
    check("--random mu=uniform:0:1 --random e=uniform:0.2:0.8 --count 1100 --seed 7 --threads 3", 28);
}

/* Refused points are rows without numbers, and the status says why, as a number with a name. */
static void test_refused_points(void **state)
{
    (void)state;
    unsigned char status[ROWS];
    double p_n[ROWS];
    char name[64];
    sweep("--vary e=0.5:1.5:3", "refused.h5");
    hid_t file = H5Fopen("refused.h5", H5F_ACC_RDONLY, H5P_DEFAULT), data = H5Dopen2(file, "status", H5P_DEFAULT);
    hid_t type = H5Dget_type(data);
    assert_int_equal(column(file, "status", type, status), 3);
    assert_int_equal(column(file, "p_n", H5T_NATIVE_DOUBLE, p_n), 3);
    assert_true(status[0] == CAROM_STATUS_OK && isfinite(p_n[0]));
    assert_true(isnan(p_n[2]) != 0);
    assert_true(H5Tenum_nameof(type, &status[2], name, sizeof name) >= 0);
    assert_string_equal(name, "bad-coefficient");
    H5Tclose(type);
    H5Dclose(data);
    H5Fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_csv), cmocka_unit_test(test_refused_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
