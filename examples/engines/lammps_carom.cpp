// LAMMPS with `fix ID group carom LAW e mu`: every touching pair that approaches gets the impulse of a law of Carom
// instead of a contact force. Debian's LAMMPS has no plugins, but its styles live in a public map: this driver
// registers the fix, and is lmp from there on.
//
//     mpirun -n 4 lammps_carom -in gas.lmp
//
// The fix needs `newton off`, `comm_modify vel yes` and atoms of style sphere. f_ID[1] counts impacts, f_ID[2] is the
// energy they took. LAMMPS is under the GPL: so is a program that links with it, this driver included.
#include <lammps/atom.h>
#include <lammps/error.h>
#include <lammps/fix.h>
#include <lammps/force.h>
#include <lammps/input.h>
#include <lammps/lammps.h>
#include <lammps/modify.h>
#include <lammps/neigh_list.h>
#include <lammps/pair.h>
#include <mpi.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "adapter.h"

using namespace LAMMPS_NS;

namespace
{

carom_vec3 vector(const double *v)
{
    return carom_vec3_make(v[0], v[1], v[2]);
}

void put(carom_vec3 v, double *to)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

class fix_carom : public Fix
{
  public:
    fix_carom(LAMMPS *lmp, int count, char **word) : Fix(lmp, count, word)
    {
        if (count != 6)
            error->all(FLERR, std::string("expected: fix ID group carom LAW e mu"));
        const carom_law *law = carom_law_find(word[3]);
        if (!law)
            error->all(FLERR, std::string("fix carom: there is no law of this name; `carom laws` lists them"));
        carom = adapter_make(word[3], std::atof(word[4]), std::atof(word[5]));
        carom.rest_speed = 0;
        vector_flag = 1;
        size_vector = 2;
        global_freq = 1;
        extvector = 1;
    }

    int setmask() override
    {
        return FixConst::PRE_FORCE; // the ghosts have arrived
    }

    // A pair over a border between ranks is resolved on both sides, the same way, and counted half on each.
    void pre_force(int) override
    {
        const NeighList *list = force->pair->list;
        for (int k = 0; k < list->inum; k++) {
            int i = list->ilist[k];
            for (int l = 0; l < list->numneigh[i]; l++) {
                int j = list->firstneigh[i][l] & NEIGHMASK;
                bool first = atom->tag[i] < atom->tag[j];
                hit(first ? i : j, first ? j : i, j < atom->nlocal ? 1 : 0.5);
            }
        }
    }

    double compute_vector(int i) override
    {
        double mine = i ? lost : impacts, all;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, world);
        return all;
    }

  private:
    carom_body body_of(int i) const
    {
        double moment = 0.4 * atom->rmass[i] * atom->radius[i] * atom->radius[i];
        return adapter_body(atom->rmass[i], adapter_planar_inertia(moment), vector(atom->v[i]), vector(atom->omega[i]));
    }

    void hit(int i, int j, double count)
    {
        carom_vec3 apart = carom_vec3_sub(vector(atom->x[i]), vector(atom->x[j]));
        double distance = std::sqrt(carom_vec3_dot(apart, apart));
        if (distance >= atom->radius[i] + atom->radius[j])
            return;
        carom_vec3 n = carom_vec3_scale(1 / distance, apart);
        carom_body a = body_of(i), b = body_of(j);
        double before = carom.energy;
        if (!adapter_hit(&carom, &a, &b, carom_vec3_scale(-atom->radius[i], n), carom_vec3_scale(atom->radius[j], n),
                         n))
            return;
        impacts += count;
        lost += count * (before - carom.energy);
        put(a.velocity, atom->v[i]);
        put(a.omega, atom->omega[i]);
        put(b.velocity, atom->v[j]);
        put(b.omega, atom->omega[j]);
    }

    adapter carom;
    double impacts = 0, lost = 0;
};

Fix *make(LAMMPS *lmp, int count, char **word)
{
    return new fix_carom(lmp, count, word);
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    auto lmp = new LAMMPS(argc, argv, MPI_COMM_WORLD);
    (*lmp->modify->fix_map)["carom"] = &make;
    lmp->input->file();
    delete lmp;
    MPI_Finalize();
}
