/* Errors against tolerances, and the first step. */

#ifndef BONDLINE_CONTROL_H
#define BONDLINE_CONTROL_H

#include "memory.h"

#include <math.h>

/* What a step with error control is held to. */
typedef struct Tolerance {
    double relative, absolute;
    double longest;   /* step */
    int64_t patience; /* steps in a call */
} Tolerance;

static inline double allowed(Tolerance tolerance, double a, double b)
{
    const double x = fabs(a), y = fabs(b);
    return tolerance.absolute + tolerance.relative * (x > y ? x : y);
}

/* Root mean square of x over what is allowed at y. */
static inline double measured(const double *x, const double *y, size_t n,
                              Tolerance tolerance)
{
    double sum = 0.0;
    for (size_t j = 0; j < n; ++j) {
        const double part = x[j] / allowed(tolerance, y[j], y[j]);
        sum += part * part;
    }
    return sqrt(sum / (double)n);
}

/* Steps below this are lost in the round-off of time. */
static inline double shortest(double t) { return 10.0 * 2.3e-16 * (1e-300 + fabs(t)); }

/* A first step for a method whose error is of order `order` + 1 in h, from (t, y) with
   rate f (Hairer, Norsett and Wanner, II.4); `space` holds 2 n doubles. */
int control_first_step(const System *system, Tolerance tolerance, int order, double t,
                       const double *y, const double *f, double *h, double *space,
                       double *work, int64_t *counts);

#endif
