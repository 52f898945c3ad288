/* Markers of rigid bodies and nodes of flexible ones, kim2000 (8)-(11). */

#include "tree_inner.h"
#include "turning.h"

static void modal_sum(const double *shapes, int n, const double *a, double *sum)
{
    for (int k = 0; k < n; k++) add3(sum, a[k], shapes + 3 * k);
}

static void tilt_node(const Marker *marker, int n, const double *a, const double *da,
                      Bent *bent)
{
    double theta[3] = {0.0}, rate[3] = {0.0}, B[9];
    modal_sum(marker->tilt, n, a, theta);
    modal_sum(marker->tilt, n, da, rate);
    Turning by = turning(dot3(theta, theta));
    turning_matrix(theta, by.a, by.b, B);       /* exp, (6) */
    turning_matrix(theta, by.b, by.c, bent->T); /* (7) */
    times(B, marker->R, bent->R);
    turn(bent->T, rate, bent->w);
    turning_bias(&by, theta, rate, bent->dw);
}

void bend(const Marker *marker, int n, const double *a, const double *da, Bent *bent)
{
    set3(bent->p, marker->p);
    zero(bent->v, 3);
    if (marker->moves) {
        modal_sum(marker->shift, n, a, bent->p);
        modal_sum(marker->shift, n, da, bent->v);
    }
    if (marker->tilts) {
        tilt_node(marker, n, a, da, bent);
    } else {
        memcpy(bent->R, marker->R, sizeof bent->R);
        zero(bent->w, 3);
        zero(bent->dw, 3);
    }
}

/* The columns of Lambda, kim2000 (11), with T Psi_r for Psi_r. */
void bent_columns(const Marker *marker, int n, const Bent *bent, const double *R_WB,
                  const double *p_oM, double *Lam)
{
    double RT[9];
    if (marker->tilts) times(R_WB, bent->T, RT);
    for (int k = 0; k < n; k++, Lam += 6) {
        zero(Lam, 6);
        if (marker->tilts) {
            turn(RT, marker->tilt + 3 * k, Lam + 3);
            cross(p_oM, Lam + 3, Lam);
        }
        if (marker->moves) {
            double shift[3];
            turn(R_WB, marker->shift + 3 * k, shift);
            add3(Lam, 1.0, shift);
        }
    }
}

/* Twist of a node relative to its body; v is the velocity that its shift has. */
void bent_twist(const Bent *bent, const double *R_WB, const double *p_oM, double *v,
                double *V)
{
    turn(R_WB, bent->v, v);
    turn(R_WB, bent->w, V + 3);
    cross(p_oM, V + 3, V);
    add3(V, 1.0, v);
}

/* The rate of that twist without a'', (9). */
void bent_rate(const Bent *bent, const double *R_WB, const double *p_oM,
               const double *V_body, const double *v, const double *w, double *A)
{
    double p_rate[3], *dw = A + 3;
    set3(p_rate, V_body);
    add_cross(p_rate, V_body + 3, p_oM);
    add3(p_rate, 1.0, v);
    turn(R_WB, bent->dw, dw);
    add_cross(dw, V_body + 3, w);
    cross(V_body + 3, v, A);
    add_cross(A, p_rate, w);
    add_cross(A, p_oM, dw);
}

static void place(const Link *body, const double *p_BM, double *p_oM)
{
    turn(body->R, p_BM, p_oM);
    add3(p_oM, 1.0, body->p);
}

/* Where a marker is and how it moves, and its columns of Lambda if they are wanted
   and not zero. */
void spot_of(const Tree *tree, int number, const double *q, const double *u,
             double *work, Spot *spot, double *Lam)
{
    const Marker *marker = tree->markers + number;
    const Link *body = link_of(tree, work, marker->body);
    memcpy(spot->V, body->V, sizeof spot->V);
    memcpy(spot->A, body->A, sizeof spot->A);
    if (!marker->moves && !marker->tilts) {
        place(body, marker->p, spot->p);
        if (marker->plain)
            memcpy(spot->R, body->R, sizeof spot->R);
        else
            times(body->R, marker->R, spot->R);
        return;
    }
    const Branch *branch = tree->branches + marker->body;
    Bent bent;
    double v[3], V[6], A[6];
    bend(marker, branch->n_modes, q + branch->aq, u + branch->au, &bent);
    place(body, bent.p, spot->p);
    times(body->R, bent.R, spot->R);
    bent_twist(&bent, body->R, spot->p, v, V);
    bent_rate(&bent, body->R, spot->p, body->V, v, V + 3, A);
    add6(spot->V, 1.0, V);
    add6(spot->A, 1.0, A);
    if (Lam) bent_columns(marker, branch->n_modes, &bent, body->R, spot->p, Lam);
}
