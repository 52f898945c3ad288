/* The fast rows only: u'_f = w - N u'_s, kim2000 (36), second row. */

#include "tree_inner.h"

/* Rows of N of a body's modes, where all modes and only modes are fast and no joint
   moves with them: a mode's wrench G works on the ways of the joints below. */
static void modal_fast(const Tree *tree, int body, double *work, double *N)
{
    const Branch *b = tree->branches + body;
    const double *restrict G = work + b->G;
    double *first = N + (size_t)tree->row[b->au] * tree->n_slow;
    int m = b->n_modes;
    for (int i = body; i >= 0; i = tree->branches[i].parent) {
        const Branch *up = tree->branches + i;
        const double *restrict S = link_of(tree, work, i)->S;
        for (int j = 0; j < up->n_joint; j++, S += 6) {
            double *restrict to = first - 1 - tree->row[up->u + j];
            for (int k = 0; k < m; k++, to += tree->n_slow) *to = dot6(S, G + 6 * k);
        }
    }
}

static void constant_rows(const Tree *tree, double *work, double *w, double *N)
{
    const double *P = work + tree->at_P;
    zero(N, (size_t)tree->n_fast * tree->n_slow);
    for (int k = 0; k < tree->quick.n_heavy; k++) {
        int i = tree->quick.heavy[k];
        const Branch *b = tree->branches + i;
        modal_fast(tree, i, work, N);
        for (int l = 0; l < b->n_modes; l++)
            w[tree->row[b->au + l]] = P[b->au + l] - work[b->bias + l];
    }
}

/* Rows out of the upper triangle of M. */
static void picked_rows(const Tree *tree, double *work, double *w, double *N)
{
    const double *M = work + tree->at_M, *P = work + tree->at_P;
    double *own = work + tree->at_fast;
    int n = tree->n_u, n_fast = tree->n_fast;
    for (int k = 0; k < n_fast; k++) {
        int i = tree->fast[k];
        w[k] = P[i];
        for (int l = k; l < n_fast; l++) own[k * n_fast + l] = M[i * n + tree->fast[l]];
        for (int l = 0; l < tree->n_slow; l++) {
            int j = tree->slow[l];
            N[k * tree->n_slow + l] = i < j ? M[i * n + j] : M[j * n + i];
        }
    }
}

/* m_ff^-1 on w and on the columns of N. */
static void divide(const double *own, int n_fast, int n_slow, double *x, double *w,
                   double *N)
{
    ldl_solve(own, n_fast, n_fast, w);
    for (int j = 0; j < n_slow; j++) {
        for (int k = 0; k < n_fast; k++) x[k] = N[k * n_slow + j];
        ldl_solve(own, n_fast, n_fast, x);
        for (int k = 0; k < n_fast; k++) N[k * n_slow + j] = x[k];
    }
}

int tree_quick_rows(const Tree *tree, double *work, double *w, double *N)
{
    double *own = work + tree->at_fast;
    if (tree->constant_fast) {
        constant_rows(tree, work, w, N);
        if (tree->unit_fast) return FINE;
        own = tree->fast_mass;
    } else {
        zero(work + tree->at_M, (size_t)tree->n_u * tree->n_u);
        tree_assemble(tree, &tree->quick, work);
        picked_rows(tree, work, w, N);
        int trouble = ldl_factor(own, tree->n_fast, tree->n_fast);
        if (trouble) return trouble;
    }
    divide(own, tree->n_fast, tree->n_slow, work + tree->at_solve, w, N);
    return FINE;
}
