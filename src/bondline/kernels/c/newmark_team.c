/* Steps of several structures in one call; or in one call of each of several threads,
   which take what nobody has begun yet. Who takes what changes no number. */

#include "newmark.h"

/* One of them, and where its 3 n numbers and its forces begin among those of all. */
typedef struct Member {
    Step step;
    Half mass;
    Units units;
    Index at, told, place; /* `place` counts members in the order of loads and energies */
} Member;

/* A member that nobody has begun; `next` counts those begun, for all threads. */
static const Member *taken(const Member *team, Index count, Index *next)
{
    const Index k = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
    return k < count ? team + k : NULL;
}

/* Of every member from `before` to `after`, under its loads[place], or none where that
   is NULL. Returns as a step does. */
int bondline_newmark_team_step(const Member *team, Index count, Index *next,
                               const double *before, const double *const *loads,
                               double *after)
{
    const Member *m;
    while ((m = taken(team, count, next))) {
        const double *f = loads[m->place];
        if (bondline_newmark_step(&m->step, before + m->at, f, after + m->at)) return 1;
    }
    return 0;
}

/* The ends of their steps with the forces z of all, and three energies of each. */
int bondline_newmark_team_land(const Member *team, Index count, Index *next,
                               const double *z, const double *before,
                               const double *without, double *with, double *energies)
{
    const Member *m;
    while ((m = taken(team, count, next))) {
        const Index at = m->at;
        if (bondline_newmark_land(&m->step.twins, &m->mass, &m->units, z + m->told,
                                  before + at, without + at, with + at,
                                  energies + 3 * m->place))
            return 1;
    }
    return 0;
}
