/* Symmetric positive definite systems by A = L D L^T, without square roots. */

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
