/* Steps of Newmark's method, and what forces add to them. */

#ifndef BONDLINE_NEWMARK_H
#define BONDLINE_NEWMARK_H

#include "linear.h"

typedef struct Step {
    Half twins; /* K and C */
    Band band;  /* of K* */
    double h, beta, gamma;
} Step;

/* What a unit of each of `count` forces adds to the accelerations at the end of a step,
   a column each; displacements and velocities get to_u and to_v of that. */
typedef struct Units {
    Index count;
    const double *columns;
    double to_u, to_v;
} Units;

int bondline_newmark_step(const Step *step, const double *before, const double *f,
                          double *after);
int bondline_newmark_land(const Half *twins, const Half *mass, const Units *units,
                          const double *z, const double *before,
                          const double *without, double *with, double *energies);

#endif
