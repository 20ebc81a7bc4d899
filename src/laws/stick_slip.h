/* The words of paths on which slip and stick alternate: the first one and the number of switches are enough. */
#ifndef CAROM_LAWS_STICK_SLIP_H
#define CAROM_LAWS_STICK_SLIP_H

#include <stdbool.h>

enum { SWITCHES_NAMED = 5 }; /* a path with more of them chatters */

/* no_impact, then for each number of switches the path that begins with slip and the one that begins with stick. */
#define STICK_SLIP_MODES                                                                                               \
    "no_impact", "slip", "stick", "slip-stick", "stick-slip", "slip-stick-slip", "stick-slip-stick",                   \
        "slip-stick-slip-stick", "stick-slip-stick-slip", "slip-stick-slip-stick-slip", "stick-slip-stick-slip-stick", \
        "slip-stick-chatter", "stick-slip-chatter"

static inline int stick_slip_mode(bool slip, int switches)
{
    return 1 + 2 * (switches < SWITCHES_NAMED ? switches : SWITCHES_NAMED) + !slip;
}

#endif
