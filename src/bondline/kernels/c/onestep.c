/* Fixed steps of one-step formulas: the classical one and Dormand and Prince's. */

#include "onestep.h"
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
