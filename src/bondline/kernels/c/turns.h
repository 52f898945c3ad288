/* Quaternions among the positions of a system. */

#ifndef BONDLINE_TURNS_H
#define BONDLINE_TURNS_H

#include "system.h"

#include <math.h>

/* Give every quaternion unit length. `rows` rows of length `stride` scale together:
   q' = 1/2 q (0, p) is linear in q, so that a scaled history is a history still, and
   the order of a method is kept. */
static inline void turns_scale(const System *system, double *y, size_t stride, int rows)
{
    for (int k = 0; k < system->n_turns; ++k) {
        double *q = y + system->turn_q[k];
        const double length =
            sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int row = 0; row < rows; ++row)
            for (int j = 0; j < 4; ++j)
                q[(size_t)row * stride + (size_t)j] /= length;
    }
}

/* turned = q exp(v): a turn by the rotation vector v in outboard axes. */
static inline void turn_by(const double *q, const double *v, double *turned)
{
    const double angle = 0.5 * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double c = cos(angle);
    /* sin(x) / x by its series where x is so small that the rest is below round-off */
    const double s =
        0.5 * (angle < 1e-4 ? 1.0 - angle * angle / 6.0 : sin(angle) / angle);
    const double x = s * v[0], y = s * v[1], z = s * v[2];
    const double w = q[0], a = q[1], b = q[2], d = q[3];
    turned[0] = w * c - a * x - b * y - d * z;
    turned[1] = w * x + a * c + b * z - d * y;
    turned[2] = w * y - a * z + b * c + d * x;
    turned[3] = w * z + a * y - b * x + d * c;
}

/* moved = q moved by `by` in velocity coordinates: quaternions are turned, other
   positions go along in order. */
static inline void turns_move(const System *system, const double *q, const double *by,
                              double *moved)
{
    int j = 0, k = 0;
    for (int i = 0; i < system->n_u;) {
        if (k < system->n_turns && system->turn_u[k] == i) {
            turn_by(q + j, by + i, moved + j);
            i += 3, j += 4, ++k;
        } else {
            moved[j] = q[j] + by[i];
            ++i, ++j;
        }
    }
}

#endif
