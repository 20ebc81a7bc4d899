// Carom's own simulator, tuned by the same search. The friction of sliding is the one that `carom body` has found in slides.
#include "movers.hpp"

static void set(carom_prediction_plan *plan, const double *values)
{
    plan->mover = nullptr;
    plan->rule.coeffs.e = values[0];
    plan->rule.coeffs.mu = values[1];
}

engine carom_engine(const char *law)
{
    return {law, {{"e", 0.02, 0.95}, {"mu", 0.02, 0.6}}, set};
}
