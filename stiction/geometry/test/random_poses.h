#pragma once

#include "stiction/base/random.h"
#include "stiction/linalg/pose.h"

namespace stiction {

inline Vec3 random_vector(Random& random, double size) {
  Vec3 x;
  for (int i = 0; i < 3; ++i) x[i] = random.uniform(-size, size);
  return x;
}

inline Vec3 random_direction(Random& random) {
  Vec3 x;
  for (int i = 0; i < 3; ++i) x[i] = random.normal();
  return x.normalized();
}

inline Quat random_orientation(Random& random) {
  Eigen::Vector4d x;
  for (int i = 0; i < 4; ++i) x[i] = random.normal();
  return Quat(x.normalized());
}

inline Pose random_pose(Random& random, double size) {
  const Vec3 position = random_vector(random, size);
  return {position, random_orientation(random)};
}

}  // namespace stiction
