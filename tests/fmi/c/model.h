/* A small model: x' = f(t, x, u, p), y = g(t, x, u, p); the frames fmi2.c and fmi3.c
   make FMUs of it. A model includes this file, then one of the frames. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double t;
    double x[NX + 1]; /* states */
    double v[NV + 1]; /* all variables, by value reference */
} State;

static void rates(const State *s, double *dx);
static void outputs(State *s);
static void begin(State *s); /* states from start values */
static void event(State *s); /* after every inner step */

#ifndef ONCE
#define ONCE 0 /* 1: there may be one instance at a time in a process */
#endif
static int living = 0;

#ifndef INNER
#define INNER 1e-4 /* seconds: the longest inner step */
#endif

/* classical Runge-Kutta; the inner steps depend on the length of the step alone */
static void inner(State *s, double h)
{
    double k[4][NX + 1], at[NX + 1];
    static const double share[4] = {0.0, 0.5, 0.5, 1.0};
    const State was = *s;
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < NX; i++)
            at[i] = was.x[i] + (stage ? share[stage] * h * k[stage - 1][i] : 0.0);
        memcpy(s->x, at, NX * sizeof(double));
        s->t = was.t + share[stage] * h;
        rates(s, k[stage]);
    }
    for (int i = 0; i < NX; i++)
        s->x[i] = was.x[i] + h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    s->t = was.t + h;
    event(s);
}

static void go(State *s, double t, double h)
{
    const int n = (int)ceil(h / INNER - 1e-6);
    for (int k = 0; k < n; k++)
        inner(s, h / n);
    s->t = t + h;
    outputs(s);
}
