#include "stiction/model/function_gradient.h"

#include <algorithm>

namespace stiction {
namespace {

/// Metres, radians or seconds. The error is about step^4 / 30 times the fifth derivative and 1e-16 / step of rounding.
constexpr double step = 2e-4;

Pose moved_along(const Pose& pose, int velocity, double distance) {
  if (velocity < 3) return {pose.position + distance * Vec3::Unit(velocity), pose.orientation};
  return {pose.position, pose.orientation * exponential(distance * Vec3::Unit(velocity - 3))};
}

/// f'(0) from f at -2, -1, 1, 2 steps.
template <class F>
double difference(F&& f) {
  const double outer = f(2.0 * step) - f(-2.0 * step), inner = f(step) - f(-step);
  return (8.0 * inner - outer) / (12.0 * step);
}

double rate_of(const Model& model, const FunctionConstraint& function, std::vector<Pose>& poses,
               const std::vector<Pose>& now) {
  return difference([&](double time) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const Body& body = model.bodies()[i];
      if (body.motion == Motion::kinematic) {
        poses[i] = {now[i].position + time * body.velocity,
                    exponential(time * body.angular_velocity) * now[i].orientation};
      }
    }
    return function.value(poses);
  });
}

}  // namespace

void differentiate(const Model& model, const FunctionConstraint& function, std::vector<Pose>& poses,
                   FunctionGradient& result) {
  result.value = function.value(poses);
  result.gradient.setZero(model.velocities());
  result.rate = 0.0;
  if (function.gradient) {
    function.gradient(poses, result.gradient);
    return;
  }
  bool any_kinematic = false;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Body& body = model.bodies()[i];
    any_kinematic = any_kinematic || body.motion == Motion::kinematic;
    const Pose now = poses[i];
    for (int velocity = 0; velocity < 6; ++velocity) {
      if (body.columns[velocity] < 0) continue;
      result.gradient[body.columns[velocity]] = difference([&](double distance) {
        poses[i] = moved_along(now, velocity, distance);
        return function.value(poses);
      });
    }
    poses[i] = now;
  }
  if (!any_kinematic) return;
  const std::vector<Pose> now = poses;
  result.rate = rate_of(model, function, poses, now);
  poses = now;
}

}  // namespace stiction
