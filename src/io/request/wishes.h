/* Inside carom-io: wanted numbers in words, for inverse impacts and for runs that are traced back. */
#ifndef CAROM_IO_WISHES_H
#define CAROM_IO_WISHES_H

#include "carom/inversion.h"

/* Add "KEY=1,_,2" as KEY.0 and KEY.2; expected says in errors what may be given. *count grows up to
 * CAROM_INVERT_WISHES. */
bool carom_internal_wishes(const char *option, const char *expected, const char *text, carom_wish *list, int *count,
                           carom_case_error *error);

/* Give every wish its deviation. Every deviation belongs to a wish, and where there is one each wish has its own. */
bool carom_internal_deviations(carom_wish *wishes, int count, const carom_wish *sigmas, int sigma_count,
                               carom_case_error *error);

#endif
