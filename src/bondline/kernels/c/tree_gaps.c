/* Joints that close loops: their gaps, and the wrenches that hold them.

   A cut joint between frames a and b keeps some of e.(p_b - p_a) = 0, e an axis of a,
   and some of e.f = 0, f an axis of b; (28)-(30). */

#include "tree_loops.h"

typedef struct Hold {
    int n_along, n_turns;
    int along[3];    /* axes of a along which b must not shift */
    int turns[3][2]; /* axis of a and axis of b that stay perpendicular */
} Hold;

static const Hold HOLDS[] = {
    [FIXED] = {3, 3, {0, 1, 2}, {{1, 0}, {2, 1}, {0, 2}}},
    [REVOLUTE] = {3, 2, {0, 1, 2}, {{0, 2}, {1, 2}}},
    [PRISMATIC] = {2, 3, {0, 1}, {{1, 0}, {2, 1}, {0, 2}}},
    [CYLINDRICAL] = {2, 2, {0, 1}, {{0, 2}, {1, 2}}},
    [UNIVERSAL] = {3, 1, {0, 1, 2}, {{0, 1}}},
    [PLANAR] = {1, 2, {2}, {{0, 2}, {1, 2}}},
    [SPHERICAL] = {3, 0, {0, 1, 2}, {{0, 0}}},
    [FREE] = {0, 0, {0}, {{0, 0}}},
    [TOLD] = {1, 0, {0}, {{0, 0}}},
};

int gaps_of(int kind)
{
    return HOLDS[kind].n_along + HOLDS[kind].n_turns;
}

/* How b moves past a, and how that changes without u'. */
typedef struct Past {
    double V[6], A[6];
} Past;

/* e.(p_b - p_a): held by a unit force at b, (28). */
static Gap along(const Spot *a, const Spot *b, const Past *past, int axis)
{
    Gap gap;
    double e[3], way[3], e_rate[3], velocity[3], moment_rate[3];
    column(a->R, axis, e);
    for (int i = 0; i < 3; i++) way[i] = b->p[i] - a->p[i];
    gap.size = dot3(e, way);
    set3(gap.C, e);
    cross(b->p, e, gap.C + 3);
    cross(a->V + 3, e, e_rate);
    set3(velocity, b->V);
    add_cross(velocity, b->V + 3, b->p);
    cross(velocity, e, moment_rate);
    add_cross(moment_rate, b->p, e_rate);
    gap.rate = dot6(gap.C, past->V);
    gap.bias = dot6(gap.C, past->A) + dot3(e_rate, past->V) +
               dot3(moment_rate, past->V + 3);
    return gap;
}

/* e.f: held by a unit moment, (29). */
static Gap turned(const Spot *a, const Spot *b, const Past *past, const int *axes)
{
    Gap gap;
    double e[3], f[3], e_rate[3], f_rate[3], rate[3];
    column(a->R, axes[0], e);
    column(b->R, axes[1], f);
    gap.size = dot3(e, f);
    zero(gap.C, 3);
    cross(f, e, gap.C + 3);
    cross(a->V + 3, e, e_rate);
    cross(b->V + 3, f, f_rate);
    cross(f_rate, e, rate);
    add_cross(rate, f, e_rate);
    gap.rate = dot6(gap.C, past->V);
    gap.bias = dot6(gap.C, past->A) + dot3(rate, past->V + 3);
    return gap;
}

static double sum_of(const Tree *tree, const Loop *loop, int rate, double t)
{
    const History *first = tree->histories + loop->history + rate * loop->count;
    double sum = 0.0;
    for (int k = 0; k < loop->count; k++) sum += history_at(first + k, t);
    return sum;
}

/* A coordinate that is told, (28a). */
Gap gap_told(const Tree *tree, const Loop *loop, double t, const double *q,
             const double *u)
{
    Gap gap = {.size = q[loop->a] - sum_of(tree, loop, 0, t),
               .rate = u[loop->b] - sum_of(tree, loop, 1, t),
               .bias = -sum_of(tree, loop, 2, t)};
    return gap;
}

int gaps_between(int kind, const Spot *a, const Spot *b, Gap *gaps)
{
    const Hold *hold = HOLDS + kind;
    Past past;
    for (int i = 0; i < 6; i++) {
        past.V[i] = b->V[i] - a->V[i];
        past.A[i] = b->A[i] - a->A[i];
    }
    int n = 0;
    for (int k = 0; k < hold->n_along; k++)
        gaps[n++] = along(a, b, &past, hold->along[k]);
    for (int k = 0; k < hold->n_turns; k++)
        gaps[n++] = turned(a, b, &past, hold->turns[k]);
    return n;
}
