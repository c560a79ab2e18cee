#include "stiction/contact/local_speed.h"

#include <algorithm>
#include <cmath>

namespace stiction {

namespace {

// m/s or rad/s. What comes to rest moves on by rounding of rounding, a part of 1e-12 less in each step, until squares
// underflow: below this everything is at rest.
constexpr double least_speed = 1e-50;

/// Calls visit(rows, row) for the rows of contact j.
template <class Visit>
void for_each_row(const StepProblem& problem, int j, Visit visit) {
  if (problem.has_normal(j)) visit(problem.n, j);
  if (problem.contacts[j].tangents > 0) visit(problem.t1, j);
  if (problem.contacts[j].tangents > 1) visit(problem.t2, j);
}

/// row |x|
double absolute_dot(const linalg::Rows& rows, int row, const Vector& x) {
  const auto columns = rows.columns(row);
  const auto values = rows.values(row);
  double sum = 0.0;
  for (std::size_t p = 0; p < columns.size(); ++p) sum += std::abs(values[p] * x[columns[p]]);
  return sum;
}

/// Over the root of what a unit impulse moves; zero where nothing moves.
double over_root(double speed, double mobility) {
  return mobility > 0.0 ? speed / std::sqrt(mobility) : 0.0;
}

double mean_mobility(const StepProblem& problem, const judge::Mobilities& mobilities, int j) {
  const auto at = static_cast<std::size_t>(j);
  double sum = 0.0;
  int rows = 0;
  const auto add = [&](bool is_there, const std::vector<double>& list) {
    if (!is_there) return;
    sum += list[at];
    ++rows;
  };
  add(problem.has_normal(j), mobilities.n);
  add(problem.contacts[j].tangents > 0, mobilities.t1);
  add(problem.contacts[j].tangents > 1, mobilities.t2);
  return rows > 0 ? sum / rows : 0.0;
}

void raise(std::vector<double>& largest, const linalg::Rows& rows, int row, double value) {
  for (const int column : rows.columns(row)) {
    double& entry = largest[static_cast<std::size_t>(column)];
    entry = std::max(entry, value);
  }
}

double largest_of(const std::vector<double>& values, const linalg::Rows& rows, int row) {
  double largest = 0.0;
  for (const int column : rows.columns(row)) largest = std::max(largest, values[static_cast<std::size_t>(column)]);
  return largest;
}

}  // namespace

double LocalSpeed::free_speed(const StepProblem& problem, const linalg::Rows& rows, int row) const {
  return judge::speed(problem, rows, row, free_);
}

double LocalSpeed::alone(const linalg::Rows& rows, int row, double free) const {
  return std::abs(free) + absolute_dot(rows, row, weight_) + floor_share * absolute_dot(rows, row, moving_);
}

void LocalSpeed::find(const StepProblem& problem, const judge::Mobilities& mobilities, const Vector& v_plus) {
  const int n = problem.velocities();
  free_ = problem.v;
  weight_.resize(n);
  moving_.resize(n);
  for (int i = 0; i < n; ++i) {
    const double applied = problem.k[i] / mobilities.diagonal[i];
    weight_[i] = i < problem.weight.size() ? problem.weight[i] : applied;
    free_[i] += applied;
    moving_[i] = std::max({std::abs(problem.v[i]), std::abs(v_plus[i]), std::abs(free_[i])});
  }
  contact_.assign(static_cast<std::size_t>(problem.size()), 0.0);
  contact_root_ = contact_;
  mean_.resize(contact_.size());
  row_.assign(static_cast<std::size_t>(problem.joints()), 0.0);
  row_root_ = row_;
  for (int j = 0; j < problem.size(); ++j) {
    double& speed = contact_[static_cast<std::size_t>(j)];
    // Against the contact; what opens has no part in it.
    if (problem.has_normal(j))
      speed = alone(problem.n, j, std::min(0.0, free_speed(problem, problem.n, j) + problem.b_n[j]));
    if (problem.contacts[j].tangents > 0)
      speed = std::max(speed, alone(problem.t1, j, free_speed(problem, problem.t1, j) + problem.b_t1[j]));
    if (problem.contacts[j].tangents > 1)
      speed = std::max(speed, alone(problem.t2, j, free_speed(problem, problem.t2, j) + problem.b_t2[j]));
    double& mean = mean_[static_cast<std::size_t>(j)];
    mean = mean_mobility(problem, mobilities, j);
    contact_root_[static_cast<std::size_t>(j)] = over_root(speed, mean);
  }
  for (int i = 0; i < problem.joints(); ++i) {
    double& speed = row_[static_cast<std::size_t>(i)];
    const StepProblem::RowLaw law = problem.row_law(i);
    const double mobility = mobilities.nu[static_cast<std::size_t>(i)];
    // What a drive asks for counts as far as its softness and its bounds let it.
    double wanted = std::abs(problem.b_nu[i]);
    if (law.compliance > 0.0) wanted *= mobility / (mobility + law.compliance);
    if (!law.is_joint()) wanted = std::min(wanted, mobility * std::max(-law.lower, law.upper));
    speed = alone(problem.nu, i, free_speed(problem, problem.nu, i)) + wanted;
    row_root_[static_cast<std::size_t>(i)] = over_root(speed, mobility);
  }
  share_among_blocks(problem);
  spread(problem, mobilities);
}

/// Friction that another contact bears or that shares its set with another block is on the bodies of that one, though
/// it may not move a single velocity that the other moves: spinning on a plane.
void LocalSpeed::share_among_blocks(const StepProblem& problem) {
  own_root_ = contact_root_;
  for (int j = 0; j < problem.size(); ++j) {
    if (problem.has_normal(j)) continue;
    const StepProblem::Contact& contact = problem.contacts[j];
    const auto at = static_cast<std::size_t>(j);
    for (const int other : {contact.normal, contact.partner})
      if (other >= 0) contact_root_[at] = std::max(contact_root_[at], own_root_[static_cast<std::size_t>(other)]);
  }
}

/// Twice: to the bodies of a contact, and to their neighbours.
void LocalSpeed::spread(const StepProblem& problem, const judge::Mobilities& mobilities) {
  const auto n = static_cast<std::size_t>(problem.velocities());
  speed_.assign(n, 0.0);
  root_.assign(n, 0.0);
  for (int j = 0; j < problem.size(); ++j)
    for_each_row(problem, j, [&](const linalg::Rows& rows, int row) {
      if (problem.has_normal(j)) raise(speed_, rows, row, contact_[static_cast<std::size_t>(j)]);
      raise(root_, rows, row, contact_root_[static_cast<std::size_t>(j)]);
    });
  for (int i = 0; i < problem.joints(); ++i) raise(root_, problem.nu, i, row_root_[static_cast<std::size_t>(i)]);
  const auto around = [&](int j, const std::vector<double>& values) {
    double largest = 0.0;
    for_each_row(problem, j, [&](const linalg::Rows& rows, int row) {
      largest = std::max(largest, largest_of(values, rows, row));
    });
    return largest;
  };
  next_speed_ = speed_;
  next_root_ = root_;
  for (int j = 0; j < problem.size(); ++j) {
    const double speed = around(j, speed_), root = around(j, root_);
    for_each_row(problem, j, [&](const linalg::Rows& rows, int row) {
      raise(next_speed_, rows, row, speed);
      raise(next_root_, rows, row, root);
    });
  }
  for (int i = 0; i < problem.joints(); ++i) {
    raise(next_speed_, problem.nu, i, largest_of(speed_, problem.nu, i));
    raise(next_root_, problem.nu, i, largest_of(root_, problem.nu, i));
  }
  velocity_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    velocity_[i] = std::max({std::abs(problem.v[at]), std::abs(free_[at]), std::abs(weight_[at]),
                             next_root_[i] / std::sqrt(mobilities.diagonal[at])});
  }
  for (int j = 0; j < problem.size(); ++j) {
    double& speed = contact_[static_cast<std::size_t>(j)];
    if (problem.has_normal(j))
      speed = std::max(speed, around(j, next_speed_));
    else
      speed = std::max(speed, around(j, next_root_) * std::sqrt(mean_[static_cast<std::size_t>(j)]));
    speed = std::max(speed, least_speed);
  }
  for (int i = 0; i < problem.joints(); ++i) {
    double& speed = row_[static_cast<std::size_t>(i)];
    speed = std::max({speed, least_speed,
                      largest_of(next_root_, problem.nu, i) * std::sqrt(mobilities.nu[static_cast<std::size_t>(i)])});
  }
}

}  // namespace stiction
