// The mix of Chatterjee's laws, which has more coefficients than the others.
#if PARTIALS > 1
#undef PARTIALS
#define PARTIALS 16
#endif
#include "derivative/numbers_begin.hpp"

namespace
{
#include "contact/impact.c"
#include "contact/impact.h"
#include "contact/problem.c"
#include "core/psd.c"
#include "laws/chatterjee_momentum.c"
#include "laws/chatterjee_rebound.c"
#include "laws/chatterjee_velocity.c"
// The mix calls the three above.
#include "derivative/mix_laws.inc"

#include "derivative/numbers.hpp"
} // namespace

int PASS_NAME(mix)(const pass_in *in, pass_out *out)
{
    return pass_any(laws, in, out);
}
