/* Poses, twists and accelerations from the ground outwards, kim2000 (8)-(14). */

#include "tree_inner.h"

/* The reference point of all twists: where the first body flies, if it does, so that
   nothing is lost far from the world's origin; otherwise that origin. */
static void start_at(const Tree *tree, const double *q, Link *ground)
{
    static const double unit[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const Branch *first = tree->branches;
    memcpy(ground->R, unit, sizeof unit);
    zero(ground->p, 3);
    if (tree->n_bodies && first->kind == FREE) {
        const Marker *in = tree->markers + first->in;
        double way[3];
        turn(in->R, q, way);
        add3(ground->p, -1.0, in->p);
        add3(ground->p, -1.0, way);
    }
    zero(ground->V, 6);
    zero(ground->A, 6);
    add3(ground->A, -1.0, tree->gravity); /* as if the ground rose */
}

/* The body on an outboard joint frame: A_j of kim2000 (8), r_j of (9). */
static void hang(const Marker *out, const double *R_BM, const double *p_BM,
                 const Spot *spot, Link *link)
{
    double way[3];
    if (R_BM == out->R && out->plain)
        memcpy(link->R, spot->R, sizeof link->R);
    else
        times_back(spot->R, R_BM, link->R);
    turn(link->R, p_BM, way);
    set3(link->p, spot->p);
    add3(link->p, -1.0, way);
    memcpy(link->V, spot->V, sizeof link->V);
    memcpy(link->A, spot->A, sizeof link->A);
}

/* The same on a node that moves: - Lambda_ji a_j' of (2) and its rate, (9). */
static void hang_bent(const Marker *out, const Branch *branch, const double *a,
                      const double *da, const Spot *spot, Link *link, double *Lam)
{
    Bent bent;
    double v[3], V[6], A[6];
    bend(out, branch->n_modes, a, da, &bent);
    hang(out, bent.R, bent.p, spot, link);
    bent_twist(&bent, link->R, spot->p, v, V);
    add6(link->V, -1.0, V);
    bent_rate(&bent, link->R, spot->p, link->V, v, V + 3, A);
    add6(link->A, -1.0, A);
    bent_columns(out, branch->n_modes, &bent, link->R, spot->p, Lam);
}

/* The same for any joint. */
static void follow(const Tree *tree, const Branch *branch, const double *q,
                   const double *u, double *work, Link *link)
{
    const Marker *out = tree->markers + branch->out;
    Spot spot;
    spot_of(tree, branch->in, q, u, work, &spot, work + branch->Lam_up);
    joint_motion(branch->kind, q + branch->q, u + branch->u, &spot, link->S);
    if (out->moves || out->tilts)
        hang_bent(out, branch, q + branch->aq, u + branch->au, &spot, link,
                  work + branch->Lam_in);
    else
        hang(out, out->R, out->p, &spot, link);
}

/* A body on a `hinge`, the common case: two columns of its parent's axes turn, one is
   the axis. */
SIZED void swing_about(int k, const Tree *tree, const Branch *branch, const double *q,
                       const double *u, const Link *restrict up, Link *restrict link)
{
    const double *in = tree->markers[branch->in].p, *out = tree->markers[branch->out].p;
    const double angle = q[branch->q], sign = branch->toward;
    const double c = cos(angle), s = sign * sin(angle), w = sign * u[branch->u];
    const int i = k == 2 ? 0 : k + 1, j = k == 0 ? 2 : k - 1;
    double p[3], axis[3], moved[6];
    for (int row = 0; row < 9; row += 3) {
        const double x = up->R[row + i], y = up->R[row + j];
        link->R[row + i] = c * x + s * y;
        link->R[row + j] = c * y - s * x;
        link->R[row + k] = up->R[row + k];
    }
    turn(up->R, in, p);
    add3(p, 1.0, up->p);
    column(up->R, k, axis);
    spin_about(p, axis, moved); /* as if it were about the positive axis */
    for (int l = 0; l < 6; l++) {
        link->S[l] = sign * moved[l];
        moved[l] *= w;
        link->V[l] = up->V[l] + moved[l];
        link->A[l] = up->A[l];
    }
    add_twist_cross(link->A, up->V, moved); /* (8) */
    set3(link->p, p);
    if (branch->rooted) return;
    turn(link->R, out, axis);
    add3(link->p, -1.0, axis);
}

static void swing(const Tree *tree, const Branch *branch, const double *q,
                  const double *u, const Link *up, Link *link)
{
    switch (branch->hinge) {
    case 1: swing_about(0, tree, branch, q, u, up, link); break;
    case 2: swing_about(1, tree, branch, q, u, up, link); break;
    default: swing_about(2, tree, branch, q, u, up, link); break;
    }
}

void tree_forward_from(const Tree *tree, const Pass *pass, int first, const double *q,
                       const double *u, double *work)
{
    for (int k = first; k < pass->n_bodies; k++) {
        const Branch *branch = tree->branches + pass->bodies[k];
        Link *link = link_of(tree, work, pass->bodies[k]);
        if (branch->hinge)
            swing(tree, branch, q, u, link_of(tree, work, branch->parent), link);
        else
            follow(tree, branch, q, u, work, link);
    }
}

void tree_forward(const Tree *tree, const Pass *pass, const double *q, const double *u,
                  double *work)
{
    start_at(tree, q, link_of(tree, work, -1));
    tree_forward_from(tree, pass, 0, q, u, work);
}

void tree_position_rates(const Tree *tree, const double *q, const double *u,
                         double *q_rate)
{
    if (!tree->n_turns) { /* positions and velocities have one order */
        memcpy(q_rate, u, (size_t)tree->n_u * sizeof *u);
        return;
    }
    for (int i = 0; i < tree->n_bodies; i++) {
        const Branch *branch = tree->branches + i;
        int turns = joint_turns(branch->kind);
        int plain = turns < 0 ? branch->n_joint : turns;
        for (int k = 0; k < plain; k++) q_rate[branch->q + k] = u[branch->u + k];
        if (turns >= 0)
            quaternion_rate(q + branch->q + turns, u + branch->u + turns,
                            q_rate + branch->q + turns);
        for (int k = 0; k < branch->n_modes; k++)
            q_rate[branch->aq + k] = u[branch->au + k];
    }
}

void tree_normalise(const Tree *tree, double *q)
{
    for (int i = 0; i < tree->n_turns; i++) {
        double *e = q + tree->turn_q[i];
        double size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        for (int k = 0; k < 4; k++) e[k] /= size;
    }
}
