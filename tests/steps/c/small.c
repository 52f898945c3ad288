/* Small systems with known answers. `numbers` are their parameters. */

#include "system.h"

#include <math.h>
#include <string.h>

static int decay(const System *system, double t, const double *q, const double *u,
                 double *work, double *q_rate, double *u_rate)
{
    (void)t, (void)u, (void)work, (void)u_rate;
    q_rate[0] = *(const double *)system->model * q[0];
    return FINE;
}

/* y' = numbers[0] y. */
void fill_decay(System *system, const double *numbers)
{
    *system = (System){.model = numbers, .n_q = 1, .n_u = 0, .rates = decay};
}

static int duffing(const System *system, double t, const double *q, const double *u,
                   double *work, double *q_rate, double *u_rate)
{
    const double *p = system->model;
    (void)work;
    q_rate[0] = u[0];
    u_rate[0] = p[2] * cos(p[3] * t) - p[0] * u[0] - q[0] - p[1] * q[0] * q[0] * q[0];
    return FINE;
}

/* q'' + d q' + q + b q^3 = F cos(w t); numbers: d, b, F, w. */
void fill_duffing(System *system, const double *numbers)
{
    *system = (System){.model = numbers, .n_q = 1, .n_u = 1, .rates = duffing};
}

static int top(const System *system, double t, const double *q, const double *u,
               double *work, double *q_rate, double *u_rate)
{
    const double *I = system->model;
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    (void)t, (void)work;
    q_rate[0] = -0.5 * (x * u[0] + y * u[1] + z * u[2]);
    q_rate[1] = 0.5 * (w * u[0] + y * u[2] - z * u[1]);
    q_rate[2] = 0.5 * (w * u[1] + z * u[0] - x * u[2]);
    q_rate[3] = 0.5 * (w * u[2] + x * u[1] - y * u[0]);
    /* a couple that wants the third axis upright; world z in body axes, unscaled */
    const double up_x = 2.0 * (x * z - w * y), up_y = 2.0 * (y * z + w * x);
    u_rate[0] = ((I[1] - I[2]) * u[1] * u[2] - I[3] * up_y) / I[0];
    u_rate[1] = ((I[2] - I[0]) * u[2] * u[0] + I[3] * up_x) / I[1];
    u_rate[2] = (I[0] - I[1]) * u[0] * u[1] / I[2];
    return FINE;
}

/* A body that turns about a fixed point; numbers: principal inertias and the couple of
   a spring (0: Euler's top). */
void fill_top(System *system, const double *numbers)
{
    static const int zero[1] = {0};
    *system = (System){.model = numbers,
                       .n_q = 4,
                       .n_u = 3,
                       .rates = top,
                       .n_turns = 1,
                       .turn_q = zero,
                       .turn_u = zero};
}

/* M q'' + K q = 0, by what follows from M and K: numbers are A = -M^-1 K (n x n),
   W = -m_ff^-1 K_f (n_fast x n), N and B as in `system.h`; slow ones first. */
static int linear(const System *system, double t, const double *q, const double *u,
                  double *work, double *q_rate, double *u_rate)
{
    const double *A = system->model;
    const int n = system->n_u;
    (void)t, (void)work;
    for (int i = 0; i < n; ++i) {
        q_rate[i] = u[i];
        u_rate[i] = 0.0;
        for (int j = 0; j < n; ++j)
            u_rate[i] += A[i * n + j] * q[j];
    }
    return FINE;
}

static int linear_fast(const System *system, double t, const double *q, const double *u,
                       double *work, double *w, double *N)
{
    const int n = system->n_u, n_f = system->n_fast, n_s = system->n_slow;
    const double *W = (const double *)system->model + n * n;
    (void)t, (void)work, (void)u;
    for (int k = 0; k < n_f; ++k) {
        w[k] = 0.0;
        for (int j = 0; j < n; ++j)
            w[k] += W[k * n + j] * q[j];
    }
    memcpy(N, W + n_f * n, (size_t)(n_f * n_s) * sizeof *N);
    return FINE;
}

static int linear_split(const System *system, double t, const double *q,
                        const double *u, double *work, double *q_rate, double *u_rate,
                        double *B)
{
    const int n = system->n_u, n_f = system->n_fast, n_s = system->n_slow;
    const double *given = (const double *)system->model + n * n + n_f * n + n_f * n_s;
    memcpy(B, given, (size_t)(n_f * n_s) * sizeof *B);
    return linear(system, t, q, u, work, q_rate, u_rate);
}

void fill_linear(System *system, const double *numbers, int n_s, int n_f,
                 const int *index)
{
    *system = (System){.model = numbers,
                       .n_q = n_s + n_f,
                       .n_u = n_s + n_f,
                       .rates = linear,
                       .n_fast = n_f,
                       .n_slow = n_s,
                       .slow = index,
                       .fast = index + n_s,
                       .fast_q = index + n_s,
                       .fast_rates = linear_fast,
                       .split_rates = linear_split};
}
