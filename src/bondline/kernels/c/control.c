#include "control.h"

int control_first_step(const System *system, Tolerance tolerance, int order, double t,
                       const double *y, const double *f, double *h, double *space,
                       double *work, int64_t *counts)
{
    const size_t n = m_size(system);
    double *ahead = space, *change = space + n;
    const double d0 = measured(y, y, n, tolerance), d1 = measured(f, y, n, tolerance);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    h0 = h0 < tolerance.longest ? h0 : tolerance.longest;
    for (size_t j = 0; j < n; ++j)
        ahead[j] = y[j] + h0 * f[j];
    const int trouble = all_rates(system, t + h0, ahead, work, change, counts);
    for (size_t j = 0; j < n; ++j)
        change[j] -= f[j];
    const double d2 = measured(change, y, n, tolerance) / h0;
    const double most = d1 > d2 ? d1 : d2;
    const double h1 =
        most <= 1e-15 ? fmax(1e-6, h0 * 1e-3) : pow(0.01 / most, 1.0 / (order + 1.0));
    *h = fmin(fmin(100.0 * h0, h1), tolerance.longest);
    return trouble;
}
