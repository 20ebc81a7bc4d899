#include "carom/statistics.h"

#include <math.h>

/* Bins are equal steps of the mantissa between powers of two, for both signs. Below 2^LEAST a number counts as zero. */
enum { STEPS = 4096, LEAST = -64, MOST = 64, SIDE = (MOST - LEAST) * STEPS, BINS = 2 * SIDE + 1 };

/* Of one share: how many, their mean, the sum of squares about it, and the ends. */
typedef struct moments {
    double count, mean, squares, least, most;
} moments;

/* The state: bins, whose counts are exact in doubles, then the moments of each share. */
enum { MOMENTS = sizeof(moments) / sizeof(double) };

size_t carom_statistics_room(long shares)
{
    return BINS + (size_t)shares * MOMENTS;
}

static moments *moments_of(double *state, long share)
{
    return (moments *)(state + BINS) + share;
}

static int bin_of(double x)
{
    int exponent;
    double mantissa = frexp(fabs(x), &exponent); /* 1/2 to 1 */
    int step = (int)((2 * mantissa - 1) * STEPS), power = exponent - 1 - LEAST;
    if (x == 0 || power < 0)
        return SIDE;
    int at = power >= MOST - LEAST ? SIDE - 1 : power * STEPS + step;
    return x > 0 ? SIDE + 1 + at : SIDE - 1 - at;
}

/* The middle of a bin. */
static double bin_middle(int bin)
{
    int at = bin > SIDE ? bin - SIDE - 1 : SIDE - 1 - bin;
    double size = ldexp(1 + (at % STEPS + 0.5) / STEPS, LEAST + at / STEPS);
    return bin == SIDE ? 0 : bin > SIDE ? size : -size;
}

void carom_statistics_add(double *state, long share, const double *values, size_t count)
{
    moments m = {0, 0, 0, INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        double x = values[i];
        if (!isfinite(x))
            continue;
        double off = x - m.mean;
        m.count++;
        m.mean += off / m.count;
        m.squares += off * (x - m.mean);
        m.least = fmin(m.least, x);
        m.most = fmax(m.most, x);
        state[bin_of(x)]++;
    }
    if (m.count > 0)
        *moments_of(state, share) = m;
}

static moments whole_of(const double *state, long shares)
{
    moments w = {0, 0, 0, INFINITY, -INFINITY};
    for (long i = 0; i < shares; i++) {
        const moments *m = (const moments *)(state + BINS) + i;
        if (!(m->count > 0))
            continue;
        double count = w.count + m->count, off = m->mean - w.mean;
        w.squares += m->squares + off * off * (w.count * m->count / count);
        w.mean += off * (m->count / count);
        w.count = count;
        w.least = fmin(w.least, m->least);
        w.most = fmax(w.most, m->most);
    }
    return w;
}

static double percentile(const double *state, const moments *w, double percent)
{
    double below = 0, want = percent / 100 * w->count;
    for (int i = 0; i < BINS; i++) {
        below += state[i];
        if (below >= want && below > 0)
            return fmin(fmax(bin_middle(i), w->least), w->most);
    }
    return w->most;
}

static const double percents[CAROM_SUMMARY_PERCENTS] = {1, 5, 25, 50, 75, 95, 99};

double carom_summary_percent(int i)
{
    return percents[i];
}

carom_summary carom_statistics_summary(const double *state, long shares)
{
    const moments w = whole_of(state, shares);
    const int some = w.count > 0;
    carom_summary all = {w.count, NAN, NAN, NAN, NAN, {0}};
    if (some) {
        all.mean = w.mean;
        all.deviation = w.count > 1 ? sqrt(w.squares / (w.count - 1)) : 0;
        all.least = w.least;
        all.most = w.most;
    }
    for (int i = 0; i < CAROM_SUMMARY_PERCENTS; i++)
        all.percentile[i] = some ? percentile(state, &w, percents[i]) : (double)NAN;
    return all;
}
