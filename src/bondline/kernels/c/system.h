/* A mechanical system as integrators see it.

   Positions q and velocities u, with q' = N(q) u and u' the accelerations. Where a
   joint turns by a quaternion there are more positions than velocities. All functions
   return 0, or a code of `Trouble`; they keep no state of their own: what they need
   to remember during a call is in `work`, which belongs to the caller. */

#ifndef BONDLINE_SYSTEM_H
#define BONDLINE_SYSTEM_H

#include <stddef.h>

typedef enum Trouble {
    FINE = 0,
    NOT_DEFINITE = 1,  /* the mass matrix is not positive definite */
    NOT_FINITE = 2,    /* a rate is NaN or infinite */
    TOO_SMALL = 3,     /* an adaptive step fell below what time can resolve */
    TOO_MANY = 4,      /* more steps than allowed */
    NO_MEMORY = 5,
    NOT_CLOSED = 6,    /* a closed loop could not be brought together */
    NOT_SOLVED = 7     /* an implicit step found no solution */
} Trouble;

typedef struct System System;

struct System {
    const void *model;
    int n_q, n_u; /* positions, velocities */
    size_t work;  /* doubles that each of the functions below may use */

    /* All rates at time t. */
    int (*rates)(const System *, double t, const double *q, const double *u,
                 double *work, double *q_rate, double *u_rate);

    /* The rest serves multirate integration, kim2000 (34)-(39). Velocity `fast[k]`
       is fast, `slow[k]` slow, both in ascending order. A fast position is the one
       whose rate is a fast velocity: q'[fast_q[k]] = u[fast[k]]. */
    int n_fast, n_slow;
    const int *fast, *slow, *fast_q;

    /* The fast rows: u'_f = w - N u'_s with w = m_ff^-1 g_f (n_fast) and
       N = m_ff^-1 m_fs (n_fast x n_slow, by rows), from the second row of (36). */
    int (*fast_rates)(const System *, double t, const double *q, const double *u,
                      double *work, double *w, double *N);

    /* All rates, and B = m_e^-1 m_sf (n_slow x n_fast, by rows) of the first row of
       (36): u'_s = m_e^-1 g_s - B w. */
    int (*split_rates)(const System *, double t, const double *q, const double *u,
                       double *work, double *q_rate, double *u_rate, double *B);

    /* Joints that turn by a quaternion: positions turn_q[k] to turn_q[k] + 3 are it
       (w, x, y, z), velocities turn_u[k] to turn_u[k] + 2 its spin p in outboard axes,
       q' = 1/2 q (0, p). All other positions follow the other velocities in order,
       q' = u. */
    int n_turns;
    const int *turn_q, *turn_u;

    /* `fast_rates` once more, at the time and the slow variables of the last
       evaluation that used this `work`; what they alone determine is known there.
       NULL if that is no quicker. */
    int (*fast_again)(const System *, double t, const double *q, const double *u,
                      double *work, double *w, double *N);
};

#endif
