/* Loads on joints and wrenches at markers. */

#include "tree_forces.h"

#include "turning.h"

/* The power a wrench has with the modes, into their rows. */
static void onto_modes(const Tree *tree, const Marker *marker, const Spot *spot,
                       const double *q, const double *wrench, double *work)
{
    const Branch *b = tree->branches + marker->body;
    const Link *link = link_of(tree, work, marker->body);
    double f[3], n[3], turned[3], theta[3] = {0.0}, T[9];
    double *rows = work + b->bias;
    turn_back(link->R, wrench, f);
    for (int k = 0; marker->moves && k < b->n_modes; k++)
        rows[k] -= dot3(marker->shift + 3 * k, f);
    if (!marker->tilts) return;
    set3(n, wrench + 3); /* about the marker */
    add_cross(n, wrench, spot->p);
    turn_back(link->R, n, turned);
    for (int k = 0; k < b->n_modes; k++)
        add3(theta, q[b->aq + k], marker->tilt + 3 * k);
    Turning by = turning(dot3(theta, theta));
    turning_matrix(theta, by.b, by.c, T);
    turn_back(T, turned, n);
    for (int k = 0; k < b->n_modes; k++) rows[k] -= dot3(marker->tilt + 3 * k, n);
}

/* A wrench about o on the body of a marker. */
void apply_wrench(const Tree *tree, const Pass *pass, int number, const Spot *spot,
                  const double *q, const double *wrench, double *work)
{
    const Marker *marker = tree->markers + number;
    if (marker->body < 0 || pass->need[marker->body] < MODAL) return;
    if (pass->need[marker->body] == ALL)
        add6(link_of(tree, work, marker->body)->F, -1.0, wrench);
    if (marker->moves || marker->tilts)
        onto_modes(tree, marker, spot, q, wrench, work);
}

/* Force and moment at a marker, as a wrench about o. */
static void push_at(const Tree *tree, const Pass *pass, int number, const Spot *spot,
                    const double *q, const double *push, double *work)
{
    double wrench[6];
    memcpy(wrench, push, sizeof wrench);
    add_cross(wrench + 3, spot->p, push);
    apply_wrench(tree, pass, number, spot, q, wrench, work);
}

static void push(const Tree *tree, const Pass *pass, const Force *force, double t,
                 const double *q, const double *u, double *work)
{
    double given[6], turned[6], size = history_at(tree->histories + force->history, t);
    Spot spot;
    spot_of(tree, force->a, q, u, work, &spot, NULL);
    for (int i = 0; i < 6; i++) given[i] = size * force->reals[i];
    if (force->reals[6] == 0.0) {
        push_at(tree, pass, force->a, &spot, q, given, work);
        return;
    }
    turn(spot.R, given, turned);
    turn(spot.R, given + 3, turned + 3);
    push_at(tree, pass, force->a, &spot, q, turned, work);
}

static void between(const Tree *tree, const Pass *pass, const Force *force,
                    const double *q, const double *u, double *work)
{
    Spot a, b;
    double on_b[6] = {0.0}, on_a[6];
    spot_of(tree, force->a, q, u, work, &a, NULL);
    spot_of(tree, force->b, q, u, work, &b, NULL);
    switch (force->kind) {
    case SPRING: spring_wrench(force->reals, &a, &b, on_b); break;
    case BUSHING: bushing_wrench(force->reals, &a, &b, on_b); break;
    default: contact_wrench(force->reals, &a, &b, on_b); break;
    }
    for (int i = 0; i < 6; i++) on_a[i] = -on_b[i];
    apply_wrench(tree, pass, force->b, &b, q, on_b, work);
    apply_wrench(tree, pass, force->a, &a, q, on_a, work);
}

static void apply_force(const Tree *tree, const Pass *pass, const Force *force,
                        double t, const double *q, const double *u, double *work)
{
    double *P = work + tree->at_P;
    const double *r = force->reals;
    switch (force->kind) {
    case JOINT_LOAD:
        P[force->b] += r[0] * history_at(tree->histories + force->history, t);
        break;
    case JOINT_SPRING:
        P[force->b] -= r[0] * (q[force->a] - r[2]) + r[1] * u[force->b];
        break;
    case JOINT_STOP: P[force->b] += stop_push(r, q[force->a], u[force->b]); break;
    case PUSH: push(tree, pass, force, t, q, u, work); break;
    default: between(tree, pass, force, q, u, work); break;
    }
}

static void apply_port(const Loaded *loaded, const Pass *pass, int port, double t,
                       const double *q, const double *u, double *work)
{
    const Tree *tree = loaded->tree;
    int marker = loaded->markers[port], body = tree->markers[marker].body;
    if (body < 0 || pass->need[body] < MODAL) return;
    double wrench[6];
    wrench_at_port(loaded, port, t, wrench);
    Spot spot;
    spot_of(tree, marker, q, u, work, &spot, NULL);
    push_at(tree, pass, marker, &spot, q, wrench, work);
}

void tree_apply(const Loaded *loaded, const Pass *pass, double t, const double *q,
                const double *u, double *work)
{
    const Tree *tree = loaded->tree;
    zero(work + tree->at_P, (size_t)tree->n_u);
    for (int k = 0; k < pass->n_forces; k++)
        apply_force(tree, pass, tree->forces + pass->forces[k], t, q, u, work);
    for (int port = 0; port < loaded->n_ports; port++)
        apply_port(loaded, pass, port, t, q, u, work);
}
