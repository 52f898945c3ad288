/* m x'' + c x' + k x = F; the motion of its mass is a port. Starts at x0 with v0. */
enum { F, X, V, A, M, C, K, X0, V0, U, NV };
#define NX 2
#include "model.h"
static void begin(State *s) { s->v[M] = 1.0; s->x[0] = s->v[X0]; s->x[1] = s->v[V0]; }
static void rates(const State *s, double *dx)
{
    dx[0] = s->x[1];
    dx[1] = (s->v[F] + s->v[U] - s->v[C] * s->x[1] - s->v[K] * s->x[0]) / s->v[M];
}
static void outputs(State *s)
{
    double dx[NX];
    if (s->t == 0.0) { s->x[0] = s->v[X0]; s->x[1] = s->v[V0]; }
    rates(s, dx);
    s->v[X] = s->x[0];
    s->v[V] = s->x[1];
    s->v[A] = dx[1];
}
static void event(State *s) {}
#include FRAME
