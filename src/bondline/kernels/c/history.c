#include "history.h"

#include <math.h>

static double polynomial(const double *reals, int n, double t)
{
    double s = t - reals[0], sum = 0.0;
    for (int k = n; k > 0; k--) sum = sum * s + reals[k];
    return sum;
}

static double harmonic(const double *reals, int n, double t)
{
    double sum = reals[0], omega = reals[1], s = t - reals[2];
    if (s < 0.0) return sum;
    for (int k = 0; k < n; k++) {
        double angle = (k + 1) * omega * s, a = reals[3 + k], b = reals[3 + n + k];
        if (a != 0.0) sum += a * cos(angle);
        if (b != 0.0) sum += b * sin(angle);
    }
    return sum;
}

/* Straight lines; two points at one time are a jump, its right limit counts. */
static double table(const double *times, int n, double t)
{
    const double *values = times + n;
    int low = 0, high = n; /* times[low - 1] <= t < times[high] */
    while (low < high) {
        int middle = (low + high) / 2;
        if (times[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return values[0];
    if (low == n) return values[n - 1];
    double slope = (values[low] - values[low - 1]) / (times[low] - times[low - 1]);
    return values[low - 1] + slope * (t - times[low - 1]);
}

double history_at(const History *history, double t)
{
    switch (history->kind) {
    case HISTORY_POLYNOMIAL: return polynomial(history->reals, history->n, t);
    case HISTORY_HARMONIC: return harmonic(history->reals, history->n, t);
    case HISTORY_TABLE: return table(history->reals, history->n, t);
    case HISTORY_FORMULA: return formula_at(history->reals, history->n, t);
    default: return history->reals[0];
    }
}
