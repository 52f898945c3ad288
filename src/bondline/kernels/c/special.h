/* What programs that are written for one mechanism call (leaves/mbd/special). */

#ifndef BONDLINE_SPECIAL_H
#define BONDLINE_SPECIAL_H

#include "tree_forces.h"
#include "turning.h"

typedef void Law(const double *reals, const Spot *a, const Spot *b, double *on_b);

/* A law between two markers: of each R, p and V, one after the other. */
static inline void by_law(Law *law, const double *reals, const double ends[36],
                          double *on_b)
{
    Spot spots[2] = {{.p = {0.0}}};
    for (int k = 0; k < 2; k++, ends += 18) {
        memcpy(spots[k].R, ends, sizeof spots[k].R);
        set3(spots[k].p, ends + 9);
        memcpy(spots[k].V, ends + 12, sizeof spots[k].V);
    }
    law(reals, spots, spots + 1, on_b);
}

/* Wrenches of a window at the markers that the program knows; whoever loads others
   must not call it. */
static inline void wrenches(const Loaded *loaded, const int *markers, int n, double t,
                            double *port)
{
    zero(port, 6 * (size_t)n);
    for (int given = 0; given < loaded->n_ports; given++) {
        double now[6];
        wrench_at_port(loaded, given, t, now);
        for (int k = 0; k < n; k++)
            if (markers[k] == loaded->markers[given]) add6(port + 6 * k, 1.0, now);
    }
}

/* Not NaN and not infinite; so large that only a sum overflows is no number either. */
static inline int finite_sum(double sum) { return sum - sum == 0.0; }

#endif
