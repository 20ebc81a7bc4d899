#include "sweep_h5.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

#ifdef CAROM_HAS_HDF5

#include <hdf5.h>

bool h5_is_known(void)
{
    return true;
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

/* A column that lies in the file from the start. */
static bool make_column(hid_t file, const char *name, hid_t type, hsize_t rows)
{
    hid_t space = H5Screate_simple(1, &rows, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(how, H5D_CONTIGUOUS);
    H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(how, false); /* the same sweep is the same file, to the byte */
    hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    bool fine = data >= 0 && H5Dclose(data) >= 0;
    H5Pclose(how);
    H5Sclose(space);
    return fine;
}

bool h5_make(const char *path, const char *const *names, int columns, long rows)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* complaints are ours */
    errno = 0;
    hid_t order = H5Pcreate(H5P_FILE_CREATE), type = status_type();
    H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(order, false);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, order, H5P_DEFAULT);
    bool fine = file >= 0;
    for (int i = 0; i < columns && fine; i++)
        fine = make_column(file, names[i], H5T_IEEE_F64LE, (hsize_t)rows);
    fine = fine && make_column(file, "status", type, (hsize_t)rows);
    H5Tclose(type);
    H5Pclose(order);
    fine = (file < 0 || H5Fclose(file) >= 0) && fine;
    if (!fine)
        complain("%s: %s", path, errno ? strerror(errno) : "cannot be written");
    return fine;
}

/* The dataset that was made as number i. */
static long long place_of(hid_t file, int i)
{
    hid_t data = H5Oopen_by_idx(file, "/", H5_INDEX_CRT_ORDER, H5_ITER_INC, (hsize_t)i, H5P_DEFAULT);
    haddr_t place = data >= 0 ? H5Dget_offset(data) : HADDR_UNDEF;
    if (data >= 0)
        H5Oclose(data);
    return place == HADDR_UNDEF ? -1 : (long long)place;
}

bool h5_places(const char *path, int columns, long long *place)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    bool fine = file >= 0;
    for (int i = 0; i <= columns && fine; i++) {
        place[i] = place_of(file, i);
        fine = place[i] >= 0;
    }
    if (file >= 0)
        H5Fclose(file);
    if (!fine)
        complain("%s: is not a complete HDF5 file of this sweep", path);
    return fine;
}

#else

bool h5_is_known(void)
{
    return false;
}

bool h5_make(const char *path, const char *const *names, int columns, long rows)
{
    (void)names;
    (void)columns;
    (void)rows;
    complain("%s: this build has no HDF5 (-DCAROM_HDF5=ON); use .csv or .jsonl", path);
    return false;
}

bool h5_places(const char *path, int columns, long long *place)
{
    (void)path;
    (void)columns;
    (void)place;
    return false;
}

#endif
