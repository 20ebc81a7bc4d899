/* Impacts in a plane: one line to u_t = 0, one from there. With s = sign u_t, and m, b, k the entries of K there,
 *
 *     du_t/dp = b - mu s m     du_n/dp = k - mu s b     until u_t = 0, then                                  (1)
 *     sticking if |b| <= mu_s m:  dp_t/dp = -b/m,  du_n/dp = (m k - b^2)/m                                  (2)
 *     reversed slip otherwise:    s = sign b in (1)                                                         (3)
 *
 * Spheres, K = diag(m, m, k), keep to the plane of their slip. */
#include "laws/family_incremental.h"

static carom_event_kind planar_slide(const slip_walk *w, double sign)
{
    if (!w->planar)
        return w->u_t.t1 == 0 && w->u_t.t2 == 0 ? CAROM_EVENT_RAY : CAROM_EVENT_SLIDE;
    return sign > 0 ? CAROM_EVENT_SLIDE_PLUS : CAROM_EVENT_SLIDE_MINUS;
}

/* Slip along sign e, as slopes of a line. */
static slip_line planar_line(const slip_walk *w, const slip_plane *P, double sign)
{
    double push = -w->field.mu * sign, du = fma(push, P->m, P->b); /* g = b.c - mu c.Mc */
    slip_line line = {.h = fma(push, P->b, w->field.k), .length = INFINITY};
    line.du.t1 = du * P->e.t1;
    line.du.t2 = du * P->e.t2;
    line.dp.t1 = push * P->e.t1;
    line.dp.t2 = push * P->e.t2;
    if (sign * du < 0)
        line.length = -tvec_dot(w->u_t, P->e) / du;
    return line;
}

static slip_origin planar_origin(const slip_walk *w, const slip_plane *P, double sign)
{
    slip_origin o = {.sticks = fabs(P->b) <= w->field.mu_s * P->m, .c = P->e, .h = w->field.k, .terms = w->field.k};
    double share = o.sticks && P->m > 0 ? P->b / P->m : 0;
    if (o.sticks && P->m > 0)
        o.h = diff_of_products(P->m, w->field.k, P->b, P->b) / P->m;
    if (!o.sticks) {
        share = w->field.mu * sign;
        o.g = fma(-share, P->m, P->b);
        o.h = fma(-share, P->b, w->field.k);
    }
    o.a.t1 = share * P->e.t1;
    o.a.t2 = share * P->e.t2;
    return o;
}

void slip_walk_plane(slip_walk *w, const slip_plane *P)
{
    double slip = tvec_dot(w->u_t, P->e);
    if (w->planar)
        w->out->phases.path = "a-c-e";
    if (slip != 0) {
        double sign = slip > 0 ? 1 : -1;
        slip_line line = planar_line(w, P, sign);
        w->resliding = !w->planar && w->field.mu > 0;
        w->out->mode = "sliding";
        w->out->flags |= line.h < 0 ? CAROM_JAM : 0;
        slip_walk_event(w, planar_slide(w, sign));
        slip_walk_line(w, &line, "slip");
        if (w->done)
            return;
        if (w->planar)
            w->out->phases.path = w->compressing ? "a-b-e" : "a-c-d-e";
    }
    double sign = P->b > 0 ? 1 : -1;
    slip_origin o = planar_origin(w, P, sign);
    slip_walk_from_origin(w, &o, slip != 0, planar_slide(w, sign));
}
