/* Laws of forces between two markers, each as the wrench about o on the second; and
   wrenches at ports. */

#ifndef BONDLINE_TREE_FORCES_H
#define BONDLINE_TREE_FORCES_H

#include "tree_inner.h"

/* The wrench at a port, a polynomial over the window. */
static inline void wrench_at_port(const Loaded *loaded, int port, double t,
                                  double wrench[6])
{
    size_t n = 6 * (size_t)loaded->n_powers;
    const double *C = loaded->coefficients + (size_t)port * n;
    double s = (t - loaded->t0) / loaded->h;
    zero(wrench, 6);
    for (int k = loaded->n_powers - 1; k >= 0; k--)
        for (int i = 0; i < 6; i++) wrench[i] = wrench[i] * s + C[6 * k + i];
}

void spring_wrench(const double *reals, const Spot *a, const Spot *b, double *on_b);
void bushing_wrench(const double *reals, const Spot *a, const Spot *b, double *on_b);
void contact_wrench(const double *reals, const Spot *a, const Spot *b, double *on_b);

double stop_push(const double *reals, double q, double u); /* on its coordinate */

double spring_potential(const double *reals, const Spot *a, const Spot *b);
double bushing_potential(const double *reals, const Spot *a, const Spot *b);
double contact_potential(const double *reals, const Spot *a, const Spot *b);

/* The power that each of them turns into heat. */
double spring_loss(const double *reals, const Spot *a, const Spot *b);
double bushing_loss(const double *reals, const Spot *a, const Spot *b);
double contact_loss(const double *reals, const Spot *a, const Spot *b);

#endif
