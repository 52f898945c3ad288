/* The history of two rates from RK4 with the fast step over two macro steps.

   Slopes of slow components are taken at t_0, t_0 + H, t_0 + 2H, those of fast ones at
   the last three fast steps. Each sample is an evaluation of its own. */

#include "multirate.h"
#include "onestep.h"

static void take_fast(const Desk *desk, size_t row)
{
    const System *system = desk->system;
    double *a = desk->a + row * m_size(system);
    for (int k = 0; k < system->n_fast; ++k) {
        const size_t q = (size_t)system->fast_q[k];
        const size_t u = (size_t)(system->n_q + system->fast[k]);
        a[q] = desk->rate[q];
        a[u] = desk->rate[u];
    }
}

/* The rates where the start-up is now. */
static int sample(const Desk *desk, double t, int macro_point)
{
    if (macro_point && desk->form == RESIDUAL)
        return residual_rates(desk, t);
    return all_rates(desk->system, t, desk->a, desk->work, desk->rate, desk->counts);
}

static int fast_step(const Desk *desk, int j, int ratio)
{
    const double t = m_time(desk->memory, 0.0);
    int trouble = sample(desk, t, j % ratio == 0);
    if (trouble)
        return trouble;
    if (j % ratio == 0) /* of fast components also, which come again */
        memcpy(desk->a + (j == 0 ? 3 : 2) * m_size(desk->system), desk->rate,
               m_size(desk->system) * sizeof *desk->rate);
    if (j >= 2 * ratio - 2)
        take_fast(desk, j == 2 * ratio - 2 ? 3 : 2);
    trouble = all_rates(desk->system, t, desk->a, desk->work, desk->rate, desk->counts);
    if (trouble)
        return trouble;
    desk->memory[M_COUNT] += 1.0;
    return rk4_step(desk->system, t, desk->memory[M_STEP], desk->a, desk->rate,
                    desk->rate + m_size(desk->system), desk->work, desk->counts);
}

static int complete(const Desk *desk)
{
    const size_t n = m_size(desk->system);
    const int trouble = sample(desk, m_time(desk->memory, 0.0), 1);
    memcpy(desk->a + n, desk->rate, n * sizeof *desk->rate);
    for (size_t j = 0; j < n; ++j)
        nord_transform(desk->a, n, j, desk->span[j]);
    return trouble;
}

int multirate_start(const Desk *desk)
{
    const int ratio = (int)desk->memory[M_RATIO];
    const int first = desk->memory[M_PHASE] > 0.0 ? ratio : 0;
    int trouble = FINE;
    for (int j = first; j < first + ratio && !trouble; ++j)
        trouble = fast_step(desk, j, ratio);
    desk->memory[M_PHASE] += 1.0;
    if (trouble || first == 0)
        return trouble;
    return complete(desk);
}
