/* Rates and motions of markers in many states at once. */

#include "tree.h"

int tree_sweep(const Loaded *loaded, double t, int count, const double *q,
               const double *u, int n, const int *markers, double *work, double *pose,
               double *q_rate, double *u_rate, double *twist, double *rate)
{
    int64_t sizes[5];
    tree_sizes(loaded->tree, sizes);
    for (int k = 0; k < count; k++) {
        int trouble = tree_rates(loaded, t, q, u, work, q_rate, u_rate);
        if (!trouble)
            trouble = tree_outputs(loaded->tree, q, u, u_rate, n, markers, work, pose,
                                   twist, rate);
        if (trouble) return trouble;
        q += sizes[0], q_rate += sizes[0];
        u += sizes[1], u_rate += sizes[1];
        twist += 6 * n, rate += 6 * n;
    }
    return FINE;
}
