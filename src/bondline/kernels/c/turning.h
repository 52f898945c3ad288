/* Finite turns by rotation vectors. With x = |theta|^2,
       exp(theta) = I + a theta~ + b theta~ theta~,
       T(theta)   = I + b theta~ + c theta~ theta~   (left Jacobian),
   a = sin(phi)/phi, b = (1 - cos(phi))/x, c = (1 - a)/x, phi = sqrt(x). */

#ifndef BONDLINE_TURNING_H
#define BONDLINE_TURNING_H

#include "vec3.h"

typedef struct Turning {
    double a, b, c, db, dc; /* db, dc: derivatives by x */
} Turning;

/* sum_k coefficients[k] (-x)^k */
static inline double alternating(const double *coefficients, int n, double x)
{
    double sum = coefficients[n - 1];
    for (int k = n - 2; k >= 0; k--) sum = coefficients[k] - x * sum;
    return sum;
}

static inline Turning turning_near(double x)
{
    enum { N = 12 };
    static const double inverse[2 * N + 2] = {
        1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0,
        1.0 / 5040.0, 1.0 / 40320.0, 1.0 / 362880.0, 1.0 / 3628800.0,
        1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0,
        1.0 / 87178291200.0, 1.0 / 1307674368000.0, 1.0 / 20922789888000.0,
        1.0 / 355687428096000.0, 1.0 / 6402373705728000.0,
        1.0 / 121645100408832000.0, 1.0 / 2432902008176640000.0,
        1.0 / 51090942171709440000.0, 1.0 / 1124000727777607680000.0,
        1.0 / 25852016738884976640000.0, 1.0 / 620448401733239439360000.0,
        1.0 / 15511210043330985984000000.0}; /* 1/k! */
    int n = x < 1e-2 ? 6 : 10; /* both leave less than 1e-19 */
    double a[N], b[N], c[N], db[N], dc[N];
    for (int k = 0; k < n; k++) {
        a[k] = inverse[2 * k + 1];
        b[k] = inverse[2 * k + 2];
        c[k] = inverse[2 * k + 3];
        db[k] = -(k + 1) * inverse[2 * k + 4];
        dc[k] = -(k + 1) * inverse[2 * k + 5];
    }
    Turning by = {alternating(a, n, x), alternating(b, n, x), alternating(c, n, x),
                  alternating(db, n, x), alternating(dc, n, x)};
    return by;
}

static inline Turning turning(double x)
{
    if (x < 1.0) return turning_near(x);
    double phi = sqrt(x), a = sin(phi) / phi, b = (1.0 - cos(phi)) / x;
    double c = (1.0 - a) / x, da = 0.5 * (cos(phi) - a) / x;
    Turning by = {a, b, c, (0.5 * a - b) / x, (-da - c) / x};
    return by;
}

/* I + k theta~ + l theta~ theta~ */
static inline void turning_matrix(const double *th, double k, double l, double *R)
{
    double x = th[0], y = th[1], z = th[2];
    R[0] = 1.0 - l * (y * y + z * z);
    R[1] = l * x * y - k * z;
    R[2] = l * x * z + k * y;
    R[3] = l * x * y + k * z;
    R[4] = 1.0 - l * (x * x + z * z);
    R[5] = l * y * z - k * x;
    R[6] = l * x * z - k * y;
    R[7] = l * y * z + k * x;
    R[8] = 1.0 - l * (x * x + y * y);
}

/* (d/dt T(theta)) theta', the part of the rate of a spin that has no theta''. */
static inline void turning_bias(const Turning *by, const double *th, const double *dth,
                                double *bias)
{
    double first[3], second[3], third[3], dx = 2.0 * dot3(th, dth);
    cross(th, dth, first);    /* theta x theta' */
    cross(th, first, second); /* theta x (theta x theta') */
    cross(dth, first, third);
    for (int i = 0; i < 3; i++)
        bias[i] = by->db * dx * first[i] + by->dc * dx * second[i] + by->c * third[i];
}

#endif
