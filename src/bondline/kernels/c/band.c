/* Solve with Cholesky's factor of a band.

   LAPACK takes one column at a time, and its calls cost as much as the numbers. Here
   four go together, so that a number of x is read once for all of them. Factors are
   larger than caches, and the way up runs against what processors foresee: what comes
   next is asked for by hand. */

#include "linear.h"

enum { GROUP = 4, LINE = 8 /* numbers that memory hands over at a time */ };

static Index below(Index n, Index reach, Index j)
{
    return reach < n - 1 - j ? reach : n - 1 - j;
}

static void down_one(const double *a, Index m, double *restrict x)
{
    const double p = x[0] /= a[0];
    for (Index i = 1; i <= m; i++) x[i] -= p * a[i];
}

static void up_one(const double *a, Index m, double *x)
{
    double sum = 0.0;
    for (Index i = 1; i <= m; i++) sum += a[i] * x[i];
    x[0] = (x[0] - sum) / a[0];
}

/* The first four of x are solved for and taken from all that they reach. */
static void down_four(const double *a, Index reach, double *restrict x)
{
    const Index ld = reach + 1;
    const double *b = a + ld, *c = b + ld, *d = c + ld;
    const double p = x[0] / a[0];
    const double q = (x[1] - p * a[1]) / b[0];
    const double r = (x[2] - p * a[2] - q * b[1]) / c[0];
    const double s = (x[3] - p * a[3] - q * b[2] - r * c[1]) / d[0];
    x[0] = p;
    x[1] = q;
    x[2] = r;
    x[3] = s;
    for (Index i = GROUP; i <= reach; i++)
        x[i] = (x[i] - p * a[i]) - (q * b[i - 1] + r * c[i - 2]) - s * d[i - 3];
    x[ld] -= q * b[reach] + r * c[reach - 1] + s * d[reach - 2];
    x[ld + 1] -= r * c[reach] + s * d[reach - 1];
    x[ld + 2] -= s * d[reach];
}

/* The first four of x are solved for; all that they reach is known. */
static void up_four(const double *a, Index reach, double *x)
{
    const Index ld = reach + 1;
    const double *b = a + ld, *c = b + ld, *d = c + ld, *z = x + ld;
    Pair p = {0}, q = {0}, r = {0}, s = {0};
    Index i = GROUP;
    for (; i < reach; i += 2) {
        const Pair y = at(x + i);
        p += at(a + i) * y;
        q += at(b + i - 1) * y;
        r += at(c + i - 2) * y;
        s += at(d + i - 3) * y;
    }
    if (i == reach) {
        p[0] += a[i] * x[i];
        q[0] += b[i - 1] * x[i];
        r[0] += c[i - 2] * x[i];
        s[0] += d[i - 3] * x[i];
    }
    q[1] += b[reach] * z[0];
    r[1] += c[reach - 1] * z[0] + c[reach] * z[1];
    s[1] += d[reach - 2] * z[0] + d[reach - 1] * z[1] + d[reach] * z[2];
    x[3] = (x[3] - (s[0] + s[1])) / d[0];
    x[2] = (x[2] - (r[0] + r[1]) - c[1] * x[3]) / c[0];
    x[1] = (x[1] - (q[0] + q[1]) - b[1] * x[2] - b[2] * x[3]) / b[0];
    x[0] = (x[0] - (p[0] + p[1]) - a[1] * x[1] - a[2] * x[2] - a[3] * x[3]) / a[0];
}

static void ask_for(const double *a, Index m)
{
    for (Index i = 0; i < m; i += LINE) __builtin_prefetch(a + i);
}

/* Groups must reach as far as their last column does. */
void bondline_band_solve(const Band *band, double *x)
{
    const Index n = band->n, reach = band->reach, ld = reach + 1;
    const Index last = reach < GROUP ? 0 : n - reach - GROUP + 1;
    const double *L = band->L;
    Index j = 0;
    for (; j < last; j += GROUP) {
        if (j + 3 * GROUP < n) ask_for(L + (j + 2 * GROUP) * ld, GROUP * ld);
        down_four(L + j * ld, reach, x + j);
    }
    const Index groups = j;
    for (; j < n; j++) down_one(L + j * ld, below(n, reach, j), x + j);
    while (j-- > groups) up_one(L + j * ld, below(n, reach, j), x + j);
    for (j = groups; j; j -= GROUP) {
        if (j >= 3 * GROUP) ask_for(L + (j - 3 * GROUP) * ld, GROUP * ld);
        up_four(L + (j - GROUP) * ld, reach, x + j - GROUP);
    }
}

/* Column by column, in the order of the matrix. */
void bondline_band_columns(const Band *band, Index columns, const double *f, double *x,
                           double *work)
{
    const Index n = band->n, *order = band->order;
    for (Index k = 0; k < columns; k++, f += n, x += n) {
        for (Index i = 0; i < n; i++) work[i] = f[order[i]];
        bondline_band_solve(band, work);
        for (Index i = 0; i < n; i++) x[order[i]] = work[i];
    }
}
