#include "stiction/model/function_gradient.h"
#include "stiction/model/multibody.h"
#include "stiction/model/pair_row.h"

namespace stiction {
namespace {

/// Storage that lives from call to call. Each thread has its own, since several may look at once.
struct Scratch {
  std::vector<Pose> poses;
  FunctionGradient function;
};

void append(const FunctionGradient& function, int index, JointSet& joints) {
  for (int i = 0; i < function.gradient.size(); ++i) joints.nu.push(i, function.gradient[i]);
  joints.nu.end_row();
  joints.Theta.push_back(function.value);
  joints.velocity.push_back(-function.rate);
  joints.joint.push_back(index);
}

}  // namespace

void Multibody::find_joints(double t, const Vector& q, JointSet& joints) const {
  find_rows(t, q, 0, joints);
}

void Multibody::find_implied_joints(double t, const Vector& q, JointSet& joints) const {
  find_rows(t, q, 1, joints);
}

void Multibody::find_all_joints(double t, const Vector& q, JointSet& joints) const {
  find_rows(t, q, -1, joints);
}

void Multibody::find_rows(double t, const Vector& q, int which, JointSet& joints) const {
  thread_local Scratch scratch;
  static const Pose origin;
  joints.clear();
  if (model_.joints().empty() && model_.user_constraints().empty()) return;
  std::size_t row_index = 0;
  const auto is_wanted = [&] {
    const int is_implied = row_index < implied_.is_implied.size() ? implied_.is_implied[row_index] : 0;
    ++row_index;
    return which < 0 || which == is_implied;
  };
  find_poses(t, q, scratch.poses);
  const auto side = [&](int body) -> JointSide {
    if (body < 0) return {nullptr, origin};
    return {&model_.body({body}), scratch.poses[body]};
  };
  int index = 0;
  for (const Joint& joint : model_.joints()) {
    if (is_broken({index})) {
      ++index;
      continue;
    }
    for (const ConstraintPart& part : joint.parts) {
      if (!is_wanted()) continue;
      PairRow row;
      const JointSides sides{side(joint.body), side(joint.partner), side(joint.carrier)};
      joints.Theta.push_back(evaluate(part, sides, row));
      joints.velocity.push_back(-row.kinematic_speed());
      joints.joint.push_back(index);
      joints.pfaffian.push_back(is_holonomic(part) ? 0 : 1);
      joints.bodies.push_back(pair_of(joint));
      row.append_to(joints.nu);
    }
    ++index;
  }
  for (const FunctionConstraint& constraint : model_.user_constraints()) {
    if (is_wanted()) {
      differentiate(model_, constraint, scratch.poses, scratch.function);
      append(scratch.function, index, joints);
      joints.bodies.push_back(all_bodies());
    }
    ++index;
  }
}

}  // namespace stiction
