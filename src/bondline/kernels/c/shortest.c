/* The shortest solution of W x = r with a semidefinite W, which may be singular. */

#include "tree_loops.h"

static void exchange(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void swap_both(double *W, int n, int *order, int i, int j)
{
    int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
    for (int k = 0; k < n; k++) exchange(W + i * n + k, W + j * n + k);
    for (int k = 0; k < n; k++) exchange(W + k * n + i, W + k * n + j);
}

/* W = L L^T, the largest pivots first; L goes below and on the diagonal. Stops where
   the rest is round-off, and returns the rank. */
static int pivoted(double *W, int n, int *order)
{
    for (int i = 0; i < n; i++) order[i] = i;
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++)
            if (W[i * n + i] > W[best * n + best]) best = i;
        if (!(W[best * n + best] > 1e-12)) return j;
        if (best != j) swap_both(W, n, order, j, best);
        double root = sqrt(W[j * n + j]);
        for (int i = j; i < n; i++) W[i * n + j] /= root;
        for (int i = j + 1; i < n; i++)
            for (int k = j + 1; k < n; k++) W[i * n + k] -= W[i * n + j] * W[k * n + j];
    }
    return n;
}

static void by_triangles(const double *L, int n, double *y)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) y[i] -= L[i * n + k] * y[k];
        y[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) y[i] -= L[k * n + i] * y[k];
        y[i] /= L[i * n + i];
    }
}

/* y = L (L^T L)^-2 L^T y with the first `rank` columns of L, (33). */
static int by_columns(const double *L, int n, int rank, double *K, double *x, double *y)
{
    for (int k = 0; k < rank; k++) {
        x[k] = 0.0;
        for (int i = k; i < n; i++) x[k] += L[i * n + k] * y[i];
        for (int l = k; l < rank; l++) {
            double sum = 0.0;
            for (int i = l; i < n; i++) sum += L[i * n + k] * L[i * n + l];
            K[k * rank + l] = sum;
        }
    }
    int trouble = ldl_factor(K, rank, rank);
    if (trouble) return trouble;
    ldl_solve(K, rank, rank, x);
    ldl_solve(K, rank, rank, x);
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int k = 0; k < rank && k <= i; k++) y[i] += L[i * n + k] * x[k];
    }
    return FINE;
}

int shortest(double *W, double *K, int n, int *order, double *x, double *y, double *r)
{
    int trouble = FINE, rank = pivoted(W, n, order);
    for (int i = 0; i < n; i++) y[i] = r[order[i]];
    if (rank == n)
        by_triangles(W, n, y);
    else
        trouble = by_columns(W, n, rank, K, x, y);
    for (int i = 0; i < n; i++) r[order[i]] = y[i];
    return trouble;
}
