/* Dormand and Prince's method of order 8 with error control.

   The memory is a head and y; M_START is the time, M_STEP the step to try next (0: not
   known yet). */

#include "control.h"
#include "dop853_tables.h"
#include "erk.h"
#include "turns.h"

static const Tableau DOP853 = {
    .stages = DOP853_STAGES, .c = dop853_c, .A = dop853_a, .b = dop853_b};

typedef struct Trial {
    double *k, *y_new; /* slopes, the last of them at the end; the new state */
    double *e5, *e3;   /* errors */
    double *work;
} Trial;

/* Its error over what is allowed, as Hairer mixes those of order 5 and 3. */
static double error_of(const Trial *trial, const double *y, double h, size_t n,
                       Tolerance tolerance)
{
    double five = 0.0, three = 0.0;
    memset(trial->e5, 0, 2 * n * sizeof *trial->e5);
    for (int i = 0; i <= DOP853_STAGES; ++i)
        for (size_t j = 0; j < n; ++j) {
            trial->e5[j] += dop853_e5[i] * trial->k[(size_t)i * n + j];
            trial->e3[j] += dop853_e3[i] * trial->k[(size_t)i * n + j];
        }
    for (size_t j = 0; j < n; ++j) {
        const double scale = allowed(tolerance, y[j], trial->y_new[j]);
        five += trial->e5[j] / scale * (trial->e5[j] / scale);
        three += trial->e3[j] / scale * (trial->e3[j] / scale);
    }
    if (five == 0.0 && three == 0.0)
        return 0.0;
    return fabs(h) * five / sqrt((five + 0.01 * three) * (double)n);
}

/* How much longer the next step may be. */
static double growth(double error, double most)
{
    if (error == 0.0)
        return most;
    return fmin(most, fmax(0.2, 0.9 * pow(error, -1.0 / 8.0)));
}

/* One step that is good enough, not beyond t1; the first slope is known. */
static int accept(const System *system, double t1, Tolerance tolerance, double *memory,
                  const Trial *trial, int64_t *counts)
{
    const size_t n = m_size(system);
    double *y = m_state(memory), most = 10.0;
    for (;;) {
        const double t = memory[M_START];
        const double wish = fmin(memory[M_STEP], tolerance.longest);
        if (wish < shortest(t))
            return TOO_SMALL;
        const int last = wish >= t1 - t;
        const double h = last ? t1 - t : wish, t_new = last ? t1 : t + h;
        int trouble = erk_step(system, &DOP853, t, h, y, trial->k, trial->y_new,
                               trial->work, counts);
        turns_scale(system, trial->y_new, n, 1);
        if (!trouble)
            trouble = all_rates(system, t_new, trial->y_new, trial->work,
                                trial->k + DOP853_STAGES * n, counts);
        if (trouble)
            return trouble;
        const double error = error_of(trial, y, h, n, tolerance);
        if (error < 1.0) {
            /* a step that the end cut short says little about the next one */
            const double next = h * growth(error, most);
            memory[M_STEP] = last ? fmax(next, wish) : next;
            memory[M_START] = t_new;
            memcpy(y, trial->y_new, n * sizeof *y);
            memcpy(trial->k, trial->k + DOP853_STAGES * n, n * sizeof *y);
            ++counts[C_STEPS];
            return FINE;
        }
        ++counts[C_REJECTED];
        memory[M_STEP] = h * (error > 1.0 ? growth(error, 1.0) : 0.2); /* or NaN */
        most = 1.0;
    }
}

static int run(const System *system, double t1, Tolerance tolerance, double *memory,
               const Trial *trial, int64_t *counts)
{
    double *y = m_state(memory);
    int trouble = all_rates(system, memory[M_START], y, trial->work, trial->k, counts);
    if (!trouble && memory[M_STEP] == 0.0)
        trouble = control_first_step(system, tolerance, 7, memory[M_START], y, trial->k,
                                     &memory[M_STEP], trial->e5, trial->work, counts);
    for (int64_t step = 0; memory[M_START] < t1 && !trouble; ++step) {
        if (step == tolerance.patience)
            return TOO_MANY;
        trouble = accept(system, t1, tolerance, memory, trial, counts);
    }
    return trouble ? trouble : finite_all(y, m_size(system));
}

/* Go on until exactly t1 with errors of each step within the tolerances. */
int dop853_until(const System *system, double t1, double relative, double absolute,
                 double longest, int64_t patience, double *memory, int64_t *counts)
{
    const size_t n = m_size(system);
    const Tolerance tolerance = {relative, absolute, longest, patience};
    const size_t need = (DOP853_STAGES + 1 + 3) * n + system->work;
    double *space = malloc(need * sizeof *space);
    if (!space)
        return NO_MEMORY;
    Trial trial = {.k = space, .y_new = space + (DOP853_STAGES + 1) * n};
    trial.e5 = trial.y_new + n;
    trial.e3 = trial.e5 + n;
    trial.work = trial.e3 + n;
    const int trouble = memory[M_START] < t1
                            ? run(system, t1, tolerance, memory, &trial, counts)
                            : FINE;
    free(space);
    return trouble;
}
