/* The notes of a fit in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/fit_plan.h"

/* "e, mu": the parameters of which only a combination is determined. */
static void combined_names(const carom_fit_answer *answer, char names[CAROM_FIT_NOTE_SIZE / 2])
{
    size_t used = 0;
    names[0] = 0;
    for (int i = 0; i < answer->result.shared_count && used < CAROM_FIT_NOTE_SIZE / 2; i++)
        if (answer->result.parameters[i].state == CAROM_FIT_COMBINED)
            used += (size_t)snprintf(names + used, CAROM_FIT_NOTE_SIZE / 2 - used, "%s%s", used ? ", " : "",
                                     carom_fit_name(answer->result.parameters[i].coeff));
}

void carom_fit_note_text(const carom_fit_answer *answer, const carom_fit_note *note, char text[CAROM_FIT_NOTE_SIZE])
{
    const size_t room = CAROM_FIT_NOTE_SIZE;
    const char *name = carom_fit_name(answer->result.parameters[note->parameter].coeff);
    const carom_fit_trend *trend = &answer->trends[note->count < CAROM_FIT_TRENDS ? note->count : 0];
    char names[CAROM_FIT_NOTE_SIZE / 2];
    switch (note->kind) {
    case CAROM_FIT_NOTE_STICKS:
        snprintf(text, room, "all %d impacts stick: %s has a lower limit only", note->count, name);
        break;
    case CAROM_FIT_NOTE_NO_SLIP:
        snprintf(text, room, "no impact slips: %s has a lower limit only", name);
        break;
    case CAROM_FIT_NOTE_UNKNOWN:
        snprintf(text, room, "the data do not depend on %s%s: it is not identifiable", name,
                 note->count ? " near its estimate" : "");
        break;
    case CAROM_FIT_NOTE_CONSTANT:
        snprintf(text, room, "chi2 is constant for %s from %.6g to %.6g", name, note->from, note->to);
        break;
    case CAROM_FIT_NOTE_AT_BOUND:
        snprintf(text, room,
                 "%s is on its bound %.6g: the interval is one-sided, and the deviations are those of the others", name,
                 note->from);
        break;
    case CAROM_FIT_NOTE_COMBINED:
        combined_names(answer, names);
        snprintf(text, room, "only a combination of %s is determined: fix one of them", names);
        break;
    case CAROM_FIT_NOTE_CLIPPED:
        snprintf(text, room,
                 "e or mu at the speed reaches its bound in %d impact%s: they say little about it and its q",
                 note->count, note->count > 1 ? "s" : "");
        break;
    case CAROM_FIT_NOTE_BORDER:
        snprintf(text, room, "%d impact%s within 1e-6 of a border of the law: trust the interval, not the deviation",
                 note->count, note->count > 1 ? "s lie" : " lies");
        break;
    case CAROM_FIT_NOTE_TREND:
        snprintf(text, room,
                 "the residuals of %s are not random along the %s (runs test, p %.1e): the law misses a trend",
                 trend->label, trend->along_angle ? "angle" : "speed", trend->p);
        break;
    case CAROM_FIT_NOTE_ERRORS:
        snprintf(text, room,
                 "chi2 fits errors %.3g times as large: the errors are %s%s; --noise scale estimates the factor",
                 note->from, note->count ? "too large" : "too small", note->count ? "" : ", or the law is wrong");
        break;
    }
}
