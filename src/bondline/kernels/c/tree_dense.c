/* The mass matrix and the forces from the tips inwards, kim2000 (17), (18).

   In the state-vector form the inertias of all that hangs on a joint simply add up. */

#include "tree_inner.h"

/* Where a body's columns begin: only those of its modes if that is all it needs. */
static int first_column(const Branch *b, int need)
{
    return need == ALL ? 0 : b->n_joint;
}

/* row[j] = S . U_j for columns from `first` to `count`. */
static void dots(const double *restrict S, const double *restrict U, int first,
                 int count, double *restrict row)
{
    for (int j = first; j < count; j++) row[j] = dot6(S, U + 6 * j);
}

/* Columns U of a body's own coordinates: the wrench its subtree takes for a unit
   acceleration of each, (21). */
static void own_columns(const Branch *b, int first, int bent, const Link *link,
                        double *work)
{
    double *U = work + b->U;
    for (int k = first; k < b->n_joint; k++)
        inertia_times(link, link->S + 6 * k, U + 6 * k);
    if (!bent) return; /* G is there */
    U += 6 * b->n_joint;
    memcpy(U, work + b->G, 6 * (size_t)b->n_modes * sizeof *U);
    for (int k = 0; k < b->n_modes; k++) {
        double F[6];
        inertia_times(link, work + b->Lam_in + 6 * k, F);
        add6(U + 6 * k, -1.0, F);
    }
}

static void joint_rows(const Tree *tree, const Branch *b, int first, const Link *link,
                       double *work)
{
    double *M = work + tree->at_M, *P = work + tree->at_P, *U = work + b->U;
    int n = tree->n_u, count = b->n_joint + b->n_modes;
    for (int i = 0; i < b->n_joint; i++) {
        double *row = M + (size_t)(b->u + i) * n + b->u;
        dots(link->S + 6 * i, U, i > first ? i : first, count, row);
        if (!first) P[b->u + i] -= dot6(link->S + 6 * i, link->F);
    }
}

static void modal_rows(const Tree *tree, const Branch *b, int bent, const Link *link,
                       double *work)
{
    int n = tree->n_u, m = b->n_modes;
    double *M = work + tree->at_M, *P = work + tree->at_P, *U = work + b->U;
    const double *Lam = work + b->Lam_in, *G = work + b->G, *Mhat = work + b->Mhat;
    for (int i = 0; i < m; i++) {
        double *row = M + (size_t)(b->au + i) * n + b->au;
        for (int j = i; j < m; j++) row[j] = Mhat[i * m + j];
        P[b->au + i] -= work[b->bias + i];
        if (!bent) continue;
        for (int j = i; j < m; j++)
            row[j] -= dot6(Lam + 6 * i, U + 6 * (b->n_joint + j)) +
                      dot6(G + 6 * i, Lam + 6 * j);
        P[b->au + i] += dot6(Lam + 6 * i, link->F);
    }
}

/* Rows of all bodies on the way to the ground, (23). */
static void ancestor_rows(const Tree *tree, int body, int first, double *work)
{
    const Branch *b = tree->branches + body;
    int n = tree->n_u, count = b->n_joint + b->n_modes;
    double *M = work + tree->at_M, *U = work + b->U;
    for (const Branch *on = b; on->parent >= 0; on = tree->branches + on->parent) {
        const Branch *up = tree->branches + on->parent;
        const Link *link = link_of(tree, work, on->parent);
        for (int i = 0; i < up->n_joint; i++)
            dots(link->S + 6 * i, U, first, count, M + (size_t)(up->u + i) * n + b->u);
        for (int i = 0; i < up->n_modes; i++) {
            double *row = M + (size_t)(up->au + i) * n + b->u, Lam[6] = {0.0};
            if (marker_moves(tree, on->in)) add6(Lam, 1.0, work + on->Lam_up + 6 * i);
            if (marker_moves(tree, up->out)) add6(Lam, -1.0, work + up->Lam_in + 6 * i);
            dots(Lam, U, first, count, row);
        }
    }
}

/* Hand inertia and wrench to the body that carries this one, (20). */
static void hand_down(const Tree *tree, const Branch *b, int need, const Link *link,
                      double *work)
{
    const Branch *up = tree->branches + b->parent;
    if (need == ALL) {
        Link *below = link_of(tree, work, b->parent);
        below->m += link->m;
        add3(below->h, 1.0, link->h);
        add6(below->J, 1.0, link->J);
        add6(below->F, 1.0, link->F);
    }
    if (!marker_moves(tree, b->in)) return;
    const double *Lam = work + b->Lam_up;
    double *G = work + up->G, *Mhat = work + up->Mhat;
    for (int k = 0; k < up->n_modes; k++) {
        double F[6];
        inertia_times(link, Lam + 6 * k, F);
        add6(G + 6 * k, 1.0, F);
        for (int l = 0; l < up->n_modes; l++)
            Mhat[l * up->n_modes + k] += dot6(Lam + 6 * l, F);
        work[up->bias + k] += dot6(Lam + 6 * k, link->F);
    }
}

/* The upper triangle of M, and P, to which loads on joints have been added. */
void tree_assemble(const Tree *tree, const Pass *pass, double *work)
{
    if (tree->branching) zero(work + tree->at_M, (size_t)tree->n_u * tree->n_u);
    for (int k = pass->n_heavy - 1; k >= 0; k--) {
        int i = pass->heavy[k], need = pass->need[i];
        const Branch *b = tree->branches + i;
        const Link *link = link_of(tree, work, i);
        int first = first_column(b, need), bent = marker_moves(tree, b->out);
        own_columns(b, first, bent, link, work);
        joint_rows(tree, b, first, link, work);
        modal_rows(tree, b, bent, link, work);
        ancestor_rows(tree, i, first, work);
        if (need == ALL && b->parent >= 0 && pass->need[b->parent] >= MODAL)
            hand_down(tree, b, pass->need[b->parent], link, work);
    }
}
