#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stiction/model/system.h"

namespace stiction {

/// Finds collisions that begin and end within a step, so that neither end shows them: two balls that graze each other,
/// a corner that clips another. A pair that comes nearer at the start and parts at the end has its least gap between;
/// the cubic through both gaps and their rates says where, and the geometry there decides. A pair that ends touching on
/// its far side, moving apart, has been through too.
class Passing {
 public:
  explicit Passing(const System& system) : system_(system) {}

  /// On the way q (+) s v, s from 0 to h > 0: true when a pair that does not overlap by more than `tolerance` at either
  /// end does so between, with a time shortly after the first pair met and its contact there. Pairs of the contacts
  /// that are `held` are seen to already, unless they end on the other side.
  bool find(double t, const Vector& q, const Vector& v, double h, const std::vector<std::uint64_t>& held,
            double tolerance);
  /// The same without the time, but pairs with a gap of `touch` at most where the way begins are not waited for: they
  /// are added to `touching`, which is sorted. Those that are in there already are treated as all others.
  bool find_new(double t, const Vector& q, const Vector& v, double h, const std::vector<std::uint64_t>& held,
                double touch, double tolerance, std::vector<std::uint64_t>& touching);
  /// A pair that is open at one place of the way and overlaps at a later one.
  struct Met {
    std::uint64_t pair = 0;
    double open = 0.0, overlap = 0.0;
  };
  /// What was found, and not touching.
  [[nodiscard]] const std::vector<Met>& met() const { return met_; }
  /// Finds when the first of these met.
  void locate(double t, const Vector& q, const Vector& v);
  [[nodiscard]] double at() const { return at_; }
  [[nodiscard]] std::uint64_t contact() const { return contact_; }

 private:
  /// The least gap of a pair of shapes and its rate.
  struct Nearest {
    std::uint64_t pair = 0, contact = 0;
    double Phi = 0.0, rate = 0.0;
    double thickness = 0.0;
    Vec3 normal = Vec3::UnitZ();
  };

  static void list_pairs(const GapSet& gaps, const Vector& v, std::vector<Nearest>& pairs);
  void look_at_start(double t, const Vector& q, double margin);
  void find_coming(double t, const Vector& q, const Vector& v, double h, const std::vector<std::uint64_t>& held,
                   double tolerance);
  [[nodiscard]] std::optional<double> find_overlap(double t, const Vector& q, const Vector& v, const Nearest& first,
                                                   const Nearest& last, double h, double tolerance);
  [[nodiscard]] bool is_held(std::uint64_t pair) const;
  void note_first_overlap(double t, const Vector& q, const Vector& v, const Met& met);
  void look_at_pairs(double t, const Vector& q, const Vector& v, double place, double margin,
                     std::vector<Nearest>& pairs);
  [[nodiscard]] const Nearest* look_at(double t, const Vector& q, const Vector& v, double place, std::uint64_t pair,
                                       double margin);

  const System& system_;
  GapSet gaps_, start_gaps_;
  Vector q_between_;
  /// What start_gaps_ was found for.
  Vector q_start_;
  double t_start_ = 0.0, start_margin_ = -1.0;
  std::vector<Nearest> start_, end_, between_;  ///< Ordered by pair.
  std::vector<std::uint64_t> held_, pairs_;     ///< Pairs, sorted.
  double low_ = 0.0;                            ///< Until here on the way the pair of the last find_overlap() is open.
  std::vector<Met> met_;
  double at_ = 0.0;
  std::uint64_t contact_ = 0;
};

}  // namespace stiction
