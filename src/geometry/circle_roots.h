/* All zeros on the circle of  F(theta) = C2 cos 2theta + S2 sin 2theta + C1 cos theta + S1 sin theta. */
#ifndef CAROM_GEOMETRY_CIRCLE_ROOTS_H
#define CAROM_GEOMETRY_CIRCLE_ROOTS_H

typedef struct wave {
    double C2, S2, C1, S1;
} wave;

enum { CIRCLE_ROOTS = 4 };

double carom_wave_at(const wave *F, double theta);
double carom_wave_slope(const wave *F, double theta);

/* The zeros in ascending order, 0 <= theta < 2 pi; zeros that no double can tell apart count once. F must not vanish
 * everywhere; since it has no mean, it then has two zeros at least. Returns how many. */
int carom_circle_roots(const wave *F, double theta[CIRCLE_ROOTS]);

#endif
