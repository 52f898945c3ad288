/* Explicit Runge-Kutta formulas told by their tables. */

#ifndef BONDLINE_ERK_H
#define BONDLINE_ERK_H

#include "memory.h"

/* Times c, weights A (row by row, without the zeros on and above the diagonal) and b. */
typedef struct Tableau {
    int stages;
    const double *c, *A, *b;
} Tableau;

/* sum = y + h sum_i weight[i] k_i over `count` slopes, rows of k. */
static inline void erk_combine(double *restrict sum, const double *restrict y, double h,
                               const double *weight, int count, const double *k,
                               size_t n)
{
    for (size_t j = 0; j < n; ++j)
        sum[j] = 0.0;
    for (int i = 0; i < count; ++i) {
        if (weight[i] == 0.0)
            continue;
        const double *slope = k + (size_t)i * n;
        for (size_t j = 0; j < n; ++j)
            sum[j] += weight[i] * slope[j];
    }
    for (size_t j = 0; j < n; ++j)
        sum[j] = y[j] + h * sum[j];
}

/* All slopes of a step from (t, y), given the first one in k; then the new state. */
static inline int erk_step(const System *system, const Tableau *table, double t,
                           double h, const double *y, double *k, double *y_new,
                           double *work, int64_t *counts)
{
    const size_t n = m_size(system);
    const double *row = table->A;
    for (int i = 1; i < table->stages; row += i, ++i) {
        erk_combine(y_new, y, h, row, i, k, n);
        const int trouble = all_rates(system, t + table->c[i] * h, y_new, work,
                                      k + (size_t)i * n, counts);
        if (trouble)
            return trouble;
    }
    erk_combine(y_new, y, h, table->b, table->stages, k, n);
    return FINE;
}

#endif
