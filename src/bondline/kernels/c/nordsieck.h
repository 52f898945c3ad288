/* Adams-Bashforth-Moulton of order 3/4 in the form of Nordsieck, kim2000 (26)-(33).

   A history has NORD_ROWS rows of n = n_q + n_u numbers: y, h y', h^2/2 y'', h^3/6 y'''.
   With one rate two more follow: D, the residual of the first correction, which is
   h^4 y'''', and the estimated error of the last step,

       19/720 (D_n - D_n-1) - 3/8 R,                                                (1)

   the error of a corrector that is solved, and what is left to solve: R is the residual
   that the last E of PECE finds. In vibrations R is the greater part. */

#ifndef BONDLINE_NORDSIECK_H
#define BONDLINE_NORDSIECK_H

#include "memory.h"

#define NORD_ROWS 4
#define NORD_ALL_ROWS 6

/* What a step is made of: P(EC)^corrections, and a last E if `evaluate` is not 0. */
typedef struct Recipe {
    int corrections;
    int evaluate;
} Recipe;

/* a <- A a, kim2000 (29) with (31): Pascal's triangle, one component. */
static inline void nord_predict(double *a, size_t n, size_t j)
{
    const double a1 = a[n + j], a2 = a[2 * n + j], a3 = a[3 * n + j];
    a[j] += a1 + a2 + a3;
    a[n + j] += 2.0 * a2 + 3.0 * a3;
    a[2 * n + j] += 3.0 * a3;
}

/* a <- a + l (h f - a_1), (30) with (32); the residual is of the current iterate,
   not of the prediction as printed in (33), which blows up from the second on. */
static inline double nord_correct(double *a, size_t n, size_t j, double hf)
{
    const double residual = hf - a[n + j];
    a[j] += 3.0 / 8.0 * residual;
    a[n + j] = hf;
    a[2 * n + j] += 3.0 / 4.0 * residual;
    a[3 * n + j] += 1.0 / 6.0 * residual;
    return residual;
}

/* The last E of PECE: the slope of the corrected value goes into the history, the
   value itself stays. Adding l would be a second correction. */
static inline double nord_settle(double *a, size_t n, size_t j, double hf)
{
    const double residual = hf - a[n + j];
    a[n + j] = hf;
    a[2 * n + j] += 3.0 / 4.0 * residual;
    a[3 * n + j] += 1.0 / 6.0 * residual;
    return residual;
}

/* a <- T (y, h f_0, h f_-1, h f_-2), (26) with (28): rows 1 to 3 hold slopes before. */
static inline void nord_transform(double *a, size_t n, size_t j, double h)
{
    const double f0 = h * a[n + j], f1 = h * a[2 * n + j], f2 = h * a[3 * n + j];
    a[n + j] = f0;
    a[2 * n + j] = 3.0 / 4.0 * f0 - f1 + 1.0 / 4.0 * f2;
    a[3 * n + j] = 1.0 / 6.0 * f0 - 1.0 / 3.0 * f1 + 1.0 / 6.0 * f2;
}

/* a <- C(alpha) a, the history of a step alpha times as long, (40). */
static inline void nord_rescale(double *a, size_t n, double alpha)
{
    double power = 1.0;
    for (size_t row = 1; row < 4; ++row) {
        power *= alpha;
        for (size_t j = 0; j < n; ++j)
            a[row * n + j] *= power;
    }
    for (size_t j = 0; j < n; ++j) /* D */
        a[4 * n + j] *= power * alpha;
}

/* One step from a complete history of all rows; `rate` holds n doubles. */
int nord_step(const System *system, double t_new, double h, Recipe recipe, double *a,
              double *rate, double *work, int64_t *counts);

/* One step of the start-up: by RK4, keeping slopes; completes the history after two.
   `rate` holds (1 + RK4_STAGES) * n doubles. */
int nord_start(const System *system, double *memory, double *rate, double *work,
               int64_t *counts);

#endif
