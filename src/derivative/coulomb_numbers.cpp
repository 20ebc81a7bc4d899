// The laws with Coulomb friction along the path, with partial derivatives.
#include "derivative/numbers_begin.hpp"

namespace
{
#include "contact/impact.c"
#include "contact/impact.h"
#include "core/psd.c"
#include "derivative/number_sums.hpp"
#include "laws/coulomb/coulomb_plane.c"
#include "laws/coulomb/coulomb_solve.c"
#include "laws/coulomb/slip_arc.c"
#include "laws/coulomb/slip_field.c"
#include "laws/coulomb/slip_turn.c"
#include "laws/coulomb/slip_walk.c"
#include "laws/routh_newton.c"
#include "laws/routh_poisson.c"
#include "laws/routh_stronge.c"

#include "derivative/numbers.hpp"

const carom_law *const laws[] = {&carom_law_routh_newton, &carom_law_routh_poisson, &carom_law_routh_stronge};
} // namespace

int PASS_NAME(coulomb)(const pass_in *in, pass_out *out)
{
    return pass_any(laws, in, out);
}
