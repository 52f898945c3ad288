/* Laws of forces between two markers, each as the wrench about o on the second. */

#ifndef BONDLINE_TREE_FORCES_H
#define BONDLINE_TREE_FORCES_H

#include "tree_inner.h"

void spring_wrench(const double *reals, const Spot *a, const Spot *b, double *on_b);
void bushing_wrench(const double *reals, const Spot *a, const Spot *b, double *on_b);
void contact_wrench(const double *reals, const Spot *a, const Spot *b, double *on_b);

double spring_potential(const double *reals, const Spot *a, const Spot *b);
double bushing_potential(const double *reals, const Spot *a, const Spot *b);
double contact_potential(const double *reals, const Spot *a, const Spot *b);

#endif
