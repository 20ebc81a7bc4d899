// Several contacts: moreau of Carom and NSGS of Siconos on the same reduced problems, in one process and one run.
//
//     peers_several [SPHERES]
//
// Milliseconds of processor time, and the residual of both answers by one formula, that of docs/laws/moreau.md: the defect of
// p = Proj(p - (y + mu |y_t| n) / tr K), largest entry over largest impulse. What is timed is the solver alone, on K and u.
extern "C" {
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fc3d_Solvers.h>
}

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "several_problems.h"

namespace {
double seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// u_n after + e u_n, u_t after: the y of moreau without impulses.
std::vector<double> free_velocity(const several_problem &s)
{
    std::vector<double> q(s.contacts.u, s.contacts.u + 3 * s.contacts.count);
    for (int i = 0; i < s.contacts.count; i++)
        q[3 * i + 2] += s.coeffs[i].e * std::fmin(q[3 * i + 2], 0);
    return q;
}

double residual(const several_problem &s, const std::vector<double> &p)
{
    const std::vector<double> q = free_velocity(s);
    const carom_contacts shifted = {s.contacts.count, 3, s.contacts.row, s.contacts.column, s.contacts.K, q.data()};
    std::vector<double> y(p.size());
    double most = 0, size = 0;
    carom_contacts_after(&shifted, p.data(), y.data());
    for (int i = 0; i < s.contacts.count; i++) {
        const double *K = carom_contacts_block(&s.contacts, i, i), mu = s.coeffs[i].mu, rho = 1 / (K[0] + K[4] + K[8]);
        double z[3], slip = std::hypot(y[3 * i], y[3 * i + 1]);
        for (int a = 0; a < 3; a++)
            z[a] = p[3 * i + a] - rho * (y[3 * i + a] + (a == 2 ? mu * slip : 0));
        double t = std::hypot(z[0], z[1]), along = (mu * t + z[2]) / (1 + mu * mu);
        bool inside = t <= mu * z[2], polar = mu * t <= -z[2];
        for (int a = 0; a < 3; a++) {
            double to = inside ? z[a] : polar ? 0 : a == 2 ? along : mu * along * z[a] / t;
            most = std::fmax(most, std::fabs(p[3 * i + a] - to));
            size = std::fmax(size, std::fabs(p[3 * i + a]));
        }
    }
    return size > 0 ? most / size : most;
}

struct result {
    double ms, residual;
    int sweeps;
};

int repeats(double ms)
{
    return ms > 20 ? 1 : ms > 0.2 ? 100 : 2000;
}

result with_carom(const several_problem &s, double tolerance, int sweeps)
{
    std::vector<double> p(size_t(3 * s.contacts.count)), u(p.size());
    carom_together_rule rule = carom_together_rule_default(carom_together_find("moreau"), s.coeffs);
    rule.tolerance = tolerance;
    rule.iterations = sweeps;
    std::vector<char> work(carom_together_work(&s.contacts, &rule));
    carom_together_outcome out = {};
    out.p = p.data();
    out.u_after = u.data();
    result r = {0, 0, 0};
    for (int turns = 1, last = 0; last < 2; turns = repeats(r.ms), last++) {
        double start = seconds();
        for (int k = 0; k < turns; k++)
            (void)!carom_together_solve(&s.contacts, &rule, nullptr, work.data(), &out);
        r.ms = 1e3 * (seconds() - start) / turns;
    }
    r.residual = residual(s, p);
    r.sweeps = out.iterations;
    return r;
}

// K in blocks of Siconos: (n, t1, t2), by columns.
struct blocks {
    std::vector<double> numbers, q, mu, reaction, velocity;
    std::vector<double *> block;
    std::vector<unsigned> sizes;
    std::vector<size_t> rows, columns;
    SparseBlockStructuredMatrix matrix = {};
};

void fill(const several_problem &s, blocks &b)
{
    static const int from[3] = {2, 0, 1};
    const carom_contacts &x = s.contacts;
    const std::vector<double> y = free_velocity(s);
    int m = x.count, count = x.row[m];
    for (int k = 0; k < 9 * count; k++)
        b.numbers.push_back(x.K[9 * (k / 9) + 3 * from[k % 3] + from[k % 9 / 3]]);
    for (int k = 0; k < count; k++) {
        b.block.push_back(&b.numbers[9 * k]);
        b.columns.push_back(size_t(x.column[k]));
    }
    for (int i = 0; i < m; i++) {
        b.sizes.push_back(unsigned(3 * (i + 1)));
        b.rows.push_back(size_t(x.row[i]));
        b.mu.push_back(s.coeffs[i].mu);
        for (int a = 0; a < 3; a++)
            b.q.push_back(y[3 * i + from[a]]);
    }
    b.rows.push_back(size_t(count));
    b.reaction.resize(b.q.size());
    b.velocity.resize(b.q.size());
    SparseBlockStructuredMatrix &M = b.matrix;
    M.nbblocks = unsigned(count);
    M.block = b.block.data();
    M.blocknumber0 = M.blocknumber1 = unsigned(m);
    M.blocksize0 = M.blocksize1 = b.sizes.data();
    M.filled1 = size_t(m) + 1;
    M.filled2 = size_t(count);
    M.index1_data = b.rows.data();
    M.index2_data = b.columns.data();
}

result with_siconos(const several_problem &s, double tolerance, int sweeps)
{
    blocks b;
    fill(s, b);
    NumericsMatrix *M = NM_create_from_data(NM_SPARSE_BLOCK, int(b.q.size()), int(b.q.size()), &b.matrix);
    FrictionContactProblem *problem = frictionContactProblem_new_with_data(3, s.contacts.count, M, b.q.data(), b.mu.data());
    SolverOptions *options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = sweeps;
    result r = {0, 0, 0};
    for (int turns = 1, last = 0; last < 2; turns = repeats(r.ms), last++) {
        double start = seconds();
        for (int k = 0; k < turns; k++) {
            b.reaction.assign(b.q.size(), 0);
            b.velocity.assign(b.q.size(), 0);
            fc3d_driver(problem, b.reaction.data(), b.velocity.data(), options);
        }
        r.ms = 1e3 * (seconds() - start) / turns;
    }
    std::vector<double> p;
    for (size_t i = 0; i < b.q.size(); i += 3)
        for (int a = 0; a < 3; a++)
            p.push_back(b.reaction[i + size_t(a == 2 ? 0 : a + 1)]);
    r.residual = residual(s, p);
    r.sweeps = options->iparam[SICONOS_IPARAM_ITER_DONE];
    return r;
}

void line(const char *what, const several_problem &s, double tolerance, int sweeps)
{
    result a = with_carom(s, tolerance, sweeps), b = with_siconos(s, tolerance > 0 ? tolerance : 1e-14, sweeps ? sweeps : 10000);
    printf("%-24s %5d  %10.4f ms %8.1e %5d   %10.4f ms %8.1e %5d\n", what, s.contacts.count, a.ms, a.residual, a.sweeps, b.ms, b.residual,
           b.sweeps);
    fflush(stdout);
}
} // namespace

int main(int count, char **words)
{
    int spheres = count > 1 ? atoi(words[1]) : 1000;
    printf("%-24s %5s  %13s %8s %5s   %13s %8s %5s\n", "problem", "m", "Carom moreau", "residual", "iter", "Siconos NSGS", "residual", "iter");
    for (int m = 2; m <= 16; m *= 2) {
        several_problem s = several_random(m, 3, 1);
        char what[32];
        snprintf(what, sizeof what, "random, m = %d", m);
        line(what, s, 0, 0);
        several_free_problem(&s);
    }
    for (int rests = 0; spheres > 0 && rests < 2; rests++) {
        several_problem s = several_pile(spheres, rests, 1);
        for (double tolerance : {1e-3, 1e-4, 1e-5})
            line(rests ? "pile at rest" : "pile that falls", s, tolerance, 2000);
        several_free_problem(&s);
    }
    return 0;
}
