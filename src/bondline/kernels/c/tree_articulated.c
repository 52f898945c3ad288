/* Accelerations in O(n): articulated inertias from the tips inwards, accelerations
   outwards. A body's modal coordinates are treated like those of its joint.

   All accelerations here are what u' adds to those without it, (24)-(27). */

#include "tree_knee.h"

static void matrix_times(const double *A, const double *x, double *y)
{
    for (int i = 0; i < 6; i++) y[i] = dot6(A + 6 * i, x);
}

/* The 6 x 6 inertia of mass, first moment and tensor about o, (16). */
static void start_inertia(const Link *link, double *A)
{
    const double m = link->m, x = link->h[0], y = link->h[1], z = link->h[2];
    const double *J = link->J;
    const Pair rows[18] = {{m, 0.0},  {0.0, 0.0}, {z, -y},      {0.0, m},  {0.0, -z},
                           {0.0, x},  {0.0, 0.0}, {m, y},       {-x, 0.0}, {0.0, -z},
                           {y, J[0]}, {J[3], J[5]}, {z, 0.0},   {-x, J[3]}, {J[1], J[4]},
                           {-y, x},   {0.0, J[5]}, {J[4], J[2]}};
#pragma GCC unroll 18
    for (int i = 0; i < 18; i++) put(A + 2 * i, rows[i]);
}

static void columns(const Branch *b, int bent, const Link *link, const Knee *knee,
                    double *work)
{
    double *U = knee->U;
    for (int k = 0; k < b->n_joint; k++)
        matrix_times(knee->IA, link->S + 6 * k, U + 6 * k);
    if (!bent) return; /* G is there */
    U += 6 * b->n_joint;
    memcpy(U, work + b->G, 6 * (size_t)b->n_modes * sizeof *U);
    for (int k = 0; k < b->n_modes; k++) {
        double F[6];
        matrix_times(knee->IA, work + b->Lam_in + 6 * k, F);
        add6(U + 6 * k, -1.0, F);
    }
}

/* The body's own block and forces, (22). */
static void block(const Tree *tree, const Branch *b, int bent, const Link *link,
                  const Knee *knee, double *work)
{
    int n = knee->n, m = b->n_modes, joint = b->n_joint;
    const double *P = work + tree->at_P, *Lam = work + b->Lam_in, *G = work + b->G;
    for (int i = 0; i < joint; i++) {
        for (int j = i; j < n; j++)
            knee->D[i * n + j] = dot6(link->S + 6 * i, knee->U + 6 * j);
        knee->y[i] = P[b->u + i] - dot6(link->S + 6 * i, link->F);
    }
    for (int i = 0; i < m; i++) {
        double *row = knee->D + (joint + i) * n + joint;
        for (int j = i; j < m; j++) row[j] = work[b->Mhat + (size_t)(i * m + j)];
        knee->y[joint + i] = P[b->au + i] - work[b->bias + i];
        if (!bent) continue;
        for (int j = i; j < m; j++)
            row[j] -= dot6(Lam + 6 * i, knee->U + 6 * (joint + j)) +
                      dot6(G + 6 * i, Lam + 6 * j);
        knee->y[joint + i] += dot6(Lam + 6 * i, link->F);
    }
}

/* Y = D^-1 U^T, 6 columns at once; y = D^-1 y. */
static int solve_block(const Knee *knee)
{
    int n = knee->n;
    int trouble = ldl_factor(knee->D, n, n);
    if (trouble) return trouble;
    ldl_solve(knee->D, n, n, knee->y);
    memcpy(knee->Y, knee->U, 6 * (size_t)n * sizeof *knee->Y);
    for (int j = 0; j < n; j++)
        for (int k = j + 1; k < n; k++)
            add6(knee->Y + 6 * k, -knee->D[j * n + k], knee->Y + 6 * j);
    for (int j = n - 1; j >= 0; j--) {
        double *row = knee->Y + 6 * j;
        for (int i = 0; i < 6; i++) row[i] *= knee->D[j * n + j];
        for (int k = j + 1; k < n; k++)
            add6(row, -knee->D[j * n + k], knee->Y + 6 * k);
    }
    return FINE;
}

/* What the body looks like from its inboard joint frame, (25). */
static void fold(const Knee *knee, double *IA, double *F)
{
    for (int k = 0; k < knee->n; k++) {
        const double *U = knee->U + 6 * k, *Y = knee->Y + 6 * k;
        for (int i = 0; i < 6; i++) add6(IA + 6 * i, -U[i], Y);
        add6(F, knee->y[k], U);
    }
}

static void hand_down(const Tree *tree, int body, const double *IA, const double *F,
                      double *work)
{
    const Branch *b = tree->branches + body, *up = tree->branches + b->parent;
    const Marker *in = tree->markers + b->in;
    Knee below = knee_of(tree, work, b->parent);
    for (int i = 0; i < 36; i++) below.IA[i] += IA[i];
    add6(link_of(tree, work, b->parent)->F, 1.0, F);
    if (!in->moves && !in->tilts) return;
    for (int k = 0; k < up->n_modes; k++) {
        const double *Lam = work + b->Lam_up;
        double wrench[6];
        matrix_times(IA, Lam + 6 * k, wrench);
        add6(work + up->G + 6 * k, 1.0, wrench);
        for (int l = 0; l < up->n_modes; l++)
            work[up->Mhat + (size_t)(l * up->n_modes + k)] += dot6(Lam + 6 * l, wrench);
        work[up->bias + k] += dot6(Lam + 6 * k, F);
    }
}

static int fold_any(const Tree *tree, int body, const Knee *knee, double *work)
{
    const Branch *b = tree->branches + body;
    Link *link = link_of(tree, work, body);
    int bent = marker_moves(tree, b->out);
    columns(b, bent, link, knee, work);
    block(tree, b, bent, link, knee, work);
    int trouble = solve_block(knee);
    if (trouble || b->parent < 0) return trouble;
    fold(knee, knee->IA, link->F);
    hand_down(tree, body, knee->IA, link->F, work);
    return FINE;
}

static int inwards(const Tree *tree, double *work)
{
    for (int i = 0; i < tree->n_bodies; i++)
        start_inertia(link_of(tree, work, i), knee_of(tree, work, i).IA);
    for (int i = tree->n_bodies - 1; i >= 0; i--) {
        const Branch *b = tree->branches + i;
        Knee knee = knee_of(tree, work, i);
        int trouble = single(tree, b)
                          ? fold_one(tree, b, link_of(tree, work, i), &knee, work)
                          : fold_any(tree, i, &knee, work);
        if (trouble) return trouble;
    }
    return FINE;
}

/* u' and the accelerations, parents first, (26), (27). */
static void outwards(const Tree *tree, double *work, double *u_rate)
{
    static const double still[6] = {0.0};
    for (int i = 0; i < tree->n_bodies; i++) {
        const Branch *b = tree->branches + i;
        const Marker *in = tree->markers + b->in, *out = tree->markers + b->out;
        const Link *link = link_of(tree, work, i);
        Knee knee = knee_of(tree, work, i);
        const double *below = still;
        double *own = u_rate + b->u;
        if (b->parent >= 0) below = knee_of(tree, work, b->parent).X;
        if (single(tree, b)) {
            *own = follow_one(&knee, link->S, below);
            continue;
        }
        memcpy(knee.X, below, sizeof still);
        if (in->moves || in->tilts) {
            const Branch *up = tree->branches + b->parent;
            for (int k = 0; k < up->n_modes; k++)
                add6(knee.X, u_rate[up->au + k], work + b->Lam_up + 6 * k);
        }
        for (int k = 0; k < knee.n; k++)
            own[k] = knee.y[k] - dot6(knee.Y + 6 * k, knee.X);
        for (int k = 0; k < b->n_joint; k++) add6(knee.X, own[k], link->S + 6 * k);
        for (int k = 0; (out->moves || out->tilts) && k < b->n_modes; k++)
            add6(knee.X, -own[b->n_joint + k], work + b->Lam_in + 6 * k);
    }
}

int tree_recursive(const Tree *tree, double *work, double *u_rate)
{
    int trouble = inwards(tree, work);
    if (trouble) return trouble;
    outwards(tree, work, u_rate);
    return FINE;
}

/* Let a unit force act on one coordinate of a body: y along its way to the ground,
   where no joint moves with modes. All others must be zero. */
static void push_one(const Tree *tree, int body, int k, double *work)
{
    double F[6] = {0.0};
    knee_of(tree, work, body).y[k] = 1.0;
    for (int i = body; i >= 0; i = tree->branches[i].parent) {
        const Branch *b = tree->branches + i;
        Knee knee = knee_of(tree, work, i);
        for (int j = 0; j < b->n_joint; j++)
            knee.y[j] -= dot6(link_of(tree, work, i)->S + 6 * j, F);
        ldl_solve(knee.D, knee.n, knee.n, knee.y);
        for (int j = 0; j < knee.n; j++) add6(F, knee.y[j], knee.U + 6 * j);
    }
}

/* B = m_e^-1 m_sf = -(M^-1)_sf m_ff, after tree_recursive, for modes of unit mass:
   column by column of M^-1. */
void tree_recursive_B(const Tree *tree, double *work, double *B)
{
    double *x = work + tree->at_solve;
    for (int i = 0; i < tree->n_bodies; i++) {
        const Branch *b = tree->branches + i;
        for (int k = 0; k < b->n_modes; k++) {
            for (int j = 0; j < tree->n_bodies; j++) {
                Knee knee = knee_of(tree, work, j);
                zero(knee.y, (size_t)knee.n);
            }
            push_one(tree, i, b->n_joint + k, work);
            outwards(tree, work, x);
            for (int j = 0; j < tree->n_slow; j++)
                B[j * tree->n_fast + tree->row[b->au + k]] = -x[tree->slow[j]];
        }
    }
}
