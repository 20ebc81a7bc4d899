/* The kernels of one law on a GPU, from the files of the processors: gate, law, ledger. The build compiles this file
 * once per law (cmake/gpu.cmake), with LAW, LAW_FILE, and HAS_ROWS, HAS_PATHS and ENDING as in gpu_laws.def.
 *
 *     LAW_rows    a thread per row: rows that the law's kernel covers; the others go to a list
 *     LAW_paths   rows of that list, or all, by the road of a single call
 *     LAW_pack    rows that are left to the host, side by side
 *     LAW_unpack  their answers, back in their places
 *
 * What is not ordinary is left to the host, so that every answer has the bits of carom_solve. */
#include "engine/gpu/gpu_thread.h"
#include "engine/one.h"
#include "engine/row.h"
#include LAW_FILE
#ifdef ENDING
#include "laws/coulomb/coulomb.h"
#endif

#define JOINED(a, b)   a##b
#define EXPANDED(a, b) JOINED(a, b)
#define DESCRIPTOR     EXPANDED(carom_law_, LAW)
#define KERNEL(name)   EXPANDED(LAW, name)
#define HAS(trait)     ((DESCRIPTOR.traits & CAROM_TRAIT_##trait) != 0)
#define STORE(to, i, x)                                                                                                \
    do {                                                                                                               \
        if (to)                                                                                                        \
            (to)[i] = (x);                                                                                             \
    } while (0)

/* Rows in space that the kernel covers: any, or spheres. */
static inline carom_kind spatial_kind(void)
{
    bool some = (DESCRIPTOR.kinds && !(DESCRIPTOR.kinds & CAROM_KINDS(SPATIAL))) || HAS(HAS_PATH) || HAS(PLANAR_ONLY);
    return some ? CAROM_KIND_SPHERE : CAROM_KIND_SPATIAL;
}

/* ---- a row in device memory ---- */

static inline carom_problem problem_at(const carom_batch_in *in, uint64_t i)
{
    bool planar = !in->K_t22;
    carom_problem pb = {{in->K_t11[i], planar ? 0 : in->K_t12[i], planar ? 0 : in->K_t22[i], in->K_t1n[i],
                         planar ? 0 : in->K_t2n[i], in->K_nn[i]},
                        {in->u_t1[i], planar ? 0 : in->u_t2[i], in->u_n[i]}};
    return pb;
}

static inline carom_coeffs coeffs_at(const gpu_job *job, uint64_t i)
{
    carom_coeffs c;
#define CAROM_COEFF(name, unit, min, max, value, range, meaning)                                                       \
    c.name = job->in.coeffs.name[job->own_coeffs >> CAROM_COEFF_##name & 1 ? i : 0];
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return c;
}

/* As is_good_rule has it, coefficient by coefficient: an index that is not known at compile time would put all of them
 * into memory. */
static inline bool are_good(const carom_coeffs *c)
{
    bool good = coeffs_fit(c) & (HAS(SIGNED_E) | (c->e >= 0));
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) good &= coeff_in_range(c->name, CAROM_COEFF_##name);
#include "carom/coeffs.def"
#undef CAROM_COEFF
    return good;
}

static inline void store(const carom_batch_out *out, uint64_t i, carom_cvec p, carom_cvec v, carom_status status)
{
    STORE(out->p_t1, i, p.t1);
    STORE(out->p_t2, i, p.t2);
    STORE(out->p_n, i, p.n);
    STORE(out->u_t1, i, v.t1);
    STORE(out->u_t2, i, v.t2);
    STORE(out->u_n, i, v.n);
    STORE(out->status, i, (unsigned char)status);
}

/* branch: of the law, or below zero for no impact. */
static void store_ledger(const gpu_job *job, uint64_t i, const carom_outcome *out, int branch)
{
    const carom_batch_ledger *to = &job->out.ledger;
#define CAROM_LEDGER(name, member, meaning) STORE(to->name, i, out->member);
#include "carom/ledger.def"
#undef CAROM_LEDGER
    STORE(to->flags, i, (unsigned char)out->flags);
    STORE(to->defined, i, (unsigned char)out->restitution.defined);
    STORE(to->mode, i, branch < 0 ? 0 : job->mode_numbers[branch]);
}

/* ---- rows that the kernel of the law covers ---- */

#if HAS_ROWS

static inline void store_row_ledger(const gpu_job *job, uint64_t i, const carom_problem *pb, double mu,
                                    const row_answer *r)
{
    const ledger l = row_ledger(pb, mu, r->p, r->u_after);
    carom_outcome out;
    out.energy = l.energy;
    out.restitution = l.restitution;
    out.margins = l.margins;
    out.friction_ratio = l.friction_ratio;
    out.flags = l.flags;
    out.solutions = 1;
    out.phases = (carom_phases){0};
    store_ledger(job, i, &out, r->left == SEPARATES ? -1 : r->branch);
}

/* A row that the kernel leaves: one that approaches takes the road of a single call; the host takes the others. */
static inline void leave(const gpu_job *job, uint64_t i, bool good_coeffs, bool approaches)
{
    list_append(HAS_PATHS && good_coeffs && approaches ? job->turning : job->left, (uint32_t)i);
}

void KERNEL(_rows)(const gpu_job job);
void KERNEL(_rows)(const gpu_job job)
{
    const uint64_t i = thread_index();
    if (i >= job.in.count)
        return;
    const carom_problem pb = problem_at(&job.in, i);
    const carom_coeffs c = coeffs_at(&job, i);
    const bool planar = (pb.K.t22 == 0) & (pb.u.t2 == 0);
    row_answer r;
    if (planar)
        r = row_solve(pb, c, (row_law){LAW, CAROM_KIND_PLANAR, HAS(GIVES_REBOUND)});
    else
        r = row_solve(pb, c, (row_law){LAW, spatial_kind(), HAS(GIVES_REBOUND)});
    const bool good = !job.own_coeffs || are_good(&c);
    if (!good || r.left >= LEFTOVER) {
        leave(&job, i, good, pb.u.n < 0);
        return;
    }
    store(&job.out, i, r.p, r.u_after, r.left == SEPARATES ? CAROM_STATUS_SEPARATING : CAROM_STATUS_OK);
    if (job.wants_ledger)
        store_row_ledger(&job, i, &pb, c.mu, &r);
}

#endif

/* ---- rows on the road of a single call ---- */

#if HAS_PATHS

/* A row on the road of a single call where the gate changes neither units nor axes. */
typedef struct path {
    uint64_t row;
    carom_problem problem;
    carom_rule rule;
    gate g;
    carom_outcome out;
} path;

/* False: the row is out of the ordinary, and left to the host. */
static bool path_begin(const gpu_job *job, uint64_t i, path *x)
{
    const carom_problem pb = problem_at(&job->in, i);
    const minors m = minors_of(&pb.K);
    const bool spatial = is_ordinary_spatial(&pb, &m);
    const carom_rule rule = {&DESCRIPTOR, coeffs_at(job, i), job->options, NULL, NULL};
    if ((!spatial && !is_ordinary_planar(&pb, &m)) || (job->own_coeffs && !are_good(&rule.coeffs))) {
        list_append(job->left, (uint32_t)i);
        return false;
    }
    x->row = i;
    x->problem = pb;
    x->rule = rule;
    x->g = (gate){.unit_K = 1, .unit_u = 1};
    x->out = nothing;
    x->rule.coeffs.mu = min(rule.coeffs.mu, MU_MAX);
    x->rule.coeffs.mu_s = min(rule.coeffs.mu_s, MU_MAX);
    impact_set(&x->g.x, &pb, &m, spatial ? kind_of(&pb) : CAROM_KIND_PLANAR);
    return true;
}

static carom_status path_status(path *x, carom_status status)
{
    if (status && carom_status_is_refusal(status))
        return refuse(status, &x->out);
    const carom_status finished = finish(&x->g, &x->problem, true, &x->rule, &x->out);
    return finished ? refuse(finished, &x->out) : status;
}

/* A law takes the word of a mode from its list; no impact has a word of its own. */
static int branch_of(const char *mode)
{
    for (int k = 0; k < DESCRIPTOR.mode_count; k++)
        if (DESCRIPTOR.modes[k] == mode)
            return k;
    return -1;
}

static void path_end(const gpu_job *job, path *x, carom_status status)
{
    const carom_status end = path_status(x, status);
    store(&job->out, x->row, x->out.p, x->out.u_after, end);
    if (job->wants_ledger)
        store_ledger(job, x->row, &x->out, branch_of(x->out.mode));
}

static inline uint64_t path_count(const gpu_job *job)
{
    return job->paths_alone ? job->in.count : *job->turning.count;
}

static inline uint64_t row_of_path(const gpu_job *job, uint64_t k)
{
    return job->paths_alone ? k : job->turning.rows[k];
}

void KERNEL(_paths)(const gpu_job job);

#ifdef ENDING

/* Threads of a warp take the same step at the same time, each on its impact; one that is done takes another impact. */
void KERNEL(_paths)(const gpu_job job)
{
    path x;
    coulomb_course course;
    bool walks = false, rows_left = true;
    do {
        if (!walks && rows_left) {
            const uint64_t k = count_one_more(job.taken);
            rows_left = k < path_count(&job);
            walks = rows_left && path_begin(&job, row_of_path(&job, k), &x);
            course.next = NEXT_END;
            if (walks)
                carom_coulomb_begin(&x.g.x, &x.rule, &(coulomb_sink){&x.out, NULL}, &ENDING, &course);
        }
        together();
        carom_coulomb_aim(&course);
        together();
        carom_coulomb_fit(&course);
        together();
        carom_coulomb_stride(&course);
        together();
        if (walks && course.next == NEXT_END) {
            path_end(&job, &x, carom_coulomb_end(&course));
            walks = false;
        }
    } while (any_of_warp(walks | rows_left));
}

#else

void KERNEL(_paths)(const gpu_job job)
{
    for (uint64_t k = thread_index(); k < path_count(&job); k += thread_count()) {
        path x;
        if (path_begin(&job, row_of_path(&job, k), &x))
            path_end(&job, &x, run_law(&x.g, &x.rule, NULL, &x.out));
    }
}

#endif

#endif

/* ---- to the host and back ---- */

#define MOVE(to, k, from, i)                                                                                           \
    do {                                                                                                               \
        if ((to) && (from))                                                                                            \
            ((double *)(to))[k] = (from)[i];                                                                           \
    } while (0)

void KERNEL(_pack)(const gpu_parcel x);
void KERNEL(_pack)(const gpu_parcel x)
{
    const uint64_t k = thread_index();
    if (k >= x.count)
        return;
    const uint32_t i = x.list.rows[x.first + k];
    MOVE(x.packed_in.K_t11, k, x.in.K_t11, i);
    MOVE(x.packed_in.K_t12, k, x.in.K_t12, i);
    MOVE(x.packed_in.K_t22, k, x.in.K_t22, i);
    MOVE(x.packed_in.K_t1n, k, x.in.K_t1n, i);
    MOVE(x.packed_in.K_t2n, k, x.in.K_t2n, i);
    MOVE(x.packed_in.K_nn, k, x.in.K_nn, i);
    MOVE(x.packed_in.u_t1, k, x.in.u_t1, i);
    MOVE(x.packed_in.u_t2, k, x.in.u_t2, i);
    MOVE(x.packed_in.u_n, k, x.in.u_n, i);
#define CAROM_COEFF(name, unit, min, max, value, range, meaning) MOVE(x.packed_in.coeffs.name, k, x.in.coeffs.name, i);
#include "carom/coeffs.def"
#undef CAROM_COEFF
}

void KERNEL(_unpack)(const gpu_parcel x);
void KERNEL(_unpack)(const gpu_parcel x)
{
    const uint64_t k = thread_index();
    if (k >= x.count)
        return;
    const uint32_t i = x.list.rows[x.first + k];
    const carom_batch_out *from = &x.packed_out;
    const carom_cvec p = {from->p_t1[k], from->p_t2[k], from->p_n[k]}, v = {from->u_t1[k], from->u_t2[k], from->u_n[k]};
    store(&x.out, i, p, v, (carom_status)from->status[k]);
#define CAROM_LEDGER(name, member, meaning) MOVE(x.out.ledger.name, i, from->ledger.name, k);
#include "carom/ledger.def"
#undef CAROM_LEDGER
    if (x.out.ledger.flags)
        x.out.ledger.flags[i] = from->ledger.flags[k];
    if (x.out.ledger.defined)
        x.out.ledger.defined[i] = from->ledger.defined[k];
    if (x.out.ledger.mode)
        x.out.ledger.mode[i] = from->ledger.mode[k];
}
