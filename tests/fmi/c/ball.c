/* A ball that bounces: h'' = g, and v becomes -e v where h is 0; it rests when slow. */
enum { H, V, G, E, NV };
#define NX 2
#include "model.h"
static void begin(State *s) { s->v[H] = 1.0; s->v[G] = -9.81; s->v[E] = 0.7; s->x[0] = 1.0; }
static void rates(const State *s, double *dx)
{
    dx[0] = s->x[1];
    dx[1] = s->v[G];
}
static void outputs(State *s) { s->v[H] = s->x[0]; s->v[V] = s->x[1]; }
static void event(State *s)
{
    if (s->x[0] <= 0.0 && s->x[1] < 0.0) {
        s->x[0] = 2.2e-308;
        s->x[1] *= -s->v[E];
        if (s->x[1] < 0.1) { s->x[1] = 0.0; s->v[G] = 0.0; }
    }
}
#include FRAME
