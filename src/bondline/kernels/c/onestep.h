/* One-step formulas over a `System`; y = (q, u). */

#ifndef BONDLINE_ONESTEP_H
#define BONDLINE_ONESTEP_H

#include "memory.h"

/* Doubles that `rk4_step` needs besides the work of the system. */
#define RK4_STAGES 4

/* One step of the classical formula of fourth order from y to y, in place.
   `first` is the rate at (t, y); `stages` holds RK4_STAGES * n doubles. */
int rk4_step(const System *system, double t, double h, double *y, const double *first,
             double *stages, double *work, int64_t *counts);

#endif
