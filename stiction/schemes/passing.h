#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "stiction/model/system.h"

namespace stiction {

/// Finds collisions that begin and end within a step, so that neither end shows them: two balls that graze each other,
/// a corner that clips another. A pair that comes nearer at the start and parts at the end has its least gap between;
/// the cubic through both gaps and their rates says where, and the geometry there decides.
class Passing {
 public:
  explicit Passing(const System& system) : system_(system) {}

  /// On the way q (+) s v, s from 0 to h > 0: true when a pair that does not overlap at either end does so by more than
  /// `tolerance` between, with a time shortly after the first pair met and its contact there. Pairs of the contacts
  /// that are `held` are seen to already.
  bool find(double t, const Vector& q, const Vector& v, double h, const std::vector<std::uint64_t>& held,
            double tolerance);
  [[nodiscard]] double at() const { return at_; }
  [[nodiscard]] std::uint64_t contact() const { return contact_; }

 private:
  /// The least gap of a pair of shapes and its rate.
  struct Nearest {
    std::uint64_t pair = 0, contact = 0;
    double Phi = 0.0, rate = 0.0;
  };

  void look(double t, const Vector& q, const Vector& v, double margin, std::vector<Nearest>& pairs);
  void look_between(double t, const Vector& q, const Vector& v, const Nearest& first, const Nearest& last, double h,
                    double tolerance);
  void note_first_overlap(double t, const Vector& q, const Vector& v, std::uint64_t pair, double open, double overlap);
  [[nodiscard]] const Nearest* look_at(double t, const Vector& q, const Vector& v, double place, std::uint64_t pair,
                                       double margin);

  const System& system_;
  GapSet gaps_;
  Vector q_between_;
  std::vector<Nearest> start_, end_, between_;  ///< Ordered by pair.
  double at_ = 0.0;
  std::uint64_t contact_ = 0;
};

}  // namespace stiction
