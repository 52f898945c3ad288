/* Knees: what the recursion of tree_articulated.c keeps of a body, and the common case
   of a body with one coordinate, in pairs of numbers. */

#ifndef BONDLINE_TREE_KNEE_H
#define BONDLINE_TREE_KNEE_H

#include "tree_inner.h"

/* What the recursion keeps of a body, in `work`. */
typedef struct Knee {
    double *IA;    /* 6 x 6, its own inertia and that of what it carries */
    double *D, *U; /* its own block (22) and its columns (21) */
    double *Y, *y; /* D^-1 U^T, D^-1 times the forces */
    double *X;     /* acceleration */
    int n;
} Knee;

static inline Knee knee_of(const Tree *tree, double *work, int body)
{
    const Branch *b = tree->branches + body;
    int n = b->n_joint + b->n_modes;
    double *at = work + b->knee;
    Knee knee = {.IA = at, .X = at + 36, .y = at + 42, .Y = at + 42 + n,
                 .D = at + 42 + 7 * n, .U = work + b->U, .n = n};
    return knee;
}

/* A body whose only coordinate is that of its joint, on a marker that stays. */
static inline int single(const Tree *tree, const Branch *b)
{
    return b->n_joint == 1 && !b->n_modes && !marker_moves(tree, b->in);
}

/* down += IA - U Y^T, (25) */
SIZED void hand_pairs(const double *restrict IA, const double *U, const Pair *Y,
                      double *restrict down)
{
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++, IA += 6, down += 6) {
        const Pair own = {U[i], U[i]};
        for (int k = 0; k < 3; k++)
            put(down + 2 * k, at(down + 2 * k) + (at(IA + 2 * k) - own * Y[k]));
    }
}

/* Its column, block and forces, and what it looks like from below, (21), (22), (25). */
static inline int fold_one(const Tree *tree, const Branch *b, const Link *link,
                           const Knee *knee, double *work)
{
    const double *S = link->S, *IA = knee->IA, *F = link->F;
    double *U = knee->U;
    Pair sum[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, Y[3];
#pragma GCC unroll 6
    for (int j = 0; j < 6; j++)
        for (int k = 0; k < 3; k++)
            sum[k] += (Pair){S[j], S[j]} * at(IA + 6 * j + 2 * k);
    for (int k = 0; k < 3; k++) put(U + 2 * k, sum[k]);
    double own = dot6(S, U), y;
    if (!(own > 0.0)) return NOT_DEFINITE;
    knee->D[0] = own = 1.0 / own;
    knee->y[0] = y = own * (work[tree->at_P + (size_t)b->u] - dot6(S, F));
    for (int k = 0; k < 3; k++) put(knee->Y + 2 * k, Y[k] = (Pair){own, own} * sum[k]);
    if (b->parent < 0) return FINE;
    double *below = link_of(tree, work, b->parent)->F;
    for (int k = 0; k < 6; k += 2)
        put(below + k, at(below + k) + at(F + k) + (Pair){y, y} * sum[k / 2]);
    hand_pairs(IA, U, Y, knee_of(tree, work, b->parent).IA);
    return FINE;
}

/* Its rate and its acceleration, (26), (27). */
static inline double follow_one(const Knee *knee, const double *S, const double *below)
{
    double own = knee->y[0] - dot6(knee->Y, below);
    for (int k = 0; k < 6; k += 2)
        put(knee->X + k, at(below + k) + (Pair){own, own} * at(S + k));
    return own;
}

#endif
