/* Symmetric positive definite systems by A = L D L^T, without square roots.

   Small ones, of which there is one in every evaluation of a small mechanism, have
   code of their size: the compiler writes their loops out. */

#include "tree_inner.h"

/* Works on the upper triangle, by rows, so that inner loops run along memory. */
int ldl_factor(double *restrict A, int n, int stride)
{
    for (int j = 0; j < n; j++) {
        double *restrict row = A + (size_t)j * stride;
        if (!(row[j] > 0.0)) return NOT_DEFINITE;
        double inverse = 1.0 / row[j];
        for (int i = j + 1; i < n; i++) {
            double factor = row[i] * inverse, *restrict below = A + (size_t)i * stride;
            if (factor == 0.0) continue;
            for (int k = i; k < n; k++) below[k] -= factor * row[k];
        }
        for (int k = j + 1; k < n; k++) row[k] *= inverse;
        row[j] = inverse;
    }
    return FINE;
}

void ldl_solve(const double *restrict A, int n, int stride, double *restrict x)
{
    for (int j = 0; j < n; j++) {
        const double *row = A + (size_t)j * stride;
        for (int k = j + 1; k < n; k++) x[k] -= row[k] * x[j];
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *row = A + (size_t)j * stride;
        double sum = x[j] * row[j];
        for (int k = j + 1; k < n; k++) sum -= row[k] * x[k];
        x[j] = sum;
    }
}

/* The first column of A is eliminated from the rest, and x with it; then the rest. */
SIZED int sized(const double *restrict M, int n, double *restrict x)
{
    double A[LDL_SMALL * LDL_SMALL], y[LDL_SMALL];
#pragma GCC unroll 8
    for (int i = 0; i < n; i++) {
        y[i] = x[i];
#pragma GCC unroll 8
        for (int j = i; j < n; j++) A[i * n + j] = M[i * n + j];
    }
#pragma GCC unroll 8
    for (int j = 0; j < n; j++) {
        if (!(A[j * n + j] > 0.0)) return NOT_DEFINITE;
        A[j * n + j] = 1.0 / A[j * n + j];
#pragma GCC unroll 8
        for (int i = j + 1; i < n; i++) {
            double factor = A[j * n + i] * A[j * n + j];
            y[i] -= factor * y[j];
#pragma GCC unroll 8
            for (int k = i; k < n; k++) A[i * n + k] -= factor * A[j * n + k];
        }
    }
#pragma GCC unroll 8
    for (int j = n - 1; j >= 0; j--) {
#pragma GCC unroll 8
        for (int k = j + 1; k < n; k++) y[j] -= A[j * n + k] * y[k];
        x[j] = y[j] *= A[j * n + j];
    }
    return FINE;
}

int ldl_small(const double *A, int n, double *x)
{
    switch (n) {
    case 1: return sized(A, 1, x);
    case 2: return sized(A, 2, x);
    case 3: return sized(A, 3, x);
    case 4: return sized(A, 4, x);
    case 5: return sized(A, 5, x);
    case 6: return sized(A, 6, x);
    case 7: return sized(A, 7, x);
    default: return sized(A, LDL_SMALL, x);
    }
}
