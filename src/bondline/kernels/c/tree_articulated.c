#include "tree_inner.h"

int tree_recursive(const Tree *tree, double *work, double *u_rate)
{
    (void)tree, (void)work, (void)u_rate;
    return NOT_DEFINITE;
}
