#include "stiction/geometry/ellipsoid_in_ball.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/loop_in_cavity.h"

namespace stiction {
namespace {

/// Of the longest axis squared: a multiplier that is larger by more says that other places are far from the wall.
constexpr double tight = 0.01;
/// Of the axes: a loop so small is a point.
constexpr double point_like = 1e-6;
/// Enough to halve any interval of doubles down to the last digit.
constexpr int most_halvings = 200;

/// The farthest place x of an ellipsoid with half lengths e from c has x - c = lambda x / e^2, so that
/// x = -c e^2 / (m + longest^2 - e^2) with m = lambda - longest^2; it is the largest of all where m >= 0. There the
/// sum of (x / e)^2, which falls with m, is 1, or less than that at m = 0: what is then missing is along the longest
/// axis, in either direction.
class FarthestPlace {
 public:
  FarthestPlace(const Vec3& half, const Vec3& center) : half_(half), center_(center) {
    const double longest = half.maxCoeff();
    above_ = longest * longest - half.array().square();
    const Vec3 arms = half.cwiseProduct(center.cwiseAbs());
    double low = std::max(0.0, (arms - above_).maxCoeff()), high = arms.norm();
    if (is_inside(low)) high = low;
    for (int i = 0; i < most_halvings; ++i) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) break;
      (is_inside(middle) ? high : low) = middle;
    }
    excess_ = high;
  }
  /// The multiplier less the square of the longest axis.
  [[nodiscard]] double excess() const { return excess_; }
  [[nodiscard]] double along(int axis) const {
    const double bottom = excess_ + above_[axis];
    return bottom > 0.0 ? -center_[axis] * half_[axis] * half_[axis] / bottom : 0.0;
  }

 private:
  [[nodiscard]] bool is_inside(double excess) const {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      const double arm = half_[i] * center_[i], bottom = excess + above_[i];
      if (arm != 0.0) sum += arm * arm / (bottom * bottom);
    }
    return sum <= 1.0;
  }

  Vec3 half_, center_, above_;
  double excess_ = 0.0;
};

}  // namespace

void add_in_ball(const Ellipsoid& shape, const Pose& pose, const Cavity& cavity, double margin,
                 std::vector<SurfaceContact>& contacts) {
  const Vec3 half(shape.x, shape.y, shape.z);
  const FarthestPlace farthest(half, pose.to_local(cavity.center));
  const double longest = half.maxCoeff();
  int axis = 0;
  const double shortest = half.minCoeff(&axis);
  const double curvature = longest / (shortest * shortest);
  const double height = std::clamp(farthest.along(axis), -shortest, shortest);
  const double share = std::sqrt(std::max(0.0, 1.0 - (height / shortest) * (height / shortest)));
  if (farthest.excess() < tight * longest * longest && share > point_like) {
    const int first = (axis + 1) % 3, second = (axis + 2) % 3;
    return add_loop_in_cavity(
        {pose.to_world(height * Vec3::Unit(axis)), pose.orientation * (share * half[first] * Vec3::Unit(first)),
         pose.orientation * (share * half[second] * Vec3::Unit(second)), curvature},
        cavity, 0, margin, contacts);
  }
  const Vec3 place(farthest.along(0), farthest.along(1), farthest.along(2));
  const double scale = place.cwiseQuotient(half).norm();
  const std::size_t count = contacts.size();
  add_ball_in_cavity(pose.to_world(scale > 0.0 ? Vec3(place / scale) : Vec3(half[axis] * Vec3::Unit(axis))), 0.0,
                     cavity, 0, margin, contacts);
  if (contacts.size() > count) contacts.back().curvature += curvature;
}

}  // namespace stiction
