/* On an arc of a quarter turn round theta_m, t = tan((theta - theta_m) / 2) makes (1 + t^2)^2 F a polynomial of degree
 * four. In Bernstein form the number of sign changes of its coefficients bounds the zeros: none means none, one means
 * exactly one; else the arc is halved. That finds every zero without a starting value and cannot lose one between
 * samples. */
#include "geometry/circle_roots.h"

#include <stdbool.h>

#include "core/num.h"

#define QUARTER   1.5707963267948966
#define FULL      6.283185307179586
#define NOISE_TOL (16 * EPS) /* of the coefficients of F: smaller values are rounding */

enum { ARCS = 4, DEGREE = 4, FOUND = 12, HALVINGS = 40, POLISH = 60, WORK = 64 };

double carom_wave_at(const wave *F, double theta)
{
    double c = cos(theta), s = sin(theta);
    return F->C2 * (c - s) * (c + s) + 2 * F->S2 * s * c + F->C1 * c + F->S1 * s;
}

double carom_wave_slope(const wave *F, double theta)
{
    double c = cos(theta), s = sin(theta);
    return 2 * F->S2 * (c - s) * (c + s) - 4 * F->C2 * s * c - F->C1 * s + F->S1 * c;
}

/* An interval of t inside an arc, and the Bernstein coefficients of F there. */
typedef struct piece {
    double low, high, b[DEGREE + 1];
    int halvings;
} piece;

typedef struct finder {
    const wave *F;
    double noise;
    int count;
    double found[FOUND];
} finder;

static void keep(finder *f, double theta)
{
    double turned = theta < 0 ? theta + FULL : theta >= FULL ? theta - FULL : theta;
    if (f->count < FOUND)
        f->found[f->count++] = turned;
}

/* The arc round m: quartic a_0 ... a_4 in t = T x, -1 <= x <= 1, then to Bernstein form. */
static piece arc_piece(const wave *F, int arc)
{
    double m = QUARTER * arc, c = cos(m), s = sin(m), c2 = (c - s) * (c + s), s2 = 2 * s * c;
    double C2 = F->C2 * c2 + F->S2 * s2, S2 = F->S2 * c2 - F->C2 * s2; /* the wave seen from theta_m */
    double C1 = F->C1 * c + F->S1 * s, S1 = F->S1 * c - F->C1 * s, T = tan(QUARTER / 4);
    /* cos = (1 - t^2)/(1 + t^2), sin = 2t/(1 + t^2), cos 2 = (1 - 6t^2 + t^4)/(1 + t^2)^2, sin 2 = 4t(1 - t^2)/(...)^2
     */
    double a[5] = {C2 + C1, 4 * S2 + 2 * S1, -6 * C2, -4 * S2 + 2 * S1, C2 - C1};
    double scale = T, y[5] = {a[0], 0, 0, 0, 0};
    for (int i = 1; i <= DEGREE; i++, scale *= T)
        y[i] = a[i] * scale; /* powers of x in [-1, 1] */
    piece p = {-T, T, {0}, 0};
    /* x = 2z - 1: shift and scale to z in [0, 1], then b_i = sum_j C(i,j)/C(4,j) z_j */
    double z[5] = {y[0] - y[1] + y[2] - y[3] + y[4], 2 * y[1] - 4 * y[2] + 6 * y[3] - 8 * y[4],
                   4 * y[2] - 12 * y[3] + 24 * y[4], 8 * y[3] - 32 * y[4], 16 * y[4]};
    double ends = square(1 + T * T);
    p.b[0] =
        ends * carom_wave_at(F, QUARTER * (arc - 0.5)); /* neighbours share the very same number, and so its sign */
    p.b[1] = z[0] + z[1] / 4;
    p.b[2] = z[0] + z[1] / 2 + z[2] / 6;
    p.b[3] = z[0] + 3 * z[1] / 4 + z[2] / 2 + z[3] / 4;
    p.b[4] = ends * carom_wave_at(F, QUARTER * ((arc + 1) % ARCS - 0.5));
    return p;
}

static int sign_changes(const piece *p)
{
    int changes = 0;
    double last = 0;
    for (int i = 0; i <= DEGREE; i++)
        if (p->b[i] != 0) {
            changes += last != 0 && (last > 0) != (p->b[i] > 0);
            last = p->b[i];
        }
    return changes;
}

/* de Casteljau at the middle. */
static void halve(const piece *p, piece *left, piece *right)
{
    double b[DEGREE + 1];
    for (int i = 0; i <= DEGREE; i++)
        b[i] = p->b[i];
    left->low = p->low;
    right->high = p->high;
    left->high = right->low = 0.5 * (p->low + p->high);
    left->halvings = right->halvings = p->halvings + 1;
    for (int level = 0; level <= DEGREE; level++) {
        left->b[level] = b[0];
        right->b[DEGREE - level] = b[DEGREE - level];
        for (int i = 0; i < DEGREE - level; i++)
            b[i] = 0.5 * (b[i] + b[i + 1]);
    }
}

/* The one zero between two angles where F has different signs: Newton kept inside the bracket. */
static double polish(const wave *F, double low, double high)
{
    double rising = carom_wave_at(F, high) > carom_wave_at(F, low) ? 1 : -1, theta = 0.5 * (low + high);
    for (int i = 0; i < POLISH; i++) {
        double value = carom_wave_at(F, theta), step = value / carom_wave_slope(F, theta);
        if (value == 0)
            break;
        if (rising * value > 0)
            high = theta;
        else
            low = theta;
        double next = theta - step;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (next == theta || high - low <= EPS)
            break;
        theta = next;
    }
    return theta;
}

/* Depth first over one arc; the stack never grows beyond one piece per halving. */
static void search_arc(finder *f, int arc)
{
    piece stack[HALVINGS + 2];
    int top = 0;
    double m = QUARTER * arc;
    stack[top++] = arc_piece(f->F, arc);
    for (int work = 0; top > 0 && work < WORK * HALVINGS; work++) {
        piece p = stack[--top];
        int changes = sign_changes(&p);
        double low = m + 2 * atan(p.low), high = m + 2 * atan(p.high);
        if (p.b[0] == 0)
            keep(f, low);
        if (changes == 0)
            continue;
        if (changes == 1 || p.halvings == HALVINGS) {
            keep(f, polish(f->F, low, high));
            continue;
        }
        piece left, right;
        halve(&p, &left, &right);
        stack[top++] = right;
        stack[top++] = left;
    }
}

static void sort(double *x, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && x[j] < x[j - 1]; j--) {
            double swap = x[j];
            x[j] = x[j - 1];
            x[j - 1] = swap;
        }
}

/* Two neighbours are one zero when F stays at rounding between them, or they are the same angle. */
static bool are_one(const finder *f, double a, double b)
{
    double gap = b - a;
    return gap <= 4 * EPS * FULL || (gap < QUARTER && fabs(carom_wave_at(f->F, a + 0.5 * gap)) <= f->noise &&
                                     fabs(carom_wave_at(f->F, a + 0.25 * gap)) <= f->noise &&
                                     fabs(carom_wave_at(f->F, a + 0.75 * gap)) <= f->noise);
}

/* Clusters become their middle; the circle is closed, so the last and the first may be one. */
static int merge(finder *f)
{
    int count = 0, n = f->count;
    double *x = f->found;
    sort(x, n);
    for (int i = 0; i < n;) {
        int j = i;
        while (j + 1 < n && are_one(f, x[j], x[j + 1]))
            j++;
        x[count++] = 0.5 * (x[i] + x[j]);
        i = j + 1;
    }
    if (count > 1 && are_one(f, x[count - 1] - FULL, x[0])) {
        x[0] = 0.5 * (x[count - 1] - FULL + x[0]);
        x[0] += x[0] < 0 ? FULL : 0;
        count--;
        sort(x, count);
    }
    return count;
}

int carom_circle_roots(const wave *F, double theta[CIRCLE_ROOTS])
{
    finder f = {.F = F, .noise = NOISE_TOL * (fabs(F->C2) + fabs(F->S2) + fabs(F->C1) + fabs(F->S1))};
    for (int i = 0; i < ARCS; i++)
        search_arc(&f, i);
    int count = merge(&f);
    for (int i = 0; i < count && i < CIRCLE_ROOTS; i++)
        theta[i] = f.found[i];
    return count < CIRCLE_ROOTS ? count : CIRCLE_ROOTS;
}
