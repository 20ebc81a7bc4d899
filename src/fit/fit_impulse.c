/* The impulse of a recorded impact: of one contact by its law, of several by a law of several contacts. */
#include <string.h>

#include "carom/solve.h"
#include "core/num.h"
#include "fit/fit_core.h"

/* Does the law repeat a law of one contact, and use its coefficients? */
static bool repeats(const carom_together *law)
{
    return law->uses & CAROM_USES(ratio_1);
}

uint64_t carom_fit_uses(const carom_fit_task *task)
{
    return task->together && !repeats(task->together) ? task->together->uses : task->rule.law->uses;
}

/* One contact as a list of one, in the plane where its K is planar. */
typedef struct single {
    int row[2], column[1];
    double K[9], u[3];
    carom_contacts contacts;
} single;

static const carom_contacts *list_of_one(const carom_problem *p, single *s)
{
    const bool planar = p->K.t22 == 0 && p->u.t2 == 0;
    const double spatial[9] = {p->K.t11, p->K.t12, p->K.t1n, p->K.t12, p->K.t22, p->K.t2n, p->K.t1n, p->K.t2n, p->K.nn};
    const double plane[4] = {p->K.t11, p->K.t1n, p->K.t1n, p->K.nn},
                 u[3] = {p->u.t1, planar ? p->u.n : p->u.t2, p->u.n};
    s->row[0] = s->column[0] = 0;
    s->row[1] = 1;
    memcpy(s->K, planar ? plane : spatial, planar ? sizeof plane : sizeof spatial);
    memcpy(s->u, u, sizeof u);
    s->contacts = (carom_contacts){1, planar ? 2 : 3, s->row, s->column, s->K, s->u};
    return &s->contacts;
}

static const carom_contacts *contacts_of(const carom_fit_impact *impact, single *s)
{
    return impact->contacts ? impact->contacts : list_of_one(&impact->problem, s);
}

static carom_status solve_together(const carom_fit_task *task, const carom_fit_impact *impact, const carom_coeffs *c,
                                   double *p, carom_outcome *outcome)
{
    static const carom_outcome nothing;
    single one;
    const carom_contacts *x = contacts_of(impact, &one);
    carom_coeffs each[CAROM_FIT_CONTACTS];
    double u_after[CAROM_FIT_WIDTH];
    for (int i = 0; i < x->count; i++) {
        each[i] = carom_coeffs_at_speed(c, max(-x->u[x->dim * i + carom_contacts_normal(x)], 0));
        each[i].e_of_speed.form = each[i].mu_of_speed.form = CAROM_SPEED_CONSTANT;
    }
    carom_together_rule rule = carom_together_rule_default(task->together, each);
    carom_together_outcome out = {.p = p, .u_after = u_after};
    rule.base = task->rule.law;
    rule.options = task->rule.options;
    *outcome = nothing;
    outcome->status = carom_together_solve(x, &rule, NULL, task->workspace, &out);
    outcome->mode = x->count > 1 ? "several contacts" : "one contact";
    if (!impact->contacts && x->dim == 2)
        p[2] = p[1], p[1] = 0;
    return outcome->status;
}

carom_status fit_impulse(const carom_fit_task *task, const carom_fit_impact *impact, const carom_coeffs *coeffs,
                         double *p, carom_outcome *outcome)
{
    carom_rule rule = task->rule;
    if (task->together)
        return solve_together(task, impact, coeffs, p, outcome);
    rule.coeffs = *coeffs;
    carom_status status = carom_solve(&impact->problem, &rule, NULL, outcome);
    p[0] = outcome->p.t1;
    p[1] = outcome->p.t2;
    p[2] = outcome->p.n;
    return impact->contacts ? CAROM_STATUS_BAD_SIZE : status;
}

/* The most that any impact needs, with friction and without: a law may need more for either. */
size_t carom_fit_workspace(const carom_fit_task *task)
{
    carom_coeffs coeffs[2][CAROM_FIT_CONTACTS];
    size_t most = 0;
    single one;
    for (int k = 0; k < 2 * CAROM_FIT_CONTACTS; k++) {
        coeffs[k % 2][k / 2] = task->rule.coeffs;
        coeffs[k % 2][k / 2].mu = k % 2;
    }
    for (int i = 0; i < task->impact_count && task->together; i++)
        for (int k = 0; k < 2; k++) {
            carom_together_rule rule = carom_together_rule_default(task->together, coeffs[k]);
            size_t bytes = carom_together_work(contacts_of(&task->impacts[i], &one), &rule);
            most = bytes > most ? bytes : most;
        }
    return most;
}
