/* The inside of a tree; for the files tree_*.c only. */

#ifndef BONDLINE_TREE_INNER_H
#define BONDLINE_TREE_INNER_H

#include "history.h"
#include "tree.h"
#include "vec3.h"

/* For code of one size: the compiler writes loops out where it is called with one. */
#define SIZED static inline __attribute__((always_inline))

enum JointKind { FIXED, REVOLUTE, PRISMATIC, CYLINDRICAL, UNIVERSAL, PLANAR,
                 SPHERICAL, FREE, TOLD };
enum ForceKind { JOINT_LOAD, JOINT_SPRING, JOINT_STOP, PUSH, SPRING, BUSHING,
                 CONTACT };
enum Solver { BY_SIZE, DENSE, RECURSIVE };

/* How much of a body an evaluation needs. */
enum Need {
    NOTHING,
    MOTION, /* pose, twist, acceleration */
    MODAL,  /* and the rows of its modes, all else of it being slow */
    ALL     /* and its inertia */
};

typedef struct Marker {
    int body;         /* -1 for the ground */
    int moves, tilts; /* with modes */
    int plain;        /* parallel to its body */
    double p[3], R[9];
    const double *shift, *tilt; /* 3 for each mode, kim2000 (11) */
} Marker;

/* sum_l a_l table[l], rows of n numbers; where most are zero (beams), term by term. */
typedef struct Term {
    int l, i;
    double value;
} Term;
typedef struct Blend {
    const double *table;
    const Term *terms; /* NULL if the table is full */
    int n_terms, n;
} Blend;

/* A body and the joint that carries it. */
typedef struct Branch {
    int parent;  /* -1 for the ground */
    int kind;    /* of the joint */
    int in, out; /* markers of the joint */
    int q, u;    /* where its coordinates begin */
    int n_joint; /* speeds of the joint; its modal rates follow */
    int n_modes, aq, au, stiffened;
    int hinge;     /* a revolute joint about + or - x, y, z of both bodies: 1, 2, 3 */
    int rooted;    /* that joint is at the body's origin */
    double toward; /* 1 or -1 */
    int principal; /* J0 is diagonal */
    double mass, c0[3], J0[6];
    /* (10)-(14): m, m x m and so on, by rows */
    const double *I0, *d, *P1, *M, *K;
    Blend by_dd, by_P2, by_K, by_D, by_g2, by_d2;
    /* offsets into work, of modal quantities */
    size_t Lam_in, Lam_up, G, dJ, Mhat, bias, U, scratch, knee;
} Branch;

/* What an evaluation knows of a body; doubles only, it lies in `work`. World axes. */
typedef struct Link {
    double R[9], p[3]; /* R_WB, p_oB */
    double V[6], A[6]; /* twist, and its rate if all u' were zero, less gravity */
    double S[36];      /* columns of the joint, (4) */
    double m, h[3], J[6]; /* composite inertia about o */
    double F[6];       /* wrench about o that this motion takes */
} Link;

/* A marker where it is now. */
typedef struct Spot {
    double R[9], p[3], V[6], A[6];
} Spot;

typedef struct Force {
    int kind, a, b, history;
    const double *reals;
} Force;

/* A joint that closes a loop between markers a and b; or a coordinate, position a and
   velocity b, that is TOLD: sums of `count` histories of its value, then as many of
   its rate, then of its second rate. */
typedef struct Loop {
    int kind, a, b, history, count;
} Loop;

/* Which bodies and forces an evaluation goes through. */
typedef struct Pass {
    int n_bodies, n_forces;
    int still; /* of its bodies, as many move as slow coordinates tell: the first */
    int *bodies, *forces, *need;
    int n_heavy, *heavy; /* the bodies of which more than their motion is needed */
} Pass;

struct Tree {
    int n_bodies, n_markers, n_forces, n_histories, n_loops, n_q, n_u;
    int n_fast, n_slow, solver;
    int branching; /* some bodies are on no common chain: M has zeros */
    int n_gaps; /* conditions of all loops */
    double gravity[3], closing; /* rate at which gaps close by themselves */
    Branch *branches;
    Marker *markers;
    Force *forces;
    History *histories;
    Loop *loops;
    int *fast, *fast_q, *slow;
    int n_turns, *turn_q, *turn_u; /* quaternions and their spins, as in system.h */
    int *row;           /* of each velocity: k where fast[k], -1 - k where slow[k] */
    int constant_fast;  /* the fast rows' own mass never changes: */
    double *fast_mass;  /* n_fast x n_fast, its factor L D L^T */
    int unit_fast;      /* it is the unit matrix */
    Pass full, quick;
    double *reals;
    Term *terms;
    size_t work, links, at_M, at_P, at_solve, at_fast, at_split,
        at_more, at_Lam, at_Lam_b, at_rates, at_loops;
};

static inline Link *link_of(const Tree *tree, double *work, int body)
{
    return (Link *)(work + tree->links) + body + 1; /* the first is the ground */
}

static inline int marker_moves(const Tree *tree, int marker)
{
    return tree->markers[marker].moves || tree->markers[marker].tilts;
}

/* tree_passes.c */
void tree_passes(Tree *tree);

/* tree_spot.c */
typedef struct Bent { /* a node in body axes: pose, speeds, (d/dt T) theta', T */
    double p[3], R[9], v[3], w[3], dw[3], T[9];
} Bent;
void bend(const Marker *marker, int n, const double *a, const double *da, Bent *bent);
void bent_columns(const Marker *marker, int n, const Bent *bent, const double *R_WB,
                  const double *p_oM, double *Lam);
void bent_twist(const Bent *bent, const double *R_WB, const double *p_oM, double *v,
                double *V);
void bent_rate(const Bent *bent, const double *R_WB, const double *p_oM,
               const double *V_body, const double *v, const double *w, double *A);
void spot_of(const Tree *tree, int marker, const double *q, const double *u,
             double *work, Spot *spot, double *Lam);

/* tree_joint.c */
void joint_motion(int kind, const double *q, const double *u, Spot *spot, double *S);
int joint_speeds(int kind);
int joint_turns(int kind); /* where its quaternion begins, or -1 */

/* tree_kinematics.c */
void tree_forward(const Tree *tree, const Pass *pass, const double *q, const double *u,
                  double *work);
void tree_forward_from(const Tree *tree, const Pass *pass, int first, const double *q,
                       const double *u, double *work); /* the others being known */
void tree_position_rates(const Tree *tree, const double *q, const double *u,
                         double *q_rate);

/* tree_flexible.c */
void tree_bodies(const Tree *tree, const Pass *pass, const double *q, const double *u,
                 double *work);

/* tree_forces.c: onto wrenches F, modal biases and P */
void tree_apply(const Loaded *loaded, const Pass *pass, double t, const double *q,
                const double *u, double *work);
void apply_wrench(const Tree *tree, const Pass *pass, int marker, const Spot *spot,
                  const double *q, const double *wrench, double *work);

/* tree_dense.c */
void tree_assemble(const Tree *tree, const Pass *pass, double *work);

/* ldl.c: A = L D L^T, L^T in the strict upper triangle, 1/D on the diagonal */
int ldl_factor(double *A, int n, int stride);
void ldl_solve(const double *A, int n, int stride, double *x);
enum { LDL_SMALL = 8 };
int ldl_small(const double *A, int n, double *x); /* x = A^-1 x, 0 < n <= LDL_SMALL */

/* tree_solve.c: u' of M u' = P, and B = m_e^-1 m_sf if it is wanted */
int tree_solve(const Tree *tree, double *work, double *u_rate, double *B);

/* tree_gaps.c, tree_loops.c */
int gaps_of(int kind);
int tree_solve_loops(const Tree *tree, double t, const double *q, const double *u,
                     double *work, double *u_rate);

/* tree_quick.c: the fast rows of M and P only */
int tree_quick_rows(const Tree *tree, double *work, double *w, double *N);

/* tree_articulated.c */
int tree_recursive(const Tree *tree, double *work, double *u_rate);
void tree_recursive_B(const Tree *tree, double *work, double *B);

/* inertia times a twist, (16) */
static inline void inertia_times(const Link *link, const double *V, double *F)
{
    for (int i = 0; i < 3; i++) F[i] = link->m * V[i];
    add_cross(F, V + 3, link->h);
    sym_times(link->J, V + 3, F + 3);
    add_cross(F + 3, link->h, V);
}

#endif
