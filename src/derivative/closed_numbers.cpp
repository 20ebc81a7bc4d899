// The laws without a path, with partial derivatives.
#include "derivative/numbers_begin.hpp"

namespace
{
#include "contact/impact.c"
#include "contact/impact.h"
#include "contact/problem.c"
#include "core/psd.c"
#include "core/roots.c"
#include "derivative/closed_laws.inc"
#include "laws/smith_space.c"
#include "laws/whittaker_space.c"

#include "derivative/numbers.hpp"
} // namespace

int PASS_NAME(closed)(const pass_in *in, pass_out *out)
{
    return pass_any(laws, in, out);
}
