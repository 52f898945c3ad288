/* Nordsieck's form with error control, by the safe rules of step change.

   Steps are PECE, their errors as in (1) of `nordsieck.h`. A step grows at most
   twofold, and not within four steps of the last change: growing at every step by alpha
   multiplies parasitic solutions by alpha^2 (alpha - 1) / 2, three equal steps erase
   them. Shrinking is always safe. Steps divide what is left of the window, so that it
   ends on a step. */

#include "control.h"
#include "nordsieck.h"
#include "onestep.h"

enum { COMPLETE = 2, MEASURED = 3 }; /* phases: D_n-1 is not known yet, or is */

static const Recipe PECE = {1, 1};

typedef struct Pace {
    const System *system;
    Tolerance tolerance;
    double t1;
    double *memory, *a;
    double *saved; /* the rows before a step */
    double *rate, *work;
    int64_t *counts;
} Pace;

/* Continue with steps of about `wish`, never longer, that end at t1. */
static void fit(const Pace *pace, double wish, double least)
{
    double *memory = pace->memory;
    const double t = m_time(memory, 0.0), left = pace->t1 - t;
    const double count = fmax(ceil(left / wish - 1e-9), least), h = left / count;
    const double alpha = h / memory[M_STEP];
    if (memory[M_PHASE] >= COMPLETE)
        nord_rescale(pace->a, m_size(pace->system), alpha);
    memory[M_START] = t;
    memory[M_COUNT] = 0.0;
    memory[M_STEP] = h;
    if (!(fabs(alpha - 1.0) < 1e-6)) /* else it goes on as before */
        memory[M_SINCE] = 0.0;
}

/* The estimated error of the step just taken over what is allowed. */
static double error_of(const Pace *pace)
{
    const size_t n = m_size(pace->system);
    double sum = 0.0;
    for (size_t j = 0; j < n; ++j) {
        const double part =
            pace->a[5 * n + j] / allowed(pace->tolerance, pace->saved[j], pace->a[j]);
        sum += part * part;
    }
    return sqrt(sum / (double)n);
}

static double growth(double error)
{
    return error == 0.0 ? 2.0 : fmin(2.0, fmax(0.2, 0.8 * pow(error, -0.2)));
}

/* Steps may grow where that shortens what is left by a fifth or more. */
static void grow(const Pace *pace, double error)
{
    const double h = pace->memory[M_STEP];
    const double wish = fmin(h * growth(error), pace->tolerance.longest);
    const double left = pace->t1 - m_time(pace->memory, 0.0);
    pace->memory[M_WISH] = wish;
    if (pace->memory[M_SINCE] >= 4.0 && left > 1.5 * h && wish > 1.2 * h)
        if (left / ceil(left / wish - 1e-9) > 1.1 * h)
            fit(pace, wish, 1.0);
}

/* One step that is good enough. */
static int accept(const Pace *pace)
{
    double *memory = pace->memory;
    const size_t size = NORD_ALL_ROWS * m_size(pace->system) * sizeof *memory;
    for (int failures = 0;; ++failures) {
        memcpy(pace->saved, pace->a, size);
        const int trouble =
            nord_step(pace->system, m_time(memory, 1.0), memory[M_STEP], PECE, pace->a,
                      pace->rate, pace->work, pace->counts);
        if (trouble)
            return trouble;
        const double error = memory[M_PHASE] == MEASURED ? error_of(pace) : 0.5;
        if (error <= 1.0) {
            memory[M_PHASE] = MEASURED;
            memory[M_COUNT] += 1.0;
            memory[M_SINCE] += 1.0;
            grow(pace, error);
            return FINE;
        }
        memcpy(pace->a, pace->saved, size);
        --pace->counts[C_STEPS];
        ++pace->counts[C_REJECTED];
        fit(pace, memory[M_STEP] * (error > 1.0 ? growth(error) : 0.2), 1.0);
        if (memory[M_STEP] < shortest(memory[M_START]))
            return TOO_SMALL;
        if (failures == 3) { /* the history is of no use here */
            memory[M_PHASE] = 0.0;
            fit(pace, memory[M_STEP], 2.0);
            return FINE;
        }
    }
}

/* The first step, if none is known. */
static int begin(const Pace *pace)
{
    const size_t n = m_size(pace->system);
    double *memory = pace->memory, wish = memory[M_STEP];
    int trouble = FINE;
    if (memory[M_PHASE] < COMPLETE) {
        const double t = m_time(memory, 0.0);
        memory[M_PHASE] = 0.0;
        if (wish == 0.0)
            trouble = all_rates(pace->system, t, pace->a, pace->work, pace->rate,
                                pace->counts);
        if (wish == 0.0 && !trouble)
            trouble = control_first_step(pace->system, pace->tolerance, 4, t, pace->a,
                                         pace->rate, &wish, pace->rate + n, pace->work,
                                         pace->counts);
    }
    const int whole = memory[M_PHASE] >= COMPLETE;
    if (whole && memory[M_SINCE] >= 4.0)
        wish = fmax(wish, memory[M_WISH]);
    if (!trouble)
        fit(pace, fmin(wish, pace->tolerance.longest), whole ? 1.0 : 2.0);
    return trouble;
}

static int run(const Pace *pace)
{
    double *memory = pace->memory;
    int trouble = begin(pace);
    for (int64_t step = 0; !trouble; ++step) {
        const double left = pace->t1 - m_time(memory, 0.0);
        if (left < 0.5 * memory[M_STEP])
            break;
        if (step == pace->tolerance.patience)
            return TOO_MANY;
        trouble =
            memory[M_PHASE] < COMPLETE
                ? nord_start(pace->system, memory, pace->rate, pace->work, pace->counts)
                : accept(pace);
    }
    memory[M_START] = trouble ? m_time(memory, 0.0) : pace->t1; /* exactly */
    memory[M_COUNT] = 0.0;
    return trouble ? trouble : finite_all(pace->a, m_size(pace->system));
}

/* Go on until exactly t1; the memory is a head and NORD_ALL_ROWS rows. */
int nordsieck_until(const System *system, double t1, double relative, double absolute,
                    double longest, int64_t patience, double *memory, int64_t *counts)
{
    const size_t n = m_size(system);
    const size_t need = (NORD_ALL_ROWS + 1 + RK4_STAGES) * n + system->work;
    if (!(m_time(memory, 0.0) < t1))
        return FINE;
    double *space = malloc(need * sizeof *space);
    if (!space)
        return NO_MEMORY;
    const Pace pace = {.system = system,
                       .tolerance = {relative, absolute, longest, patience},
                       .t1 = t1,
                       .memory = memory,
                       .a = m_state(memory),
                       .saved = space,
                       .rate = space + NORD_ALL_ROWS * n,
                       .work = space + (NORD_ALL_ROWS + 1 + RK4_STAGES) * n,
                       .counts = counts};
    const int trouble = run(&pace);
    free(space);
    return trouble;
}
