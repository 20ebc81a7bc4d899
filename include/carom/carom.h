/* Carom: rigid-body impact, resolved. One header for all of the library that needs only libm.
 *
 *     two bodies + contact  --+                               +--  body velocities
 *     mechanism M, J, qdot  --+-- reduce --> (K, u) -- law --> p -- apply --+--  generalized speeds
 *     K and u given         --+                               +--  u_after = u + K p, ledger
 *
 * Start with carom/solve.h (the one call) and carom/body.h (two bodies). Conventions: SI units, radians, right-handed
 * axes; the contact normal points from B to A and is the last component; the impulse p acts on A. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/batch.h"
#include "carom/body.h"
#include "carom/coeffs.h"
#include "carom/contacts.h"
#include "carom/convert.h"
#include "carom/derivative.h"
#include "carom/elementary.h"
#include "carom/export.h"
#include "carom/fit.h"
#include "carom/fit_study.h"
#include "carom/generalized.h"
#include "carom/generalized_rows.h"
#include "carom/geometry.h"
#include "carom/gpu.h"
#include "carom/gradient.h"
#include "carom/invert.h"
#include "carom/joint.h"
#include "carom/law.h"
#include "carom/materials.h"
#include "carom/mechanism.h"
#include "carom/outcome.h"
#include "carom/parallel.h"
#include "carom/patch.h"
#include "carom/patch_derivative.h"
#include "carom/path.h"
#include "carom/problem.h"
#include "carom/response.h"
#include "carom/saltation.h"
#include "carom/shape.h"
#include "carom/sim.h"
#include "carom/solve.h"
#include "carom/status.h"
#include "carom/stroke.h"
#include "carom/study.h"
#include "carom/together.h"
#include "carom/touches.h"
#include "carom/tracks.h"
#include "carom/vec.h"

#endif
