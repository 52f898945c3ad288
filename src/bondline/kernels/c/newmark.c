/* One step of Newmark's method, wang2003 (33)-(36), and the energies where it ends.

   A step reads half of K and C once and the factor twice; in between it touches a few
   vectors. */

#include <math.h>
#include <stdlib.h>

#include "newmark.h"

/* Columns at a time, and rows of them: memory runs ahead of long stretches only. */
enum { TOGETHER = 8, STRETCH = 4096 };

/* An entry of K_hi and C, and of K_lo and K_hi. */
static inline Pair main_of(const double *kc) { return at(kc); }
static inline Pair rest_of(const double *kc) { return (Pair){kc[2], kc[0]}; }

/* An entry of K and C: both parts of K are one number again, exactly. */
static inline Pair whole(const double *kc) { return (Pair){kc[0] + kc[2], kc[1]}; }

/* u_hi and v, u and u_lo of each row, from u and v in places 2 and 1 of them. Where
   numbers are too large to be cut, u_hi is 0: then all is summed as usual. */
static void cut(const Twins *twins, double *uv)
{
    const Index n = twins->half.n;
    double largest = 0.0;
    int power;
    for (Index i = 0; i < n; i++) {
        const double size = fabs(twins->scale[i] * uv[4 * i + 2]);
        largest = size > largest ? size : largest;
    }
    frexp(largest, &power);
    const double round = ldexp(1.5, 52 + power - (int)twins->bits);
    const int fits = isfinite(largest) && isfinite(round);
    for (Index i = 0; i < n; i++) {
        const double s = twins->scale[i], u = uv[4 * i + 2];
        const double high = fits ? ((s * u + round) - round) / s : 0.0;
        uv[4 * i] = high;
        uv[4 * i + 3] = u - high;
    }
}

/* K u + C v. Forces between neighbours cancel in K u by magnitudes: what is rounded on
   the way would push the structure. So the large part of it is summed exactly. `uv`
   comes as for `cut`; `r` has 4 n numbers. */
static void inner_forces(const Twins *twins, double *uv, double *r, double *total)
{
    const Half *half = &twins->half;
    const double *kc = half->values;
    cut(twins, uv);
    memset(r, 0, 4 * (size_t)half->n * sizeof *r);
    for (Index i = 0; i < half->n; i++) {
        const Pair own = at(uv + 4 * i), less = at(uv + 4 * i + 2);
        Index e = half->begins[i];
        Pair sum = at(r + 4 * i) + main_of(kc + 3 * e) * own;
        Pair rest = at(r + 4 * i + 2) + rest_of(kc + 3 * e) * less;
        for (e++; e < half->begins[i + 1]; e++) {
            double *there = r + 4 * (Index)half->columns[e];
            const double *other = uv + 4 * (Index)half->columns[e];
            const Pair high = main_of(kc + 3 * e), low = rest_of(kc + 3 * e);
            sum += high * at(other);
            rest += low * at(other + 2);
            put(there, at(there) + high * own);
            put(there + 2, at(there + 2) + low * less);
        }
        total[i] = sum[0] + (sum[1] + (rest[0] + rest[1]));
    }
}

/* The same, rounded as sums are: for motions that a later trial corrects. `uv` has u and
   v of each row; `r` has 2 n numbers. */
static void rounded_forces(const Half *half, const double *uv, double *r, double *total)
{
    const double *kc = half->values;
    memset(r, 0, 2 * (size_t)half->n * sizeof *r);
    for (Index i = 0; i < half->n; i++) {
        const Pair own = at(uv + 2 * i);
        Index e = half->begins[i];
        Pair sum = at(r + 2 * i) + whole(kc + 3 * e) * own;
        for (e++; e < half->begins[i + 1]; e++) {
            const Pair entry = whole(kc + 3 * e);
            double *there = r + 2 * (Index)half->columns[e];
            sum += entry * at(uv + 2 * (Index)half->columns[e]);
            put(there, at(there) + entry * own);
        }
        total[i] = sum[0] + sum[1];
    }
}

/* ½ uᵀK u and ½ vᵀC v. */
static Pair forms(const Half *half, const double *uv)
{
    const double *kc = half->values;
    Pair total = {0.0, 0.0};
    for (Index i = 0; i < half->n; i++) {
        const Pair own = at(uv + 2 * i);
        Index e = half->begins[i];
        Pair sum = 0.5 * whole(kc + 3 * e) * own;
        for (e++; e < half->begins[i + 1]; e++)
            sum += whole(kc + 3 * e) * at(uv + 2 * (Index)half->columns[e]);
        total += sum * own;
    }
    return total;
}

/* ½ vᵀM v */
static double form(const Half *mass, const double *v)
{
    double total = 0.0;
    for (Index i = 0; i < mass->n; i++) {
        Index e = mass->begins[i];
        double sum = 0.5 * mass->values[e] * v[i];
        for (e++; e < mass->begins[i + 1]; e++)
            sum += mass->values[e] * v[mass->columns[e]];
        total += sum * v[i];
    }
    return total;
}

/* ½ uᵀK u and ½ vᵀM v after a step, and ½ v̄ᵀC v̄ of its mean velocity; `work` has 2 n. */
void bondline_energies(const Twins *twins, const Half *mass, const double *u,
                       const double *v_before, const double *v, double *energies,
                       double *work)
{
    for (Index i = 0; i < mass->n; i++) {
        work[2 * i] = u[i];
        work[2 * i + 1] = 0.5 * (v_before[i] + v[i]);
    }
    const Pair both = forms(&twins->half, work);
    energies[0] = both[0];
    energies[1] = form(mass, v);
    energies[2] = both[1];
}

/* The same after every step of a row; `path` is as below. */
void bondline_row_energies(const Twins *twins, const Half *mass, Index steps,
                           const double *path, double *energies, double *work)
{
    const Index n = mass->n;
    for (Index k = 0; k < steps; k++, path += 3 * n, energies += 3)
        bondline_energies(twins, mass, path + 3 * n, path + n, path + 4 * n, energies,
                          work);
}

/* K u + C v; `work` has 8 n. */
void bondline_inner_forces(const Twins *twins, const double *u, const double *v,
                           double *total, double *work)
{
    const Index n = twins->half.n;
    for (Index i = 0; i < n; i++) {
        work[4 * i + 2] = u[i];
        work[4 * i + 1] = v[i];
    }
    inner_forces(twins, work, work + 4 * n, total);
}

/* What acts in a step: loads f at its end, or none; and z on some rows of the factor. */
typedef struct Acting {
    const double *f, *z;
    Index count;
    const Index *rows;
} Acting;

/* From u, v and a in `before`, one after the other, to those in `after`; `work` has
   9 n. */
static void stepped(const Step *step, const double *before, const Acting *acting,
                    int exact, double *after, double *work)
{
    const Index n = step->twins.half.n, *order = step->band.order;
    const double *u = before, *v = u + n, *a = v + n, *f = acting->f;
    const double h = step->h, beta = step->beta, gamma = step->gamma;
    const double far = 0.5 * h * h * (1.0 - 2.0 * beta), slow = h * (1.0 - gamma);
    double *u_new = after, *v_new = u_new + n, *a_new = v_new + n;
    double *uv = work, *inner = uv + 8 * n, *x = uv;
    const Index wide = exact ? 4 : 2, at_u = exact ? 2 : 0;
    for (Index i = 0; i < n; i++) { /* (36) */
        uv[wide * i + at_u] = u_new[i] = u[i] + h * v[i] + far * a[i];
        uv[wide * i + 1] = v_new[i] = v[i] + slow * a[i];
    }
    if (exact)
        inner_forces(&step->twins, uv, uv + 4 * n, inner);
    else
        rounded_forces(&step->twins.half, uv, uv + 2 * n, inner);
    for (Index i = 0; i < n; i++) { /* f*, (35) */
        const Index k = order[i];
        x[i] = (f ? f[k] : 0.0) - inner[k];
    }
    for (Index k = 0; k < acting->count; k++) x[acting->rows[k]] += acting->z[k];
    bondline_band_solve(&step->band, x); /* (34) */
    for (Index i = 0; i < n; i++) a_new[order[i]] = x[i];
    for (Index i = 0; i < n; i++) { /* (33) */
        u_new[i] += beta * h * h * a_new[i];
        v_new[i] += gamma * h * a_new[i];
    }
}

/* One step under the loads f, or none. Returns 1 where there is no memory left, else
   0. */
int bondline_newmark_step(const Step *step, const double *before, const double *f,
                          double *after)
{
    const Index n = step->twins.half.n;
    const Acting acting = {f, NULL, 0, NULL};
    if (n < 1) return 0;
    double *work = malloc(9 * (size_t)n * sizeof *work);
    if (!work) return 1;
    stepped(step, before, &acting, 1, after, work);
    free(work);
    return 0;
}

/* Steps in a row, from the first 3 n numbers of `path` to those behind them. In each, n
   loads f act, or none, and `count` forces z on these rows of the factor. */
int bondline_newmark_row(const Step *step, Index steps, int exact, const double *f,
                         const double *z, Index count, const Index *rows, double *path)
{
    const Index n = step->twins.half.n;
    if (n < 1) return 0;
    double *work = malloc(9 * (size_t)n * sizeof *work);
    if (!work) return 1;
    for (Index k = 0; k < steps; k++, path += 3 * n) {
        const Acting acting = {f ? f + k * n : NULL, z ? z + k * count : NULL,
                               z ? count : 0, rows};
        stepped(step, path, &acting, exact, path + 3 * n, work);
    }
    free(work);
    return 0;
}

/* The rows from `first` of a sum of unit responses. */
static void summed(const Units *units, Index n, const double *z, Index first,
                   Index rows, double *restrict sum)
{
    const double *c = units->columns + first;
    Index k = 0;
    memset(sum, 0, (size_t)rows * sizeof *sum);
    for (; k + TOGETHER <= units->count; k += TOGETHER, c += TOGETHER * n)
        for (Index i = 0; i < rows; i++)
            sum[i] += ((z[k] * c[i] + z[k + 1] * c[n + i]) +
                       (z[k + 2] * c[2 * n + i] + z[k + 3] * c[3 * n + i])) +
                      ((z[k + 4] * c[4 * n + i] + z[k + 5] * c[5 * n + i]) +
                       (z[k + 6] * c[6 * n + i] + z[k + 7] * c[7 * n + i]));
    for (; k < units->count; k++, c += n)
        for (Index i = 0; i < rows; i++) sum[i] += z[k] * c[i];
}

/* Rows of the end of a step, from those without `more` accelerations; all in rows u, v
   and a of n numbers. */
static void shifted(const Units *units, Index n, Index rows, const double *more,
                    const double *u, double *u_new)
{
    const double *v = u + n, *a = v + n;
    double *v_new = u_new + n, *a_new = v_new + n;
    for (Index i = 0; i < rows; i++) {
        u_new[i] = u[i] + units->to_u * more[i];
        v_new[i] = v[i] + units->to_v * more[i];
        a_new[i] = a[i] + more[i];
    }
}

/* From the end of a step without the forces z to that with them: by unit responses. */
static void shift(const Units *units, Index n, const double *z, const double *without,
                  double *with)
{
    double more[STRETCH];
    for (Index first = 0; first < n; first += STRETCH) {
        const Index rows = n - first < STRETCH ? n - first : STRETCH;
        summed(units, n, z, first, rows, more);
        shifted(units, n, rows, more, without + first, with + first);
    }
}

/* The same by the factor; `work` has 2 n. */
static void shift_by_factor(const Units *units, Index n, const double *z,
                            const double *without, double *with, double *work)
{
    double *x = work, *more = work + n;
    memset(x, 0, (size_t)n * sizeof *x);
    for (Index k = 0; k < units->count; k++) x[units->rows[k]] += z[k];
    bondline_band_solve(&units->band, x);
    for (Index i = 0; i < n; i++) more[units->band.order[i]] = x[i];
    shifted(units, n, n, more, without, with);
}

/* The end of a step with the forces z, from that without them, and the energies there;
   the step began at `before`. Returns as a step does. */
int bondline_newmark_land(const Twins *twins, const Half *mass, const Units *units,
                          const double *z, const double *before,
                          const double *without, double *with, double *energies)
{
    const Index n = mass->n;
    double *work = malloc(2 * (size_t)n * sizeof *work);
    if (!work) return 1;
    if (units->rows)
        shift_by_factor(units, n, z, without, with, work);
    else
        shift(units, n, z, without, with);
    bondline_energies(twins, mass, with, before + n, with + n, energies, work);
    free(work);
    return 0;
}
