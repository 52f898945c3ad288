/* A controller: y = p (w - u) + i ∫ (w - u) dt, and its error. A leaf without a port. */
enum { W, U, Y, ERR, P, I, NV };
#define NX 1
#include "model.h"
static void begin(State *s) { s->v[P] = 1.0; }
static void rates(const State *s, double *dx) { dx[0] = s->v[W] - s->v[U]; }
static void outputs(State *s)
{
    s->v[ERR] = s->v[W] - s->v[U];
    s->v[Y] = s->v[P] * s->v[ERR] + s->v[I] * s->x[0];
}
static void event(State *s) {}
#include FRAME
