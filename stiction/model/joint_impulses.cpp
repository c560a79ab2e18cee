#include "stiction/model/joint_impulses.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "stiction/linalg/bounded_multipliers.h"
#include "stiction/model/joint_loops.h"

namespace stiction {
namespace {

// Share of a row's length that is left where it follows from others; implied rows fit them to about 1e-5.
constexpr double dependent = 1e-4;
// Velocities of a loop beyond which it is not looked at (implied_rows.h).
constexpr std::size_t most_columns = 600;

/// Joint rows and drives that may bear a load together.
struct Group {
  std::vector<int> rows, drives;
};

class Sharing {
 public:
  Sharing(const Multibody& system, double t, const Vector& q, const StepImpulses& impulses, double h)
      : system_(system), h_(h) {
    const ImpliedRows& implied = system.implied_rows();
    shared_.rows.assign(implied.is_implied.size(), 0.0);
    std::size_t next = 0;
    for (std::size_t i = 0; i < shared_.rows.size(); ++i)
      if (implied.is_implied[i] == 0 && next < impulses.rows.size()) shared_.rows[i] = impulses.rows[next++];
    system.find_joint_drives(t, q, drives_);
    shared_.drives.assign(static_cast<std::size_t>(drives_.size()), 0.0);
    for (double& impulse : shared_.drives)
      if (next < impulses.rows.size()) impulse = impulses.rows[next++];
    for (int i = 0; i < drives_.size() && i < static_cast<int>(impulses.holds.size()); ++i)
      if (impulses.holds[i] == 1) holding_.push_back(i);
    find_groups();
    if (groups_.empty()) return;
    system.find_all_joints(t, q, joints_);
    for (const Group& group : groups_) share(group);
  }

  [[nodiscard]] SharedImpulses take() { return std::move(shared_); }

 private:
  void find_groups() {
    if (holding_.empty()) {
      for (const std::vector<int>& rows : system_.implied_rows().groups) groups_.push_back({rows, {}});
      return;
    }
    std::vector<int> left = holding_;
    for (const JointLoop& loop : find_joint_loops(system_)) {
      if (loop.columns.size() > most_columns) continue;
      Group group{loop.rows, {}};
      const auto is_in = [&](int drive) {
        const auto at = drives_.r.columns(drive);
        return std::includes(loop.columns.begin(), loop.columns.end(), at.begin(), at.end());
      };
      std::copy_if(left.begin(), left.end(), std::back_inserter(group.drives), is_in);
      std::erase_if(left, is_in);
      groups_.push_back(std::move(group));
    }
    add_side_by_side(left);
  }

  /// Rows and drives of a tree are independent, but for drives along the same coordinate.
  void add_side_by_side(const std::vector<int>& drives) {
    const auto same = [&](int a, int b) { return std::ranges::equal(drives_.r.columns(a), drives_.r.columns(b)); };
    for (std::size_t i = 0; i < drives.size(); ++i) {
      if (std::any_of(drives.begin(), drives.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](int other) { return same(other, drives[i]); }))
        continue;
      Group group;
      std::copy_if(drives.begin() + static_cast<std::ptrdiff_t>(i), drives.end(), std::back_inserter(group.drives),
                   [&](int other) { return same(drives[i], other); });
      if (group.drives.size() > 1) groups_.push_back(std::move(group));
    }
  }

  void share(const Group& group) {
    std::vector<int> columns;
    const auto note = [&](const linalg::Rows& rows, int row) {
      columns.insert(columns.end(), rows.columns(row).begin(), rows.columns(row).end());
    };
    for (const int row : group.rows) note(joints_.nu, row);
    for (const int drive : group.drives) note(drives_.r, drive);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const auto count = static_cast<Eigen::Index>(group.rows.size() + group.drives.size());
    linalg::Rows local;  // with the group's velocities alone
    Vector x(count);
    std::vector<double> lower(static_cast<std::size_t>(count), -Drive::unlimited),
        upper(lower.size(), Drive::unlimited);
    Eigen::Index j = 0;
    const auto fill = [&](const linalg::Rows& rows, int row, double impulse) {
      const auto at = rows.columns(row);
      for (std::size_t p = 0; p < at.size(); ++p) {
        const auto place = std::lower_bound(columns.begin(), columns.end(), at[p]) - columns.begin();
        local.push(static_cast<int>(place), rows.values(row)[p]);
      }
      local.end_row();
      x[j++] = impulse;
    };
    for (const int row : group.rows) fill(joints_.nu, row, shared_.rows[row]);
    for (const int drive : group.drives) {
      lower[j] = std::min(h_ * drives_.drives[drive].lower, shared_.drives[drive]);
      upper[j] = std::max(h_ * drives_.drives[drive].upper, shared_.drives[drive]);
      fill(drives_.r, drive, shared_.drives[drive]);
    }
    linalg::BoundedMultipliers().share(local, static_cast<int>(columns.size()), lower, upper, dependent, x);
    j = 0;
    for (const int row : group.rows) shared_.rows[row] = x[j++];
    for (const int drive : group.drives) shared_.drives[drive] = x[j++];
  }

  const Multibody& system_;
  double h_;
  SharedImpulses shared_;
  DriveSet drives_;
  JointSet joints_;
  std::vector<int> holding_;
  std::vector<Group> groups_;
};

}  // namespace

SharedImpulses share_joint_impulses(const Multibody& system, double t, const Vector& q, const StepImpulses& impulses,
                                    double h) {
  return Sharing(system, t, q, impulses, h).take();
}

}  // namespace stiction
