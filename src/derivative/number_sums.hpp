// The sums of core/collocation.h and the exponential of core/exponential.h for numbers that carry partial derivatives.
// Tables and shares carry none. Values are summed in the order of the other build.
#include "core/collocation.h"
#include "core/exponential.h"

static inline number exp_of(const number &x)
{
    real e = exp_of(x.v);
    return chain(e, e, x);
}

static inline void values_of(const number *f, real *value)
{
    for (int i = 0; i < RADAU; i++)
        value[i] = f[i].v;
}

static inline real radau_value(const real *x, const number *y)
{
    real value[RADAU];
    values_of(y, value);
    return radau_dot(x, value);
}

static inline void radau_values(const real (*table)[RADAU], const number *f, real *sum)
{
    real value[RADAU];
    values_of(f, value);
    radau_sums(table, value, sum);
}

static inline number radau_dot(const real *x, const number *y)
{
    number sum = 0;
    for (int i = 0; i < RADAU; i++)
        add_partials(sum, x[i], y[i]);
    sum.v = radau_value(x, y);
    return sum;
}

static inline void radau_sums(const real (*table)[RADAU], const number *f, number *sum)
{
    real value[RADAU];
    radau_values(table, f, value);
    for (int i = 0; i < RADAU; i += 2) { // two sums share what they load
        number even = value[i], odd = value[i + 1];
        for (int j = 0; j < RADAU; j++) {
            add_partials(even, table[j][i], f[j]);
            add_partials(odd, table[j][i + 1], f[j]);
        }
        sum[i] = even;
        sum[i + 1] = odd;
    }
}

static inline number end_value(const number *x)
{
    return x[RADAU - 1];
}
