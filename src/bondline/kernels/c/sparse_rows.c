/* A sparse matrix times vectors that stand in rows. */

#include "linear.h"

typedef struct Sparse {
    Index n, width; /* rows and columns */
    const int32_t *begins, *columns;
    const double *values;
} Sparse;

/* Every row of x, `width` numbers, becomes a row of y, n numbers. */
void bondline_sparse_rows(const Sparse *A, Index count, const double *x, double *y)
{
    for (Index k = 0; k < count; k++, x += A->width)
        for (Index i = 0; i < A->n; i++) {
            double sum = 0.0;
            for (Index e = A->begins[i]; e < A->begins[i + 1]; e++)
                sum += A->values[e] * x[A->columns[e]];
            *y++ = sum;
        }
}
