/* The one place that knows SUNDIALS, and the comparison of a law with a second answer. */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "oracle.h"

enum { EVENTS_MOST = 128, RESTARTS = 1000, STEPS = 2000000 };
#define LATEST   100.0 /* no contact here lasts so long */
#define RELATIVE 1e-13
#define ABSOLUTE 1e-15

static int rates(realtype t, N_Vector y, N_Vector dy, void *data)
{
    const oracle_system *s = data;
    (void)t;
    s->rates(s->model, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    return 0;
}

static int tests(realtype t, N_Vector y, realtype *g, void *data)
{
    const oracle_system *s = data;
    (void)t;
    s->tests(s->model, N_VGetArrayPointer(y), g);
    return 0;
}

static double run(const oracle_system *s, void *cvode, N_Vector y)
{
    realtype t = 0;
    for (int i = 0; i < RESTARTS; i++) {
        int found[EVENTS_MOST];
        if (CVode(cvode, LATEST, y, &t, CV_NORMAL) != CV_ROOT_RETURN)
            return NAN;
        CVodeGetRootInfo(cvode, found);
        oracle_next next = s->event(s->model, N_VGetArrayPointer(y), found);
        if (next != ORACLE_GO_ON)
            return next == ORACLE_OVER ? t : NAN;
        CVodeReInit(cvode, t, y);
    }
    return NAN;
}

double oracle_integrate(const oracle_system *s, double *state)
{
    SUNContext context;
    int falling[EVENTS_MOST];
    SUNContext_Create(NULL, &context);
    N_Vector y = N_VMake_Serial(s->states, state, context);
    void *cvode = CVodeCreate(CV_ADAMS, context);
    SUNMatrix A = SUNDenseMatrix(s->states, s->states, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
    for (int i = 0; i < s->events; i++)
        falling[i] = -1;
    CVodeInit(cvode, rates, 0, y);
    CVodeSStolerances(cvode, RELATIVE, ABSOLUTE);
    CVodeSetUserData(cvode, (void *)s);
    CVodeSetMaxNumSteps(cvode, STEPS);
    CVodeSetLinearSolver(cvode, solver, A);
    CVodeRootInit(cvode, s->events, tests);
    CVodeSetRootDirection(cvode, falling);
    double t = run(s, cvode, y);
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(A);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return t;
}

static double error_of(const carom_outcome *out, const oracle_answer *want)
{
    carom_cvec miss = carom_cvec_sub(want->p, out->p);
    double impulse = fmax(fmax(fabs(miss.t1), fabs(miss.t2)), fabs(miss.n)) / out->p.n;
    double time = fabs(want->duration - out->force.duration) / want->duration;
    return isnan(want->duration) ? INFINITY : fmax(impulse, time);
}

int oracle_compare(const char *id, oracle_case (*draw)(dice *d, const char *id),
                   bool (*second)(const oracle_case *c, const carom_outcome *out, oracle_answer *answer))
{
    dice d = {1997};
    int failed = 0, compared = 0;
    double worst = 0;
    for (int i = 0; i < DRAWS && compared < CASES; i++) {
        const oracle_case c = draw(&d, id);
        carom_outcome out;
        oracle_answer want;
        carom_status status = carom_solve(&c.pb, &c.rule, NULL, &out);
        if (!second(&c, &out, &want))
            continue;
        double error = error_of(&out, &want);
        compared++;
        worst = fmax(worst, error);
        if (status || !(error < AGREEMENT)) {
            printf("  %s %d: %s, %s, error %.2g\n", id, i, carom_status_id(status), out.mode, error);
            failed++;
        }
    }
    failed += compared < CASES;
    printf("%-18s %2d cases, largest difference %.1e\n", id, compared, worst);
    return failed;
}
