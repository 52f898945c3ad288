/* Residual extrapolation: slow accelerations that follow the fast forces.

   By the first row of kim2000 (36) u'_s = g - B w, with w = m_ff^-1 g_f. The part B w
   vibrates with the fast variables and is known at every inner point; only g is smooth
   and needs to be extrapolated. With B frozen at the last macro point,

       u'_s(t) = sum_i L_i(t) (u'_s,i + B w_i) - B w(t)                            (1)

   over the last three macro points i, L_i their polynomials of Lagrange. */

#include "multirate.h"

static void push(double *rows, int n, const double *newest)
{
    memmove(rows + n, rows, 2 * (size_t)n * sizeof *rows);
    memcpy(rows, newest, (size_t)n * sizeof *rows);
}

int residual_rates(const Desk *desk, double t)
{
    const System *system = desk->system;
    const double *q = desk->a, *u = desk->a + system->n_q;
    double *u_rate = desk->rate + system->n_q;
    ++desk->counts[C_FULL];
    desk->counts[C_FAST] += 2; /* w is told by the fast rows only */
    int trouble = system->split_rates(system, t, q, u, desk->work, desk->rate, u_rate,
                                      kept_B(desk));
    if (!trouble)
        trouble = fast_rows_at(desk, t, q, 1);
    for (int k = 0; k < system->n_slow; ++k)
        desk->u_s[k] = u_rate[system->slow[k]];
    push(kept_slow(desk), system->n_slow, desk->u_s);
    push(kept_w(desk), system->n_fast, desk->w);
    return trouble;
}

void residual_slow(const Desk *desk, double ahead)
{
    const int n_s = desk->system->n_slow, n_f = desk->system->n_fast;
    const double L[3] = {0.5 * (ahead + 1.0) * (ahead + 2.0), -ahead * (ahead + 2.0),
                         0.5 * ahead * (ahead + 1.0)};
    const double *u_s = kept_slow(desk), *w = kept_w(desk), *B = kept_B(desk);
    for (int k = 0; k < n_f; ++k)
        desk->told[k] =
            L[0] * w[k] + L[1] * w[n_f + k] + L[2] * w[2 * n_f + k] - desk->w[k];
    for (int i = 0; i < n_s; ++i) {
        double sum = L[0] * u_s[i] + L[1] * u_s[n_s + i] + L[2] * u_s[2 * n_s + i];
        for (int k = 0; k < n_f; ++k)
            sum += B[i * n_f + k] * desk->told[k]; /* (1) */
        desk->u_s[i] = sum;
    }
}
