/* Fixed steps of one-step formulas: the classical one and Dormand and Prince's. */

#include "onestep.h"
#include "erk.h"
#include "turns.h"

int rk4_step(const System *system, double t, double h, double *y, const double *first,
             double *stages, double *work, int64_t *counts)
{
    const size_t n = m_size(system);
    double *at = stages, *k2 = stages + n, *k3 = stages + 2 * n, *k4 = stages + 3 * n;
    const double *slopes[3] = {first, k2, k3};
    double *next[3] = {k2, k3, k4};
    const double parts[3] = {0.5, 0.5, 1.0};
    for (int stage = 0; stage < 3; ++stage) {
        const double step = parts[stage] * h, *slope = slopes[stage];
        for (size_t j = 0; j < n; ++j)
            at[j] = y[j] + step * slope[j];
        const int trouble = all_rates(system, t + step, at, work, next[stage], counts);
        if (trouble)
            return trouble;
    }
    for (size_t j = 0; j < n; ++j)
        y[j] += h / 6.0 * (first[j] + 2.0 * (k2[j] + k3[j]) + k4[j]);
    turns_scale(system, y, n, 1);
    ++counts[C_STEPS];
    return FINE;
}

static int rk4_run(const System *system, int64_t steps, double *memory, double *space,
                   int64_t *counts)
{
    const size_t n = m_size(system);
    double *y = m_state(memory), *first = space, *stages = space + n;
    double *work = stages + RK4_STAGES * n;
    for (int64_t step = 0; step < steps; ++step) {
        const double t = m_time(memory, 0.0);
        int trouble = all_rates(system, t, y, work, first, counts);
        if (!trouble)
            trouble =
                rk4_step(system, t, memory[M_STEP], y, first, stages, work, counts);
        if (trouble)
            return trouble;
        memory[M_COUNT] += 1.0;
    }
    return finite_all(y, n);
}

/* `steps` steps of the classical formula; the memory is a head and y. */
int rk4_steps(const System *system, int64_t steps, double *memory, int64_t *counts)
{
    const size_t n = m_size(system);
    double *space = malloc(((1 + RK4_STAGES) * n + system->work) * sizeof *space);
    if (!space)
        return NO_MEMORY;
    const int trouble = rk4_run(system, steps, memory, space, counts);
    free(space);
    return trouble;
}

/* Dormand and Prince's formula of order 5; A as in `numerics/ode.py`. */
static const Tableau DORMAND_PRINCE = {
    .stages = 6,
    .c = (const double[]){0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0},
    .A = (const double[]){1.0 / 5.0,
                          3.0 / 40.0, 9.0 / 40.0,
                          44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0,
                          19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0,
                          -212.0 / 729.0,
                          9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0,
                          49.0 / 176.0, -5103.0 / 18656.0},
    .b = (const double[]){35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0,
                          -2187.0 / 6784.0, 11.0 / 84.0}};

static int dp5_run(const System *system, int64_t steps, double *memory, double *space,
                   int64_t *counts)
{
    const size_t n = m_size(system);
    double *y = m_state(memory), *k = space, *y_new = space + 6 * n, *work = y_new + n;
    if (steps == 0)
        return FINE;
    int trouble = all_rates(system, m_time(memory, 0.0), y, work, k, counts);
    for (int64_t step = 0; step < steps && !trouble; ++step) {
        trouble = erk_step(system, &DORMAND_PRINCE, m_time(memory, 0.0), memory[M_STEP],
                           y, k, y_new, work, counts);
        turns_scale(system, y_new, n, 1);
        memcpy(y, y_new, n * sizeof *y);
        memory[M_COUNT] += 1.0;
        ++counts[C_STEPS];
        if (!trouble && step + 1 < steps) /* the last slope is the next step's first */
            trouble = all_rates(system, m_time(memory, 0.0), y, work, k, counts);
    }
    return trouble ? trouble : finite_all(y, n);
}

/* `steps` steps of Dormand and Prince's formula; the memory is a head and y. */
int dp5_steps(const System *system, int64_t steps, double *memory, int64_t *counts)
{
    double *space = malloc((7 * m_size(system) + system->work) * sizeof *space);
    if (!space)
        return NO_MEMORY;
    const int trouble = dp5_run(system, steps, memory, space, counts);
    free(space);
    return trouble;
}
