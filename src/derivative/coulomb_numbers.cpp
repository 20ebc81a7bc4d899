// The laws with Coulomb friction along the path, with partial derivatives.
#include "derivative/numbers_begin.hpp"

namespace
{
#include "contact/impact.c"
#include "contact/impact.h"
#include "core/psd.c"
#include "derivative/coulomb_laws.inc"
#include "derivative/number_sums.hpp"
#include "laws/coulomb/coulomb_plane.c"
#include "laws/coulomb/coulomb_solve.c"
#include "laws/coulomb/slip_arc.c"
#include "laws/coulomb/slip_field.c"
#include "laws/coulomb/slip_turn.c"
#include "laws/coulomb/slip_walk.c"

#include "derivative/numbers.hpp"
} // namespace

int PASS_NAME(coulomb)(const pass_in *in, pass_out *out)
{
    return pass_any(laws, in, out);
}
