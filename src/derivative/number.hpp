// A number that carries its first partial derivatives, for the laws compiled a second time: law_numbers.hpp.
//
//     v      the value, computed by the operations of the C library
//     d      its derivatives by the inputs, PARTIALS of them: four at a time, or one alone
//
// Comparisons are between values: the branch is the one that the law takes. Needs libm alone.
#ifndef CAROM_DERIVATIVE_NUMBER_HPP
#define CAROM_DERIVATIVE_NUMBER_HPP

#include <math.h>

#include "carom/elementary.h"

#undef isnan
#undef isinf

namespace
{

typedef double real;

// Reals stay reals.
using ::carom_exp;
using ::carom_expm1;
using ::carom_log;
using ::carom_log1p;
using ::carom_pow;
using ::fabs;
using ::fmax;
using ::fmin;
using ::sqrt;

static inline real max(real a, real b)
{
    return a > b ? a : b;
}

static inline real min(real a, real b)
{
    return a < b ? a : b;
}

#if PARTIALS % 4 == 0
typedef real lanes __attribute__((vector_size(32), aligned(8), may_alias));
enum { LANES = PARTIALS / 4 };
#else
typedef real lanes;
enum { LANES = PARTIALS };
#endif

// Unrolled, so that sums stay in registers.
#define EACH_LANE _Pragma("GCC unroll 8") for (int i = 0; i < LANES; i++)

struct number {
    real v;
    lanes d[LANES];

    number() = default;
    constexpr number(real value) : v(value), d{}
    {
    }
    explicit constexpr operator bool() const
    {
        return v != 0;
    }
    explicit constexpr operator int() const
    {
        return (int)v;
    }
    real *partials()
    {
        return (real *)d;
    }
    const real *partials() const
    {
        return (const real *)d;
    }
};

// f(a) with f' = slope; f(a, b) with both slopes.
static inline number chain(real value, real slope, const number &a)
{
    number r;
    r.v = value;
    EACH_LANE
    r.d[i] = slope * a.d[i];
    return r;
}

static inline number chain(real value, real by_a, const number &a, real by_b, const number &b)
{
    number r;
    r.v = value;
    EACH_LANE
    r.d[i] = by_a * a.d[i] + by_b * b.d[i];
    return r;
}

// The partials of by b, added.
static inline void add_partials(number &a, real by, const number &b)
{
    EACH_LANE
    a.d[i] += by * b.d[i];
}

// ---- arithmetic ----

static inline number operator-(const number &a)
{
    return chain(-a.v, -1, a);
}

static inline number operator+(const number &a, const number &b)
{
    number r;
    r.v = a.v + b.v;
    EACH_LANE
    r.d[i] = a.d[i] + b.d[i];
    return r;
}

static inline number operator-(const number &a, const number &b)
{
    number r;
    r.v = a.v - b.v;
    EACH_LANE
    r.d[i] = a.d[i] - b.d[i];
    return r;
}

static inline number operator*(const number &a, const number &b)
{
    return chain(a.v * b.v, b.v, a, a.v, b);
}

static inline number operator/(const number &a, const number &b)
{
    real q = a.v / b.v, inverse = 1 / b.v;
    return chain(q, inverse, a, -q * inverse, b);
}

static inline number operator+(const number &a, real b)
{
    number r = a;
    r.v = a.v + b;
    return r;
}

static inline number operator+(real a, const number &b)
{
    number r = b;
    r.v = a + b.v;
    return r;
}

static inline number operator-(const number &a, real b)
{
    number r = a;
    r.v = a.v - b;
    return r;
}

static inline number operator-(real a, const number &b)
{
    return chain(a - b.v, -1, b);
}

static inline number operator*(const number &a, real b)
{
    return chain(a.v * b, b, a);
}

static inline number operator*(real a, const number &b)
{
    return chain(a * b.v, a, b);
}

static inline number operator/(const number &a, real b)
{
    return chain(a.v / b, 1 / b, a);
}

static inline number operator/(real a, const number &b)
{
    real q = a / b.v;
    return chain(q, -q / b.v, b);
}

static inline number &operator+=(number &a, const number &b)
{
    return a = a + b;
}

static inline number &operator-=(number &a, const number &b)
{
    return a = a - b;
}

static inline number &operator*=(number &a, const number &b)
{
    return a = a * b;
}

static inline number &operator/=(number &a, const number &b)
{
    return a = a / b;
}

// ---- comparisons, of values ----

static inline real real_of(real a)
{
    return a;
}

static inline real real_of(const number &a)
{
    return a.v;
}

#define COMPARE(op)                                                                                                    \
    static inline bool operator op(const number &a, const number &b)                                                   \
    {                                                                                                                  \
        return a.v op b.v;                                                                                             \
    }                                                                                                                  \
    static inline bool operator op(const number &a, real b)                                                            \
    {                                                                                                                  \
        return a.v op b;                                                                                               \
    }                                                                                                                  \
    static inline bool operator op(real a, const number &b)                                                            \
    {                                                                                                                  \
        return a op b.v;                                                                                               \
    }
COMPARE(<)
COMPARE(>)
COMPARE(<=)
COMPARE(>=)
COMPARE(==)
COMPARE(!=)
#undef COMPARE

static inline bool isnan(real a)
{
    return a != a;
}

static inline bool isnan(const number &a)
{
    return a.v != a.v;
}

static inline bool isinf(const number &a)
{
    return fabs(a.v) > 1.7976931348623157e308;
}

// ---- functions ----

// A root of zero is the length of a zero vector: its partials are those of the direction that the law takes, none.
static inline number sqrt(const number &a)
{
    real r = ::sqrt(a.v);
    return chain(r, r > 0 ? 0.5 / r : 0, a);
}

static inline number fabs(const number &a)
{
    return chain(::fabs(a.v), signbit(a.v) ? -1 : 1, a);
}

static inline number copysign(const number &a, const number &b)
{
    return chain(::copysign(a.v, b.v), signbit(a.v) == signbit(b.v) ? 1 : -1, a);
}

static inline number fma(const number &a, const number &b, const number &c)
{
    number r = chain(::fma(a.v, b.v, c.v), b.v, a, a.v, b);
    EACH_LANE
    r.d[i] += c.d[i];
    return r;
}

static inline number carom_hypot(const number &a, const number &b)
{
    real r = ::carom_hypot(a.v, b.v), inverse = r > 0 ? 1 / r : 0;
    return chain(r, a.v * inverse, a, b.v * inverse, b);
}

static inline number carom_exp(const number &a)
{
    real e = ::carom_exp(a.v);
    return chain(e, e, a);
}

static inline number carom_expm1(const number &a)
{
    real e = ::carom_expm1(a.v);
    return chain(e, e + 1, a);
}

static inline number carom_log(const number &a)
{
    return chain(::carom_log(a.v), 1 / a.v, a);
}

static inline number carom_log1p(const number &a)
{
    return chain(::carom_log1p(a.v), 1 / (1 + a.v), a);
}

static inline number carom_pow(const number &a, real power)
{
    return chain(::carom_pow(a.v, power), power * ::carom_pow(a.v, power - 1), a);
}

static inline number carom_pow(const number &a, const number &power)
{
    real y = ::carom_pow(a.v, power.v);
    return chain(y, power.v * ::carom_pow(a.v, power.v - 1), a, y * ::carom_log(a.v), power);
}

static inline number carom_sin(const number &a)
{
    return chain(::carom_sin(a.v), ::carom_cos(a.v), a);
}

static inline number carom_cos(const number &a)
{
    return chain(::carom_cos(a.v), -::carom_sin(a.v), a);
}

static inline number fmax(const number &a, const number &b)
{
    return a.v > b.v || isnan(b) ? a : b;
}

static inline number fmin(const number &a, const number &b)
{
    return a.v < b.v || isnan(b) ? a : b;
}

// Steps of iterations are chosen by values.
static inline number carom_log2(const number &a)
{
    return ::carom_log2(a.v);
}

static inline number carom_exp2(const number &a)
{
    return ::carom_exp2(a.v);
}

static inline number floor(const number &a)
{
    return ::floor(a.v);
}

static inline real frexp(const number &a, int *e)
{
    return ::frexp(a.v, e);
}

// ---- what a law says about its partials (core/num.h) ----

#define CARRIES_PARTIALS 1

static inline number plain(const number &a)
{
    return a.v;
}

// The root x of f, which has been evaluated at plain(x): its partials by the implicit function theorem.
static inline number implicit_root(const number &x, const number &f, const number &slope)
{
    return chain(x.v, -1 / slope.v, f);
}

// The size of a number or of its largest partial: what a step must resolve.
static inline real size_of(const number &a)
{
    real most = ::fabs(a.v);
    for (int i = 0; i < PARTIALS; i++)
        most = max(most, ::fabs(a.partials()[i]));
    return most;
}

// ---- borders ----

// The border nearest to the branch taken, relative to the inputs.
struct nearest_border {
    const char *word;
    real distance, kink; // to it; to the nearest one with a kink
    real inputs[PARTIALS];
};

// |phi| / sum of |phi_x x| of a test phi = a - b > 0; along a single direction, against its terms.
static inline real border_distance(const nearest_border *n, const number &a, const number &b)
{
    real scale = PARTIALS == 1 ? ::fabs(a.v) + ::fabs(b.v) : 0;
    for (int i = 0; PARTIALS > 1 && i < PARTIALS; i++)
        scale += ::fabs((a.partials()[i] - b.partials()[i]) * n->inputs[i]);
    return scale > 0 ? ::fabs(a.v - b.v) / scale : INFINITY;
}

// A contact with partial derivatives has full rank: in the place of its spectrum it has its nearest border.
template <class impact>
static inline void passes_border(const impact *x, const number &a, const number &b, const char *word)
{
    nearest_border *n = (nearest_border *)x->spectrum;
    real distance = border_distance(n, a, b);
    if (distance < n->distance) {
        n->distance = distance;
        n->word = word;
    }
}

template <class impact> static inline bool beyond(const impact *x, const number &a, const number &b, const char *word)
{
    nearest_border *n = (nearest_border *)x->spectrum;
    passes_border(x, a, b, word);
    n->kink = min(n->kink, border_distance(n, a, b));
    return a.v > b.v;
}

} // namespace

#endif
