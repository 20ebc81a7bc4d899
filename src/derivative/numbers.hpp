// A pass over one impact: inputs to numbers, the law, its impulse and its partials.
#ifndef CAROM_DERIVATIVE_NUMBERS_HPP
#define CAROM_DERIVATIVE_NUMBERS_HPP

static number number_of(const pass_input &in)
{
    number x(in.value);
    if (in.column >= 0 && in.column < PARTIALS)
        x.partials()[in.column] = in.weight;
    return x;
}

static carom_problem problem_of(const pass_in *in)
{
    number K[6], u[3];
    for (int i = 0; i < 6; i++)
        K[i] = number_of(in->K[i]);
    for (int i = 0; i < 3; i++)
        u[i] = number_of(in->u[i]);
    return {{K[0], K[1], K[2], K[3], K[4], K[5]}, {u[0], u[1], u[2]}};
}

// Coefficients that the law does not use stay undefined.
static void rule_of(const pass_in *in, const carom_law *law, carom_rule *rule)
{
    number *coeffs = (number *)&rule->coeffs;
    rule->law = law;
    rule->vibration = NULL;
    rule->workspace = NULL;
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (in->uses >> i & 1)
            coeffs[i] = number_of(in->coeffs[i]);
    for (int i = 0; i < CAROM_OPTION_COUNT; i++)
        ((int *)&rule->options)[i] = in->options[i];
}

// Spheres and flat contacts are contacts in space here: what their short cuts leave out has partials.
static carom_kind kind_with_partials(const pass_in *in, const carom_law *law, const carom_problem *pb)
{
    if (in->planar)
        return CAROM_KIND_PLANAR;
    return law->traits & CAROM_TRAIT_PLANAR_ONLY ? kind_of(pb) : CAROM_KIND_SPATIAL;
}

// In a plane the kernel has the closed form, also for laws with a path.
static bool has_kernel(const carom_law *law, carom_kind kind)
{
    bool covered = law->kinds ? law->kinds >> kind & 1 : kind == CAROM_KIND_PLANAR || !law->solve;
    return law->kernel && covered;
}

static carom_status run_law(gate *g, const carom_rule *rule, nearest_border *border, carom_cvec *p)
{
    const carom_law *law = rule->law;
    carom_outcome out;
    bool flat = g->x.kind != CAROM_KIND_SPATIAL;
    if (law->traits & CAROM_TRAIT_PLANAR_ONLY && !flat && !gate_find_plane(g))
        return CAROM_STATUS_NOT_PLANAR;
    g->x.spectrum = border;
    if (has_kernel(law, g->x.kind)) {
        *p = law->kernel(&g->x, &rule->coeffs).p;
        if (!isnan(p->t1 + p->t2 + p->n))
            return CAROM_STATUS_OK;
    }
    if (!law->solve)
        return CAROM_STATUS_OUT_OF_RANGE;
    out.flags = 0;
    out.event_count = 0;
    out.phases = {};
    carom_status status = law->solve(&g->x, rule, NULL, &out);
    *p = out.p;
    return status;
}

static void write_out(const number &x, real *value, real *partials)
{
    *value = x.v;
    for (int i = 0; i < PARTIALS; i++)
        partials[i] = x.partials()[i];
}

static void take_input(const pass_input &in, nearest_border *n)
{
    if (in.column >= 0 && in.column < PARTIALS)
        n->inputs[in.column] = in.value * in.weight;
}

static nearest_border no_border(const pass_in *in)
{
    nearest_border n = {"", INFINITY, INFINITY, {}};
    for (int i = 0; i < 6; i++)
        take_input(in->K[i], &n);
    for (int i = 0; i < 3; i++)
        take_input(in->u[i], &n);
    for (int i = 0; i < CAROM_COEFF_COUNT; i++)
        if (in->uses >> i & 1)
            take_input(in->coeffs[i], &n);
    return n;
}

static int pass_law(const carom_law *law, const pass_in *in, pass_out *out)
{
    gate g;
    carom_rule rule;
    carom_cvec p;
    const carom_problem pb = problem_of(in);
    const minors m = minors_of(&pb.K);
    g.unit_K = g.unit_u = 1;
    g.turned = false;
    impact_set(&g.x, &pb, &m, kind_with_partials(in, law, &pb));
    rule_of(in, law, &rule);
    nearest_border border = no_border(in);
    if (run_law(&g, &rule, &border, &p) != CAROM_STATUS_OK)
        return false;
    p = gate_back(&g, 1, p);
    write_out(p.t1, &out->p[0], out->dp[0]);
    write_out(p.t2, &out->p[1], out->dp[1]);
    write_out(p.n, &out->p[2], out->dp[2]);
    out->border = border.word;
    out->distance = border.distance;
    out->kink = border.kink;
    return true;
}

// The first of these laws with the id of the pass.
template <int count> static int pass_any(const carom_law *const (&laws)[count], const pass_in *in, pass_out *out)
{
    for (const carom_law *law : laws)
        if (strcmp(law->id, in->law) == 0)
            return pass_law(law, in, out);
    return false;
}

#endif
