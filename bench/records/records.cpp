// Engines on recorded motions, each tuned by the same search on the same records and judged on others:
//
//     records BODY.json LEARN.csv TEST.csv LAW EVALUATIONS [ENGINE...]
//
// BODY.json is the answer of `carom body`. The loss is that of `carom predict --fit` over 20 frames, the measures are those
// of `carom predict`.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "movers.hpp"

namespace
{

constexpr int HORIZON = 20;          // frames of the loss
constexpr double REFUSED = 10;       // loss of a record that the engine cannot move
constexpr double SCATTER_SHARE = 0.5; // of the evaluations: spread over the box; a simplex has the rest
constexpr double SIMPLEX_SIZE = 0.1; // of the box

using point = std::vector<double>;

std::string contents(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        std::fprintf(stderr, "records: %s: cannot be read\n", path);
        std::exit(2);
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

// A recording that was read and reduced, or the end of the program.
carom_recording recording(const char *body, const char *table)
{
    carom_recording r = {};
    carom_case_error error;
    std::string description = contents(body), rows = contents(table);
    carom_text about = {body, 1, description.data(), description.size()}, text = {table, 1, rows.data(), rows.size()};
    if (!carom_recording_describe(&r, &about, &error) || !carom_recording_read(&r, &text, &error) ||
        !carom_recording_reduce(&r, &error)) {
        std::fprintf(stderr, "records: %s\n", error.message);
        std::exit(2);
    }
    return r;
}

// ---- the search: the same for every engine ----

// Values of the parameters at a point of the unit box.
point values_at(const engine &e, const point &x)
{
    point values;
    for (size_t k = 0; k < x.size(); k++) {
        const parameter &p = e.parameters[k];
        values.push_back(p.least * std::pow(p.most / p.least, std::clamp(x[k], 0.0, 1.0)));
    }
    return values;
}

double halton(int i, int base)
{
    double sum = 0, part = 1;
    for (; i > 0; i /= base)
        sum += (part /= base) * (i % base);
    return sum;
}

struct search {
    std::function<double(const point &)> loss;
    int left; // evaluations
    std::vector<std::pair<double, point>> best; // a simplex, best first

    double at(const point &x)
    {
        left--;
        return loss(x);
    }

    void scatter(size_t n, int count)
    {
        static const int primes[] = {2, 3, 5, 7, 11, 13};
        for (int i = 1; i <= count; i++) {
            point x;
            for (size_t k = 0; k < n; k++)
                x.push_back(halton(i, primes[k]));
            double value = at(x);
            if (best.empty() || value < best[0].first)
                best.assign(1, {value, x});
        }
    }

    void begin_simplex(size_t n)
    {
        for (size_t k = 0; k < n; k++) {
            point x = best[0].second;
            x[k] += x[k] < 0.5 ? SIMPLEX_SIZE : -SIMPLEX_SIZE;
            best.push_back({at(x), x});
        }
    }

    // The worst corner through the middle of the others, by a factor.
    std::pair<double, point> through(double factor)
    {
        size_t n = best.size() - 1;
        point x(n);
        for (size_t k = 0; k < n; k++) {
            double middle = 0;
            for (size_t i = 0; i < n; i++)
                middle += best[i].second[k] / n;
            x[k] = std::clamp(middle + factor * (best[n].second[k] - middle), 0.0, 1.0);
        }
        return {at(x), x};
    }

    void shrink()
    {
        for (size_t i = 1; i < best.size() && left > 0; i++) {
            for (size_t k = 0; k < best[i].second.size(); k++)
                best[i].second[k] = (best[i].second[k] + best[0].second[k]) / 2;
            best[i].first = at(best[i].second);
        }
    }

    void step() // Nelder and Mead
    {
        std::sort(best.begin(), best.end());
        auto &worst = best.back();
        auto turned = through(-1);
        if (turned.first < best[0].first) {
            auto further = through(-2);
            worst = further.first < turned.first ? further : turned;
        } else if (turned.first < best[best.size() - 2].first)
            worst = turned;
        else {
            auto inside = through(turned.first < worst.first ? -0.5 : 0.5);
            if (inside.first < std::min(turned.first, worst.first))
                worst = inside;
            else
                shrink();
        }
    }
};

double mean_loss(const carom_recording &r, carom_prediction_plan plan)
{
    double sum = 0;
    int count = 0;
    plan.short_runs = true;
    plan.horizon = HORIZON;
    for (int i = 0; i < r.record_count; i += plan.every) {
        carom_prediction p = carom_recording_predict(&r, &plan, i);
        bool counts = p.state == CAROM_PREDICTION_MADE || p.state == CAROM_PREDICTION_REFUSED;
        sum += p.state == CAROM_PREDICTION_MADE && std::isfinite(p.loss) ? p.loss : counts ? REFUSED : 0;
        count += counts;
    }
    return count > 0 ? sum / count : INFINITY;
}

// The best values of an engine's parameters on these records.
point tune(const engine &e, const carom_recording &r, const carom_prediction_plan &plan, int evaluations, double *loss)
{
    size_t n = e.parameters.size();
    search s;
    s.left = evaluations;
    s.loss = [&](const point &x) {
        carom_prediction_plan at = plan;
        point values = values_at(e, x);
        e.set(&at, values.data());
        return mean_loss(r, at);
    };
    s.scatter(n, static_cast<int>(SCATTER_SHARE * evaluations));
    s.begin_simplex(n);
    while (s.left > 0)
        s.step();
    std::sort(s.best.begin(), s.best.end());
    *loss = s.best[0].first;
    return values_at(e, s.best[0].second);
}

// ---- the table ----

double of(const carom_json *t, const char *key, const char *part)
{
    return carom_json_number_value(carom_json_object_get(carom_json_object_get(t, key), part));
}

void print_row(const engine &e, const carom_recording &test, carom_prediction_plan plan, const point &values, double loss)
{
    carom_case_error error;
    plan.every = 1;
    e.set(&plan, values.data());
    carom_json *t = carom_prediction_report(&test, &plan, 1, &error);
    std::printf("%-14s %6.3f  %6.2f %6.2f  %6.2f %6.2f  %6.1f  %3.0f of %3.0f ", e.name, loss,
                of(t, "five_frames_mm", "median"), of(t, "five_frames_deg", "median"), of(t, "twenty_frames_mm", "median"),
                of(t, "twenty_frames_deg", "median"), of(t, "rest_place_mm", "median"), of(t, "rest_face", "right"),
                of(t, "rest_face", "records"));
    for (size_t k = 0; k < values.size(); k++)
        std::printf(" %s %.4g", e.parameters[k].name, values[k]);
    std::printf("\n");
    std::fflush(stdout);
    carom_json_free(t);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 6) {
        std::fprintf(stderr, "usage: records BODY.json LEARN.csv TEST.csv LAW EVALUATIONS [ENGINE...]\n");
        return 2;
    }
    carom_recording learn = recording(argv[1], argv[2]), test = recording(argv[1], argv[3]);
    carom_prediction_plan plan = carom_prediction_plan_default();
    plan.rule.law = carom_law_find(argv[4]);
    if (!plan.rule.law || std::atoi(argv[5]) < 20) {
        std::fprintf(stderr, "records: no law \"%s\", or fewer than 20 evaluations\n", argv[4]);
        return 2;
    }
    std::printf("%-14s %6s  %6s %6s  %6s %6s  %6s  %-10s  tuned\n", "", "loss", "5: mm", "deg", "20: mm", "deg", "rest", "face");
    for (const engine &e : {carom_engine(argv[4]), mujoco_engine(), bullet_engine(), ode_engine()}) {
        auto wanted = [&](const char *name) { return !std::strcmp(name, e.name); };
        if (argc > 6 && std::none_of(argv + 6, argv + argc, wanted))
            continue;
        double loss;
        point values = tune(e, learn, plan, std::atoi(argv[5]), &loss);
        print_row(e, test, plan, values, loss);
    }
    carom_recording_free(&learn);
    carom_recording_free(&test);
    return 0;
}
