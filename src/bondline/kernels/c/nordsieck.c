/* Nordsieck's form with a fixed step, kim2000 (29)-(33). */

#include "nordsieck.h"
#include "onestep.h"
#include "turns.h"

static void predict(double *restrict a, size_t n)
{
    for (size_t j = 0; j < n; ++j)
        nord_predict(a, n, j);
}

int nord_step(const System *system, double t_new, double h, Recipe recipe, double *a,
              double *rate, double *work, int64_t *counts)
{
    const size_t n = m_size(system);
    predict(a, n);
    for (int m = 0; m < recipe.corrections; ++m) {
        const int trouble = all_rates(system, t_new, a, work, rate, counts);
        if (trouble)
            return trouble;
        for (size_t j = 0; j < n; ++j) {
            const double residual = nord_correct(a, n, j, h * rate[j]);
            if (m > 0)
                continue;
            a[5 * n + j] = 19.0 / 720.0 * (residual - a[4 * n + j]); /* (1) */
            a[4 * n + j] = residual;
        }
    }
    if (recipe.evaluate) {
        const int trouble = all_rates(system, t_new, a, work, rate, counts);
        if (trouble)
            return trouble;
        for (size_t j = 0; j < n; ++j)
            a[5 * n + j] -= 3.0 / 8.0 * nord_settle(a, n, j, h * rate[j]);
    }
    turns_scale(system, a, n, 4);
    ++counts[C_STEPS];
    return FINE;
}

int nord_start(const System *system, double *memory, double *rate, double *work,
               int64_t *counts)
{
    const size_t n = m_size(system);
    const int phase = (int)memory[M_PHASE];
    const double t = m_time(memory, 0.0), h = memory[M_STEP];
    double *a = m_state(memory);
    int trouble = all_rates(system, t, a, work, rate, counts);
    if (trouble)
        return trouble;
    memcpy(a + (phase == 0 ? 3 : 2) * n, rate, n * sizeof *rate); /* f_0, f_1 */
    trouble = rk4_step(system, t, h, a, rate, rate + n, work, counts);
    memory[M_COUNT] += 1.0;
    memory[M_PHASE] += 1.0;
    if (trouble || phase == 0)
        return trouble;
    trouble = all_rates(system, m_time(memory, 0.0), a, work, a + n, counts);
    for (size_t j = 0; j < n; ++j)
        nord_transform(a, n, j, h);
    return trouble;
}

static int run(const System *system, int64_t steps, Recipe recipe, double *memory,
               double *space, int64_t *counts)
{
    const size_t n = m_size(system);
    double *rate = space, *work = space + (1 + RK4_STAGES) * n;
    const double h = memory[M_STEP];
    int trouble = FINE;
    for (int64_t step = 0; step < steps && !trouble; ++step) {
        if (memory[M_PHASE] < 2.0) {
            trouble = nord_start(system, memory, rate, work, counts);
            continue;
        }
        trouble = nord_step(system, m_time(memory, 1.0), h, recipe, m_state(memory),
                            rate, work, counts);
        memory[M_COUNT] += 1.0;
    }
    return trouble ? trouble : finite_all(m_state(memory), n);
}

/* `steps` steps; the memory is a head and NORD_ALL_ROWS rows. */
int nordsieck_steps(const System *system, int64_t steps, int64_t corrections,
                    int64_t evaluate, double *memory, int64_t *counts)
{
    const size_t n = m_size(system);
    const Recipe recipe = {(int)corrections, (int)evaluate};
    double *space = malloc(((1 + RK4_STAGES) * n + system->work) * sizeof *space);
    if (!space)
        return NO_MEMORY;
    const int trouble = run(system, steps, recipe, memory, space, counts);
    free(space);
    return trouble;
}
