/* x' = A x + B u, y = x, z = u as a column: arrays of two and of two by two. Starts at x0. */
enum { Y, U = 2, Z = 4, A = 6, B = 10, X0 = 14, NV = 16 };
#define NX 2
#define SPAN(reference) ((reference) == A || (reference) == B ? 4 : 2)
#include "model.h"
static void begin(State *s)
{
    for (int i = 0; i < 2; i++) { s->v[U + i] = i + 1.0; s->v[A + 3 * i] = s->v[B + 3 * i] = 1.0; }
}
static void rates(const State *s, double *dx)
{
    for (int i = 0; i < 2; i++) {
        dx[i] = 0.0;
        for (int j = 0; j < 2; j++) dx[i] += s->v[A + 2 * i + j] * s->x[j] + s->v[B + 2 * i + j] * s->v[U + j];
    }
}
static void outputs(State *s)
{
    for (int i = 0; i < 2; i++) {
        if (s->t == 0.0) s->x[i] = s->v[X0 + i];
        s->v[Y + i] = s->x[i];
        s->v[Z + i] = s->v[U + i];
    }
}
static void event(State *s) {}
#include FRAME
