/* Macro steps of two rates, kim2000 (38)-(42). */

#include "multirate.h"
#include "onestep.h"
#include "turns.h"

static double ratio_of(const Desk *desk) { return desk->memory[M_RATIO]; }

/* Slow values at `ahead` macro steps from the last point, (41), and with them, in the
   paper's form, slow accelerations, (42) of the velocities. */
static void extrapolate(const Desk *desk, double ahead)
{
    const System *system = desk->system;
    const size_t n = m_size(system);
    const double *restrict a = desk->a;
    double *restrict y = desk->y;
    const double over = 1.0 / (ratio_of(desk) * desk->memory[M_STEP]);
    for (size_t j = 0; j < n; ++j) /* the fast ones are overwritten */
        y[j] =
            a[j] + ahead * (a[n + j] + ahead * (a[2 * n + j] + ahead * a[3 * n + j]));
    for (int k = 0; k < system->n_slow; ++k) {
        const size_t j = (size_t)(system->n_q + system->slow[k]);
        desk->u_s[k] =
            over *
            (a[n + j] + ahead * (2.0 * a[2 * n + j] + 3.0 * ahead * a[3 * n + j]));
    }
}

/* Fast rates at an inner point: (39); `again` if it is where the last ones were. */
static int fast_slopes(const Desk *desk, double t, double ahead, int again)
{
    const System *system = desk->system;
    const int n_s = system->n_slow, n_f = system->n_fast, n_q = system->n_q;
    double *y = desk->y, *rate = desk->fast_rate;
    const double *f = desk->fast_rows;
    for (int k = 0; k < n_f; ++k) {
        y[system->fast_q[k]] = f[k];
        y[n_q + system->fast[k]] = rate[k] = f[n_f + k];
    }
    ++desk->counts[C_FAST];
    const int trouble = fast_rows_at(desk, t, y, again);
    if (desk->form == RESIDUAL)
        residual_slow(desk, ahead);
    for (int k = 0; k < n_f; ++k) {
        double sum = desk->w[k];
        for (int i = 0; i < n_s; ++i)
            sum -= desk->N[k * n_s + i] * desk->u_s[i]; /* second row of (36) */
        rate[n_f + k] = sum;
    }
    return trouble;
}

/* Fast variables to inner point `i`; slow ones stay where they are. */
static int inner_step(const Desk *desk, int i)
{
    const double t = m_time(desk->memory, (double)i), h = desk->memory[M_STEP];
    const double ahead = (double)i / ratio_of(desk);
    const size_t m = 2 * (size_t)desk->system->n_fast;
    double *restrict f = desk->fast_rows;
    const double *restrict rate = desk->fast_rate;
    extrapolate(desk, ahead);
    for (size_t j = 0; j < m; ++j)
        nord_predict(f, m, j);
    for (int k = 0; k < desk->recipe.corrections; ++k) {
        const int trouble = fast_slopes(desk, t, ahead, k > 0);
        if (trouble)
            return trouble;
        for (size_t j = 0; j < m; ++j)
            (void)nord_correct(f, m, j, h * rate[j]);
    }
    ++desk->counts[C_STEPS];
    if (!desk->recipe.evaluate)
        return FINE;
    const int trouble = fast_slopes(desk, t, ahead, 1);
    for (size_t j = 0; j < m; ++j)
        (void)nord_settle(f, m, j, h * rate[j]);
    return trouble;
}

/* Copies the rows of fast variables side by side, or back. */
static void gather(const Desk *desk, int back)
{
    const System *system = desk->system;
    const size_t n = m_size(system), n_f = (size_t)system->n_fast;
    for (size_t row = 0; row < NORD_ROWS; ++row)
        for (size_t k = 0; k < n_f; ++k) {
            double *q = desk->a + row * n + system->fast_q[k];
            double *u = desk->a + row * n + system->n_q + system->fast[k];
            double *f = desk->fast_rows + row * 2 * n_f + k;
            if (back)
                *q = f[0], *u = f[n_f];
            else
                f[0] = *q, f[n_f] = *u;
        }
}

/* Fast variables through all inner points. */
static int inner_steps(const Desk *desk, int ratio)
{
    int trouble = FINE;
    gather(desk, 0);
    for (int i = 1; i < ratio && !trouble; ++i)
        trouble = inner_step(desk, i);
    gather(desk, 1);
    return trouble;
}

/* All rates of the current iterate; in residual extrapolation the last ones are kept. */
static int all_slopes(const Desk *desk, double t, int last)
{
    if (last && desk->form == RESIDUAL)
        return residual_rates(desk, t);
    return all_rates(desk->system, t, desk->a, desk->work, desk->rate, desk->counts);
}

/* H for slow components, h for fast ones. */
static void find_spans(const Desk *desk)
{
    const System *system = desk->system;
    const double h = desk->memory[M_STEP], H = ratio_of(desk) * h;
    for (size_t j = 0; j < m_size(system); ++j)
        desk->span[j] = H;
    for (int k = 0; k < system->n_fast; ++k) {
        desk->span[system->fast_q[k]] = h;
        desk->span[system->n_q + system->fast[k]] = h;
    }
}

/* All variables to the end of the macro step, together. */
static int outer_step(const Desk *desk)
{
    const size_t n = m_size(desk->system);
    const double t = m_time(desk->memory, ratio_of(desk));
    const Recipe recipe = desk->recipe;
    for (size_t j = 0; j < n; ++j)
        nord_predict(desk->a, n, j);
    for (int m = 0; m < recipe.corrections; ++m) {
        const int last = !recipe.evaluate && m + 1 == recipe.corrections;
        const int trouble = all_slopes(desk, t, last);
        if (trouble)
            return trouble;
        for (size_t j = 0; j < n; ++j)
            (void)nord_correct(desk->a, n, j, desk->span[j] * desk->rate[j]);
    }
    if (recipe.evaluate) {
        const int trouble = all_slopes(desk, t, 1);
        if (trouble)
            return trouble;
        for (size_t j = 0; j < n; ++j)
            (void)nord_settle(desk->a, n, j, desk->span[j] * desk->rate[j]);
    }
    turns_scale(desk->system, desk->a, n, 4);
    ++desk->counts[C_STEPS];
    return FINE;
}

static int run(const Desk *desk, int64_t macro_steps)
{
    const int ratio = (int)ratio_of(desk);
    for (int64_t step = 0; step < macro_steps; ++step) {
        int trouble = FINE;
        if (desk->memory[M_PHASE] < 2.0) {
            trouble = multirate_start(desk);
        } else {
            trouble = ratio > 1 ? inner_steps(desk, ratio) : FINE;
            if (!trouble)
                trouble = outer_step(desk);
            desk->memory[M_COUNT] += (double)ratio;
        }
        if (trouble)
            return trouble;
    }
    return finite_all(desk->a, m_size(desk->system));
}

/* `macro_steps` steps of the slow variables, each of M_RATIO steps of the fast ones.
   The memory is a head, NORD_ROWS rows, and what `multirate.h` says. */
int multirate_steps(const System *system, int64_t macro_steps, int64_t corrections,
                    int64_t evaluate, double *memory, int64_t *counts)
{
    const size_t n = m_size(system);
    const size_t n_s = (size_t)system->n_slow, n_f = (size_t)system->n_fast;
    const size_t need = 2 * n + (1 + RK4_STAGES) * n + n_s + n_f + n_f * n_s + n_f +
                        2 * (NORD_ROWS + 1) * n_f;
    double *space = malloc((need + system->work) * sizeof *space);
    if (!space)
        return NO_MEMORY;
    const int inner = memory[M_RATIO] > 1.0; /* else nothing is extrapolated */
    Desk desk = {.system = system,
                 .recipe = {(int)corrections, (int)evaluate},
                 .form = inner && memory[M_FORM] > 0.0 ? RESIDUAL : PAPER,
                 .memory = memory,
                 .a = m_state(memory),
                 .span = space,
                 .counts = counts};
    desk.y = desk.span + n;
    desk.rate = desk.y + n;
    desk.u_s = desk.rate + (1 + RK4_STAGES) * n;
    desk.w = desk.u_s + n_s;
    desk.N = desk.w + n_f;
    desk.told = desk.N + n_f * n_s;
    desk.fast_rows = desk.told + n_f;
    desk.fast_rate = desk.fast_rows + 2 * NORD_ROWS * n_f;
    desk.work = desk.fast_rate + 2 * n_f;
    find_spans(&desk);
    const int trouble = run(&desk, macro_steps);
    free(space);
    return trouble;
}
