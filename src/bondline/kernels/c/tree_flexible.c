/* What the motion of a body takes: wrench, modal forces, inertia, kim2000 (5)-(7), (16).

   Of a flexible one in body axes about the body's origin B, then turned into world
   axes and referred to o. */

#include "tree_inner.h"

/* A body's motion in its own axes: spin, its rate, acceleration of B less gravity. */
typedef struct Ride {
    double w[3], alpha[3], acc[3];
} Ride;

static Ride ride_of(const Link *link)
{
    Ride ride;
    double acc[3], velocity[3];
    set3(velocity, link->V); /* of B */
    add_cross(velocity, link->V + 3, link->p);
    set3(acc, link->A); /* r'' = v' + w' x r + w x r', (15) */
    add_cross(acc, link->A + 3, link->p);
    add_cross(acc, link->V + 3, velocity);
    turn_back(link->R, link->V + 3, ride.w);
    turn_back(link->R, link->A + 3, ride.alpha);
    turn_back(link->R, acc, ride.acc);
    return ride;
}

/* sum += sum_l a[l] table[l] */
static void blend(const Blend *by, const double *a, int m, double *restrict sum)
{
    if (by->terms) {
        for (const Term *term = by->terms; term < by->terms + by->n_terms; term++)
            sum[term->i] += a[term->l] * term->value;
        return;
    }
    for (int l = 0; l < m; l++) {
        const double *row = by->table + (size_t)l * by->n;
        for (int i = 0; i < by->n; i++) sum[i] += a[l] * row[i];
    }
}

/* The parts of a flexible body that follow its shape, (10)-(14). */
typedef struct Shape {
    const double *I; /* dc/da_k */
    double *D;       /* int rho x phi_k dm */
    double *dJ;      /* dJ/da_k */
    double *E;       /* sum_l a_l' int phi_l x phi_k dm */
} Shape;

SIZED Shape shape_of(const Branch *b, int m, const double *a, const double *da,
                     double *work)
{
    size_t three = 3 * (size_t)m * sizeof *work;
    double *I = work + b->scratch, *D = I + 3 * m, *E = D + 3 * m, *dJ = work + b->dJ;
    Shape shape = {b->I0, D, dJ, E};
    memset(E, 0, three);
    memcpy(D, b->d, three);
    memcpy(dJ, b->P1, 2 * three);
    blend(&b->by_dd, da, m, E);
    blend(&b->by_dd, a, m, D);  /* (12) */
    blend(&b->by_P2, a, m, dJ); /* (11) */
    if (b->stiffened) {
        memcpy(I, b->I0, three);
        blend(&b->by_g2, a, m, I);
        blend(&b->by_d2, a, m, D);
        shape.I = I;
    }
    return shape;
}

/* Row k of the modes without a'', (19): what this motion takes from mode k. */
SIZED void modal_rows(const Branch *b, int m, const Shape *shape, const Ride *ride,
                      const double *a, const double *da, double *rows)
{
    const double *w = ride->w, x = w[0], y = w[1], z = w[2];
    const double half[6] = {0.5 * x * x, 0.5 * y * y, 0.5 * z * z, x * y, y * z, z * x};
    for (int k = 0; k < m; k++)
        rows[k] = dot3(shape->I + 3 * k, ride->acc) +
                  dot3(shape->D + 3 * k, ride->alpha) -
                  dot6(shape->dJ + 6 * k, half) + 2.0 * dot3(shape->E + 3 * k, w);
    blend(&b->by_K, a, m, rows);
    blend(&b->by_D, da, m, rows);
}

/* Wrench on the body per a_k'', about o, (16). */
SIZED void modal_columns(const Shape *shape, int m, const Link *link, double *G)
{
    for (int k = 0; k < m; k++, G += 6) {
        turn(link->R, shape->I + 3 * k, G);
        turn(link->R, shape->D + 3 * k, G + 3);
        add_cross(G + 3, link->p, G);
    }
}

/* Moments of mass now, and how they change: c, c', J, J', sum_k D_k a_k'. */
typedef struct Moments {
    double c[3], dc[3], J[6], dJ[6], spin[3], force[3], moment[3];
} Moments;

static void add_second(const Branch *b, const double *da, const double *table,
                       double *sum)
{
    int m = b->n_modes;
    for (int k = 0; k < m; k++)
        for (int l = 0; l < m; l++)
            add3(sum, da[k] * da[l], table + 3 * ((size_t)k * m + l));
}

SIZED Moments moments_of(const Branch *b, int m, const Shape *shape, const double *a,
                         const double *da)
{
    Moments now = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}, {0.0}, {0.0}};
    set3(now.c, b->c0);
    memcpy(now.J, b->J0, sizeof now.J);
    for (int k = 0; k < m; k++) {
        const double *dJ = shape->dJ + 6 * k, *P1 = b->P1 + 6 * k;
        for (int i = 0; i < 6; i++) {
            now.J[i] += 0.5 * a[k] * (P1[i] + dJ[i]); /* (11) */
            now.dJ[i] += da[k] * dJ[i];
        }
        for (int i = 0; i < 3; i++)
            now.c[i] += 0.5 * a[k] * (b->I0[3 * k + i] + shape->I[3 * k + i]);
        add3(now.dc, da[k], shape->I + 3 * k);
        add3(now.spin, da[k], shape->D + 3 * k);
    }
    if (b->stiffened) {
        add_second(b, da, b->by_g2.table, now.force);
        add_second(b, da, b->by_d2.table, now.moment);
    }
    return now;
}

/* Force and moment rows without a'', (17), (18), as a wrench about o. */
static void wrench_of(const Branch *b, const Moments *now, const Ride *ride,
                      Link *link)
{
    const double *w = ride->w;
    double f[3], n[3], x[3], y[3];
    cross(w, now->c, x);
    add3(x, 2.0, now->dc);
    for (int i = 0; i < 3; i++) f[i] = b->mass * ride->acc[i] + now->force[i];
    add_cross(f, ride->alpha, now->c);
    add_cross(f, w, x);
    sym_times(now->J, ride->alpha, n);
    add3(n, 1.0, now->moment);
    add_cross(n, now->c, ride->acc);
    sym_times(now->dJ, w, y);
    add3(n, 1.0, y);
    sym_times(now->J, w, y);
    add3(y, 1.0, now->spin);
    add_cross(n, w, y);
    turn(link->R, f, link->F);
    turn(link->R, n, link->F + 3);
    add_cross(link->F + 3, link->p, link->F);
}

/* Mass, its first moment and inertia about o, (16). */
static void inertia_of(const Branch *b, const double *c_B, const double *J_B,
                       Link *link)
{
    double c[3], spread[3];
    link->m = b->mass;
    turn(link->R, c_B, c);
    if (b->n_modes || !b->principal)
        sym_turn(link->R, J_B, link->J);
    else
        sym_turn_diagonal(link->R, J_B, link->J);
    for (int i = 0; i < 3; i++) {
        spread[i] = 0.5 * b->mass * link->p[i] + c[i];
        link->h[i] = b->mass * link->p[i] + c[i];
    }
    sym_spread(link->J, 1.0, link->p, spread);
}

/* A rigid body needs no axes of its own: its wrench is the rate of its momentum about
   o, I A + V x (I V). */
static void solid(const Branch *b, Link *link)
{
    double momentum[6];
    inertia_of(b, b->c0, b->J0, link);
    inertia_times(link, link->V, momentum);
    inertia_times(link, link->A, link->F);
    add_cross(link->F, link->V + 3, momentum);
    add_cross(link->F + 3, link->V + 3, momentum + 3);
    add_cross(link->F + 3, link->V, momentum);
}

SIZED void flexible(const Branch *b, int m, int need, const double *q, const double *u,
                    double *work, Link *link)
{
    const double *a = q + b->aq, *da = u + b->au;
    Ride ride = ride_of(link);
    Shape shape = shape_of(b, m, a, da, work);
    modal_rows(b, m, &shape, &ride, a, da, work + b->bias);
    modal_columns(&shape, m, link, work + b->G);
    memcpy(work + b->Mhat, b->M, (size_t)(m * m) * sizeof *work);
    if (need < ALL) return;
    Moments now = moments_of(b, m, &shape, a, da);
    wrench_of(b, &now, &ride, link);
    inertia_of(b, now.c, now.J, link);
}

/* The numbers of modes of a beam in one plane and in two have code of their own. */
static void bending(const Branch *b, int need, const double *q, const double *u,
                    double *work, Link *link)
{
    switch (b->n_modes) {
    case 2: flexible(b, 2, need, q, u, work, link); break;
    case 4: flexible(b, 4, need, q, u, work, link); break;
    default: flexible(b, b->n_modes, need, q, u, work, link); break;
    }
}

void tree_bodies(const Tree *tree, const Pass *pass, const double *q, const double *u,
                 double *work)
{
    for (int k = 0; k < pass->n_heavy; k++) {
        int i = pass->heavy[k];
        const Branch *b = tree->branches + i;
        if (b->n_modes)
            bending(b, pass->need[i], q, u, work, link_of(tree, work, i));
        else
            solid(b, link_of(tree, work, i));
    }
}
