#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include "cli.h"

/* Bins are equal steps of the mantissa between powers of two, for both signs. Below 2^LEAST a number counts as zero. */
enum { STEPS = 4096, LEAST = -64, MOST = 64, SIDE = (MOST - LEAST) * STEPS, BINS = 2 * SIDE + 1 };

/* Of one share: how many, their mean, the sum of squares about it, and the ends. */
typedef struct moments {
    double count, mean, squares, least, most;
} moments;

struct statistics {
    moments *share;
    long shares;
    double *bin; /* counts, exact in a double */
};

statistics *statistics_make(long shares)
{
    statistics *s = must_have(calloc(1, sizeof *s));
    s->shares = shares;
    s->share = must_have(calloc((size_t)shares, sizeof *s->share));
    s->bin = must_have(calloc(BINS, sizeof *s->bin));
    return s;
}

void statistics_free(statistics *s)
{
    free(s->share);
    free(s->bin);
    free(s);
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

void statistics_add(statistics *s, long share, const double *values, size_t count)
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
        s->bin[bin_of(x)]++;
    }
    if (m.count > 0)
        s->share[share] = m;
}

void statistics_join(statistics *s)
{
    ranks_sum(&s->share[0].count, (size_t)s->shares * sizeof(moments) / sizeof(double)); /* zero but for one rank */
    ranks_sum(s->bin, BINS);
}

static moments whole_of(const statistics *s)
{
    moments w = {0, 0, 0, INFINITY, -INFINITY};
    for (long i = 0; i < s->shares; i++) {
        const moments *m = &s->share[i];
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

static double percentile(const statistics *s, const moments *w, double percent)
{
    double below = 0, want = percent / 100 * w->count;
    for (int i = 0; i < BINS; i++) {
        below += s->bin[i];
        if (below >= want && below > 0)
            return fmin(fmax(bin_middle(i), w->least), w->most);
    }
    return w->most;
}

static const double percents[] = {1, 5, 25, 50, 75, 95, 99};
enum { PERCENTS = sizeof percents / sizeof percents[0] };

void statistics_head(FILE *out)
{
    fputs("quantity,count,mean,deviation,least", out);
    for (int i = 0; i < PERCENTS; i++)
        fprintf(out, ",%g%%", percents[i]);
    fputs(",most\n", out);
}

void statistics_print(FILE *out, const statistics *s, const char *name)
{
    const moments w = whole_of(s);
    if (w.count == 0) {
        fprintf(out, "%s,0,,,,,,,,,,,\n", name);
        return;
    }
    double deviation = w.count > 1 ? sqrt(w.squares / (w.count - 1)) : 0;
    fprintf(out, "%s,%.0f,%.10g,%.10g,%.10g", name, w.count, w.mean, deviation, w.least);
    for (int i = 0; i < PERCENTS; i++)
        fprintf(out, ",%.4g", percentile(s, &w, percents[i]));
    fprintf(out, ",%.10g\n", w.most);
}
