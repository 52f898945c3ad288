/* Symmetric matrices and factors as the kernels of linear structures read them. */

#ifndef BONDLINE_LINEAR_H
#define BONDLINE_LINEAR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef ptrdiff_t Index;

/* Two numbers that any processor multiplies and adds at once. */
typedef double Pair __attribute__((vector_size(16)));

static inline Pair at(const double *a)
{
    Pair two;
    memcpy(&two, a, sizeof two);
    return two;
}

static inline void put(double *a, Pair two) { memcpy(a, &two, sizeof two); }

/* The upper half of a symmetric matrix: the diagonal of each row, then what is right
   of it. Of two matrices at once: an entry of one, that of the other, and so on. */
typedef struct Half {
    Index n;
    const int32_t *begins, *columns;
    const double *values;
} Half;

/* K and C of a structure, of which K is cut in two: K_hi, C, K_lo, and so on. K_hi has
   so few bits that row i of K_hi u_hi is a sum without round-off, if scale[j] u_hi[j]
   has `bits` of them below the largest. `scale` are powers of two. */
typedef struct Twins {
    Half half;
    const double *scale;
    Index bits;
} Twins;

/* Cholesky's factor of a band, as LAPACK's dpbtrf leaves it. Column j begins at
   j * (reach + 1): its diagonal, then `reach` numbers below it. Row i of the factor is
   row order[i] of the matrix. */
typedef struct Band {
    Index n, reach;
    const double *L;
    const Index *order;
} Band;

/* x becomes A⁻¹ x; both have the rows of the factor. */
void bondline_band_solve(const Band *band, double *x);

#endif
