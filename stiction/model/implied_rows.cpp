#include "stiction/model/implied_rows.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "stiction/base/random.h"
#include "stiction/model/joint_loops.h"
#include "stiction/model/multibody.h"
#include "stiction/model/null_space.h"

namespace stiction {
namespace {

// m/s or rad/s at 1 m/s or rad/s, and m or rad at a place reached: ten times what two anchors or axes may miss each
// other by that a user means to be one (joint_checks.cpp).
constexpr double mismatch = 1e-5;
// Of a row's lever: in a mechanism of micrometres everything is within `mismatch`.
constexpr double share_of_lever = 0.02;
// Metres times the longest lever, or radians, by which the mechanism is moved from its start.
constexpr double reach = 0.15;
// Places in a row at which nothing new is found.
constexpr int most_places = 3;
constexpr std::size_t most_columns = 600;

using linalg::DenseMatrix;

/// The rows of one loop at one place, dense in the loop's velocities.
struct Place {
  DenseMatrix nu;  ///< A row each.
  Vector Theta, velocity;
};

class Search {
 public:
  Search(const Multibody& system, const JointLoop& loop) : system_(system), loop_(loop) {
    SparseMatrix mass;
    system.mass(0.0, system.initial_positions(), mass);
    mobility_.resize(static_cast<Eigen::Index>(loop.columns.size()));
    for (std::size_t c = 0; c < loop.columns.size(); ++c)
      mobility_[static_cast<Eigen::Index>(c)] = 1.0 / std::sqrt(mass.coeff(loop.columns[c], loop.columns[c]));
    kept_.assign(loop.rows.size(), 0);
    find_turns();
  }

  /// 1 for each row of the loop that must be kept.
  const std::vector<char>& run() {
    t_ = 0.0;
    q_ = system_.initial_positions();
    look();
    pfaffian_.assign(loop_.rows.size(), 0);
    for (std::size_t i = 0; i < loop_.rows.size(); ++i) pfaffian_[i] = set_.is_pfaffian(loop_.rows[i]) ? 1 : 0;
    find_levers();
    start_ = add_missing();
    int quiet = 0;
    const int most = most_places + static_cast<int>(loop_.rows.size());
    for (int place = 0; place < most && quiet < most_places && start_.dimension() > 0; ++place) {
      const int before = count();
      if (move()) add_missing();
      quiet = count() == before ? quiet + 1 : 0;
    }
    return kept_;
  }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(std::count(kept_.begin(), kept_.end(), 1)); }

  void find_turns() {
    is_turn_.assign(loop_.columns.size(), 0);
    for (const Body& body : system_.model().bodies())
      for (int i = 3; i < 6; ++i) {
        const auto it = std::lower_bound(loop_.columns.begin(), loop_.columns.end(), body.columns[i]);
        if (it != loop_.columns.end() && *it == body.columns[i]) is_turn_[it - loop_.columns.begin()] = 1;
      }
  }

  /// The rows at t_ and q_.
  void look() {
    system_.find_all_joints(t_, q_, set_);
    const auto rows = static_cast<Eigen::Index>(loop_.rows.size());
    place_.nu.setZero(rows, mobility_.size());
    place_.Theta.resize(rows);
    place_.velocity.resize(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const int row = loop_.rows[i];
      const auto columns = set_.nu.columns(row);
      const auto values = set_.nu.values(row);
      for (std::size_t p = 0; p < columns.size(); ++p) {
        const auto it = std::lower_bound(loop_.columns.begin(), loop_.columns.end(), columns[p]);
        if (it != loop_.columns.end() && *it == columns[p]) place_.nu(i, it - loop_.columns.begin()) = values[p];
      }
      place_.Theta[i] = set_.Theta[row];
      place_.velocity[i] = set_.velocity[row];
    }
  }

  void find_levers() {
    levers_.setZero(place_.nu.rows());
    for (Eigen::Index i = 0; i < place_.nu.rows(); ++i) {
      for (Eigen::Index c = 0; c < place_.nu.cols(); ++c)
        if (is_turn_[c] != 0) levers_[i] = std::max(levers_[i], std::abs(place_.nu(i, c)));
      if (levers_[i] == 0.0) levers_[i] = 1.0;
      levers_[i] = std::max(levers_[i], mismatch);
    }
  }

  [[nodiscard]] double allowed(Eigen::Index row) const {
    return std::min(mismatch * std::max(1.0, levers_[row]), share_of_lever * levers_[row]);
  }

  /// Keeps every row that the kept ones do not imply at this place, in order; gives the motions left.
  NullSpace add_missing() {
    NullSpace space(mobility_);
    for (Eigen::Index i = 0; i < place_.nu.rows(); ++i)
      if (kept_[i] != 0) space.hold(place_.nu.row(i).transpose());
    for (Eigen::Index i = 0; i < place_.nu.rows(); ++i) {
      if (kept_[i] != 0) continue;
      const Vector row = place_.nu.row(i).transpose();
      const bool is_off = std::abs(place_.Theta[i]) > allowed(i);
      if (!is_off && space.violation(row) <= allowed(i) && agrees(i)) continue;
      kept_[i] = 1;
      space.hold(row);
    }
    return space;
  }

  /// Whether a row asks for the speed that the kept ones give it: kinematic bodies may pull in two ways.
  [[nodiscard]] bool agrees(Eigen::Index row) const {
    if (place_.velocity.isZero(0.0)) return true;
    Vector wanted(count());
    Eigen::Index at = 0;
    for (Eigen::Index i = 0; i < place_.nu.rows(); ++i)
      if (kept_[i] != 0) wanted[at++] = place_.velocity[i];
    const double speed = place_.nu.row(row).dot(least_motion(wanted, false));
    return std::abs(speed - place_.velocity[row]) <= mismatch * (1.0 + wanted.lpNorm<Eigen::Infinity>());
  }

  /// The least motion that gives the kept rows these speeds; only those with a position behind them where that is
  /// asked.
  [[nodiscard]] Vector least_motion(const Vector& speeds, bool positions_only) const {
    DenseMatrix A(speeds.size(), mobility_.size());
    Eigen::Index at = 0;
    for (Eigen::Index i = 0; i < place_.nu.rows(); ++i)
      if (kept_[i] != 0 && !(positions_only && pfaffian_[i] != 0))
        A.row(at++) = place_.nu.row(i).cwiseProduct(mobility_.transpose());
    DenseMatrix W = A * A.transpose();
    W.diagonal().array() *= 1.0 + 1e-13;
    return mobility_.cwiseProduct(A.transpose() * W.ldlt().solve(speeds));
  }

  void advance(const Vector& motion) {
    Vector v = Vector::Zero(system_.velocities());
    for (std::size_t c = 0; c < loop_.columns.size(); ++c) v[loop_.columns[c]] = motion[static_cast<Eigen::Index>(c)];
    Vector next;
    system_.advance(q_, v, 1.0, next);
    q_ = next;
  }

  /// Goes to a random place near the start that the kept rows allow. False where none is found.
  bool move() {
    Vector coordinates(start_.dimension());
    for (double& x : coordinates) x = random_.normal();
    Vector motion = start_.motion(coordinates);
    const double length = levers_.maxCoeff();
    double largest = 0.0;
    for (Eigen::Index c = 0; c < motion.size(); ++c)
      largest = std::max(largest, std::abs(motion[c]) / (is_turn_[c] != 0 ? 1.0 : length));
    if (!(largest > 0.0)) return false;
    const double later = random_.uniform() * reach / std::max(1.0, system_.fastest(Vector::Zero(system_.velocities())));
    for (double share = reach; share > 1e-3; share *= 0.5) {
      t_ = later;
      q_ = system_.initial_positions();
      advance(share / largest * motion);
      if (settle()) return true;
    }
    return false;
  }

  /// Newton's method onto the kept rows.
  bool settle() {
    constexpr int most_iterations = 12;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      look();
      std::vector<double> off;
      for (Eigen::Index i = 0; i < place_.nu.rows(); ++i)
        if (kept_[i] != 0 && pfaffian_[i] == 0) off.push_back(-place_.Theta[i]);
      const Vector errors = Eigen::Map<const Vector>(off.data(), static_cast<Eigen::Index>(off.size()));
      if (errors.size() == 0 || errors.lpNorm<Eigen::Infinity>() <= 1e-11 * (1.0 + levers_.maxCoeff())) return true;
      const Vector correction = least_motion(errors, true);
      if (!(correction.lpNorm<Eigen::Infinity>() < 1.0 + levers_.maxCoeff())) return false;
      advance(correction);
    }
    return false;
  }

  const Multibody& system_;
  const JointLoop& loop_;
  Vector mobility_, levers_;
  std::vector<char> kept_, is_turn_, pfaffian_;
  JointSet set_;
  double t_ = 0.0;
  Vector q_;
  Place place_;
  NullSpace start_{Vector()};
  Random random_{1};
};

}  // namespace

ImpliedRows find_implied_rows(const Multibody& system) {
  JointSet joints;
  system.find_all_joints(0.0, system.initial_positions(), joints);
  ImpliedRows found;
  found.is_implied.assign(static_cast<std::size_t>(joints.size()), 0);
  for (const JointLoop& loop : find_joint_loops(system)) {
    if (loop.columns.size() > most_columns) continue;
    Search search(system, loop);
    const std::vector<char>& kept = search.run();
    for (std::size_t i = 0; i < kept.size(); ++i) found.is_implied[loop.rows[i]] = kept[i] != 0 ? 0 : 1;
    if (std::count(kept.begin(), kept.end(), 0) > 0) found.groups.push_back(loop.rows);
  }
  return found;
}

}  // namespace stiction
