/* Where do the laws end? Every law's impulse on one body, in coordinates of the accessible region: e from the end of
 * compression to the return of all energy, share of the largest friction ratio, turn from against the slip. The law
 * `region` takes these three numbers back to the impulse.
 *
 * Checked: the coordinates of smith by a second program in 50 digits (tools/make-region-vectors). */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

/* A body that is tilted in two directions: K couples all axes. */
static const carom_problem body = {{2.5, 0.3, 1.9, 1.1, -0.4, 2.2}, {2, -1, -5}};

int main(void)
{
    const double mu = 0.4;
    printf("law                        e     share      turn  back again\n");
    for (int i = 0; i < carom_law_count(); i++) {
        const carom_law *law = carom_law_at(i);
        carom_rule rule = carom_rule_default(law);
        carom_outcome out;
        carom_region_place place;
        rule.coeffs.mu = mu;
        if ((law->traits & CAROM_TRAIT_CONTACT_FORCE) || carom_status_is_error(carom_solve(&body, &rule, NULL, &out)))
            continue;
        carom_status status = carom_region_place_of(&body, mu, out.p, &place);
        printf("%-20s %9.6f %9.6f %9.6f  ", law->id, place.e, place.share, place.turn);
        if (status != CAROM_STATUS_OK) {
            printf("outside the region\n");
            continue;
        }
        carom_rule region = carom_rule_default(carom_law_find("region"));
        carom_outcome again;
        region.coeffs.mu = mu;
        region.coeffs.e = place.e;
        region.coeffs.share = place.share;
        region.coeffs.turn = place.turn;
        if (carom_status_is_error(carom_solve(&body, &region, NULL, &again)))
            return 1;
        carom_cvec d = carom_cvec_sub(again.p, out.p);
        printf("%s\n", sqrt(carom_cvec_dot(d, d)) < 1e-12 * out.p.n ? "yes" : "no");
    }
    return 0;
}
