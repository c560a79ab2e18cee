#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <numbers>

/// The motion to which the schemes must tend for Stewart and Trinkle's rod (1996, section 4; scenes/papers/
/// rod_and_table.json), from event to event and with none of the project's code: free flight, a plastic impact, rolling
/// on the round end without slip, sliding, the plastic impact of the other end, sliding flat to rest.
namespace stiction::scene::test {

class RodLimit {
 public:
  double first = 0.0, slip = 0.0, second = 0.0, rest = 0.0;  ///< Times, s.
  double omega_first = 0.0;                                  ///< After the first impact.
  double x_end = 0.0;
  double least_ratio = 1.0;  ///< c_n of the sticking impact, of the two of the second one: all must push.

  RodLimit() {
    // y - (l/2) sin(theta) - rho = 0, the end that is lower then.
    const auto gap = [](double t) { return 1.0 - 0.5 * g * t * t - half * std::sin(theta0 + 4.0 * t) - rho; };
    first = root(gap, 0.3, 0.42);
    State state;
    state << 0.0, 1.0 - 0.5 * g * first * first, theta0 + 4.0 * first, 0.0, -g * first, 4.0;
    impact(state);
    omega_first = state[5];
    double t = first;
    const auto cone = [](const State& at) {
      const Forces found = forces(at, 0.0);
      return mu * found.c_n - std::abs(found.c_t);
    };
    slip = t = follow(state, t, 0.0, cone);
    const double direction = forces(state, 0.0).c_t > 0.0 ? -1.0 : 1.0;  // friction opposes the sliding to come
    second = t = follow(state, t, direction, [](const State& at) { return std::numbers::pi - at[2]; });
    // Flat: both ends stop, c_n1 + c_n2 = -m v_y, and friction takes mu of that from v_x; the ends share it such that
    // omega vanishes: J omega = (l/2) (c_n1 - c_n2) - rho c_t. Here the first end is at +l/2.
    const double sum = -m * state[4], c_t = -direction * mu * sum;
    const double difference = (-J * state[5] - rho * c_t) / half;
    least_ratio = std::min({least_ratio, (sum + difference) / sum, (sum - difference) / sum});
    const double v_x = state[3] + c_t / m;
    rest = second + std::abs(v_x) / (mu * g);
    x_end = state[0] + 0.5 * v_x * (rest - second);
  }

 private:
  using State = Eigen::Matrix<double, 6, 1>;  // x, y, theta and their rates
  struct Forces {
    double c_n, c_t;
    Eigen::Vector3d acceleration;
  };
  static constexpr double m = 1.0, J = 0.002, half = 0.25, rho = 0.05, mu = 0.6, g = 9.81;
  static constexpr double theta0 = std::numbers::pi / 6.0;

  static double root(const std::function<double(double)>& f, double low, double high) {
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (low + high);
      ((f(middle) > 0.0) == (f(low) > 0.0) ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }
  static double r_x(const State& s) { return -half * std::cos(s[2]); }
  static double r_y(const State& s) { return -half * std::sin(s[2]) - rho; }

  /// The first impact: the end stops altogether, which the cone allows (checked through least_ratio).
  void impact(State& s) {
    const Eigen::Matrix<double, 2, 3> rows{{1.0, 0.0, -r_y(s)}, {0.0, 1.0, r_x(s)}};
    const Eigen::Vector3d inverse_mass(1.0 / m, 1.0 / m, 1.0 / J);
    const Eigen::Vector2d c = (rows * inverse_mass.asDiagonal() * rows.transpose()).inverse() * (-rows * s.tail<3>());
    s.tail<3>() += inverse_mass.asDiagonal() * rows.transpose() * c;
    least_ratio = (mu * c[1] - std::abs(c[0])) / c[1];
  }

  /// Forces on the end that touches: rolling where direction is 0, sliding that way otherwise.
  static Forces forces(const State& s, double direction) {
    const double omega = s[5];
    Eigen::Matrix<double, 5, 5> A = Eigen::Matrix<double, 5, 5>::Zero();
    Eigen::Matrix<double, 5, 1> b = Eigen::Matrix<double, 5, 1>::Zero();
    A(0, 0) = A(1, 1) = m;
    A(2, 2) = J;
    A(0, 4) = A(1, 3) = -1.0;  // unknowns: accelerations, c_n, c_t
    A(2, 3) = -r_x(s);
    A(2, 4) = r_y(s);
    b[1] = -m * g;
    A(3, 1) = 1.0;  // the end stays at the height rho
    A(3, 2) = r_x(s);
    b[3] = -half * std::sin(s[2]) * omega * omega;
    if (direction == 0.0) {
      A(4, 0) = 1.0;  // and does not slip
      A(4, 2) = -r_y(s);
      b[4] = -half * std::cos(s[2]) * omega * omega;
    } else {
      A(4, 4) = 1.0;
      A(4, 3) = direction * mu;
    }
    const Eigen::Matrix<double, 5, 1> found = A.partialPivLu().solve(b);
    return {found[3], found[4], found.head<3>()};
  }

  /// Runge and Kutta's method from s until `event` vanishes; the time then.
  static double follow(State& s, double t, double direction, const std::function<double(const State&)>& event) {
    const auto rate = [&](const State& at) {
      State d;
      d << at.tail<3>(), forces(at, direction).acceleration;
      return d;
    };
    const auto step = [&](const State& at, double h) {
      const State k1 = rate(at), k2 = rate(at + 0.5 * h * k1), k3 = rate(at + 0.5 * h * k2), k4 = rate(at + h * k3);
      return State(at + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4));
    };
    constexpr double h = 1e-4;
    for (int i = 0; i < 100000; ++i, t += h) {
      const State next = step(s, h);
      if (event(next) > 0.0) {
        s = next;
        continue;
      }
      const double part = root([&](double at) { return event(step(s, at)); }, 0.0, h);
      s = step(s, part);
      return t + part;
    }
    return -1.0;
  }
};

}  // namespace stiction::scene::test
