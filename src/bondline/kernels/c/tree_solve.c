/* M u' = P with an assembled M, kim2000 (18), (36).

   The fast coordinates are eliminated first, so that what is left for the slow ones is
   m_e of (36). Where they are modes of unit mass there is nothing to factorise. */

#include "tree_inner.h"

static double entry(const double *M, int n, int i, int j)
{
    return i < j ? M[(size_t)i * n + j] : M[(size_t)j * n + i];
}

/* Columns of m_sf into B, and m_e^-1 upon each of them. */
static void fill_B(const Tree *tree, const double *M, double *B)
{
    for (int j = 0; j < tree->n_slow; j++)
        for (int i = 0; i < tree->n_fast; i++)
            B[j * tree->n_fast + i] = entry(M, tree->n_u, tree->slow[j], tree->fast[i]);
}

static void divide_B(const Tree *tree, const double *m_e, int stride, double *x,
                     double *B)
{
    int n_fast = tree->n_fast, n_slow = tree->n_slow;
    for (int i = 0; i < n_fast; i++) {
        for (int j = 0; j < n_slow; j++) x[j] = B[j * n_fast + i];
        ldl_solve(m_e, n_slow, stride, x);
        for (int j = 0; j < n_slow; j++) B[j * n_fast + i] = x[j];
    }
}

/* m_ff = I: m_e = m_ss - m_sf m_fs and g_s - m_sf g_f, kim2000 (46). */
static int with_unit_modes(const Tree *tree, double *work, double *u_rate, double *B)
{
    int n = tree->n_u, n_fast = tree->n_fast, n_slow = tree->n_slow;
    const double *M = work + tree->at_M, *P = work + tree->at_P;
    double *m_e = work + tree->at_split, *C = m_e + (size_t)n_slow * n_slow;
    double *x = work + tree->at_solve;
    fill_B(tree, M, C);
    for (int i = 0; i < n_slow; i++) {
        const double *row = C + i * n_fast;
        x[i] = P[tree->slow[i]];
        for (int k = 0; k < n_fast; k++) x[i] -= row[k] * P[tree->fast[k]];
        for (int j = i; j < n_slow; j++) {
            double sum = M[(size_t)tree->slow[i] * n + tree->slow[j]];
            for (int k = 0; k < n_fast; k++) sum -= row[k] * C[j * n_fast + k];
            m_e[i * n_slow + j] = sum;
        }
    }
    int trouble = ldl_factor(m_e, n_slow, n_slow);
    if (trouble) return trouble;
    ldl_solve(m_e, n_slow, n_slow, x);
    for (int k = 0; k < n_fast; k++) u_rate[tree->fast[k]] = P[tree->fast[k]];
    for (int i = 0; i < n_slow; i++) {
        u_rate[tree->slow[i]] = x[i];
        for (int k = 0; k < n_fast; k++)
            u_rate[tree->fast[k]] -= C[i * n_fast + k] * x[i];
    }
    if (!B) return FINE;
    memcpy(B, C, (size_t)n_slow * n_fast * sizeof *B);
    divide_B(tree, m_e, n_slow, x, B);
    return FINE;
}

/* M and P with the fast coordinates first. */
static void fast_first(const Tree *tree, const double *M, const double *P, double *A,
                       double *x)
{
    int n = tree->n_u, n_fast = tree->n_fast;
    for (int i = 0; i < n; i++) {
        int row = i < n_fast ? tree->fast[i] : tree->slow[i - n_fast];
        x[i] = P[row];
        for (int j = i; j < n; j++) {
            int other = j < n_fast ? tree->fast[j] : tree->slow[j - n_fast];
            A[(size_t)i * n + j] = entry(M, n, row, other);
        }
    }
}

static int with_fast_first(const Tree *tree, double *work, double *u_rate, double *B)
{
    int n = tree->n_u, n_fast = tree->n_fast, n_slow = tree->n_slow;
    double *A = work + tree->at_split, *x = work + tree->at_solve;
    fast_first(tree, work + tree->at_M, work + tree->at_P, A, x);
    fill_B(tree, work + tree->at_M, B);
    int trouble = ldl_factor(A, n, n);
    if (trouble) return trouble;
    ldl_solve(A, n, n, x);
    for (int i = 0; i < n_fast; i++) u_rate[tree->fast[i]] = x[i];
    for (int j = 0; j < n_slow; j++) u_rate[tree->slow[j]] = x[n_fast + j];
    divide_B(tree, A + (size_t)n_fast * n + n_fast, n, x, B);
    return FINE;
}

int tree_solve(const Tree *tree, double *work, double *u_rate, double *B)
{
    int n = tree->n_u;
    if (!B && n && n <= LDL_SMALL) {
        memcpy(u_rate, work + tree->at_P, (size_t)n * sizeof *u_rate);
        return ldl_small(work + tree->at_M, n, u_rate);
    }
    if (tree->constant_fast && tree->unit_fast)
        return with_unit_modes(tree, work, u_rate, B);
    if (B) return with_fast_first(tree, work, u_rate, B);
    int trouble = ldl_factor(work + tree->at_M, n, n);
    if (trouble) return trouble;
    memcpy(u_rate, work + tree->at_P, (size_t)n * sizeof *u_rate);
    ldl_solve(work + tree->at_M, n, n, u_rate);
    return FINE;
}
