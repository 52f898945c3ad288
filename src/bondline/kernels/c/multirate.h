/* Two rates: fast variables with step h, slow ones with H = ratio * h, kim2000
   (36)-(42) in the form of Nordsieck.

   The history has the four rows of `nordsieck.h`; slow components are scaled with powers of
   H, fast ones with powers of h. Residual extrapolation keeps, behind the rows, what
   the last three macro points said: u'_s (3 x n_slow), w (3 x n_fast), newest first,
   and B of the last one (n_slow x n_fast). */

#ifndef BONDLINE_MULTIRATE_H
#define BONDLINE_MULTIRATE_H

#include "nordsieck.h"

/* How the slow accelerations inside a macro step are told. */
typedef enum Form {
    PAPER = 0,   /* extrapolated from the history, (42) */
    RESIDUAL = 1 /* only what the fast forces do not cause is extrapolated */
} Form;

/* What a macro step works with; arrays live as long as a call. */
typedef struct Desk {
    const System *system;
    Recipe recipe;
    Form form;
    double *memory, *a; /* the whole, and its rows */
    double *span;       /* step of each component */
    double *y;          /* state of the current evaluation */
    double *rate;       /* all rates, and stages of the start-up */
    double *fast_rows;  /* of the fast variables only, positions then velocities */
    double *fast_rate;
    double *u_s;   /* slow accelerations at an inner point */
    double *w, *N; /* of the fast rows */
    double *told;  /* w as the last three macro points tell it */
    double *work;
    int64_t *counts;
} Desk;

/* w and N in state y; `again` if time and slow variables are those of the last call. */
static inline int fast_rows_at(const Desk *desk, double t, const double *y, int again)
{
    const System *system = desk->system;
    return (again && system->fast_again ? system->fast_again : system->fast_rates)(
        system, t, y, y + system->n_q, desk->work, desk->w, desk->N);
}

/* One of the two macro steps of the start-up, by RK4 with the fast step. */
int multirate_start(const Desk *desk);

/* All rates at the macro point in the first row into `rate`; keeps B, u'_s and w. */
int residual_rates(const Desk *desk, double t);

/* Slow accelerations at `ahead` macro steps from the last point into `u_s`, given w. */
void residual_slow(const Desk *desk, double ahead);

/* Where the parts that residual extrapolation keeps begin. */
static inline double *kept_slow(const Desk *desk)
{
    return desk->a + NORD_ROWS * m_size(desk->system);
}

static inline double *kept_w(const Desk *desk)
{
    return kept_slow(desk) + 3 * desk->system->n_slow;
}

static inline double *kept_B(const Desk *desk)
{
    return kept_w(desk) + 3 * desk->system->n_fast;
}

#endif
