/* Jia (2013), Table 1 and Figure 1: several bounces; gravity turns V_z around between them. */
#include <math.h>
#include <stddef.h>

#include "jia_model.h"

static const place table = {GROUP_PRINTED, DOCUMENT_JIA, "section 8.1.2, Table 1"},
                   figure = {GROUP_PRINTED, DOCUMENT_JIA, "section 1, Figure 1"};

/* After each bounce: V_x, V_y, V_z, w_x, w_y (w_z is zero throughout). */
static const char *const printed[8][5] = {
    {"0.898164", "-1.627", "2.5001", "1.93251", "1.25459"},
    {"1.07356", "-1.77734", "1.2501", "1.55665", "0.816088"},
    {"0.945075", "-1.66721", "0.62515", "1.83198", "1.13731"},
    {"1.04278", "-1.75096", "0.31226", "1.62268", "0.893038"},
    {"0.964192", "-1.68359", "0.15645", "1.79102", "1.08952"},
    {"1.02640", "-1.73697", "0.07825", "1.65758", "0.933841"},
    {"0.996746", "-1.7115", "0.03915", "1.72126", "1.00813"},
    {"1.00251", "-1.71643", "0.01955", "1.70891", "0.993732"},
};

/* The motion after one more bounce, by the equations or as J1 reads them. */
static motion bounced(motion m, bool variant)
{
    carom_coeffs c = jia_usual();
    impact hit = jia_bounce(m, &c);
    return variant ? hit.variant : hit.after;
}

static motion fallen(motion m)
{
    m.v.z = -m.v.z;
    return m;
}

static void add_row(literature *l, int row, motion m, motion J1)
{
    static const char *const names[] = {"V_x", "V_y", "V_z", "w_x", "w_y"};
    const double got[] = {m.v.x, m.v.y, m.v.z, m.w.x, m.w.y}, read[] = {J1.v.x, J1.v.y, J1.v.z, J1.w.x, J1.w.y};
    for (int k = 0; k < 5; k++) {
        literature_add(l, &table, printed[row][k], got[k], "bounce %d: %s", row + 1, names[k]);
        literature_blame(l, k == 2 ? ERRATUM_J3 : ERRATUM_J1, read[k]);
    }
}

static void add_table(literature *l)
{
    motion m = jia_spun, J1 = jia_spun;
    for (int row = 0; row < 8; row++) {
        m = bounced(row ? fallen(m) : m, false);
        J1 = bounced(row ? fallen(J1) : J1, true);
        add_row(l, row, m, J1);
    }
}

static void add_figure(literature *l)
{
    motion m = jia_thrown, J1 = jia_thrown;
    for (int i = 0; i < 5; i++) {
        m = bounced(i ? fallen(m) : m, false);
        J1 = bounced(i ? fallen(J1) : J1, true);
    }
    literature_add(l, &figure, "-0.088333", m.v.x, "bounce 5: V_x");
    literature_blame(l, ERRATUM_J1, J1.v.x);
    literature_add(l, &figure, "-0.279167", m.w.y, "bounce 5: w_y");
    literature_blame(l, ERRATUM_J1, J1.w.y);
    literature_add(l, &figure, "0.155565", m.v.z, "bounce 5: V_z");
    literature_blame(l, ERRATUM_J3, 5 * pow(0.5, 5));
}

void literature_jia_bounces(literature *l)
{
    add_table(l);
    add_figure(l);
}
