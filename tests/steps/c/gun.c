/* The gun and turret of kim2000, section 4, in closed form.

   q = (th1, th2, av1, av2, ah1, ah2): yaw about +z, elevation about +y (positive: the
   muzzle goes down), vertical and horizontal modes of unit mass. Velocity terms are
   those of Lagrange for the mass matrix below. */

#include "system.h"

#include <math.h>

typedef struct Gun {
    double J_yaw, J_my, J, S1, m, p, g; /* p: trunnion ahead of the turret's axis */
    double I0[2], I1[2], om[2];
    double torque[3]; /* amplitudes of (43), (44), and the constant of (44) */
} Gun;

/* What all functions need at a state: mass matrix and forces without those of the
   rates. m_ff is the unit matrix. */
typedef struct Point {
    double m11, m12, m22, N[4][2]; /* N = m_fs */
    double g_s[2], w[4];
} Point;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/* Fast rows. */
static void fast_rows(const Gun *gun, double c, double s, const double *q,
                      const double *u, Point *at)
{
    const double *av = q + 2, *ah = q + 4, *dv = u + 2, *dh = u + 4;
    const double w1 = u[0], w2 = u[1], p = gun->p;
    for (int k = 0; k < 2; ++k) {
        const double I0 = gun->I0[k], I1 = gun->I1[k], om2 = gun->om[k] * gun->om[k];
        at->N[k][0] = -s * ah[k];
        at->N[k][1] = -I1;
        at->N[2 + k][0] = p * I0 + c * I1 + s * av[k];
        at->N[2 + k][1] = 0.0;
        const double turn =
            s * s * av[k] + p * s * I0 + c * s * I1; /* d m11/d av / 2 */
        const double v =
            w1 * (-c * w2 * ah[k] - s * dh[k]) -
            (turn * w1 * w1 - c * ah[k] * w1 * w2 + av[k] * w2 * w2 + s * dh[k] * w1);
        const double h =
            w1 * (w2 * (-s * I1 + c * av[k]) + s * dv[k]) -
            (ah[k] * w1 * w1 + (-c * av[k] + s * I1) * w1 * w2 - s * dv[k] * w1);
        at->w[k] = -gun->g * c * I0 - om2 * av[k] - v;
        at->w[2 + k] = -om2 * ah[k] - h;
    }
}

/* Slow rows: m_ss and g_s. */
static void slow_rows(const Gun *gun, double t, double c, double s, const double *q,
                      const double *u, Point *at)
{
    const double *av = q + 2, *ah = q + 4, *dv = u + 2, *dh = u + 4;
    const double w1 = u[0], w2 = u[1], p = gun->p;
    const double vv = dot(av, av), hh = dot(ah, ah), hv = dot(ah, av);
    const double I0v = dot(gun->I0, av), I1v = dot(gun->I1, av), I1h = dot(gun->I1, ah);
    const double I0dv = dot(gun->I0, dv), I1dv = dot(gun->I1, dv);
    const double I1dh = dot(gun->I1, dh), vdv = dot(av, dv), hdh = dot(ah, dh);
    const double hdv = dot(ah, dv), vdh = dot(av, dh);
    at->m11 = gun->J_yaw + hh + p * p * gun->m + c * c * gun->J + s * s * vv +
              2.0 * (p * c * gun->S1 + p * s * I0v + c * s * I1v);
    at->m12 = -c * hv + s * I1h;
    at->m22 = gun->J_my + gun->J + vv;
    const double d11 = 2.0 * (c * s * (vv - gun->J) - p * s * gun->S1 + p * c * I0v +
                              (c * c - s * s) * I1v); /* d m11/d th2 */
    const double d12 = s * hv + c * I1h;              /* d m12/d th2 */
    const double m11_dot =
        d11 * w2 + 2.0 * (hdh + s * s * vdv + p * s * I0dv + c * s * I1dv);
    const double m12_dot = d12 * w2 - c * hdv - c * vdh + s * I1dh;
    const double tilt = -c * hdv - s * I1dh + c * vdh; /* d (m_1f u_f)/d th2 */
    const double b1 = m11_dot * w1 + m12_dot * w2 + w2 * tilt;
    const double b2 =
        m12_dot * w1 + 2.0 * vdv * w2 - 0.5 * d11 * w1 * w1 - d12 * w1 * w2 - w1 * tilt;
    const double beat = sin(2.0 * 3.14159265358979323846 * t);
    at->g_s[0] = gun->torque[0] * beat - b1; /* (43) */
    at->g_s[1] = gun->torque[1] * beat + gun->torque[2] +
                 gun->g * (c * gun->S1 + s * I0v) - b2; /* (44) */
}

/* Accelerations by (46), and the inverse of m_e for B. */
static void solve(const Point *at, double *u_rate, double inverse[3])
{
    double e11 = at->m11, e12 = at->m12, e22 = at->m22;
    double g1 = at->g_s[0], g2 = at->g_s[1];
    for (int k = 0; k < 4; ++k) {
        e11 -= at->N[k][0] * at->N[k][0];
        e12 -= at->N[k][0] * at->N[k][1];
        e22 -= at->N[k][1] * at->N[k][1];
        g1 -= at->N[k][0] * at->w[k];
        g2 -= at->N[k][1] * at->w[k];
    }
    const double over = 1.0 / (e11 * e22 - e12 * e12);
    inverse[0] = e22 * over, inverse[1] = -e12 * over, inverse[2] = e11 * over;
    u_rate[0] = inverse[0] * g1 + inverse[1] * g2;
    u_rate[1] = inverse[1] * g1 + inverse[2] * g2;
    for (int k = 0; k < 4; ++k)
        u_rate[2 + k] = at->w[k] - at->N[k][0] * u_rate[0] - at->N[k][1] * u_rate[1];
}

static void evaluate(const System *system, double t, const double *q, const double *u,
                     Point *at, double *u_rate, double inverse[3])
{
    const double c = cos(q[1]), s = sin(q[1]);
    fast_rows(system->model, c, s, q, u, at);
    slow_rows(system->model, t, c, s, q, u, at);
    solve(at, u_rate, inverse);
}

static int rates(const System *system, double t, const double *q, const double *u,
                 double *work, double *q_rate, double *u_rate)
{
    Point at;
    double inverse[3];
    (void)work;
    evaluate(system, t, q, u, &at, u_rate, inverse);
    for (int j = 0; j < 6; ++j)
        q_rate[j] = u[j];
    return FINE;
}

static int fast_rates(const System *system, double t, const double *q, const double *u,
                      double *work, double *w, double *N)
{
    Point at;
    (void)t, (void)work;
    fast_rows(system->model, cos(q[1]), sin(q[1]), q, u, &at);
    for (int k = 0; k < 4; ++k) {
        w[k] = at.w[k];
        N[2 * k] = at.N[k][0];
        N[2 * k + 1] = at.N[k][1];
    }
    return FINE;
}

static int split_rates(const System *system, double t, const double *q, const double *u,
                       double *work, double *q_rate, double *u_rate, double *B)
{
    Point at;
    double inverse[3];
    (void)work;
    evaluate(system, t, q, u, &at, u_rate, inverse);
    for (int j = 0; j < 6; ++j)
        q_rate[j] = u[j];
    for (int k = 0; k < 4; ++k) {
        B[k] = inverse[0] * at.N[k][0] + inverse[1] * at.N[k][1];
        B[4 + k] = inverse[1] * at.N[k][0] + inverse[2] * at.N[k][1];
    }
    return FINE;
}

/* Kinetic and potential energy at a state, zero undeformed at rest. */
double gun_energy(const double *numbers, const double *q, const double *u)
{
    const Gun *gun = (const Gun *)(const void *)numbers;
    const double c = cos(q[1]), s = sin(q[1]);
    Point at;
    fast_rows(gun, c, s, q, u, &at);
    slow_rows(gun, 0.0, c, s, q, u, &at);
    double T =
        0.5 * (at.m11 * u[0] * u[0] + at.m22 * u[1] * u[1]) + at.m12 * u[0] * u[1];
    double V = gun->g * (c * dot(gun->I0, q + 2) - s * gun->S1);
    for (int k = 0; k < 4; ++k) {
        const double om = gun->om[k % 2];
        T += u[2 + k] * (at.N[k][0] * u[0] + at.N[k][1] * u[1] + 0.5 * u[2 + k]);
        V += 0.5 * om * om * q[2 + k] * q[2 + k];
    }
    return T + V;
}

void fill_gun(System *system, const double *numbers)
{
    static const int index[6] = {0, 1, 2, 3, 4, 5};
    *system = (System){.model = numbers,
                       .n_q = 6,
                       .n_u = 6,
                       .rates = rates,
                       .n_fast = 4,
                       .n_slow = 2,
                       .slow = index,
                       .fast = index + 2,
                       .fast_q = index + 2,
                       .fast_rates = fast_rates,
                       .split_rates = split_rates};
}
