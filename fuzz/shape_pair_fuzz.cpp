// Feeds the narrow phase with any two shapes in any two places. Whatever they are, contacts are finite, their normals
// of unit length, their features in order; a hull or polygon from any points is refused or whole.
//
// Input: two shapes and two poses. A shape is a byte for its kind and numbers of two bytes each; what is missing is
// zero.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "stiction/geometry/contact_points.h"
#include "stiction/geometry/hull.h"
#include "stiction/geometry/polygon.h"

namespace {

using namespace stiction;

void require(bool condition, const char* promise) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> data) : data_(data) {}
  int byte() {
    if (data_.empty()) return 0;
    const int value = data_.front();
    data_ = data_.subspan(1);
    return value;
  }
  /// From -1 to 1, with many zeros and ones: a byte each for the coarse and the fine part.
  double number() {
    const int coarse = byte(), fine = byte();
    return (coarse - 128) / 128.0 + (fine < 128 ? 0.0 : (fine - 192) * 1e-9);
  }
  /// From 1e-6 to 1e6.
  double size() {
    const int exponent = byte(), part = byte();
    return std::pow(10.0, exponent % 13 - 6) * (1.0 + part / 512.0);
  }
  Vec3 vector() {
    const double x = number(), y = number();
    return {x, y, number()};
  }
  Vec3 direction() {
    const Vec3 x = vector();
    return x.norm() > 1e-3 ? Vec3(x.normalized()) : Vec3(Vec3::UnitZ());
  }
  Pose pose() {
    const double scale = byte() % 4 == 0 ? size() : 1.0;
    const Vec3 place = scale * vector();
    return {place, exponential(3.0 * vector())};
  }

 private:
  std::span<const std::uint8_t> data_;
};

Shape read_hull(Bytes& bytes) {
  std::vector<Vec3> points;
  const int count = bytes.byte() % 24;
  const double size = bytes.size();
  points.reserve(count);
  for (int i = 0; i < count; ++i) points.emplace_back(size * bytes.vector());
  const auto hull = make_hull(points);
  if (!hull) return Sphere{size};
  for (const auto& face : hull.value().solid->faces) {
    require(std::abs(face.normal.norm() - 1.0) < 1e-9, "a hull's normals have unit length");
    for (const Vec3& x : points) {
      require(face.normal.dot(x) <= face.offset + 1e-7 * size, "a hull holds its points");
    }
  }
  return hull.value();
}

Shape read_polygon(Bytes& bytes) {
  std::vector<Eigen::Vector2d> points;
  const int count = bytes.byte() % 12;
  for (int i = 0; i < count; ++i) {
    const double x = bytes.number();
    points.emplace_back(x, bytes.number());
  }
  const auto polygon = make_polygon(points);
  return polygon ? Shape(polygon.value()) : Shape(Disc{1.0});
}

Shape read_shape(Bytes& bytes) {
  const int kind = bytes.byte() % 12;
  const double x = bytes.size(), y = bytes.size();
  switch (kind) {
    case 0:
      return Sphere{x};
    case 1:
      return HalfSpace{bytes.direction(), bytes.number()};
    case 2:
      return Capsule{x, y, bytes.direction()};
    case 3:
      return Box{x, y, bytes.size()};
    case 4:
      return Cylinder{x, y, bytes.direction()};
    case 5:
      return Cone{x, y, bytes.direction()};
    case 6:
      return Ellipsoid{x, y, bytes.size()};
    case 7:
      return read_hull(bytes);
    case 8:
      return HollowCylinder{x, bytes.direction()};
    case 9:
      return HollowSphere{x};
    case 10:
      return Disc{x};
    default:
      return read_polygon(bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(std::span(data, size));
  const Shape a = read_shape(bytes), b = read_shape(bytes);
  const Pose pose_a = bytes.pose(), pose_b = bytes.pose();
  const double margin = bytes.byte() % 2 == 0 ? 1e9 : 1e-3;
  std::vector<SurfaceContact> contacts;
  find_contact_points(a, pose_a, b, pose_b, margin, contacts);
  require(contacts.empty() || is_supported(a, b), "pairs that are not known have no contacts");
  int last = -1;
  for (const SurfaceContact& contact : contacts) {
    require(contact.point_a.allFinite() && contact.point_b.allFinite(), "points are finite");
    require(std::isfinite(contact.gap) && contact.gap <= margin, "gaps are finite and within the margin");
    require(std::isfinite(contact.curvature) && contact.curvature >= 0.0, "curvatures are finite");
    require(std::abs(contact.normal.norm() - 1.0) < 1e-9, "normals have unit length");
    require(contact.feature > last && contact.feature < 1 << 20, "features are in order and have 20 bits");
    last = contact.feature;
  }
  return 0;
}
