/* Laws of forces between two markers, each as the wrench about o on the second. */

#ifndef BONDLINE_TREE_FORCES_H
#define BONDLINE_TREE_FORCES_H

#include "tree_inner.h"

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
