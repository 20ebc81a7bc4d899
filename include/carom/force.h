/* Carom: what the contact-force laws add to an outcome, and the vibrating bodies that one of them takes.
 *
 * These laws follow a contact in time, so they know how long it lasts, how deep it goes and where the energy is lost:
 *
 *     kinetic loss = dissipated_normal + dissipated_friction + dissipated_tangential + residual_tangential
 *                    + vibration_energy - vibration_before + dissipated_vibration
 *
 * The member `force` of carom_outcome is filled by laws with CAROM_TRAIT_CONTACT_FORCE; it is zero when such a law
 * refuses or has nothing to do, and undefined for other laws. */
#ifndef CAROM_FORCE_H
#define CAROM_FORCE_H

#include <stddef.h>

#include "carom/export.h"
#include "carom/vec.h"

CAROM_BEGIN

/* What the contact point does, one after the other. */
typedef enum carom_contact_mode {
#define CAROM_CONTACT_MODE(name, value, word, meaning) CAROM_CONTACT_MODE_##name = value,
#include "carom/contact_modes.def"
#undef CAROM_CONTACT_MODE
    CAROM_CONTACT_MODE_COUNT
} carom_contact_mode;

enum { CAROM_CONTACT_MODES_KEPT = 16 };

/* SI units. Losses are positive. */
typedef struct carom_contact_force {
    double duration;              /* from first touch to last separation */
    double max_compression;       /* largest x = -r_n */
    double peak_force;            /* largest F_n; infinite forces of an instant (split-mass, dead stage) are left out */
    double dissipated_normal;     /* - integral of F_n v_n */
    double dissipated_friction;   /* integral of mu F_n |slip velocity of the contact point| */
    double dissipated_tangential; /* integral of c_t |s'|^2 */
    double residual_tangential;   /* left in the tangential springs at separation */
    double vibration_energy;      /* modal: held by the modes at separation */
    double dissipated_vibration;  /* modal: lost to the damping of the modes during contact and flight */
    double vibration_before;      /* modal: held by the modes at the beginning */
    carom_cvec dead_impulse;      /* split-mass: impulse of the plastic stage */
    int contacts;                 /* 1, or more where the bodies touch again */
    int mode_count;               /* modes of the path; the first CAROM_CONTACT_MODES_KEPT are in modes */
    unsigned char modes[CAROM_CONTACT_MODES_KEPT]; /* carom_contact_mode */
} carom_contact_force;

/* One mode of vibration of a body (or of both), at the contact point, mass-normalised:
 *
 *     z'' + 2 zeta omega z' + omega^2 z = phi . F,   v = u + sum phi z' */
typedef struct carom_mode {
    double omega, zeta; /* rad/s >= 0; >= 0 */
    carom_cvec phi;     /* 1/sqrt(kg) */
    double z, rate;     /* z and z' before the impact, m sqrt(kg) and per second; zero: at rest */
} carom_mode;

enum { CAROM_MODES_INSIDE = 8 };    /* modes that need no memory of the caller */
enum { CAROM_ANNULI_INSIDE = 128 }; /* annuli likewise */

/* The vibrating bodies of `modal`. Null in a rule means rigid bodies. */
typedef struct carom_vibration {
    const carom_mode *modes;
    int count;
    int recontact; /* follow the flight and touch again, until that is no longer possible */
    /* count x count, 1/s, symmetric, positive semidefinite: damping that couples the modes, sum_j C_ij z_j' in place of
     * 2 zeta omega z_i', which makes them complex. Null: they are damped one by one. */
    const double *damping;
} carom_vibration;

/* Memory that the caller lends to a solve with more than CAROM_MODES_INSIDE modes or CAROM_ANNULI_INSIDE annuli. */
typedef struct carom_workspace {
    void *memory; /* aligned like a double */
    size_t size;
} carom_workspace;

/* Bytes that a solve with so many modes or annuli needs; zero when it needs none. */
CAROM_API size_t carom_workspace_for_modes(int count);
CAROM_API size_t carom_workspace_for_annuli(int annuli);

/* The word of a mode, e.g. "slip". */
CAROM_API const char *carom_contact_mode_word(carom_contact_mode mode);

CAROM_END

#endif
