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
    const double *a = desk->a;
    const double H = ratio_of(desk) * desk->memory[M_STEP];
    for (size_t j = 0; j < n; ++j) /* the fast ones are overwritten */
        desk->y[j] =
            a[j] + ahead * (a[n + j] + ahead * (a[2 * n + j] + ahead * a[3 * n + j]));
    for (int k = 0; k < system->n_slow; ++k) {
        const size_t j = (size_t)(system->n_q + system->slow[k]);
        desk->u_s[k] =
            (a[n + j] + ahead * (2.0 * a[2 * n + j] + 3.0 * ahead * a[3 * n + j])) / H;
    }
}

/* Fast rates at an inner point: (39). */
static int fast_slopes(const Desk *desk, double t, double ahead)
{
    const System *system = desk->system;
    const int n_s = system->n_slow, n_f = system->n_fast, n_q = system->n_q;
    for (int k = 0; k < n_f; ++k) {
        desk->y[system->fast_q[k]] = desk->a[system->fast_q[k]];
        desk->y[n_q + system->fast[k]] = desk->a[n_q + system->fast[k]];
    }
    ++desk->counts[C_FAST];
    const int trouble = system->fast_rates(system, t, desk->y, desk->y + n_q,
                                           desk->work, desk->w, desk->N);
    if (desk->form == RESIDUAL)
        residual_slow(desk, ahead);
    for (int k = 0; k < n_f; ++k) {
        double sum = desk->w[k];
        for (int i = 0; i < n_s; ++i)
            sum -= desk->N[k * n_s + i] * desk->u_s[i]; /* second row of (36) */
        desk->rate[n_q + system->fast[k]] = sum;
        desk->rate[system->fast_q[k]] = desk->y[n_q + system->fast[k]];
    }
    return trouble;
}

static void predict_fast(const Desk *desk)
{
    const System *system = desk->system;
    const size_t n = m_size(system);
    for (int k = 0; k < system->n_fast; ++k) {
        nord_predict(desk->a, n, (size_t)system->fast_q[k]);
        nord_predict(desk->a, n, (size_t)(system->n_q + system->fast[k]));
    }
}

/* The fast rates into the history: by a correction, or by the last E. */
static void enter_fast(const Desk *desk, int last)
{
    const System *system = desk->system;
    const size_t n = m_size(system);
    const double h = desk->memory[M_STEP];
    for (int k = 0; k < system->n_fast; ++k) {
        const size_t q = (size_t)system->fast_q[k];
        const size_t u = (size_t)(system->n_q + system->fast[k]);
        const double hq = h * desk->rate[q], hu = h * desk->rate[u];
        if (last) {
            (void)nord_settle(desk->a, n, q, hq);
            (void)nord_settle(desk->a, n, u, hu);
        } else {
            (void)nord_correct(desk->a, n, q, hq);
            (void)nord_correct(desk->a, n, u, hu);
        }
    }
}

/* Fast variables to inner point `i`; slow ones stay where they are. */
static int inner_step(const Desk *desk, int i)
{
    const double t = m_time(desk->memory, (double)i);
    const double ahead = (double)i / ratio_of(desk);
    extrapolate(desk, ahead);
    predict_fast(desk);
    int trouble = FINE;
    for (int m = 0; m < desk->recipe.corrections && !trouble; ++m) {
        trouble = fast_slopes(desk, t, ahead);
        enter_fast(desk, 0);
    }
    if (desk->recipe.evaluate && !trouble) {
        trouble = fast_slopes(desk, t, ahead);
        enter_fast(desk, 1);
    }
    ++desk->counts[C_STEPS];
    return trouble;
}

/* All rates of the current iterate; the last evaluation also serves (1) of
   `residual.c`. */
static int all_slopes(const Desk *desk, double t, int last)
{
    const System *system = desk->system;
    const size_t n = m_size(system);
    if (!last || desk->form == PAPER)
        return all_rates(system, t, desk->a, desk->work, desk->rate, desk->counts);
    ++desk->counts[C_FULL];
    ++desk->counts[C_FAST];
    memcpy(desk->y, desk->a, n * sizeof *desk->y);
    const int trouble = system->split_rates(
        system, t, desk->y, desk->y + system->n_q, desk->work, desk->rate,
        desk->rate + system->n_q, kept_B(desk));
    return trouble ? trouble : residual_keep(desk, t);
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
            for (int i = 1; i < ratio && !trouble; ++i)
                trouble = inner_step(desk, i);
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
                    int64_t evaluate, int64_t form, double *memory, int64_t *counts)
{
    const size_t n = m_size(system);
    const size_t n_s = (size_t)system->n_slow, n_f = (size_t)system->n_fast;
    const size_t need = 2 * n + (1 + RK4_STAGES) * n + n_s + n_f + n_f * n_s + n_f;
    double *space = malloc((need + system->work) * sizeof *space);
    if (!space)
        return NO_MEMORY;
    Desk desk = {.system = system, .recipe = {(int)corrections, (int)evaluate},
                 .form = form && memory[M_RATIO] > 1.0 ? RESIDUAL : PAPER,
                 .memory = memory,
                 .a = m_state(memory), .span = space, .counts = counts};
    desk.y = desk.span + n;
    desk.rate = desk.y + n;
    desk.u_s = desk.rate + (1 + RK4_STAGES) * n;
    desk.w = desk.u_s + n_s;
    desk.N = desk.w + n_f;
    desk.told = desk.N + n_f * n_s;
    desk.work = desk.told + n_f;
    find_spans(&desk);
    const int trouble = run(&desk, macro_steps);
    free(space);
    return trouble;
}
