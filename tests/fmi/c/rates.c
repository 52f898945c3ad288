/* Two equations with published solutions: Dahlquist's x' = -k x, van der Pol's. */
enum { X, K, X0, X1, MU, NV };
#define NX 3
#include "model.h"
static void begin(State *s) { s->v[K] = 1.0; s->v[MU] = 1.0; s->x[0] = 1.0; s->x[1] = 2.0; }
static void rates(const State *s, double *dx)
{
    dx[0] = -s->v[K] * s->x[0];
    dx[1] = s->x[2];
    dx[2] = s->v[MU] * (1.0 - s->x[1] * s->x[1]) * s->x[2] - s->x[1];
}
static void outputs(State *s) { s->v[X] = s->x[0]; s->v[X0] = s->x[1]; s->v[X1] = s->x[2]; }
static void event(State *s) {}
#include FRAME
