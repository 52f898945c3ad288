/* Small dense systems of equations by elimination with row exchange. */

#ifndef BONDLINE_LU_H
#define BONDLINE_LU_H

#include <math.h>
#include <stddef.h>

/* Factor A (n x n, by rows) in place; row[i] is exchanged with row order[i], kept as a
   double so that factors fit into a memory. Returns whether it went well. */
static inline int lu_factor(double *A, double *order, int n)
{
    for (int i = 0; i < n; ++i) {
        int best = i;
        for (int r = i + 1; r < n; ++r)
            if (fabs(A[r * n + i]) > fabs(A[best * n + i]))
                best = r;
        order[i] = (double)best;
        if (!(fabs(A[best * n + i]) > 0.0))
            return 0;
        for (int c = 0; best != i && c < n; ++c) {
            const double held = A[i * n + c];
            A[i * n + c] = A[best * n + c];
            A[best * n + c] = held;
        }
        for (int r = i + 1; r < n; ++r) {
            const double factor = A[r * n + i] /= A[i * n + i];
            for (int c = i + 1; c < n; ++c)
                A[r * n + c] -= factor * A[i * n + c];
        }
    }
    return 1;
}

/* x <- A^-1 x by the factors. */
static inline void lu_solve(const double *A, const double *order, int n, double *x)
{
    for (int i = 0; i < n; ++i) {
        const int from = (int)order[i];
        const double held = x[i];
        x[i] = x[from];
        x[from] = held;
    }
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < i; ++c)
            x[i] -= A[i * n + c] * x[c];
    for (int i = n - 1; i >= 0; --i) {
        for (int c = i + 1; c < n; ++c)
            x[i] -= A[i * n + c] * x[c];
        x[i] /= A[i * n + i];
    }
}

#endif
