#include "sweep_h5.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#ifdef CAROM_HAS_HDF5

#include <hdf5.h>

enum { MOST = 64, CHUNK_ROWS = 4096, PATH_ROOM = 4096 };

struct h5_table {
    char path[PATH_ROOM], part[PATH_ROOM + 8];
    hid_t file, data[MOST], status, type;
    int columns;
    hsize_t rows;
};

bool h5_is_known(void)
{
    return true;
}

/* An endless column, compressed in chunks. */
static hid_t make_column(hid_t file, const char *name, hid_t type)
{
    hsize_t none = 0, endless = H5S_UNLIMITED, chunk = CHUNK_ROWS;
    hid_t space = H5Screate_simple(1, &none, &endless), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, 1, &chunk);
    H5Pset_deflate(how, 4);
    hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    return data;
}

/* The statuses by their words. */
static hid_t status_type(void)
{
    hid_t type = H5Tenum_create(H5T_STD_U8LE);
    for (int i = 0; i < CAROM_STATUS_COUNT; i++) {
        unsigned char value = (unsigned char)i;
        H5Tenum_insert(type, carom_status_id((carom_status)i), &value);
    }
    return type;
}

h5_table *h5_open(const char *path, const char *const *names, int columns)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* complaints are ours */
    h5_table *t = must_have(calloc(1, sizeof *t));
    snprintf(t->path, sizeof t->path, "%s", path);
    snprintf(t->part, sizeof t->part, "%s.part", path);
    errno = 0;
    t->file = columns < MOST ? H5Fcreate(t->part, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT) : -1;
    if (t->file < 0) {
        complain("%s: %s", path, errno ? strerror(errno) : "cannot be written");
        free(t);
        return NULL;
    }
    t->columns = columns;
    for (int i = 0; i < columns; i++)
        t->data[i] = make_column(t->file, names[i], H5T_IEEE_F64LE);
    t->type = status_type();
    t->status = make_column(t->file, "status", t->type);
    return t;
}

static bool append_column(hid_t data, hid_t type, const void *values, hsize_t from, hsize_t count)
{
    hsize_t rows = from + count;
    if (H5Dset_extent(data, &rows) < 0)
        return false;
    hid_t space = H5Dget_space(data), memory = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &count, NULL);
    bool fine = H5Dwrite(data, type, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return fine;
}

bool h5_append(h5_table *t, const double *rows, const unsigned char *status, int count)
{
    double *column = must_have(malloc((size_t)count * sizeof *column));
    bool fine = append_column(t->status, t->type, status, t->rows, (hsize_t)count);
    for (int i = 0; i < t->columns && fine; i++) {
        for (int k = 0; k < count; k++)
            column[k] = rows[(size_t)k * (size_t)t->columns + (size_t)i];
        fine = append_column(t->data[i], H5T_NATIVE_DOUBLE, column, t->rows, (hsize_t)count);
    }
    free(column);
    t->rows += (hsize_t)count;
    return fine;
}

bool h5_close(h5_table *t, bool whole)
{
    for (int i = 0; i < t->columns; i++)
        H5Dclose(t->data[i]);
    H5Dclose(t->status);
    H5Tclose(t->type);
    bool fine = H5Fclose(t->file) >= 0 && whole && rename(t->part, t->path) == 0;
    if (!fine) {
        remove(t->part);
        if (whole)
            complain("%s: cannot be written", t->path);
    }
    free(t);
    return fine;
}

#else

bool h5_is_known(void)
{
    return false;
}

h5_table *h5_open(const char *path, const char *const *names, int columns)
{
    (void)names;
    (void)columns;
    complain("%s: this build has no HDF5 (-DCAROM_HDF5=ON); use .csv or .jsonl", path);
    return NULL;
}

bool h5_append(h5_table *t, const double *rows, const unsigned char *status, int count)
{
    (void)t;
    (void)rows;
    (void)status;
    (void)count;
    return false;
}

bool h5_close(h5_table *t, bool whole)
{
    (void)t;
    (void)whole;
    return false;
}

#endif
