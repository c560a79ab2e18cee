#include "stiction/study/motion_error.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/assert.h"

namespace stiction {

namespace {

/// The length of the rotation between two orientations.
double angle_between(const Quat& a, const Quat& b) {
  return logarithm((b.conjugate() * a).normalized()).norm();
}

Vec3 values(const ExactMotion::Formulas& formulas, double t) {
  return {formulas[0].value(t), formulas[1].value(t), formulas[2].value(t)};
}

Vec3 rates(const ExactMotion::Formulas& formulas, double t) {
  return {formulas[0].rate(t), formulas[1].rate(t), formulas[2].rate(t)};
}

/// A 2-norm whose squares cannot overflow.
class Norm {
 public:
  void add(double value) { norm_ = std::hypot(norm_, value); }
  void add(const Vec3& v) { norm_ = std::hypot(norm_, v.stableNorm()); }
  [[nodiscard]] double value() const { return norm_; }

 private:
  double norm_ = 0.0;
};

}  // namespace

MotionError motion_error(std::span<const BodyState> bodies, std::span<const BodyState> reference) {
  STICTION_ASSERT(bodies.size() == reference.size(), "the same bodies");
  Norm position, velocity;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyState &a = bodies[i], &b = reference[i];
    position.add(Vec3(a.pose.position - b.pose.position));
    position.add(angle_between(a.pose.orientation, b.pose.orientation));
    velocity.add(Vec3(a.velocity - b.velocity));
    velocity.add(Vec3(a.angular_velocity - b.angular_velocity));
  }
  return {position.value(), velocity.value()};
}

MotionError motion_error(std::span<const BodyState> bodies, std::span<const BodyId> ids, const Model& model,
                         std::span<const ExactMotion> exact, double t) {
  Norm position, velocity;
  for (const ExactMotion& motion : exact) {
    const auto at = std::find_if(ids.begin(), ids.end(), [&](BodyId id) { return id.index == motion.body.index; });
    STICTION_ASSERT(at != ids.end(), "the scene's reader takes movable bodies only");
    const BodyState& body = bodies[static_cast<std::size_t>(at - ids.begin())];
    if (motion.position) {
      position.add(Vec3(body.pose.position - values(*motion.position, t)));
      velocity.add(Vec3(body.velocity - (motion.velocity ? values(*motion.velocity, t) : rates(*motion.position, t))));
    }
    if (motion.turn) {
      const Quat orientation = exponential(motion.turn->value(t) * motion.axis) * model.body(*at).pose.orientation;
      position.add(angle_between(body.pose.orientation, orientation));
      const Vec3 spin =
          motion.angular_velocity ? values(*motion.angular_velocity, t) : Vec3(motion.turn->rate(t) * motion.axis);
      velocity.add(Vec3(body.angular_velocity - spin));
    }
  }
  return {position.value(), velocity.value()};
}

}  // namespace stiction
