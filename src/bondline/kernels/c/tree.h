/* Trees of rigid and flexible bodies in joint and modal coordinates, kim2000 (1)-(18).

   docs/theory/multibody.md has the derivation; (n) in comments are its equations
   unless a paper is named. What a `Tree` is never changes after `tree_open`; several
   threads may use it. All that changes is in the caller's `work`. */

#ifndef BONDLINE_TREE_H
#define BONDLINE_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "system.h"

typedef struct Tree Tree;

/* A tree and the wrenches at some of its markers during a window:
   W(t) = sum_k C_k s^k, s = (t - t0)/h, in world axes, force then moment about the
   marker, `coefficients` by port, power and component. */
typedef struct Loaded {
    const Tree *tree;
    double t0, h;
    int n_ports, n_powers;
    const int *markers;
    const double *coefficients;
} Loaded;

/* What tree_open makes of packed arrays (leaves/mbd/pack.py), or NULL without memory
   or if the arrays are of another format. */
Tree *tree_open(const int64_t *ints, size_t n_ints, const double *reals,
                size_t n_reals);
void tree_close(Tree *tree);

/* Sizes: n_q, n_u, n_fast, n_markers, then doubles of work. */
void tree_sizes(const Tree *tree, int64_t sizes[5]);

/* The seam to the integrators; `loaded` must live as long as `system`. */
void tree_system(const Loaded *loaded, System *system);

/* The functions of that system, called by themselves. */
int tree_rates(const Loaded *loaded, double t, const double *q, const double *u,
               double *work, double *q_rate, double *u_rate);
int tree_fast_rates(const Loaded *loaded, double t, const double *q, const double *u,
                    double *work, double *w, double *N);
int tree_split_rates(const Loaded *loaded, double t, const double *q, const double *u,
                     double *work, double *q_rate, double *u_rate, double *B);

/* Quaternions back to length one. */
void tree_normalise(const Tree *tree, double *q);

/* Bring closed loops together, and told coordinates to where they are at time t: the
   least change of q, then of u, in the sense of M. */
int tree_project(const Tree *tree, double t, double *q, double *u, double *work);

/* The largest gap of closed loops (m, or the sine of an angle) and its largest rate. */
int tree_gaps(const Tree *tree, double t, const double *q, const double *u,
              double *work, double found[2]);

/* For tests: the mass matrix (n_u x n_u) and the forces P of M u' = P, (18). */
int tree_mass(const Loaded *loaded, double t, const double *q, const double *u,
              double *work, double *M, double *P);

/* Motion of n markers: pose (7: point, quaternion), twist (6: velocity of the point,
   spin) and, if u_rate is given, its rate (6: acceleration, rate of the spin), all
   in world axes. */
int tree_outputs(const Tree *tree, const double *q, const double *u,
                 const double *u_rate, int n, const int *markers, double *work,
                 double *pose, double *twist, double *rate);

/* Rates in `count` states, one after another in q and u, and for each the twists of n
   markers and their rates; `pose` is room for 7 n doubles. */
int tree_sweep(const Loaded *loaded, double t, int count, const double *q,
               const double *u, int n, const int *markers, double *work, double *pose,
               double *q_rate, double *u_rate, double *twist, double *rate);

/* Kinetic, elastic (modes and springs) and gravitational energy. */
int tree_energy(const Tree *tree, const double *q, const double *u, double *work,
                double energy[3]);

/* The power that springs, stops, bushings and contacts turn into heat. */
int tree_loss(const Tree *tree, const double *q, const double *u, double *work,
              double power[1]);

/* Linear momentum, and angular momentum about the world's origin. */
int tree_momentum(const Tree *tree, const double *q, const double *u, double *work,
                  double momentum[6]);

#endif
