/* Which bodies and forces an evaluation of all rates goes through, and which one of
   the fast rows does. */

#include "tree_inner.h"

static int any_fast(const Tree *tree, int first, int count)
{
    for (int i = first; i < first + count; i++)
        if (tree->row[i] >= 0) return 1;
    return 0;
}

/* What the fast rows need of a body whose parent's need is known. A fast row reaches
   the inertia of all that its coordinate moves. */
static int own_need(const Tree *tree, int body)
{
    const Branch *b = tree->branches + body;
    int modal = any_fast(tree, b->au, b->n_modes);
    if (any_fast(tree, b->u, b->n_joint)) return ALL;
    if (modal && marker_moves(tree, b->out)) return ALL;
    if (b->parent >= 0) {
        const Branch *up = tree->branches + b->parent;
        if (tree->quick.need[b->parent] == ALL) return ALL;
        if (marker_moves(tree, b->in) && any_fast(tree, up->au, up->n_modes)) return ALL;
    }
    return modal ? MODAL : NOTHING;
}

static void need_motion(const Tree *tree, int body)
{
    for (; body >= 0; body = tree->branches[body].parent)
        if (tree->quick.need[body] < MOTION) tree->quick.need[body] = MOTION;
}

static int touches(const Tree *tree, int marker)
{
    int body = tree->markers[marker].body;
    return body >= 0 && tree->quick.need[body] >= MODAL;
}

static int in_fast_rows(const Tree *tree, const Force *force)
{
    if (force->kind < PUSH) return tree->row[force->b] >= 0;
    return touches(tree, force->a) || touches(tree, force->b);
}

static void list(const Tree *tree, Pass *pass)
{
    for (int i = 0; i < tree->n_bodies; i++) {
        if (pass->need[i]) pass->bodies[pass->n_bodies++] = i;
        if (pass->need[i] > MOTION) pass->heavy[pass->n_heavy++] = i;
    }
}

/* The fast rows' own mass is constant if only modes are fast, all of them, and none
   moves a joint. */
static void keep_fast_mass(Tree *tree)
{
    int modes = 0, n = tree->n_fast;
    for (int i = 0; i < tree->n_bodies; i++) {
        modes += tree->branches[i].n_modes;
        if (tree->quick.need[i] == ALL) return;
    }
    if (modes != n || n == 0) return;
    tree->constant_fast = tree->unit_fast = 1;
    for (int i = 0; i < tree->n_bodies; i++) {
        const Branch *b = tree->branches + i;
        for (int k = 0; k < b->n_modes; k++)
            for (int l = 0; l < b->n_modes; l++) {
                int at = tree->row[b->au + k] * n + tree->row[b->au + l];
                double value = b->M[k * b->n_modes + l];
                tree->fast_mass[at] = value;
                if (fabs(value - (k == l)) > 4e-16) tree->unit_fast = 0;
            }
    }
    if (ldl_factor(tree->fast_mass, n, n)) tree->constant_fast = 0;
}

/* Is there a body whose parent is not the one before it? */
static int branches_out(const Tree *tree)
{
    for (int i = 0; i < tree->n_bodies; i++)
        if (tree->branches[i].parent != i - 1) return 1;
    return 0;
}

/* Whether fast coordinates move a body themselves, not only one below it. */
static int moved_fast(const Tree *tree, int body)
{
    const Branch *b = tree->branches + body, *up = tree->branches + b->parent;
    if (any_fast(tree, b->u, b->n_joint)) return 1;
    if (marker_moves(tree, b->out) && any_fast(tree, b->au, b->n_modes)) return 1;
    return marker_moves(tree, b->in) && any_fast(tree, up->au, up->n_modes);
}

static int still_bodies(const Tree *tree, const Pass *pass)
{
    int k = 0;
    while (k < pass->n_bodies && !moved_fast(tree, pass->bodies[k])) k++;
    return k;
}

/* A revolute joint whose frame is turned alike in both bodies, about an axis of theirs;
   what is below round-off does not count. */
static void find_hinge(const Tree *tree, Branch *b)
{
    const Marker *in = tree->markers + b->in, *out = tree->markers + b->out;
    if (b->kind != REVOLUTE) return;
    if (marker_moves(tree, b->in) || marker_moves(tree, b->out)) return;
    b->rooted = out->p[0] == 0.0 && out->p[1] == 0.0 && out->p[2] == 0.0;
    for (int k = 0; k < 9; k++)
        if (fabs(in->R[k] - out->R[k]) > 4e-16) return;
    for (int k = 0; k < 3; k++)
        if (fabs(fabs(in->R[3 * k + 2]) - 1.0) < 4e-16)
            b->hinge = 1 + k, b->toward = in->R[3 * k + 2] < 0.0 ? -1.0 : 1.0;
}

void tree_passes(Tree *tree)
{
    enum { LONG = 10 }; /* bodies from which the recursion is quicker, measured */
    tree->branching = branches_out(tree);
    if (tree->solver == BY_SIZE)
        tree->solver = tree->n_bodies < LONG ? DENSE : RECURSIVE;
    for (int i = 0; i < tree->n_bodies; i++) tree->full.need[i] = ALL;
    for (int i = 0; i < tree->n_bodies; i++) tree->quick.need[i] = own_need(tree, i);
    for (int i = 0; i < tree->n_bodies; i++)
        if (tree->quick.need[i]) need_motion(tree, i);
    for (int k = 0; k < tree->n_forces; k++) {
        const Force *force = tree->forces + k;
        tree->full.forces[tree->full.n_forces++] = k;
        if (!in_fast_rows(tree, force)) continue;
        tree->quick.forces[tree->quick.n_forces++] = k;
        if (force->kind < PUSH) continue;
        need_motion(tree, tree->markers[force->a].body);
        need_motion(tree, tree->markers[force->b].body);
    }
    list(tree, &tree->full);
    list(tree, &tree->quick);
    tree->quick.still = still_bodies(tree, &tree->quick);
    for (int i = 0; i < tree->n_bodies; i++)
        find_hinge(tree, tree->branches + i);
    keep_fast_mass(tree);
}
