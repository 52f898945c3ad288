/* Vectors (3), rotation matrices (9, by rows), twists and wrenches (6).

   A twist is (v, w): the velocity of the body-fixed point that is at the reference
   point o, and the spin, in world axes, kim2000 (10). A wrench is (f, n): force and
   moment about o. Their inner product is a power. Symmetric tensors are kept as
   xx, yy, zz, xy, yz, zx. */

#ifndef BONDLINE_VEC3_H
#define BONDLINE_VEC3_H

#include <math.h>
#include <string.h>

#include "linear.h"

static inline void set3(double *a, const double *b)
{
    a[0] = b[0], a[1] = b[1], a[2] = b[2];
}

static inline void zero(double *a, size_t n)
{
    memset(a, 0, n * sizeof *a);
}

static inline double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* a += k b */
static inline void add3(double *a, double k, const double *b)
{
    a[0] += k * b[0], a[1] += k * b[1], a[2] += k * b[2];
}

/* c = a x b; c is neither a nor b */
static inline void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* c += a x b */
static inline void add_cross(double *c, const double *a, const double *b)
{
    c[0] += a[1] * b[2] - a[2] * b[1];
    c[1] += a[2] * b[0] - a[0] * b[2];
    c[2] += a[0] * b[1] - a[1] * b[0];
}

/* y = R x */
static inline void turn(const double *R, const double *x, double *y)
{
    y[0] = R[0] * x[0] + R[1] * x[1] + R[2] * x[2];
    y[1] = R[3] * x[0] + R[4] * x[1] + R[5] * x[2];
    y[2] = R[6] * x[0] + R[7] * x[1] + R[8] * x[2];
}

/* y = R^T x */
static inline void turn_back(const double *R, const double *x, double *y)
{
    y[0] = R[0] * x[0] + R[3] * x[1] + R[6] * x[2];
    y[1] = R[1] * x[0] + R[4] * x[1] + R[7] * x[2];
    y[2] = R[2] * x[0] + R[5] * x[1] + R[8] * x[2];
}

/* C = A B */
static inline void times(const double *A, const double *B, double *C)
{
    for (int i = 0; i < 9; i += 3)
        for (int j = 0; j < 3; j++)
            C[i + j] = A[i] * B[j] + A[i + 1] * B[3 + j] + A[i + 2] * B[6 + j];
}

/* C = A B^T */
static inline void times_back(const double *A, const double *B, double *C)
{
    for (int i = 0; i < 9; i += 3)
        for (int j = 0; j < 9; j += 3)
            C[i + j / 3] = A[i] * B[j] + A[i + 1] * B[j + 1] + A[i + 2] * B[j + 2];
}

static inline void column(const double *R, int j, double *x)
{
    x[0] = R[j], x[1] = R[3 + j], x[2] = R[6 + j];
}

/* y = J x of a symmetric tensor */
static inline void sym_times(const double *J, const double *x, double *y)
{
    y[0] = J[0] * x[0] + J[3] * x[1] + J[5] * x[2];
    y[1] = J[3] * x[0] + J[1] * x[1] + J[4] * x[2];
    y[2] = J[5] * x[0] + J[4] * x[1] + J[2] * x[2];
}

/* R J R^T of a symmetric tensor */
static inline void sym_turn(const double *R, const double *J, double *K)
{
    double a[3], b[3], c[3]; /* rows of R J */
    sym_times(J, R, a);
    sym_times(J, R + 3, b);
    sym_times(J, R + 6, c);
    K[0] = dot3(a, R), K[1] = dot3(b, R + 3), K[2] = dot3(c, R + 6);
    K[3] = dot3(a, R + 3), K[4] = dot3(b, R + 6), K[5] = dot3(c, R);
}

/* The same of a diagonal one: J_z I + (J_x - J_z) x x^T + (J_y - J_z) y y^T with the
   columns x, y of R. */
static inline void sym_turn_diagonal(const double *R, const double *J, double *K)
{
    double a = J[0] - J[2], b = J[1] - J[2];
    double x[3] = {a * R[0], a * R[3], a * R[6]}, y[3] = {b * R[1], b * R[4], b * R[7]};
    K[0] = J[2] + x[0] * R[0] + y[0] * R[1];
    K[1] = J[2] + x[1] * R[3] + y[1] * R[4];
    K[2] = J[2] + x[2] * R[6] + y[2] * R[7];
    K[3] = x[0] * R[3] + y[0] * R[4];
    K[4] = x[1] * R[6] + y[1] * R[7];
    K[5] = x[2] * R[0] + y[2] * R[1];
}

/* J += k ((p.q + q.p) I - p q^T - q p^T) */
static inline void sym_spread(double *J, double k, const double *p, const double *q)
{
    double x = p[0] * q[0], y = p[1] * q[1], z = p[2] * q[2];
    J[0] += 2.0 * k * (y + z);
    J[1] += 2.0 * k * (z + x);
    J[2] += 2.0 * k * (x + y);
    J[3] -= k * (p[0] * q[1] + p[1] * q[0]);
    J[4] -= k * (p[1] * q[2] + p[2] * q[1]);
    J[5] -= k * (p[2] * q[0] + p[0] * q[2]);
}

/* The matrix of a quaternion (w, x, y, z) of any length but zero. */
static inline void quaternion_matrix(const double *q, double *R)
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double n = 2.0 / (w * w + x * x + y * y + z * z);
    R[0] = 1.0 - n * (y * y + z * z);
    R[1] = n * (x * y - w * z);
    R[2] = n * (x * z + w * y);
    R[3] = n * (x * y + w * z);
    R[4] = 1.0 - n * (x * x + z * z);
    R[5] = n * (y * z - w * x);
    R[6] = n * (x * z - w * y);
    R[7] = n * (y * z + w * x);
    R[8] = 1.0 - n * (x * x + y * y);
}

/* q' = q (0, w)/2 with the spin w in turned axes. */
static inline void quaternion_rate(const double *q, const double *w, double *rate)
{
    rate[0] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    rate[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    rate[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    rate[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

/* In pairs, which any processor multiplies at once. */
static inline double dot6(const double *a, const double *b)
{
    Pair sum = at(a) * at(b) + at(a + 2) * at(b + 2) + at(a + 4) * at(b + 4);
    return sum[0] + sum[1];
}

/* a += k b */
static inline void add6(double *a, double k, const double *b)
{
    for (int i = 0; i < 6; i++) a[i] += k * b[i];
}

/* a += V x S: the rate of a twist S that is fixed in what moves by V */
static inline void add_twist_cross(double *a, const double *V, const double *S)
{
    add_cross(a, V + 3, S);
    add_cross(a, V, S + 3);
    add_cross(a + 3, V + 3, S + 3);
}

/* The twist of a spin about an axis through p. */
static inline void spin_about(const double *p, const double *axis, double *S)
{
    cross(p, axis, S);
    set3(S + 3, axis);
}

#endif
