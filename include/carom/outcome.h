/* Carom: what comes out of an impact.
 *
 * The law gives p; everything that follows from it is computed once, for all laws. Signed margins say
 * how far inside (positive) or outside (negative) the admissible region the outcome lies; a flag is raised when a
 * margin is negative by more than rounding can explain. */
#ifndef CAROM_OUTCOME_H
#define CAROM_OUTCOME_H

#include "carom/export.h"
#include "carom/force.h"
#include "carom/path.h"
#include "carom/status.h"
#include "carom/vec.h"

CAROM_BEGIN

/* Energies in joule. For a reduced problem "before" is the energy its impulses can reach, u K^+ u / 2; the answers for
 * bodies and mechanisms replace it by their whole kinetic energy. The change is the same for all. */
typedef struct carom_energy {
    double before, after, change;
    double normal;   /* work of the normal impulse: change = normal + friction */
    double friction; /* work of the tangential impulse */
} carom_energy;

/* Bits of the members of carom_restitution that are defined. */
enum { CAROM_HAS_NEWTON = 1, CAROM_HAS_POISSON = 2, CAROM_HAS_STRONGE = 4, CAROM_HAS_IVANOV = 8 };

/* Restitution as measured on the outcome, under each definition. Poisson's and Stronge's need a path (or a purely
 * normal impulse, whose path is known); members whose bit is missing are zero. */
typedef struct carom_restitution {
    unsigned defined;
    double newton;  /* -u_n after / u_n before */
    double poisson; /* impulse of restitution / impulse of compression */
    double stronge; /* sqrt(- work of restitution / work of compression) */
    double ivanov;  /* where p lies on its chord of the energy ellipsoid: -1 at zero, 1 on the far side */
} carom_restitution;

/* Signed distances to the borders of the admissible region; negative is outside. */
typedef struct carom_margins {
    double normal; /* u_n after */
    double energy; /* - change of energy */
    double cone;   /* mu p_n - |p_t|; of a patch mu p_n less the dual norm of (p_t, m_n) */
} carom_margins;

/* How the law went through compression and restitution. phases is zero when the law has no path. */
typedef struct carom_phases {
    int phases;                                  /* number of compression phases */
    double p_compression, p_restitution;         /* normal impulses, summed over phases */
    double work_compression, work_decompression; /* normal works (W_c <= 0, W_d >= 0), summed over phases */
    double work_friction;                        /* work of the tangential impulse along the path */
    const char *path;                            /* Morgan's label in planar problems ("a-c-e"), or null */
    const char *first; /* compliant laws: the mode it begins in, "slip" or "stick"; else null */
} carom_phases;

/* What a contact with a patch adds (carom/patch.h); zero without one. */
typedef struct carom_turning {
    carom_cspin m;       /* moment of impulse on A */
    carom_cspin w_after; /* relative angular velocity */
    double spin, roll;   /* works of m_n and of m_t: change = normal + friction + spin + roll */
    const char *rolling; /* "stick", "slip", or null without rolling resistance */
} carom_turning;

typedef enum carom_flag {
#define CAROM_FLAG(name, bit, word, meaning) CAROM_FLAG_BIT_##name = bit,
#include "carom/flags.def"
#undef CAROM_FLAG
    CAROM_FLAG_COUNT
} carom_flag;

enum {
#define CAROM_FLAG(name, bit, word, meaning) CAROM_FLAG_##name = 1u << bit,
#include "carom/flags.def"
#undef CAROM_FLAG
};

enum { CAROM_SOLUTIONS_KEPT = 4 }; /* impulses of a law with several solutions */

typedef struct carom_outcome {
    carom_status status;
    unsigned flags;   /* CAROM_FLAG_PENETRATES | ... */
    const char *mode; /* the branch the law took, e.g. "stick"; a static string */
    carom_cvec p;     /* impulse on A; B gets -p */
    carom_cvec u_after;
    carom_energy energy;
    carom_restitution restitution;
    carom_margins margins;
    double friction_ratio; /* |p_t| / p_n, zero without impulse */
    carom_phases phases;
    int solutions;                        /* admissible solutions found: 1 unless the law is known to have more here */
    int event_count;                      /* events of the path: a tracer sees them (carom_event_log) */
    carom_cvec all[CAROM_SOLUTIONS_KEPT]; /* the first of them, by p_n, when solutions > 1 */
    carom_contact_force force;            /* of laws with CAROM_TRAIT_CONTACT_FORCE, else zero */
    carom_turning turning;                /* of contacts with a patch, else zero */
    carom_cspin all_m[CAROM_SOLUTIONS_KEPT]; /* the moments of all */
    double room[3];                          /* for what later versions report; zero */
} carom_outcome;

/* The word of flag i, 0 <= i < CAROM_FLAG_COUNT, e.g. "creates-energy", and its meaning. */
CAROM_API const char *carom_flag_word(carom_flag i);
CAROM_API const char *carom_flag_meaning(carom_flag i);

CAROM_END

#endif
