/* The answer of a fit for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fit_print.h"
#include "table.h"
#include "term.h"

enum { CELL = 48, FEW = 60, FLAGS = 256, LEFT_OUT = 2048 }; /* FEW: impacts up to which local parameters are listed */

static void number(char *text, double value, int digits)
{
    if (isfinite(value))
        snprintf(text, CELL, "%.*g", digits, value);
    else
        snprintf(text, CELL, "-");
}

/* "0.9657 ... 0.9744", "> 0.1347", "< 2" or "-". */
static void interval(char *text, const carom_fit_estimate *p)
{
    bool low = isfinite(p->low), high = isfinite(p->high);
    if (low && high)
        snprintf(text, CELL, "%.6g ... %.6g", p->low, p->high);
    else if (low || high)
        snprintf(text, CELL, "%s %.6g", low ? ">" : "<", low ? p->low : p->high);
    else
        snprintf(text, CELL, "-");
}

static const char *state_word(const carom_fit_estimate *p)
{
    static const char *const words[] = {"", "on its bound", "on its bound", "not identifiable",
                                        "only in a combination"};
    return words[p->state];
}

static void print_parameters(const carom_fit_answer *answer, const carom_fit_data *data)
{
    static const char *const heads[] = {"coefficient", "estimate", "std", "95 % interval", ""};
    const carom_fit_result *r = &answer->result;
    table t = table_start("lrrll", heads);
    for (int i = 0; i < r->parameter_count && i < r->shared_count + FEW; i++) {
        const carom_fit_estimate *p = &r->parameters[i];
        char name[CELL], value[CELL], std[CELL], range[CELL];
        const char *group = answer->task.unit_count == data->group_count && p->unit >= 0 ? data->groups[p->unit] : NULL;
        if (p->unit >= 0 && group)
            snprintf(name, CELL, "%s %.30s", carom_fit_name(p->coeff), group);
        else if (p->unit >= 0)
            snprintf(name, CELL, "%s impact %d", carom_fit_name(p->coeff), p->unit + 1);
        else
            snprintf(name, CELL, "%s", carom_fit_name(p->coeff));
        number(value, carom_fit_is_determined(p) ? p->value : INFINITY, 8);
        number(std, p->std, 3);
        interval(range, p);
        const char *row[] = {name, value, std, range, state_word(p)};
        table_add(&t, carom_fit_is_determined(p) ? ROW_PLAIN : ROW_DIM, row);
    }
    table_end(&t);
}

static int count_scalars(const carom_fit_data *data)
{
    int count = 0;
    for (int i = 0; i < data->count; i++)
        count += data->impacts[i].count;
    return count;
}

static void print_head(const carom_fit_data *data, const char *file)
{
    fputs(term_bold(), stdout);
    text_put(file);
    printf("%s: %d impacts, %d measured numbers", term_plain(), data->count, count_scalars(data));
}

/* "stick 11, slip 13" */
static void print_modes(const carom_fit_answer *answer, const carom_fit_data *data)
{
    const char *words[32];
    int counts[32] = {0}, known = 0;
    carom_fit_case d;
    for (int i = 0; i < data->count; i++) {
        int at = 0;
        if (carom_fit_diagnose(&answer->task, &answer->result, i, &d) != CAROM_STATUS_OK || !d.mode)
            continue;
        while (at < known && strcmp(words[at], d.mode) != 0)
            at++;
        if (at == known && known < 32)
            words[known++] = d.mode;
        if (at < 32)
            counts[at]++;
    }
    printf("modes     ");
    for (int i = 0; i < known; i++)
        printf("%s%s %d", i ? ", " : "", words[i], counts[i]);
    printf("\n");
}

static void print_quality(const carom_fit_answer *answer)
{
    const carom_fit_result *r = &answer->result;
    if (answer->task.loss != CAROM_FIT_SQUARES) {
        printf("objective %.6f (robust loss); chi2 %.6g; deviations by the sandwich formula\n", r->objective, r->chi2);
        return;
    }
    const carom_fit_criteria *c = answer->task.scale ? &r->criteria_scale : &r->criteria;
    printf("chi2      %.6f, %d numbers, %d coefficients: p %.3g", r->chi2, c->n, r->criteria.k, r->p_value);
    if (answer->task.scale)
        printf("; errors are %.4g times those given (%.4g unbiased)", r->scale, r->scale_unbiased);
    printf("\ncriteria  -2 log L %.4f, AIC %.4f, AICc ", c->minus_2_log_likelihood, c->aic);
    printf(isfinite(c->aicc) ? "%.4f" : "-", c->aicc);
    printf(", BIC %.4f\n", c->bic);
    if (answer->has_score)
        printf("validated %.4g, the mean square residual of what was left out, %d folds\n", answer->score,
               answer->folds);
}

void fit_answer_print(const carom_fit_answer *answer, const carom_fit_data *data, const char *file)
{
    print_head(data, file);
    char law[CAROM_FIT_LAW_NAME];
    carom_fit_law_name(carom_fit_law_of(&answer->task), law);
    printf("; law %s\n\n", law);
    print_parameters(answer, data);
    printf("\n");
    print_quality(answer);
    print_modes(answer, data);
    for (int i = 0; i < answer->note_count; i++) {
        char text[CAROM_FIT_NOTE_SIZE];
        carom_fit_note_text(answer, &answer->notes[i], text);
        printf("%s", i == 0 ? "\n" : "");
        text_wrapped(text, 0);
    }
}

void fit_answer_print_impacts(const carom_fit_answer *answer, const carom_fit_data *data)
{
    static const char *const heads[] = {"impact", "angle", "speed", "number", "residual", "standard", "Cook", "mode"};
    table t = table_start("lrrlrrrl", heads);
    for (int i = 0; i < data->count; i++) {
        carom_fit_case d;
        const carom_fit_row *row = &data->rows[i];
        if (carom_fit_diagnose(&answer->task, &answer->result, i, &d) != CAROM_STATUS_OK)
            continue;
        for (int k = 0; k < d.count; k++) {
            char name[CELL], angle[CELL], speed[CELL], residual[CELL], standard[CELL], cook[CELL];
            snprintf(name, CELL, "%.28s", row->name ? row->name : "");
            if (!row->name)
                snprintf(name, CELL, "line %ld", row->line);
            snprintf(angle, CELL, "%.1f", row->angle * 180 / 3.141592653589793);
            number(speed, row->speed, 4);
            snprintf(residual, CELL, "%+.2f", d.residual[k]);
            snprintf(standard, CELL, "%+.2f", d.standard[k]);
            number(cook, d.cook, 2);
            const char *cells[] = {k ? "" : name, k ? "" : angle, k ? "" : speed, row->label[k],
                                   residual,      standard,       k ? "" : cook,  k ? "" : d.mode};
            table_add(&t, fabs(d.standard[k]) > 3 ? ROW_BAD : ROW_PLAIN, cells);
        }
    }
    printf("\n");
    table_end(&t);
    printf("\nangles from the normal in degrees, speeds in m/s; residuals (prediction - measurement) in standard "
           "deviations\n");
}

/* "e, mu undetermined", of the coefficients that are so (or are not), after what the text has already. */
static void add_flag(const carom_fit_answer *a, bool determined, const char *flag, char text[FLAGS])
{
    int count = 0;
    for (int i = 0; i < a->result.shared_count; i++) {
        const carom_fit_estimate *p = &a->result.parameters[i];
        size_t used = strlen(text);
        if (p->state != CAROM_FIT_ESTIMATED && carom_fit_is_determined(p) == determined)
            snprintf(text + used, FLAGS - used, "%s%s", count++ ? ", " : used ? "; " : "", carom_fit_name(p->coeff));
    }
    if (count)
        snprintf(text + strlen(text), FLAGS - strlen(text), " %s", flag);
}

static void flags_of(const carom_fit_answer *a, char text[FLAGS])
{
    snprintf(text, FLAGS, "%s", a->tie ? "tie" : "");
    add_flag(a, false, "undetermined", text);
    add_flag(a, true, "on bound", text);
}

/* The coefficients with their deviations, "e 0.2686 ± 0.0016, mu 0.1637 ± 0.0008". */
static void coefficients_of(const carom_fit_answer *a, char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < a->result.shared_count && used < room; i++) {
        const carom_fit_estimate *p = &a->result.parameters[i];
        if (!carom_fit_is_determined(p))
            continue;
        used += (size_t)snprintf(text + used, room - used, "%s%s %.4g", used ? ", " : "", carom_fit_name(p->coeff),
                                 p->value);
        if (isfinite(p->std) && used < room)
            used += (size_t)snprintf(text + used, room - used, " ± %.1g", p->std);
    }
}

static void print_coefficients(const carom_fit_answers *all)
{
    char values[160], law[CAROM_FIT_LAW_NAME];
    int width = 0;
    for (int i = 0; i < all->count; i++) {
        carom_fit_law_name(carom_fit_law_of(&all->list[i].task), law);
        int length = (int)strlen(law);
        width = length > width ? length : width;
    }
    printf("\n");
    for (int i = 0; i < all->count; i++) {
        coefficients_of(&all->list[i], values, sizeof values);
        carom_fit_law_name(carom_fit_law_of(&all->list[i].task), law);
        if (values[0])
            printf("%-*s  %s\n", width, law, values);
    }
}

/* One line per reason, at the first law that has it. */
static void print_left_out(const carom_fit_answers *answers)
{
    const carom_fit_left_out *list = answers->left_out;
    for (int i = 0; i < answers->left_out_count; i++) {
        bool is_said = false;
        for (int j = 0; j < i; j++)
            is_said |= strcmp(list[j].why, list[i].why) == 0;
        if (is_said)
            continue;
        char text[LEFT_OUT], law[CAROM_FIT_LAW_NAME];
        carom_fit_law_name(list[i].law, law);
        snprintf(text, sizeof text, "left out: %s", law);
        for (int j = i + 1; j < answers->left_out_count; j++)
            if (strcmp(list[j].why, list[i].why) == 0) {
                carom_fit_law_name(list[j].law, law);
                snprintf(text + strlen(text), sizeof text - strlen(text), ", %s", law);
            }
        snprintf(text + strlen(text), sizeof text - strlen(text), " (%s)", list[i].why);
        text_wrapped(text, 0);
    }
}

void fit_answers_print(const carom_fit_answers *all, const carom_fit_data *data, const char *file)
{
    static const char *const heads[] = {"law", "k", "chi2", "AICc", "delta", "weight", "validated", ""};
    bool squares = all->list[0].task.loss == CAROM_FIT_SQUARES;
    table t = table_start("lrrrrrrw", heads);
    for (int i = 0; i < all->count; i++) {
        const carom_fit_answer *a = &all->list[i];
        const carom_fit_criteria *c = a->task.scale ? &a->result.criteria_scale : &a->result.criteria;
        char law[CAROM_FIT_LAW_NAME], k[CELL], chi2[CELL], aicc[CELL], delta[CELL], weight[CELL], score[CELL],
            flags[FLAGS];
        carom_fit_law_name(carom_fit_law_of(&a->task), law);
        snprintf(k, CELL, "%d", c->k);
        snprintf(chi2, CELL, "%.4f", squares ? a->result.chi2 : a->result.objective);
        snprintf(aicc, CELL, squares && isfinite(c->aicc) ? "%.3f" : "-", c->aicc);
        snprintf(delta, CELL, "%.3f", a->delta);
        snprintf(weight, CELL, squares ? "%.3f" : "-", a->weight);
        number(score, a->has_score ? a->score : INFINITY, 4);
        flags_of(a, flags);
        const char *row[] = {law, k, chi2, aicc, delta, weight, score, flags};
        table_add(&t, ROW_PLAIN, row);
    }
    print_head(data, file);
    printf("\n\n");
    table_end(&t);
    print_coefficients(all);
    printf("\n%s\n",
           squares ? "sorted by AICc; delta is the distance to the best, weight is Akaike's,\n"
                     "validated is the mean square residual of what was left out"
                   : "sorted by the robust objective, which stands under chi2; delta is the distance to the best");
    print_left_out(all);
}
