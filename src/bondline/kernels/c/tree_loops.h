/* Closed loops: gaps of cut joints and the multipliers that keep them shut. */

#ifndef BONDLINE_TREE_LOOPS_H
#define BONDLINE_TREE_LOOPS_H

#include "tree_inner.h"

typedef struct Gap {
    double size, rate, bias; /* gap, gap', gap'' without u' */
    double C[6];             /* gap' = C.(V_b - V_a) */
} Gap;

int gaps_between(int kind, const Spot *a, const Spot *b, Gap *gaps);
Gap gap_told(const Tree *tree, const Loop *loop, double t, const double *q,
             const double *u);

/* shortest.c: r becomes the shortest x of W x = r; W, whose large entries are about
   one, K (n x n), order, x and y (n) are used up */
int shortest(double *W, double *K, int n, int *order, double *x, double *y, double *r);

#endif
