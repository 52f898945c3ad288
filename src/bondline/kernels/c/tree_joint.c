/* How an outboard joint frame moves in an inboard one, kim2000 (8), (9), (11). */

#include "tree_inner.h"

int joint_speeds(int kind)
{
    static const int speeds[] = {0, 1, 1, 2, 2, 3, 3, 6};
    return speeds[kind];
}

int joint_turns(int kind)
{
    return kind == SPHERICAL ? 0 : kind == FREE ? 3 : -1;
}

/* Turn the frame about its own axis k. */
static void turn_about(double *R, int k, double angle)
{
    double c = cos(angle), s = sin(angle);
    int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int row = 0; row < 9; row += 3) {
        double x = R[row + i], y = R[row + j];
        R[row + i] = c * x + s * y;
        R[row + j] = c * y - s * x;
    }
}

/* A column that is fixed in what has moved so far: its rate is V x S, (8). */
static void move_along(Spot *spot, const double *S, double speed)
{
    double move[6];
    for (int i = 0; i < 6; i++) move[i] = speed * S[i];
    add_twist_cross(spot->A, spot->V, move);
    add6(spot->V, 1.0, move);
}

static void spin(Spot *spot, int k, double angle, double speed, double *S)
{
    double axis[3];
    column(spot->R, k, axis);
    spin_about(spot->p, axis, S);
    turn_about(spot->R, k, angle);
    move_along(spot, S, speed);
}

/* Slides along axes of one frame; `axes` are its columns. */
static void slide(Spot *spot, const double *axes, int k, double way, double speed,
                  double *S)
{
    column(axes, k, S);
    zero(S + 3, 3);
    add3(spot->p, way, S);
    move_along(spot, S, speed);
}

/* All three spins are fixed in the outboard frame: their sum moves as one. */
static void spin_freely(Spot *spot, const double *q, const double *u, double *S)
{
    double R_in[9], D[9], move[6] = {0.0};
    memcpy(R_in, spot->R, sizeof R_in);
    quaternion_matrix(q, D);
    times(R_in, D, spot->R);
    for (int k = 0; k < 3; k++) {
        double axis[3];
        column(spot->R, k, axis);
        spin_about(spot->p, axis, S + 6 * k);
        add6(move, u[k], S + 6 * k);
    }
    move_along(spot, move, 1.0);
}

void joint_motion(int kind, const double *q, const double *u, Spot *spot, double *S)
{
    double axes[9];
    switch (kind) {
    case REVOLUTE: spin(spot, 2, q[0], u[0], S); break;
    case PRISMATIC: slide(spot, spot->R, 2, q[0], u[0], S); break;
    case CYLINDRICAL:
        slide(spot, spot->R, 2, q[0], u[0], S);
        spin(spot, 2, q[1], u[1], S + 6);
        break;
    case UNIVERSAL:
        spin(spot, 0, q[0], u[0], S);
        spin(spot, 1, q[1], u[1], S + 6);
        break;
    case PLANAR:
        slide(spot, spot->R, 0, q[0], u[0], S);
        slide(spot, spot->R, 1, q[1], u[1], S + 6);
        spin(spot, 2, q[2], u[2], S + 12);
        break;
    case SPHERICAL: spin_freely(spot, q, u, S); break;
    case FREE:
        memcpy(axes, spot->R, sizeof axes);
        for (int k = 0; k < 3; k++) slide(spot, axes, k, q[k], u[k], S + 6 * k);
        spin_freely(spot, q + 3, u + 3, S + 18);
        break;
    default: break;
    }
}
