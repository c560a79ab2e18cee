#include "stiction/geometry/shape.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(Shape, NormalizedIsTheSameSolid) {
  const auto plane = std::get<HalfSpace>(normalized(HalfSpace{{0.0, 3.0, 4.0}, 10.0}));
  EXPECT_DOUBLE_EQ(plane.normal.norm(), 1.0);
  EXPECT_DOUBLE_EQ(plane.offset, 2.0);
  const auto rod = std::get<Capsule>(normalized(Capsule{0.1, 2.0, {0.0, 0.0, -1e-200}}));
  EXPECT_EQ(rod.axis, Vec3(-Vec3::UnitZ()));
  EXPECT_EQ(rod.length, 2.0);
  EXPECT_EQ(std::get<Box>(normalized(Box{1.0, 2.0, 3.0})).y, 2.0);
}

TEST(Shape, NamesAreThoseOfTheSceneFile) {
  EXPECT_EQ(name_of(Sphere{}), "sphere");
  EXPECT_EQ(name_of(HalfSpace{}), "half_space");
  EXPECT_EQ(name_of(Capsule{}), "capsule");
  EXPECT_EQ(name_of(Box{}), "box");
}

}  // namespace
}  // namespace stiction
