#pragma once

#include <span>
#include <vector>

#include "stiction/contact/step_problem.h"

namespace stiction {

/// A step problem falls apart into independent ones where no joint, contact or off-diagonal mass couples the
/// velocities. Velocities that nothing constrains form one last island of their own. The order is that of the lowest
/// velocity.
class Islands {
 public:
  void split(const StepProblem& problem);

  [[nodiscard]] int size() const { return static_cast<int>(velocity_starts_.size()) - 1; }
  [[nodiscard]] std::span<const int> velocities(int island) const {
    return part(velocity_starts_, velocity_list_, island);
  }
  [[nodiscard]] std::span<const int> joints(int island) const { return part(joint_starts_, joint_list_, island); }
  [[nodiscard]] std::span<const int> contacts(int island) const { return part(contact_starts_, contact_list_, island); }
  /// Place of a velocity in its island's list.
  [[nodiscard]] int local(int velocity) const { return local_[velocity]; }

 private:
  static std::span<const int> part(const std::vector<int>& starts, const std::vector<int>& list, int island) {
    return {list.data() + starts[island], static_cast<std::size_t>(starts[island + 1] - starts[island])};
  }
  int root(int velocity);
  int join(int a, int b);  ///< The root of both.
  void join_row(const linalg::Rows& rows, int row, int& first);

  std::vector<int> parent_, island_of_, local_;
  std::vector<char> constrained_;
  std::vector<int> joint_velocity_, contact_velocity_;
  std::vector<int> velocity_starts_ = {0}, velocity_list_, joint_starts_ = {0}, joint_list_, contact_starts_ = {0},
                   contact_list_;
};

}  // namespace stiction
