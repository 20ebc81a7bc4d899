#include "sim_h5.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "sim_files.h"

#ifdef CAROM_HAS_HDF5

#include <hdf5.h>

enum { ARRAYS = 5, CHUNK_BYTES = 1 << 16, PATH_ROOM = 4096 };

static const struct {
    const char *name;
    hsize_t numbers; /* per body; 0: one per sample */
} arrays[ARRAYS] = {{"t", 0}, {"position", 3}, {"orientation", 4}, {"velocity", 3}, {"omega", 3}};

struct sim_h5 {
    char path[PATH_ROOM], part[PATH_ROOM + 8];
    hid_t file, data[ARRAYS];
    hsize_t bodies, rows;
    double *buffer; /* 13 numbers per body */
    bool failed;
};

/* An array that grows along its first side, compressed in chunks. */
static hid_t make_array(hid_t file, const char *name, hsize_t bodies, hsize_t numbers)
{
    hsize_t size[3] = {0, bodies, numbers}, most[3] = {H5S_UNLIMITED, bodies, numbers}, chunk[3] = {1, bodies, numbers};
    hsize_t row = 8 * (numbers ? bodies * numbers : 1);
    chunk[0] = row < CHUNK_BYTES ? CHUNK_BYTES / row : 1;
    int rank = numbers ? 3 : 1;
    hid_t space = H5Screate_simple(rank, size, most), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, rank, chunk);
    H5Pset_deflate(how, 4);
    hid_t data = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    return data;
}

static void write_names(hid_t file, const carom_scene_file *scene, hsize_t bodies)
{
    const char **names = must_have(calloc(bodies, sizeof *names));
    hsize_t k = 0;
    for (int i = 0; i < scene->scene.body_count; i++)
        if (carom_scene_moves(scene, i))
            names[k++] = scene->names[i];
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &bodies, NULL);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t data = H5Dcreate2(file, "names", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names);
    H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
    free(names);
}

sim_h5 *sim_h5_open(const char *path, const sim_run *run)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* complaints are ours */
    sim_h5 *h = must_have(calloc(1, sizeof *h));
    snprintf(h->path, sizeof h->path, "%s", path);
    snprintf(h->part, sizeof h->part, "%s.part", path);
    h->file = H5Fcreate(h->part, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 0; i < run->file->scene.body_count; i++)
        h->bodies += carom_scene_moves(run->file, i);
    if (h->file < 0 || h->bodies == 0) {
        complain("%s: %s", path, h->file < 0 ? "cannot be written" : "nothing moves in this scene");
        free(h);
        return NULL;
    }
    for (int k = 0; k < ARRAYS; k++)
        h->data[k] = make_array(h->file, arrays[k].name, h->bodies, arrays[k].numbers);
    write_names(h->file, run->file, h->bodies);
    h->buffer = must_have(calloc(h->bodies, 4 * sizeof *h->buffer));
    return h;
}

static void fill(sim_h5 *h, const sim_run *run, int array)
{
    double *x = h->buffer;
    for (int i = 0; i < run->file->scene.body_count; i++) {
        if (!carom_scene_moves(run->file, i))
            continue;
        carom_sim_state s = carom_sim_body(run->sim, i);
        carom_vec3 v = array == 1 ? s.position : array == 3 ? s.velocity : s.omega;
        if (array == 2) {
            memcpy(x, (double[4]){s.orientation.w, s.orientation.x, s.orientation.y, s.orientation.z}, 4 * sizeof *x);
            x += 4;
        } else {
            memcpy(x, (double[3]){v.x, v.y, v.z}, 3 * sizeof *x);
            x += 3;
        }
    }
    if (array == 0)
        h->buffer[0] = carom_sim_time(run->sim);
}

bool sim_h5_append(sim_h5 *h, const sim_run *run)
{
    for (int k = 0; k < ARRAYS && !h->failed; k++) {
        hsize_t size[3] = {h->rows + 1, h->bodies, arrays[k].numbers}, from[3] = {h->rows, 0, 0};
        hsize_t count[3] = {1, h->bodies, arrays[k].numbers};
        int rank = arrays[k].numbers ? 3 : 1;
        fill(h, run, k);
        h->failed = H5Dset_extent(h->data[k], size) < 0;
        hid_t space = H5Dget_space(h->data[k]), memory = H5Screate_simple(rank, count, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
        h->failed |= H5Dwrite(h->data[k], H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, h->buffer) < 0;
        H5Sclose(memory);
        H5Sclose(space);
    }
    h->rows++;
    return !h->failed;
}

bool sim_h5_close(sim_h5 *h)
{
    bool fine = !h->failed;
    for (int k = 0; k < ARRAYS; k++)
        fine = H5Dclose(h->data[k]) >= 0 && fine;
    fine = H5Fclose(h->file) >= 0 && fine && rename(h->part, h->path) == 0;
    if (!fine) {
        remove(h->part);
        complain("%s: cannot be written", h->path);
    }
    free(h->buffer);
    free(h);
    return fine;
}

#else

sim_h5 *sim_h5_open(const char *path, const sim_run *run)
{
    (void)run;
    complain("%s: this build has no HDF5 (-DCAROM_HDF5=ON); use .csv or .jsonl", path);
    return NULL;
}

bool sim_h5_append(sim_h5 *h, const sim_run *run)
{
    (void)h;
    (void)run;
    return false;
}

bool sim_h5_close(sim_h5 *h)
{
    (void)h;
    return false;
}

#endif
