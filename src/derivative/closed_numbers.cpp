// The laws without a path, with partial derivatives.
#include "derivative/numbers_begin.hpp"

namespace
{
#include "contact/impact.c"
#include "contact/impact.h"
#include "contact/problem.c"
#include "core/psd.c"
#include "core/roots.c"
#include "laws/bilinear.c"
#include "laws/brach.c"
#include "laws/chatterjee_momentum.c"
#include "laws/chatterjee_rebound.c"
#include "laws/chatterjee_velocity.c"
#include "laws/ivanov.c"
#include "laws/newton.c"
#include "laws/pfeiffer_glocker.c"
#include "laws/smith.c"
#include "laws/smith_space.c"
#include "laws/whittaker.c"
#include "laws/whittaker_space.c"

#include "derivative/numbers.hpp"

const carom_law *const laws[] = {&carom_law_newton,
                                 &carom_law_brach,
                                 &carom_law_whittaker,
                                 &carom_law_smith,
                                 &carom_law_bilinear,
                                 &carom_law_chatterjee_velocity,
                                 &carom_law_chatterjee_momentum,
                                 &carom_law_chatterjee_rebound,
                                 &carom_law_ivanov,
                                 &carom_law_pfeiffer_glocker};
} // namespace

int PASS_NAME(closed)(const pass_in *in, pass_out *out)
{
    return pass_any(laws, in, out);
}
