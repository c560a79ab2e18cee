#pragma once

#include <cmath>

#include "stiction/cone/certificate.h"

namespace stiction::cone {

/// Internal, of certificates alone: the laws of contacts, however their speeds were found.

inline double norm(double x, double y) {
  const double square = x * x + y * y;
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::hypot(x, y);
}

inline double norm(const double x[3]) {
  return norm(x[0], norm(x[1], x[2]));
}

/// error / scale; what is no number must not pass.
[[nodiscard]] double relative(double error, double scale);

/// One contact in the metric in which its cone is round: forces over the shares, speeds times them.
struct RoundContact {
  Index first;
  int dimension;
  double mu;
  bool is_borne;
  double share[3] = {1.0, 1.0, 1.0};

  RoundContact(const Problem& problem, Index contact)
      : first(contact * problem.dimension),
        dimension(problem.dimension),
        mu(problem.friction(contact)),
        is_borne(problem.is_borne(contact)) {
    if (problem.mu2.size() == 0) return;
    for (int t = 1; t < dimension; ++t) share[t] = problem.share(contact, t);
  }

  /// Forces along a tangent without friction are left out; they are returned, as a squared error.
  double read_force(const Vector& r, double force[3]) const {
    double error = 0.0;
    for (int k = 0; k < 3; ++k) {
      force[k] = k < dimension && share[k] > 0.0 ? r[first + k] / share[k] : 0.0;
      if (k < dimension && !(share[k] > 0.0)) error += r[first + k] * r[first + k];
    }
    return error;
  }
  void read_speed(const Vector& u, double speed[3]) const {
    for (int k = 0; k < 3; ++k) speed[k] = k < dimension ? share[k] * u[first + k] : 0.0;
  }
};

/// The size of e_i(rho).
[[nodiscard]] double error_of(const RoundContact& contact, const Vector& r, const Vector& u, double rho);

/// The two residuals of Certificate. Of the work u, terms (what is not seen of u, over the rounding of doubles), trace
/// and speed (V) are known; of the problem the laws, q and its free speeds are read, and W is not.
[[nodiscard]] Certificate judge(const Problem& problem, const Vector& r, CertifyWork& work);

/// InfeasibilityProof of y, with q'y <= -gap and W'y = slope up to `rounding`. Of the work trace and speed are known.
[[nodiscard]] InfeasibilityProof refute(const Problem& problem, const Vector& y, double gap, const Vector& slope,
                                        const Vector& rounding, const CertifyWork& work);

}  // namespace stiction::cone
