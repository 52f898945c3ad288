/* What an integrator carries from one call to the next: one flat array of doubles.

   A caller may copy, keep, store and bring back a memory; a run that is cut into calls
   gives the same bits as one call. It begins with a head of M_HEAD numbers; what
   follows belongs to the method, the state y = (q, u) always first. Time is counted,
   t = start + count * step, and never added up. */

#ifndef BONDLINE_MEMORY_H
#define BONDLINE_MEMORY_H

#include "system.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    M_START = 0, /* time where counting began */
    M_STEP = 1,  /* step h; of the fast variables, if there are two */
    M_COUNT = 2, /* steps since then */
    M_PHASE = 3, /* 0, 1: starting; 2: the history is complete */
    M_SINCE = 4, /* steps since the step was last changed */
    M_RATIO = 5, /* slow step / fast step */
    M_WISH = 6,  /* the step that the last error would allow */
    M_FORM = 7,  /* how two rates meet, `Form` of multirate.h */
    M_HEAD = 8
};

/* Evaluations and steps; every call adds to them. */
enum {
    C_STEPS = 0,
    C_FULL = 1,    /* evaluations of all rates */
    C_FAST = 2,    /* of the fast rows, alone or among all */
    C_REJECTED = 3 /* steps taken back */
};

static inline double *m_state(double *memory) { return memory + M_HEAD; }

/* Integrators that are built for one system are told its size: the compiler writes
   their loops out. */
#ifdef BONDLINE_N_Q
static inline size_t m_size(const System *system)
{
    (void)system;
    return BONDLINE_N_Q + BONDLINE_N_U;
}
static inline int m_positions(const System *system)
{
    (void)system;
    return BONDLINE_N_Q;
}
#else
static inline size_t m_size(const System *system)
{
    return (size_t)system->n_q + (size_t)system->n_u;
}
static inline int m_positions(const System *system) { return system->n_q; }
#endif

static inline double m_time(const double *memory, double ahead)
{
    return memory[M_START] + (memory[M_COUNT] + ahead) * memory[M_STEP];
}

static inline int all_rates(const System *system, double t, const double *y,
                            double *work, double *rate, int64_t *counts)
{
    ++counts[C_FULL];
    ++counts[C_FAST];
    const int n_q = m_positions(system);
    return system->rates(system, t, y, y + n_q, work, rate, rate + n_q);
}

/* 0, or NOT_FINITE: a difference of something that is not finite is not zero. */
static inline int finite_all(const double *y, size_t n)
{
    for (size_t j = 0; j < n; ++j)
        if (!(y[j] - y[j] == 0.0))
            return NOT_FINITE;
    return FINE;
}

#endif
