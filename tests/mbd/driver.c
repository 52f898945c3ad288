/* Calls everything a tree can do; built with sanitizers by test_sanitised.py.
   Arguments: files of whole numbers, of reals and of a state (q, then u). */

#include <stdio.h>
#include <stdlib.h>

#include "tree.h"

static void *slurp(const char *name, size_t *count)
{
    FILE *file = fopen(name, "rb");
    if (!file) exit(2);
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file) / 8;
    rewind(file);
    void *data = malloc(*count * 8 + 8);
    if (!data || fread(data, 8, *count, file) != *count) exit(2);
    fclose(file);
    return data;
}

static double *room(int rows, int columns)
{
    return calloc((size_t)rows * columns + 1, sizeof(double));
}

int main(int argc, char **argv)
{
    size_t n_ints, n_reals, n_state;
    if (argc < 4) return 2;
    int64_t *ints = slurp(argv[1], &n_ints), sizes[5];
    double *reals = slurp(argv[2], &n_reals), *state = slurp(argv[3], &n_state);
    Tree *tree = tree_open(ints, n_ints, reals, n_reals);
    free(ints);
    free(reals);
    if (!tree) return 3;
    tree_sizes(tree, sizes);
    int n_q = (int)sizes[0], n_u = (int)sizes[1], n_fast = (int)sizes[2];
    int n_slow = n_u - n_fast, count = (int)sizes[3];
    if (n_state != (size_t)(n_q + n_u)) return 4;
    double *q = state, *u = state + n_q, *work = malloc((size_t)sizes[4] * 8);
    int *markers = malloc((size_t)count * sizeof *markers);
    for (int k = 0; k < count; k++) markers[k] = k;
    double *C = room(count, 12);
    for (int i = 0; i < count * 12; i++) C[i] = 0.01 * i;
    Loaded loaded = {tree, 0.0, 0.1, count, 2, markers, C};
    double *dq = room(n_q, 1), *du = room(n_u, 1), *w = room(n_fast, 1);
    double *N = room(n_fast, n_slow), *B = room(n_slow, n_fast), *M = room(n_u, n_u);
    double *pose = room(count, 7), *twist = room(count, 6), *rate = room(count, 6);
    double energy[3], momentum[6], gaps[2];
    int trouble = tree_rates(&loaded, 0.05, q, u, work, dq, du);
    trouble |= tree_fast_rates(&loaded, 0.05, q, u, work, w, N);
    trouble |= tree_split_rates(&loaded, 0.05, q, u, work, dq, du, B);
    trouble |= tree_mass(&loaded, 0.05, q, u, work, M, dq);
    trouble |= tree_outputs(tree, q, u, du, count, markers, work, pose, twist, rate);
    trouble |= tree_energy(tree, q, u, work, energy);
    trouble |= tree_momentum(tree, q, u, work, momentum);
    trouble |= tree_gaps(tree, 0.05, q, u, work, gaps);
    trouble |= tree_project(tree, 0.05, q, u, work);
    System system;
    tree_system(&loaded, &system);
    for (int k = 0; k < system.n_turns; k++)
        if (system.turn_q[k] + 4 > n_q || system.turn_u[k] + 3 > n_u) return 5;
    tree_normalise(tree, q);
    double *all[] = {work, C, dq, du, w, N, B, M, pose, twist, rate, state};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    free(markers);
    tree_close(tree);
    return trouble;
}
