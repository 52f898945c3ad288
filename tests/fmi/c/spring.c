/* A spring, a damper and a mass in series: its end is told where it is, and pulls. */
enum { R, V, F, K, C, M, NV };
#define NX 2
#include "model.h"
static void begin(State *s) { s->v[K] = 1.0; s->v[M] = 1.0; }
static double force(const State *s) { return s->v[K] * (s->v[R] - s->x[0]) + s->v[C] * (s->v[V] - s->x[1]); }
static void rates(const State *s, double *dx)
{
    dx[0] = s->x[1];
    dx[1] = force(s) / s->v[M];
}
static void outputs(State *s) { s->v[F] = force(s); }
static void event(State *s) {}
#include FRAME
