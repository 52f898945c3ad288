/* Stops of coordinates; springs, bushings and contacts between two markers. */

#include "tree_forces.h"

/* A bump stop pushes back from beyond `above` and `below`, never pulls. */
double stop_push(const double *reals, double q, double u)
{
    double k = reals[0], power = reals[1], damping = reals[2], depth, rate, sign;
    if (q > reals[3])
        depth = q - reals[3], rate = u, sign = -1.0;
    else if (q < reals[4])
        depth = reals[4] - q, rate = -u, sign = 1.0;
    else
        return 0.0;
    double size = k * pow(depth, power) * (1.0 + damping * rate);
    return size > 0.0 ? sign * size : 0.0;
}

/* How b's body moves past a's at the point p. */
static void passing(const Spot *a, const Spot *b, const double *p, double *v)
{
    double w[3];
    for (int i = 0; i < 3; i++) {
        v[i] = b->V[i] - a->V[i];
        w[i] = b->V[3 + i] - a->V[3 + i];
    }
    add_cross(v, w, p);
}

static double reach(const Spot *a, const Spot *b, double *way)
{
    for (int i = 0; i < 3; i++) way[i] = b->p[i] - a->p[i];
    return sqrt(dot3(way, way));
}

/* Its velocity as a point of its own body. */
static void velocity(const Spot *spot, double *v)
{
    set3(v, spot->V);
    add_cross(v, spot->V + 3, spot->p);
}

/* How fast the line from a to b grows; its way and length. */
static double growing(const Spot *a, const Spot *b, double *way, double *length)
{
    double va[3], vb[3];
    *length = reach(a, b, way);
    if (*length == 0.0) return 0.0; /* it has no direction */
    velocity(a, va);
    velocity(b, vb);
    return (dot3(way, vb) - dot3(way, va)) / *length;
}

void spring_wrench(const double *reals, const Spot *a, const Spot *b, double *on_b)
{
    double way[3], length, rate = growing(a, b, way, &length);
    if (length == 0.0) return;
    double pull = reals[0] * (length - reals[2]) + reals[1] * rate;
    add3(on_b, -pull / length, way);
    cross(b->p, on_b, on_b + 3);
}

double spring_loss(const double *reals, const Spot *a, const Spot *b)
{
    double way[3], length, rate = growing(a, b, way, &length);
    return reals[1] * rate * rate;
}

double spring_potential(const double *reals, const Spot *a, const Spot *b)
{
    double way[3], x = reach(a, b, way) - reals[2];
    return 0.5 * reals[0] * x * x;
}

/* The rotation vector of a matrix, |theta| <= pi. */
static void rotation_vector(const double *R, double *theta)
{
    double v[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]}; /* 2 sin(phi) axis */
    double sine = 0.5 * sqrt(dot3(v, v)), cosine = 0.5 * (R[0] + R[4] + R[8] - 1.0);
    double phi = atan2(sine, cosine);
    if (cosine > -0.99) {
        double factor = sine > 1e-8 ? 0.5 * phi / sine : 0.5;
        for (int i = 0; i < 3; i++) theta[i] = factor * v[i];
        return;
    }
    int k = R[0] > R[4] ? (R[0] > R[8] ? 0 : 2) : (R[4] > R[8] ? 1 : 2);
    double axis[3]; /* near a half turn R + R^T tells the axis */
    for (int i = 0; i < 3; i++) axis[i] = R[3 * i + k] + R[3 * k + i];
    axis[k] += 1.0 - (R[0] + R[4] + R[8]);
    double size = sqrt(dot3(axis, axis)), sign = dot3(axis, v) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) theta[i] = sign * phi / size * axis[i];
}

static void bushing_stretch(const Spot *a, const Spot *b, double *shift, double *theta)
{
    double way[3], R_aB[9];
    for (int i = 0; i < 3; i++) way[i] = b->p[i] - a->p[i];
    turn_back(a->R, way, shift);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R_aB[3 * i + j] = a->R[i] * b->R[j] + a->R[3 + i] * b->R[3 + j] +
                              a->R[6 + i] * b->R[6 + j];
    rotation_vector(R_aB, theta);
}

/* T(theta)^-T moment: what a potential of the rotation vector turns with. */
static void unroll(const double *theta, const double *moment, double *result)
{
    double x = dot3(theta, theta), first[3], second[3];
    double half = 0.5 * sqrt(x), e = 1.0 / 12.0 + x / 720.0 + x * x / 30240.0;
    if (x > 1e-3) e = (1.0 - half * cos(half) / sin(half)) / x;
    cross(theta, moment, first);
    cross(theta, first, second);
    for (int i = 0; i < 3; i++)
        result[i] = moment[i] + 0.5 * first[i] + e * second[i];
}

void bushing_wrench(const double *reals, const Spot *a, const Spot *b, double *on_b)
{
    const double *K = reals, *D = reals + 6;
    double shift[3], theta[3], v[3], w[3], speed[3], spin[3], f[3], n[3], bent[3];
    bushing_stretch(a, b, shift, theta);
    passing(a, b, b->p, v);
    for (int i = 0; i < 3; i++) w[i] = b->V[3 + i] - a->V[3 + i];
    turn_back(a->R, v, speed);
    turn_back(a->R, w, spin);
    for (int i = 0; i < 3; i++) bent[i] = K[3 + i] * theta[i];
    unroll(theta, bent, n);
    for (int i = 0; i < 3; i++) {
        f[i] = -K[i] * shift[i] - D[i] * speed[i];
        n[i] = -n[i] - D[3 + i] * spin[i];
    }
    turn(a->R, f, on_b);
    turn(a->R, n, on_b + 3);
    add_cross(on_b + 3, b->p, on_b);
}

double bushing_loss(const double *reals, const Spot *a, const Spot *b)
{
    const double *D = reals + 6;
    double v[3], w[3], speed[3], spin[3], sum = 0.0;
    passing(a, b, b->p, v);
    for (int i = 0; i < 3; i++) w[i] = b->V[3 + i] - a->V[3 + i];
    turn_back(a->R, v, speed);
    turn_back(a->R, w, spin);
    for (int i = 0; i < 3; i++)
        sum += D[i] * speed[i] * speed[i] + D[3 + i] * spin[i] * spin[i];
    return sum;
}

double bushing_potential(const double *reals, const Spot *a, const Spot *b)
{
    double shift[3], theta[3], sum = 0.0;
    bushing_stretch(a, b, shift, theta);
    for (int i = 0; i < 3; i++)
        sum += reals[i] * shift[i] * shift[i] + reals[3 + i] * theta[i] * theta[i];
    return 0.5 * sum;
}

/* How deep the sphere about a is in b's plane, and the normal; negative if apart. */
static double depth_of(const double *reals, const Spot *a, const Spot *b,
                       double *normal)
{
    double way[3], in_plane[3], local[3] = {0.0, 0.0, 1.0}, apart;
    for (int i = 0; i < 3; i++) way[i] = a->p[i] - b->p[i];
    turn_back(b->R, way, in_plane);
    apart = in_plane[2];
    if (reals[6] != 0.0 && in_plane[0] < 0.0) { /* past the edge of a curb */
        apart = sqrt(in_plane[0] * in_plane[0] + in_plane[2] * in_plane[2]);
        if (apart > 0.0)
            local[0] = in_plane[0] / apart, local[2] = in_plane[2] / apart;
    }
    turn(b->R, local, normal);
    return reals[0] - apart;
}

/* Two surfaces that touch. */
typedef struct {
    double normal[3], p[3]; /* out of the plane; where they touch */
    double away;            /* the speed at which they part */
    double slides[3];       /* how the sphere slides along the plane */
    double still, push;     /* the normal force, without its damping and with it */
    double slip;            /* its speed, regularised */
} Touch;

/* Whether they do. */
static int touch(const double *reals, const Spot *a, const Spot *b, Touch *t)
{
    double depth = depth_of(reals, a, b, t->normal);
    if (depth <= 0.0) return 0;
    set3(t->p, a->p);
    add3(t->p, depth - reals[0], t->normal);
    passing(b, a, t->p, t->slides); /* of the sphere past the plane */
    t->away = dot3(t->slides, t->normal);
    add3(t->slides, -t->away, t->normal);
    t->still = reals[1] * pow(depth, reals[2]);
    t->push = t->still * (1.0 - reals[3] * t->away);
    if (t->push < 0.0) t->push = 0.0; /* never a pull */
    t->slip = sqrt(dot3(t->slides, t->slides) + reals[5] * reals[5]);
    return 1;
}

void contact_wrench(const double *reals, const Spot *a, const Spot *b, double *on_b)
{
    Touch t;
    if (!touch(reals, a, b, &t) || t.push <= 0.0) return;
    add3(on_b, -t.push, t.normal);
    if (t.slip > 0.0) add3(on_b, reals[4] * t.push / t.slip, t.slides);
    cross(t.p, on_b, on_b + 3);
}

double contact_loss(const double *reals, const Spot *a, const Spot *b)
{
    Touch t;
    if (!touch(reals, a, b, &t)) return 0.0;
    double rubbed = t.slip > 0.0 ? dot3(t.slides, t.slides) / t.slip : 0.0;
    return (t.still - t.push) * t.away + reals[4] * t.push * rubbed;
}

double contact_potential(const double *reals, const Spot *a, const Spot *b)
{
    double normal[3], depth = depth_of(reals, a, b, normal);
    if (depth <= 0.0) return 0.0;
    return reals[1] * pow(depth, reals[2] + 1.0) / (reals[2] + 1.0);
}
