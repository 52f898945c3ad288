/* A loaded tree as a `System` of integrators. */

#include "tree_inner.h"

static void evaluate(const Loaded *loaded, const Pass *pass, double t, const double *q,
                     const double *u, double *work)
{
    tree_forward(loaded->tree, pass, q, u, work);
    tree_bodies(loaded->tree, pass, q, u, work);
    tree_apply(loaded, pass, t, q, u, work);
}

static int finite(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += x[i] * 0.0; /* NaN if one is not finite */
    return sum == 0.0;
}

static int all_rates(const System *system, double t, const double *q, const double *u,
                     double *work, double *q_rate, double *u_rate, double *B)
{
    const Loaded *loaded = system->model;
    const Tree *tree = loaded->tree;
    int trouble, unit = tree->constant_fast && tree->unit_fast;
    evaluate(loaded, &tree->full, t, q, u, work);
    tree_position_rates(tree, q, u, q_rate);
    if (tree->solver == RECURSIVE && !tree->n_gaps && (unit || !B)) {
        trouble = tree_recursive(tree, work, u_rate);
        if (B && !trouble) tree_recursive_B(tree, work, B);
    } else {
        tree_assemble(tree, &tree->full, work);
        trouble = tree->n_gaps ? tree_solve_loops(tree, t, q, u, work, u_rate)
                               : tree_solve(tree, work, u_rate, B);
    }
    if (trouble) return trouble;
    return finite(u_rate, tree->n_u) ? FINE : NOT_FINITE;
}

static int rates(const System *system, double t, const double *q, const double *u,
                 double *work, double *q_rate, double *u_rate)
{
    return all_rates(system, t, q, u, work, q_rate, u_rate, NULL);
}

/* In a closed loop every row depends on every force: w is then u'_f and N is zero,
   which is right, but no quicker than all rates. */
static int closed_fast_rates(const System *system, double t, const double *q,
                             const double *u, double *work, double *w, double *N)
{
    const Tree *tree = ((const Loaded *)system->model)->tree;
    double *q_rate = work + tree->at_rates, *u_rate = q_rate + tree->n_q;
    int trouble = rates(system, t, q, u, work, q_rate, u_rate);
    for (int k = 0; k < tree->n_fast; k++) w[k] = u_rate[tree->fast[k]];
    zero(N, (size_t)tree->n_fast * tree->n_slow);
    return trouble;
}

static int fast_rates(const System *system, double t, const double *q, const double *u,
                      double *work, double *w, double *N)
{
    const Loaded *loaded = system->model;
    if (loaded->tree->n_gaps) return closed_fast_rates(system, t, q, u, work, w, N);
    evaluate(loaded, &loaded->tree->quick, t, q, u, work);
    return tree_quick_rows(loaded->tree, work, w, N);
}

static int fast_again(const System *system, double t, const double *q, const double *u,
                      double *work, double *w, double *N)
{
    const Loaded *loaded = system->model;
    const Tree *tree = loaded->tree;
    tree_forward_from(tree, &tree->quick, tree->quick.still, q, u, work);
    tree_bodies(tree, &tree->quick, q, u, work);
    tree_apply(loaded, &tree->quick, t, q, u, work);
    return tree_quick_rows(tree, work, w, N);
}

static int split_rates(const System *system, double t, const double *q, const double *u,
                       double *work, double *q_rate, double *u_rate, double *B)
{
    const Tree *tree = ((const Loaded *)system->model)->tree;
    if (tree->n_gaps) zero(B, (size_t)tree->n_slow * tree->n_fast); /* as N is zero */
    return all_rates(system, t, q, u, work, q_rate, u_rate, B);
}

void tree_system(const Loaded *loaded, System *system)
{
    const Tree *tree = loaded->tree;
    System made = {.model = loaded, .n_q = tree->n_q, .n_u = tree->n_u,
                   .work = tree->work, .rates = rates, .n_fast = tree->n_fast,
                   .n_slow = tree->n_slow, .fast = tree->fast, .slow = tree->slow,
                   .fast_q = tree->fast_q, .fast_rates = fast_rates,
                   .split_rates = split_rates, .n_turns = tree->n_turns,
                   .turn_q = tree->turn_q, .turn_u = tree->turn_u,
                   .fast_again = tree->n_gaps ? NULL : fast_again};
    *system = made;
}

int tree_rates(const Loaded *loaded, double t, const double *q, const double *u,
               double *work, double *q_rate, double *u_rate)
{
    System system;
    tree_system(loaded, &system);
    return rates(&system, t, q, u, work, q_rate, u_rate);
}

int tree_fast_rates(const Loaded *loaded, double t, const double *q, const double *u,
                    double *work, double *w, double *N)
{
    System system;
    tree_system(loaded, &system);
    return fast_rates(&system, t, q, u, work, w, N);
}

int tree_split_rates(const Loaded *loaded, double t, const double *q, const double *u,
                     double *work, double *q_rate, double *u_rate, double *B)
{
    System system;
    tree_system(loaded, &system);
    return split_rates(&system, t, q, u, work, q_rate, u_rate, B);
}

int tree_mass(const Loaded *loaded, double t, const double *q, const double *u,
              double *work, double *M, double *P)
{
    const Tree *tree = loaded->tree;
    int n = tree->n_u;
    evaluate(loaded, &tree->full, t, q, u, work);
    tree_assemble(tree, &tree->full, work);
    memcpy(P, work + tree->at_P, (size_t)n * sizeof *P);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            M[i * n + j] = M[j * n + i] = work[tree->at_M + (size_t)i * n + j];
    return FINE;
}
