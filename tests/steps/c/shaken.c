/* A top with a mass on a spring inside: three slow spins, one fast coordinate.

   The mass moves along the first axis and drags at the spin about it, L = I p + mu v e1;
   L' + p x L = T and v' + mu p1' = -w^2 x, with the couple T of `small.c`.
   Numbers: principal inertias, spring of the couple, mu, w. */

#include "system.h"

/* Rates of the quaternion, and g_s of the slow rows. */
static void turn(const double *model, const double *q, const double *u, double *q_rate,
                 double *g)
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double L[3] = {model[0] * u[0] + model[4] * u[3], model[1] * u[1],
                         model[2] * u[2]};
    q_rate[0] = -0.5 * (x * u[0] + y * u[1] + z * u[2]);
    q_rate[1] = 0.5 * (w * u[0] + y * u[2] - z * u[1]);
    q_rate[2] = 0.5 * (w * u[1] + z * u[0] - x * u[2]);
    q_rate[3] = 0.5 * (w * u[2] + x * u[1] - y * u[0]);
    q_rate[4] = u[3];
    g[0] = L[1] * u[2] - L[2] * u[1] - model[3] * 2.0 * (y * z + w * x);
    g[1] = L[2] * u[0] - L[0] * u[2] + model[3] * 2.0 * (x * z - w * y);
    g[2] = L[0] * u[1] - L[1] * u[0];
}

static int rates(const System *system, double t, const double *q, const double *u,
                 double *work, double *q_rate, double *u_rate)
{
    const double *model = system->model, mu = model[4], w = -model[5] * model[5] * q[4];
    double g[3];
    (void)t, (void)work;
    turn(model, q, u, q_rate, g);
    u_rate[0] = (g[0] - mu * w) / (model[0] - mu * mu);
    u_rate[1] = g[1] / model[1];
    u_rate[2] = g[2] / model[2];
    u_rate[3] = w - mu * u_rate[0];
    return FINE;
}

static int fast_rates(const System *system, double t, const double *q, const double *u,
                      double *work, double *w, double *N)
{
    const double *model = system->model;
    (void)t, (void)work, (void)u;
    w[0] = -model[5] * model[5] * q[4];
    N[0] = model[4];
    N[1] = N[2] = 0.0;
    return FINE;
}

static int split_rates(const System *system, double t, const double *q, const double *u,
                       double *work, double *q_rate, double *u_rate, double *B)
{
    const double *model = system->model;
    B[0] = model[4] / (model[0] - model[4] * model[4]);
    B[1] = B[2] = 0.0;
    return rates(system, t, q, u, work, q_rate, u_rate);
}

void fill_shaken_top(System *system, const double *numbers)
{
    static const int index[5] = {0, 1, 2, 3, 4};
    *system = (System){.model = numbers,
                       .n_q = 5,
                       .n_u = 4,
                       .rates = rates,
                       .n_fast = 1,
                       .n_slow = 3,
                       .slow = index,
                       .fast = index + 3,
                       .fast_q = index + 4,
                       .fast_rates = fast_rates,
                       .split_rates = split_rates,
                       .n_turns = 1,
                       .turn_q = index,
                       .turn_u = index};
}
