/* Steps of Newmark's method, and what forces add to them. */

#ifndef BONDLINE_NEWMARK_H
#define BONDLINE_NEWMARK_H

#include "linear.h"

typedef struct Step {
    Twins twins;
    Band band; /* of K* */
    double h, beta, gamma;
} Step;

/* What each of `count` forces adds to the accelerations at the end of a step;
   displacements and velocities get to_u and to_v of that. `columns` has what a unit of
   each does; or the factor finds it, in which force k acts on row rows[k]. */
typedef struct Units {
    Index count;
    const double *columns;
    double to_u, to_v;
    Band band;
    const Index *rows;
} Units;

int bondline_newmark_step(const Step *step, const double *before, const double *f,
                          double *after);
int bondline_newmark_land(const Twins *twins, const Half *mass, const Units *units,
                          const double *z, const double *before,
                          const double *without, double *with, double *energies);

#endif
