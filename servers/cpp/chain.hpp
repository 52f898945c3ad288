// A row of equal masses, springs and dampers, advanced by Newmark's method:
// the twin of Bondline's own `leaf:chain`. It knows nothing of the protocol.
#pragma once

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

using Vector = std::vector<double>;

// Forces on the ports `left` and `right`.
using Ends = std::array<double, 2>;

struct Kinematics {
  Vector u, v, a;
};

struct Energy {
  double stored = 0.0, dissipated = 0.0, supplied = 0.0;
};

// Motions of all masses under a unit of force on each port, after one window.
using Units = std::array<Kinematics, 2>;

class Chain {
 public:
  explicit Chain(std::map<std::string, double> p)
      : n_(static_cast<size_t>(p.at("masses"))), mass_(p.at("mass")),
        stiffness_(p.at("stiffness")), damping_(p.at("damping")), wall_(p.at("wall")),
        force_(p.at("force")), frequency_(p.at("frequency")) {}

  // Number of the mass that a port belongs to.
  size_t end(size_t port) const { return port == 0 ? 0 : n_ - 1; }

  Kinematics start(double t0) const {
    const Vector zero(n_, 0.0);
    return press({zero, zero, zero}, t0, {});
  }

  // The same instant under forces: M a = f - C v - K u.
  Kinematics press(Kinematics now, double t, const Ends& forces) const {
    const Vector f = balance(load(t, forces), now.u, now.v);
    for (size_t i = 0; i < n_; ++i) now.a[i] = f[i] / mass_;
    return now;
  }

  // One step to t1 under the forces there, wang2003 (33)-(36): beta 1/4, gamma 1/2.
  Kinematics advance(const Kinematics& now, double t0, double t1,
                     const Ends& forces) const {
    return step(now, nominal(t1 - t0), load(t1, forces));
  }

  // What a window does with a unit of force on each port, from rest.
  Units units(double h) const {
    const Vector zero(n_, 0.0);
    Units found;
    for (size_t port = 0; port < 2; ++port) {
      Vector f = zero;
      f[end(port)] += 1.0;
      found[port] = step({zero, zero, zero}, h, f);
    }
    return found;
  }

  // The end of a window under more forces: a sum, no solve.
  static Kinematics shifted(Kinematics end, const Units& units, const Ends& more) {
    for (size_t port = 0; port < 2; ++port) {
      for (size_t i = 0; i < end.u.size(); ++i) {
        end.u[i] += more[port] * units[port].u[i];
        end.v[i] += more[port] * units[port].v[i];
        end.a[i] += more[port] * units[port].a[i];
      }
    }
    return end;
  }

  double stored(const Kinematics& now) const {
    return 0.5 * dot(now.u, links(stiffness_, wall_, now.u)) +
           0.5 * mass_ * dot(now.v, now.v);
  }

  // What went in and out in a step of the trapezoidal rule.
  Energy flows(const Kinematics& from, const Kinematics& to, double t0,
               double t1) const {
    Vector mean(n_);
    for (size_t i = 0; i < n_; ++i) mean[i] = 0.5 * (from.v[i] + to.v[i]);
    const double lost = nominal(t1 - t0) * dot(mean, links(damping_, 0.0, mean));
    const double own = 0.5 * (load(t0, {}).back() + load(t1, {}).back());
    return {stored(to), lost, own * (to.u.back() - from.u.back())};
  }

  // A acceleration per unit of force on the same mass.
  double mobility() const { return 1.0 / mass_; }
  bool joined() const { return n_ == 1; }  // both ports are at one mass

  // t1 - t0 wobbles in its last digits along a grid; the step shall not.
  static double nominal(double h) {
    char text[32];
    std::snprintf(text, sizeof text, "%.12g", h);
    return std::strtod(text, nullptr);
  }

 private:
  static double dot(const Vector& x, const Vector& y) {
    double sum = 0.0;
    for (size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
  }

  // Forces of n - 1 links of constant k, and of one from the first mass to the wall.
  Vector links(double k, double wall, const Vector& x) const {
    Vector f(n_, 0.0);
    f[0] = wall * x[0];
    for (size_t i = 0; i + 1 < n_; ++i) {
      const double pull = k * (x[i] - x[i + 1]);
      f[i] += pull;
      f[i + 1] -= pull;
    }
    return f;
  }

  Vector load(double t, const Ends& forces) const {
    Vector f(n_, 0.0);
    f[n_ - 1] = force_ * std::sin(2.0 * M_PI * frequency_ * t);
    for (size_t port = 0; port < 2; ++port) f[end(port)] += forces[port];
    return f;
  }

  Vector balance(Vector f, const Vector& u, const Vector& v) const {
    const Vector spring = links(stiffness_, wall_, u), damper = links(damping_, 0.0, v);
    for (size_t i = 0; i < n_; ++i) f[i] -= damper[i] + spring[i];
    return f;
  }

  Kinematics step(const Kinematics& now, double h, const Vector& f) const {
    Kinematics to = now;
    for (size_t i = 0; i < n_; ++i) {  // the prediction, (33)
      to.u[i] += h * now.v[i] + 0.25 * h * h * now.a[i];
      to.v[i] += 0.5 * h * now.a[i];
    }
    to.a = solve(h, balance(f, to.u, to.v));  // (34)
    for (size_t i = 0; i < n_; ++i) {
      to.u[i] += 0.25 * h * h * to.a[i];
      to.v[i] += 0.5 * h * to.a[i];
    }
    return to;
  }

  // K* a = f, K* = M + h/2 C + h^2/4 K (35): three diagonals, eliminated from the top.
  Vector solve(double h, Vector f) const {
    const double k = 0.5 * h * damping_ + 0.25 * h * h * stiffness_;
    Vector pivot(n_);
    for (size_t i = 0; i < n_; ++i) {
      pivot[i] = mass_ + k * ((i > 0) + (i + 1 < n_));
      if (i == 0) pivot[0] += 0.25 * h * h * wall_;
      if (i == 0) continue;
      pivot[i] -= k * k / pivot[i - 1];
      f[i] += k / pivot[i - 1] * f[i - 1];
    }
    for (size_t i = n_; i-- > 0;)
      f[i] = (f[i] + (i + 1 < n_ ? k * f[i + 1] : 0.0)) / pivot[i];
    return f;
  }

  size_t n_;
  double mass_, stiffness_, damping_, wall_, force_, frequency_;
};
