#include "carom/solve.h"

#include <string.h>

#include "carom/assert.h"
#include "engine/engine.h"

carom_rule carom_rule_default(const carom_law *law)
{
    carom_rule rule = {law, carom_coeffs_default(), {0}, NULL, NULL};
    return rule;
}

carom_status carom_law_check(const carom_law *law)
{
    if (!law)
        return CAROM_STATUS_NO_LAW;
    bool kernel = law->kernel && law->modes && law->modes[0], kinds = law->kinds < CAROM_KINDS(COUNT);
    return law->id && (kernel || law->solve) && kinds ? CAROM_STATUS_OK : CAROM_STATUS_BAD_LAW;
}

carom_status carom_rule_check(const carom_rule *rule, carom_coeff *culprit)
{
    carom_status status = carom_law_check(rule->law);
    if (status == CAROM_STATUS_OK)
        status = carom_coeffs_check(&rule->coeffs, culprit);
    if (status)
        return status;
    if (rule->coeffs.e < 0 && !(rule->law->traits & CAROM_TRAIT_SIGNED_E)) {
        if (culprit)
            *culprit = CAROM_COEFF_e;
        return CAROM_STATUS_BAD_COEFFICIENT;
    }
    return CAROM_STATUS_OK;
}

carom_status carom_solve(const carom_problem *problem, const carom_rule *rule, const carom_tracer *tracer,
                         carom_outcome *outcome)
{
    CAROM_ASSERT(problem && rule && outcome);
    if (!carom_coeffs_vary(&rule->coeffs))
        return engine_best()->solve(problem, rule, tracer, outcome);
    carom_rule now = *rule;
    now.coeffs = carom_coeffs_at_speed(&rule->coeffs, -problem->u.n);
    return engine_best()->solve(problem, &now, tracer, outcome);
}

/* ---- which engine, which laws ---- */

static const engine *const engines[CAROM_ISA_COUNT] = {
    [CAROM_ISA_BASELINE] = &carom_engine_baseline,
#ifdef ENGINE_HAS_AVX2
    [CAROM_ISA_AVX2] = &carom_engine_avx2,
#endif
#ifdef ENGINE_HAS_AVX512
    [CAROM_ISA_AVX512] = &carom_engine_avx512,
#endif
};

/* The C runtime keeps the answer of the processor. */
carom_isa carom_isa_best(void)
{
#ifdef ENGINE_HAS_AVX512
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return CAROM_ISA_AVX512;
#endif
#ifdef ENGINE_HAS_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return CAROM_ISA_AVX2;
#endif
    return CAROM_ISA_BASELINE;
}

const char *carom_isa_word(carom_isa isa)
{
    static const char *const words[CAROM_ISA_COUNT] = {"best", "baseline", "avx2", "avx512"};
    return (unsigned)isa < CAROM_ISA_COUNT ? words[isa] : "";
}

const engine *engine_best(void)
{
    return engines[carom_isa_best()];
}

const engine *engine_at_most(carom_isa isa)
{
    carom_isa best = carom_isa_best();
    return engines[isa > CAROM_ISA_BEST && isa < best ? isa : best];
}

int carom_law_count(void)
{
    return carom_engine_baseline.law_count;
}

const carom_law *carom_law_at(int i)
{
    const engine *e = engine_best();
    return i >= 0 && i < e->law_count ? e->laws[i] : NULL;
}

const carom_law *carom_law_find(const char *id)
{
    const engine *e = engine_best();
    for (int i = 0; i < e->law_count; i++)
        if (strcmp(e->laws[i]->id, id) == 0)
            return e->laws[i];
    return NULL;
}
