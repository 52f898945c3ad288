/* Generalized-alpha for u' = f(t, q, u) with positions that may turn by quaternions.

   Chung and Hulbert's method in the form of Arnold and Bruels: auxiliary
   accelerations a, with q moved by the exponential map,

       (1 - am) a_1 + am a_0 = (1 - af) f_1 + af f_0                                (1)
       q_1 = q_0 + h u_0 + h^2 ((1/2 - b) a_0 + b a_1)                              (2)
       u_1 = u_0 + h ((1 - g) a_0 + g a_1)                                          (3)

   solved for a_1 by Newton's method; the derivative of (1) is differenced and kept
   until it is too old. The memory is a head, q, u, f_0, a_0, the derivative's factors
   (n_u x n_u) and their order; M_SINCE says whether there are any. */

#include "lu.h"
#include "memory.h"
#include "turns.h"

#include <math.h>

/* Weights of the method and what a solution is held to. */
typedef struct Alpha {
    double am, af, b, g;
    double tolerance; /* of velocities, relative to 1 + |u| */
} Alpha;

typedef struct Newton {
    const System *system;
    Alpha alpha;
    double t1, h;
    const double *q0, *u0;
    double *f0, *a0, *factors, *order; /* in the memory */
    double *y1, *rate;                 /* of the trial */
    double *a1, *residual, *by, *work;
    int64_t *counts;
} Newton;

/* Residual of (1) for the trial a_1; its state is y1, its rates are in `rate`. */
static int residual_of(const Newton *newton, double *residual)
{
    const Alpha w = newton->alpha;
    const System *system = newton->system;
    const double h = newton->h;
    const int n = system->n_u;
    double *u1 = newton->y1 + system->n_q;
    for (int i = 0; i < n; ++i) {
        const double a0 = newton->a0[i], a1 = newton->a1[i], u0 = newton->u0[i];
        newton->by[i] = h * u0 + h * h * ((0.5 - w.b) * a0 + w.b * a1); /* (2) */
        u1[i] = u0 + h * ((1.0 - w.g) * a0 + w.g * a1);                 /* (3) */
    }
    turns_move(system, newton->q0, newton->by, newton->y1);
    const int trouble = all_rates(system, newton->t1, newton->y1, newton->work,
                                  newton->rate, newton->counts);
    const double *f1 = newton->rate + system->n_q;
    for (int i = 0; i < n; ++i)
        residual[i] = (1.0 - w.am) * newton->a1[i] + w.am * newton->a0[i] -
                      (1.0 - w.af) * f1[i] - w.af * newton->f0[i]; /* (1) */
    return trouble;
}

/* Differences of the residual by the trial accelerations, factored. */
static int derive(const Newton *newton)
{
    const int n = newton->system->n_u;
    double *J = newton->factors;
    int trouble = residual_of(newton, newton->residual);
    for (int c = 0; c < n && !trouble; ++c) {
        const double held = newton->a1[c];
        /* moves velocities by 1e-6 of their size */
        const double step =
            1e-6 * (1.0 + fabs(newton->u0[c])) / (newton->alpha.g * newton->h);
        newton->a1[c] = held + step;
        trouble = residual_of(newton, newton->order); /* free until factored */
        const double exact = newton->a1[c] - held;
        newton->a1[c] = held;
        for (int r = 0; r < n; ++r)
            J[r * n + c] = (newton->order[r] - newton->residual[r]) / exact;
    }
    if (trouble)
        return trouble;
    return lu_factor(J, newton->order, n) ? FINE : NOT_SOLVED;
}

/* Corrections until one is small; says NOT_SOLVED when they shrink too slowly. */
static int iterate(const Newton *newton, int most)
{
    const int n = newton->system->n_u;
    double before = 0.0;
    for (int k = 0; k < most; ++k) {
        const int trouble = residual_of(newton, newton->residual);
        if (trouble)
            return trouble;
        lu_solve(newton->factors, newton->order, n, newton->residual);
        double size = 0.0;
        for (int i = 0; i < n; ++i) {
            const double change = newton->alpha.g * newton->h * newton->residual[i];
            newton->a1[i] -= newton->residual[i];
            size = fmax(size, fabs(change) / (1.0 + fabs(newton->u0[i])));
        }
        if (!(size - size == 0.0))
            return NOT_SOLVED;
        if (size <= newton->alpha.tolerance)
            return residual_of(newton, newton->residual);
        if (k > 0 && size > 0.5 * before)
            return NOT_SOLVED;
        before = size;
    }
    return NOT_SOLVED;
}

/* One step: with the old derivative first, then with fresh ones. */
static int step(const Newton *newton, double *memory)
{
    const size_t n = (size_t)newton->system->n_u;
    memcpy(newton->a1, newton->a0, n * sizeof *newton->a1);
    int trouble = memory[M_SINCE] > 0.0 ? iterate(newton, 6) : NOT_SOLVED;
    for (int fresh = 0; fresh < 4 && trouble == NOT_SOLVED; ++fresh) {
        if (fresh == 0) /* from the old accelerations again */
            memcpy(newton->a1, newton->a0, n * sizeof *newton->a1);
        trouble = derive(newton);
        memory[M_SINCE] = trouble ? 0.0 : 1.0;
        if (!trouble)
            trouble = iterate(newton, 12);
    }
    return trouble;
}

static int run(Newton *newton, int64_t steps, double *memory)
{
    const System *system = newton->system;
    const size_t n = m_size(system), n_u = (size_t)system->n_u;
    double *y = m_state(memory);
    int trouble = FINE;
    if (memory[M_PHASE] == 0.0) {
        trouble = all_rates(system, m_time(memory, 0.0), y, newton->work, newton->rate,
                            newton->counts);
        memcpy(newton->f0, newton->rate + system->n_q, n_u * sizeof *y);
        memcpy(newton->a0, newton->f0, n_u * sizeof *y);
        memory[M_PHASE] = 1.0;
    }
    for (int64_t k = 0; k < steps && !trouble; ++k) {
        newton->t1 = m_time(memory, 1.0);
        trouble = step(newton, memory);
        turns_scale(system, newton->y1, n, 1);
        memcpy(y, newton->y1, n * sizeof *y);
        memcpy(newton->f0, newton->rate + system->n_q, n_u * sizeof *y);
        memcpy(newton->a0, newton->a1, n_u * sizeof *y);
        memory[M_COUNT] += 1.0;
        ++newton->counts[C_STEPS];
    }
    return trouble ? trouble : finite_all(y, n);
}

/* `steps` steps; evaluations for the derivative are among those counted. */
int genalpha_steps(const System *system, int64_t steps, double am, double af, double b,
                   double g, double tolerance, double *memory, int64_t *counts)
{
    const size_t n = m_size(system), n_u = (size_t)system->n_u;
    double *space = malloc((2 * n + 3 * n_u + system->work) * sizeof *space);
    if (!space)
        return NO_MEMORY;
    double *y = m_state(memory);
    Newton newton = {.system = system,
                     .alpha = {am, af, b, g, tolerance},
                     .h = memory[M_STEP],
                     .q0 = y,
                     .u0 = y + system->n_q,
                     .f0 = y + n,
                     .y1 = space,
                     .rate = space + n,
                     .a1 = space + 2 * n,
                     .counts = counts};
    newton.a0 = newton.f0 + n_u;
    newton.factors = newton.a0 + n_u;
    newton.order = newton.factors + n_u * n_u;
    newton.residual = newton.a1 + n_u;
    newton.by = newton.residual + n_u;
    newton.work = newton.by + n_u;
    const int trouble = run(&newton, steps, memory);
    free(space);
    return trouble;
}
