/* Two numbers that go through the same arithmetic: one vector instruction for both, on every machine that has them. */
#ifndef CAROM_CORE_PAIR_H
#define CAROM_CORE_PAIR_H

typedef double pair __attribute__((vector_size(2 * sizeof(double))));

static inline pair pair_of(double x)
{
    pair p = {x, x};
    return p;
}

#endif
