/* What a tree tells of its motion: markers, energies, momenta. */

#include "tree_forces.h"

/* The rates that u_rate adds to the accelerations A of all bodies, kim2000 (14). */
static void add_rates(const Tree *tree, const double *u_rate, double *work)
{
    for (int i = 0; i < tree->n_bodies; i++) {
        const Branch *b = tree->branches + i;
        const Marker *in = tree->markers + b->in, *out = tree->markers + b->out;
        double *all = work + tree->at_more, *more = all + 6 * i;
        zero(more, 6);
        if (b->parent >= 0) add6(more, 1.0, all + 6 * b->parent);
        for (int k = 0; k < b->n_joint; k++)
            add6(more, u_rate[b->u + k], link_of(tree, work, i)->S + 6 * k);
        if (in->moves || in->tilts) {
            const Branch *up = tree->branches + b->parent;
            for (int k = 0; k < up->n_modes; k++)
                add6(more, u_rate[up->au + k], work + b->Lam_up + 6 * k);
        }
        for (int k = 0; (out->moves || out->tilts) && k < b->n_modes; k++)
            add6(more, -u_rate[b->au + k], work + b->Lam_in + 6 * k);
    }
}

static void quaternion_of(const double *R, double *q)
{
    double trace = R[0] + R[4] + R[8];
    int k = R[0] > R[4] ? (R[0] > R[8] ? 0 : 2) : (R[4] > R[8] ? 1 : 2);
    if (trace > R[4 * k]) {
        q[0] = 1.0 + trace, q[1] = R[7] - R[5], q[2] = R[2] - R[6], q[3] = R[3] - R[1];
    } else {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        q[0] = R[3 * j + i] - R[3 * i + j];
        q[1 + k] = 1.0 + 2.0 * R[4 * k] - trace;
        q[1 + i] = R[3 * i + k] + R[3 * k + i];
        q[1 + j] = R[3 * j + k] + R[3 * k + j];
    }
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] /= size;
}

/* Velocity of the point, and the acceleration with what A lacks of gravity. */
static void point_rates(const Tree *tree, const Spot *spot, const double *A,
                        double *twist, double *rate)
{
    set3(twist, spot->V);
    add_cross(twist, spot->V + 3, spot->p);
    set3(twist + 3, spot->V + 3);
    if (!rate) return;
    set3(rate, A);
    add_cross(rate, A + 3, spot->p);
    add_cross(rate, spot->V + 3, twist);
    add3(rate, 1.0, tree->gravity);
    set3(rate + 3, A + 3);
}

int tree_outputs(const Tree *tree, const double *q, const double *u,
                 const double *u_rate, int n, const int *markers, double *work,
                 double *pose, double *twist, double *rate)
{
    const Link *ground = link_of(tree, work, -1);
    tree_forward(tree, &tree->full, q, u, work);
    if (u_rate) add_rates(tree, u_rate, work);
    for (int k = 0; k < n; k++, pose += 7, twist += 6) {
        const Marker *marker = tree->markers + markers[k];
        double *Lam = work + tree->at_Lam, A[6];
        Spot spot;
        spot_of(tree, markers[k], q, u, work, &spot, Lam);
        memcpy(A, spot.A, sizeof A);
        if (u_rate && marker->body >= 0) {
            const Branch *b = tree->branches + marker->body;
            add6(A, 1.0, work + tree->at_more + 6 * marker->body);
            for (int i = 0; (marker->moves || marker->tilts) && i < b->n_modes; i++)
                add6(A, u_rate[b->au + i], Lam + 6 * i);
        }
        for (int i = 0; i < 3; i++) pose[i] = spot.p[i] - ground->p[i];
        quaternion_of(spot.R, pose + 3);
        point_rates(tree, &spot, A, twist, u_rate ? rate + 6 * k : NULL);
    }
    return FINE;
}

/* sum_kl x_k A_kl y_l */
static double bilinear(const double *A, int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) sum += x[k] * A[k * n + l] * y[l];
    return sum;
}

static double potential(const Tree *tree, const Force *force, const double *q,
                        const double *u, double *work)
{
    const double *r = force->reals;
    if (force->kind == JOINT_SPRING) {
        double x = q[force->a] - r[2];
        return 0.5 * r[0] * x * x;
    }
    if (force->kind == JOINT_STOP) {
        double x = q[force->a] > r[3] ? q[force->a] - r[3] : r[4] - q[force->a];
        return x > 0.0 ? r[0] * pow(x, r[1] + 1.0) / (r[1] + 1.0) : 0.0;
    }
    if (force->kind < SPRING) return 0.0;
    Spot a, b;
    spot_of(tree, force->a, q, u, work, &a, NULL);
    spot_of(tree, force->b, q, u, work, &b, NULL);
    if (force->kind == SPRING) return spring_potential(r, &a, &b);
    if (force->kind == BUSHING) return bushing_potential(r, &a, &b);
    return contact_potential(r, &a, &b);
}

static double loss(const Tree *tree, const Force *force, const double *q,
                   const double *u, double *work)
{
    const double *r = force->reals;
    Spot a, b;
    switch (force->kind) {
    case JOINT_LOAD:
    case PUSH: return 0.0;
    case JOINT_SPRING: return r[1] * u[force->b] * u[force->b];
    case JOINT_STOP: {
        double still[5] = {r[0], r[1], 0.0, r[3], r[4]}, at = q[force->a];
        double rate = u[force->b];
        return (stop_push(still, at, rate) - stop_push(r, at, rate)) * rate;
    }
    }
    spot_of(tree, force->a, q, u, work, &a, NULL);
    spot_of(tree, force->b, q, u, work, &b, NULL);
    if (force->kind == SPRING) return spring_loss(r, &a, &b);
    if (force->kind == BUSHING) return bushing_loss(r, &a, &b);
    return contact_loss(r, &a, &b);
}

int tree_loss(const Tree *tree, const double *q, const double *u, double *work,
              double power[1])
{
    power[0] = 0.0;
    tree_forward(tree, &tree->full, q, u, work);
    for (int k = 0; k < tree->n_forces; k++)
        power[0] += loss(tree, tree->forces + k, q, u, work);
    return FINE;
}

/* Momentum of one body about o, (16). */
static void momentum_of(const Branch *b, const Link *link, const double *G,
                        const double *da, double *p)
{
    inertia_times(link, link->V, p);
    for (int k = 0; k < b->n_modes; k++) add6(p, da[k], G + 6 * k);
}

int tree_energy(const Tree *tree, const double *q, const double *u, double *work,
                double energy[3])
{
    const Link *ground = link_of(tree, work, -1);
    zero(energy, 3);
    tree_forward(tree, &tree->full, q, u, work);
    tree_bodies(tree, &tree->full, q, u, work);
    for (int i = 0; i < tree->n_bodies; i++) {
        const Branch *b = tree->branches + i;
        const Link *link = link_of(tree, work, i);
        const double *a = q + b->aq, *da = u + b->au;
        double p[6];
        momentum_of(b, link, work + b->G, da, p);
        energy[0] += 0.5 * dot6(p, link->V);
        for (int k = 0; k < b->n_modes; k++)
            energy[0] += 0.5 * da[k] * dot6(work + b->G + 6 * k, link->V);
        energy[0] += 0.5 * bilinear(b->M, b->n_modes, da, da);
        energy[1] += 0.5 * bilinear(b->K, b->n_modes, a, a);
        energy[2] += link->m * dot3(tree->gravity, ground->p);
        energy[2] -= dot3(tree->gravity, link->h);
    }
    for (int k = 0; k < tree->n_forces; k++)
        energy[1] += potential(tree, tree->forces + k, q, u, work);
    return FINE;
}

int tree_momentum(const Tree *tree, const double *q, const double *u, double *work,
                  double momentum[6])
{
    double p[6], o[3] = {0.0};
    zero(momentum, 6);
    tree_forward(tree, &tree->full, q, u, work);
    tree_bodies(tree, &tree->full, q, u, work);
    for (int i = 0; i < tree->n_bodies; i++) {
        const Branch *b = tree->branches + i;
        momentum_of(b, link_of(tree, work, i), work + b->G, u + b->au, p);
        add6(momentum, 1.0, p);
    }
    add3(o, -1.0, link_of(tree, work, -1)->p);
    add_cross(momentum + 3, o, momentum);
    return FINE;
}
