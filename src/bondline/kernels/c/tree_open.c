/* From packed arrays (leaves/mbd/pack.py) to a tree, in one allocation. */

#include <stdlib.h>

#include "tree_inner.h"

enum { FORMAT = 3, HEAD = 10, BODY = 9, MARKER = 4, FORCE = 5, HISTORY = 3, LOOP = 5 };

/* Pieces of one block of memory; with no block it only counts. */
typedef struct Block {
    char *memory;
    size_t used;
} Block;

static void *piece(Block *block, size_t count, size_t size)
{
    size_t at = block->used;
    block->used += (count * size + 15) / 16 * 16;
    return block->memory ? block->memory + at : NULL;
}

static void carve(Tree *tree, Block *block, size_t n_reals)
{
    size_t n = (size_t)tree->n_bodies, fast = (size_t)tree->n_fast;
    Pass *passes[] = {&tree->full, &tree->quick};
    tree->branches = piece(block, n, sizeof *tree->branches);
    tree->markers = piece(block, (size_t)tree->n_markers, sizeof *tree->markers);
    tree->forces = piece(block, (size_t)tree->n_forces, sizeof *tree->forces);
    tree->histories = piece(block, (size_t)tree->n_histories, sizeof *tree->histories);
    tree->loops = piece(block, (size_t)tree->n_loops, sizeof *tree->loops);
    tree->fast = piece(block, fast, sizeof(int));
    tree->fast_q = piece(block, fast, sizeof(int));
    tree->slow = piece(block, (size_t)tree->n_slow, sizeof(int));
    tree->turn_q = piece(block, n, sizeof(int));
    tree->turn_u = piece(block, n, sizeof(int));
    tree->row = piece(block, (size_t)tree->n_u, sizeof(int));
    tree->fast_mass = piece(block, fast * fast, sizeof(double));
    tree->reals = piece(block, n_reals, sizeof(double));
    tree->terms = piece(block, n_reals, sizeof(Term));
    for (int k = 0; k < 2; k++) {
        passes[k]->bodies = piece(block, n, sizeof(int));
        passes[k]->need = piece(block, n, sizeof(int));
        passes[k]->heavy = piece(block, n, sizeof(int));
        passes[k]->forces = piece(block, (size_t)tree->n_forces, sizeof(int));
    }
}

static int read_head(Tree *tree, const int64_t *ints, size_t n_ints)
{
    if (n_ints < HEAD || ints[0] != FORMAT) return 0;
    tree->n_bodies = (int)ints[1];
    tree->n_markers = (int)ints[2];
    tree->n_forces = (int)ints[3];
    tree->n_histories = (int)ints[4];
    tree->n_loops = (int)ints[5];
    tree->n_q = (int)ints[6];
    tree->n_u = (int)ints[7];
    tree->n_fast = (int)ints[8];
    tree->n_slow = tree->n_u - tree->n_fast;
    tree->solver = (int)ints[9];
    int64_t told = HEAD + BODY * ints[1] + MARKER * ints[2] + FORCE * ints[3] +
                   HISTORY * ints[4] + LOOP * ints[5] + 2 * ints[8];
    return (int64_t)n_ints == told;
}

static const double *next(const double **at, size_t count)
{
    const double *found = *at;
    *at += count;
    return found;
}

static Blend blend_of(const double *table, int m, int n, Term **terms)
{
    Blend blend = {.table = table, .n = n};
    Term *at = *terms;
    for (int l = 0; l < m; l++)
        for (int i = 0; i < n; i++)
            if (table[l * n + i] != 0.0) *at++ = (Term){l, i, table[l * n + i]};
    blend.n_terms = (int)(at - *terms);
    if (3 * blend.n_terms > m * n) return blend; /* full: rows of it are quicker */
    blend.terms = *terms;
    *terms = at;
    return blend;
}

static void read_modes(Branch *b, const double *at, Term **terms)
{
    size_t m = (size_t)b->n_modes;
    b->I0 = next(&at, 3 * m);
    b->d = next(&at, 3 * m);
    b->P1 = next(&at, 6 * m);
    b->by_dd = blend_of(next(&at, 3 * m * m), b->n_modes, 3 * b->n_modes, terms);
    b->by_P2 = blend_of(next(&at, 6 * m * m), b->n_modes, 6 * b->n_modes, terms);
    b->M = next(&at, m * m);
    b->K = next(&at, m * m);
    b->by_K = blend_of(b->K, b->n_modes, b->n_modes, terms);
    b->by_D = blend_of(next(&at, m * m), b->n_modes, b->n_modes, terms);
    if (!b->stiffened) return;
    b->by_g2 = blend_of(next(&at, 3 * m * m), b->n_modes, 3 * b->n_modes, terms);
    b->by_d2 = blend_of(next(&at, 3 * m * m), b->n_modes, 3 * b->n_modes, terms);
}

static const int64_t *read_bodies(Tree *tree, const int64_t *row)
{
    Term *terms = tree->terms;
    for (int i = 0; i < tree->n_bodies; i++, row += BODY) {
        Branch *b = tree->branches + i;
        const double *at = tree->reals + row[8];
        int turns = joint_turns((int)row[1]) >= 0;
        *b = (Branch){.parent = (int)row[0], .kind = (int)row[1], .in = (int)row[2],
                      .out = (int)row[3], .q = (int)row[4], .u = (int)row[5],
                      .n_joint = joint_speeds((int)row[1]), .n_modes = (int)row[6],
                      .stiffened = (int)row[7], .mass = at[0]};
        b->aq = b->q + b->n_joint + turns;
        b->au = b->u + b->n_joint;
        set3(b->c0, at + 1);
        memcpy(b->J0, at + 4, sizeof b->J0);
        b->principal = b->J0[3] == 0.0 && b->J0[4] == 0.0 && b->J0[5] == 0.0;
        if (b->n_modes) read_modes(b, at + 10, &terms);
        if (!turns) continue;
        tree->turn_q[tree->n_turns] = b->q + joint_turns(b->kind);
        tree->turn_u[tree->n_turns++] = b->u + joint_turns(b->kind);
    }
    return row;
}

static const int64_t *read_markers(Tree *tree, const int64_t *row)
{
    static const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < tree->n_markers; i++, row += MARKER) {
        const double *at = tree->reals + row[3];
        Marker *marker = tree->markers + i;
        *marker = (Marker){.body = (int)row[0], .moves = (int)row[1],
                           .tilts = (int)row[2], .plain = 1};
        set3(marker->p, at);
        memcpy(marker->R, at + 3, sizeof marker->R);
        for (int k = 0; k < 9; k++) marker->plain &= marker->R[k] == unit[k];
        if (!marker->moves && !marker->tilts) continue;
        marker->shift = at + 12;
        marker->tilt = at + 12 + 3 * tree->branches[marker->body].n_modes;
    }
    return row;
}

static const int64_t *read_forces(Tree *tree, const int64_t *row)
{
    for (int i = 0; i < tree->n_forces; i++, row += FORCE)
        tree->forces[i] = (Force){.kind = (int)row[0], .a = (int)row[1],
                                  .b = (int)row[2], .history = (int)row[3],
                                  .reals = tree->reals + row[4]};
    for (int i = 0; i < tree->n_histories; i++, row += HISTORY)
        tree->histories[i] = (History){.kind = (int)row[0], .n = (int)row[1],
                                       .reals = tree->reals + row[2]};
    return row;
}

static const int64_t *read_loops(Tree *tree, const int64_t *row)
{
    for (int i = 0; i < tree->n_loops; i++, row += LOOP) {
        tree->loops[i] = (Loop){(int)row[0], (int)row[1], (int)row[2],
                                (int)row[3], (int)row[4]};
        tree->n_gaps += gaps_of(tree->loops[i].kind);
    }
    return row;
}

static void read_fast(Tree *tree, const int64_t *row)
{
    for (int i = 0; i < tree->n_u; i++) tree->row[i] = -1;
    for (int k = 0; k < tree->n_fast; k++, row += 2) {
        tree->fast[k] = (int)row[0];
        tree->fast_q[k] = (int)row[1];
        tree->row[tree->fast[k]] = k;
    }
    for (int i = 0, k = 0; i < tree->n_u; i++) {
        if (tree->row[i] >= 0) continue;
        tree->slow[k] = i;
        tree->row[i] = -1 - k++;
    }
}

/* Where everything lies in `work`. */
static void lay_out(Tree *tree)
{
    size_t n = (size_t)tree->n_u, fast = (size_t)tree->n_fast, at = 0;
    size_t most = 0, gaps = (size_t)tree->n_gaps;
    tree->at_M = at, at += n * n;
    tree->at_P = at, at += n;
    tree->at_solve = at, at += n;
    tree->at_fast = at, at += fast * fast;
    tree->at_split = at, at += n * n;
    tree->links = at;
    at += ((size_t)tree->n_bodies + 1) * (sizeof(Link) / sizeof(double));
    for (int i = 0; i < tree->n_bodies; i++) {
        Branch *b = tree->branches + i;
        size_t m = (size_t)b->n_modes, own = m + (size_t)b->n_joint;
        size_t up = b->parent < 0 ? 0 : (size_t)tree->branches[b->parent].n_modes;
        most = m > most ? m : most;
        b->Lam_in = at, at += 6 * m;
        b->Lam_up = at, at += 6 * up;
        b->dJ = at, at += 6 * m;
        b->Mhat = at, at += m * m;
        b->bias = at, at += m;
        b->U = at, at += 6 * own;
        b->G = b->U + 6 * (size_t)b->n_joint; /* alike if the joint's node stays */
        if (marker_moves(tree, b->out)) b->G = at, at += 6 * m;
        b->scratch = at, at += 9 * m;
        b->knee = at, at += 42 + 7 * own + own * own;
    }
    tree->at_more = at, at += 6 * (size_t)tree->n_bodies;
    tree->at_Lam = at, at += 6 * most;
    tree->at_Lam_b = at, at += 6 * most;
    tree->at_rates = at, at += (size_t)tree->n_q + n;
    tree->at_loops = at, at += gaps * (2 * n + 2 * gaps + 7);
    tree->work = at;
}

Tree *tree_open(const int64_t *ints, size_t n_ints, const double *reals,
                size_t n_reals)
{
    Tree head = {.n_bodies = 0};
    if (!read_head(&head, ints, n_ints)) return NULL;
    Block block = {NULL, 0};
    piece(&block, 1, sizeof(Tree));
    carve(&head, &block, n_reals);
    block = (Block){calloc(1, block.used), 0};
    if (!block.memory) return NULL;
    Tree *tree = piece(&block, 1, sizeof(Tree));
    *tree = head;
    carve(tree, &block, n_reals);
    memcpy(tree->reals, reals, n_reals * sizeof *reals);
    set3(tree->gravity, tree->reals);
    tree->closing = tree->reals[3];
    const int64_t *row = read_bodies(tree, ints + HEAD);
    row = read_markers(tree, row);
    row = read_forces(tree, row);
    row = read_loops(tree, row);
    read_fast(tree, row);
    lay_out(tree);
    tree_passes(tree);
    return tree;
}

void tree_close(Tree *tree)
{
    free(tree);
}

void tree_sizes(const Tree *tree, int64_t sizes[5])
{
    sizes[0] = tree->n_q, sizes[1] = tree->n_u, sizes[2] = tree->n_fast;
    sizes[3] = tree->n_markers, sizes[4] = (int64_t)tree->work;
}
