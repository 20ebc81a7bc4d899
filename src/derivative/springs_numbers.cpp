// The law with tangential compliance, with partial derivatives.
#include "derivative/numbers_begin.hpp"

namespace
{
#include "contact/impact.c"
#include "contact/impact.h"
#include "core/psd.c"
#include "core/taylor.c"
#include "derivative/springs_laws.inc"
#include "laws/springs/compliant_leap.c"
#include "laws/springs/compliant_modes.c"
#include "laws/springs/compliant_report.c"
#include "laws/springs/compliant_slip.c"
#include "laws/springs/compliant_slow.c"
#include "laws/springs/compliant_stick.c"
#include "laws/springs/compliant_tail.c"
#include "laws/springs/compliant_tau.c"
#include "laws/springs/compliant_wedge.c"

#include "derivative/numbers.hpp"
} // namespace

int PASS_NAME(springs)(const pass_in *in, pass_out *out)
{
    return pass_any(laws, in, out);
}
