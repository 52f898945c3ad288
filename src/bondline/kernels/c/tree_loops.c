/* Closed loops by multipliers: M u' = P + J^T lambda, gap'' = 0, (31)-(34).

   Conditions may depend on each other, as in plane mechanisms and in those that move
   though a count says they should not: lambda is then the shortest one. */

#include "tree_loops.h"

/* Where everything of the loops lies in `work`. */
typedef struct Rows {
    double *J, *Z; /* n_gaps x n_u: conditions, M^-1 J^T */
    double *W, *K; /* n_gaps x n_gaps: J M^-1 J^T and its rectangular factor */
    double *gap, *rate, *bias, *weight, *x, *y;
    int *order;
    int n, n_u;
} Rows;

static Rows rows_of(const Tree *tree, double *work)
{
    size_t n = (size_t)tree->n_gaps, n_u = (size_t)tree->n_u;
    double *at = work + tree->at_loops;
    Rows rows = {.J = at, .Z = at + n * n_u, .W = at + 2 * n * n_u, .n = tree->n_gaps,
                 .n_u = tree->n_u};
    rows.K = rows.W + n * n;
    rows.gap = rows.K + n * n;
    rows.rate = rows.gap + n;
    rows.bias = rows.rate + n;
    rows.weight = rows.bias + n;
    rows.x = rows.weight + n;
    rows.y = rows.x + n;
    rows.order = (int *)(rows.y + n);
    return rows;
}

static double sizes6(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++) sum += fabs(a[i] * b[i]);
    return sum;
}

/* The power of a wrench C with each column of n, and how large its terms are. */
static void onto(const double *C, double sign, const double *columns, int n,
                 double *row, double *large)
{
    for (int k = 0; k < n; k++) {
        row[k] += sign * dot6(C, columns + 6 * k);
        large[k] += sizes6(C, columns + 6 * k);
    }
}

/* A row of J: what C at a marker does on the way to the ground. */
static void climb(const Tree *tree, int number, const double *C, double sign,
                  const double *Lam, double *row, double *large, double *work)
{
    const Marker *marker = tree->markers + number;
    int body = marker->body;
    if (body >= 0 && (marker->moves || marker->tilts)) {
        const Branch *b = tree->branches + body;
        onto(C, sign, Lam, b->n_modes, row + b->au, large + b->au);
    }
    for (; body >= 0; body = tree->branches[body].parent) {
        const Branch *b = tree->branches + body;
        const Marker *in = tree->markers + b->in, *out = tree->markers + b->out;
        onto(C, sign, link_of(tree, work, body)->S, b->n_joint, row + b->u,
             large + b->u);
        if (out->moves || out->tilts)
            onto(C, -sign, work + b->Lam_in, b->n_modes, row + b->au, large + b->au);
        if (in->moves || in->tilts) {
            const Branch *up = tree->branches + b->parent;
            onto(C, sign, work + b->Lam_up, up->n_modes, row + up->au, large + up->au);
        }
    }
}

/* One gap's row of J, and what its weight is against the masses. */
static double *start_row(Rows *rows, int at, const Gap *gap)
{
    double *row = rows->J + (size_t)at * rows->n_u;
    rows->gap[at] = gap->size;
    rows->rate[at] = gap->rate;
    rows->bias[at] = gap->bias;
    zero(row, (size_t)rows->n_u);
    return row;
}

static double weighed(const double *large, const double *M, int n_u)
{
    double weight = 0.0;
    for (int j = 0; j < n_u; j++) weight += large[j] * large[j] / M[(size_t)j * n_u + j];
    return weight > 0.0 ? 1.0 / sqrt(weight) : 0.0;
}

/* Rows of a cut joint; returns how many. */
static int cut_rows(const Tree *tree, const Loop *loop, const double *q,
                    const double *u, const double *M, double *work, Rows *rows, int at)
{
    double *Lam_a = work + tree->at_Lam, *Lam_b = work + tree->at_Lam_b;
    double *large = work + tree->at_solve;
    Spot a, b;
    Gap gaps[6];
    spot_of(tree, loop->a, q, u, work, &a, Lam_a);
    spot_of(tree, loop->b, q, u, work, &b, Lam_b);
    int n = gaps_between(loop->kind, &a, &b, gaps);
    for (int i = 0; i < n; i++, at++) {
        double *row = start_row(rows, at, gaps + i);
        zero(large, (size_t)rows->n_u);
        climb(tree, loop->b, gaps[i].C, 1.0, Lam_b, row, large, work);
        climb(tree, loop->a, gaps[i].C, -1.0, Lam_a, row, large, work);
        rows->weight[at] = weighed(large, M, rows->n_u);
    }
    return n;
}

static void fill_rows(const Tree *tree, double t, const double *q, const double *u,
                      const double *M, double *work, Rows *rows)
{
    int at = 0;
    for (int k = 0; k < tree->n_loops; k++) {
        const Loop *loop = tree->loops + k;
        if (loop->kind == TOLD) {
            Gap gap = gap_told(tree, loop, t, q, u);
            start_row(rows, at, &gap)[loop->b] = 1.0;
            rows->weight[at++] = sqrt(M[(size_t)loop->b * rows->n_u + loop->b]);
        } else {
            at += cut_rows(tree, loop, q, u, M, work, rows, at);
        }
    }
}

/* W = J M^-1 J^T, each row and column by its weight, so that 1 is large. */
static void fill_W(const double *factor, Rows *rows)
{
    int n = rows->n, n_u = rows->n_u;
    memcpy(rows->Z, rows->J, (size_t)n * n_u * sizeof *rows->Z);
    for (int i = 0; i < n; i++) ldl_solve(factor, n_u, n_u, rows->Z + (size_t)i * n_u);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double *Z = rows->Z + (size_t)i * n_u, *J = rows->J + (size_t)j * n_u;
            double sum = 0.0;
            for (int k = 0; k < n_u; k++) sum += Z[k] * J[k];
            rows->W[i * n + j] = sum * rows->weight[i] * rows->weight[j];
        }
}

/* lambda = W^+ r, (33). */
static int multipliers(Rows *rows, double *r)
{
    for (int i = 0; i < rows->n; i++) r[i] *= rows->weight[i];
    int trouble = shortest(rows->W, rows->K, rows->n, rows->order, rows->x, rows->y, r);
    for (int i = 0; i < rows->n; i++) r[i] *= rows->weight[i];
    return trouble;
}

/* x += M^-1 J^T lambda */
static void add_held(const Rows *rows, const double *lambda, double *x)
{
    for (int i = 0; i < rows->n; i++)
        for (int k = 0; k < rows->n_u; k++)
            x[k] += lambda[i] * rows->Z[(size_t)i * rows->n_u + k];
}

static double along_row(const Rows *rows, int i, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < rows->n_u; k++) sum += rows->J[(size_t)i * rows->n_u + k] * x[k];
    return sum;
}

/* What a told coordinate does is known, whatever mass it has: with more of it M stays
   definite where a long flexible body leaves it next to none. */
static void burden_told(const Tree *tree, double *M)
{
    for (int k = 0; k < tree->n_loops; k++) {
        const Loop *loop = tree->loops + k;
        if (loop->kind == TOLD) M[(size_t)loop->b * tree->n_u + loop->b] *= 2.0;
    }
}

/* Conditions and multipliers from the assembled M, which is factorised. */
static int prepare(const Tree *tree, double t, const double *q, const double *u,
                   double *work, Rows *rows)
{
    double *M = work + tree->at_M;
    *rows = rows_of(tree, work);
    burden_told(tree, M);
    fill_rows(tree, t, q, u, M, work, rows);
    int trouble = ldl_factor(M, tree->n_u, tree->n_u);
    if (trouble) return trouble;
    fill_W(M, rows);
    return FINE;
}

/* u' with all loops closed, after tree_assemble, (31), (32). */
int tree_solve_loops(const Tree *tree, double t, const double *q, const double *u,
                     double *work, double *u_rate)
{
    Rows rows;
    double k = tree->closing, *r;
    int trouble = prepare(tree, t, q, u, work, &rows);
    if (trouble) return trouble;
    memcpy(u_rate, work + tree->at_P, (size_t)tree->n_u * sizeof *u_rate);
    ldl_solve(work + tree->at_M, tree->n_u, tree->n_u, u_rate);
    r = rows.bias;
    for (int i = 0; i < rows.n; i++)
        r[i] = -r[i] - 2.0 * k * rows.rate[i] - k * k * rows.gap[i] -
               along_row(&rows, i, u_rate);
    trouble = multipliers(&rows, r);
    add_held(&rows, r, u_rate);
    return trouble;
}

static int assemble_at(const Tree *tree, double t, const double *q, const double *u,
                       double *work, Rows *rows)
{
    tree_forward(tree, &tree->full, q, u, work);
    tree_bodies(tree, &tree->full, q, u, work);
    zero(work + tree->at_P, (size_t)tree->n_u);
    tree_assemble(tree, &tree->full, work);
    return prepare(tree, t, q, u, work, rows);
}

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

/* Move by a small change of speed times time. */
static void shift(const Tree *tree, const double *step, double *q)
{
    for (int i = 0; i < tree->n_bodies; i++) {
        const Branch *b = tree->branches + i;
        int turns = joint_turns(b->kind), plain = turns < 0 ? b->n_joint : turns;
        for (int k = 0; k < plain; k++) q[b->q + k] += step[b->u + k];
        for (int k = 0; k < b->n_modes; k++) q[b->aq + k] += step[b->au + k];
        if (turns < 0) continue;
        double *e = q + b->q + turns, change[4];
        quaternion_rate(e, step + b->u + turns, change);
        for (int k = 0; k < 4; k++) e[k] += change[k];
    }
    tree_normalise(tree, q);
}

/* x -= M^-1 J^T W^+ r: the least change that takes r away. */
static int take_away(Rows *rows, double *r, double *x)
{
    int trouble = multipliers(rows, r);
    for (int i = 0; i < rows->n; i++) r[i] = -r[i];
    add_held(rows, r, x);
    return trouble;
}

/* The state nearest in the sense of M that has no gaps, (34). */
int tree_project(const Tree *tree, double t, double *q, double *u, double *work)
{
    enum { PATIENCE = 50 };
    double *step = work + tree->at_split, before = HUGE_VAL;
    Rows rows;
    if (!tree->n_gaps) return FINE;
    for (int k = 0; k < PATIENCE; k++) {
        int trouble = assemble_at(tree, t, q, u, work, &rows);
        if (trouble) return trouble;
        double size = largest(rows.gap, rows.n);
        if (size < 1e-14 || (size < 1e-11 && size > 0.3 * before))
            return take_away(&rows, rows.rate, u); /* round-off is all there is */
        if (!(size < 1e6)) return NOT_CLOSED;
        before = size;
        zero(step, (size_t)tree->n_u);
        trouble = take_away(&rows, rows.gap, step);
        if (trouble) return trouble;
        shift(tree, step, q);
    }
    return NOT_CLOSED;
}

/* The largest gap, and the largest rate of one. */
int tree_gaps(const Tree *tree, double t, const double *q, const double *u,
              double *work, double found[2])
{
    Rows rows;
    zero(found, 2);
    if (!tree->n_gaps) return FINE;
    int trouble = assemble_at(tree, t, q, u, work, &rows);
    found[0] = largest(rows.gap, rows.n);
    found[1] = largest(rows.rate, rows.n);
    return trouble;
}
