#include "stiction/geometry/contact_points.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <functional>
#include <utility>

#include "stiction/geometry/convex_contacts.h"
#include "stiction/geometry/ellipsoid_in_ball.h"
#include "stiction/geometry/half_space_contacts.h"
#include "stiction/geometry/hollow_contacts.h"
#include "stiction/geometry/loop_in_cavity.h"
#include "stiction/geometry/planar_contacts.h"
#include "stiction/geometry/polytope.h"
#include "stiction/geometry/round_contacts.h"
#include "stiction/geometry/spread.h"

namespace stiction {
namespace {

template <class S, class List>
inline constexpr std::size_t index_of_v = 0;
template <class S, class... Rest>
inline constexpr std::size_t index_of_v<S, std::variant<S, Rest...>> = 0;
template <class S, class First, class... Rest>
inline constexpr std::size_t index_of_v<S, std::variant<First, Rest...>> = 1 + index_of_v<S, std::variant<Rest...>>;

using Contacts = std::vector<SurfaceContact>;

template <class S>
concept Planar = std::same_as<S, Disc> || std::same_as<S, Polygon>;
template <class S>
concept Hollow = std::same_as<S, HollowCylinder> || std::same_as<S, HollowSphere>;
template <class S>
concept Outlined = requires(const S& shape, const Pose& pose, Outline& outline) { outline_of(shape, pose, outline); };
/// Each pair of kinds is known in one order.
template <class A, class B>
inline constexpr bool is_before = std::less_equal<>{}(index_of_v<A, Shape>, index_of_v<B, Shape>);

template <class A>
  requires requires(const A& a, const Pose& pose, const Plane& plane, Contacts& out) {
    add_on_plane(a, pose, plane, 0.0, out);
  }
void find(const A& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b, double margin, Contacts& out) {
  add_on_plane(a, pose_a, plane_in_world(b, pose_b), margin, out);
}

template <Planar A>
void find(const A& a, const Pose& pose_a, const HalfSpace& b, const Pose& pose_b, double margin, Contacts& out) {
  Outline outline;
  outline_of(a, pose_a, outline);
  add_outline_on_plane(outline, b, pose_b, pose_a.position.z(), margin, out);
}

template <Planar A, Hollow B>
void find(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin, Contacts& out) {
  Outline outline;
  outline_of(a, pose_a, outline);
  add_outline_in_cavity(outline, cavity_in_world(b, pose_b), pose_a.position.z(), margin, out);
}

template <Planar A, Outlined B>
  requires(!Planar<B> || is_before<B, A>)
void find(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin, Contacts& out) {
  Outline outline_a, outline_b;
  outline_of(a, pose_a, outline_a);
  outline_of(b, pose_b, outline_b);
  add_outline_contacts(outline_a, outline_b, pose_a.position.z(), margin, out);
}

template <Hollow B>
void find(const Sphere& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin, Contacts& out) {
  add_ball_in_cavity(pose_a.position, a.radius, cavity_in_world(b, pose_b), 0, margin, out);
}

template <Hollow B>
void find(const Capsule& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin, Contacts& out) {
  const Cavity cavity = cavity_in_world(b, pose_b);
  const Vec3 arm = pose_a.orientation * (0.5 * a.length * a.axis);
  add_ball_in_cavity(pose_a.position - arm, a.radius, cavity, 0, margin, out);
  if (a.length > 0.0) add_ball_in_cavity(pose_a.position + arm, a.radius, cavity, 1, margin, out);
}

template <Hollow B>
void find(const Box& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin, Contacts& out) {
  const Cavity cavity = cavity_in_world(b, pose_b);
  for (int vertex = 0; vertex < 8; ++vertex) {
    const Vec3 local((vertex & 1) != 0 ? 0.5 * a.x : -0.5 * a.x, (vertex & 2) != 0 ? 0.5 * a.y : -0.5 * a.y,
                     (vertex & 4) != 0 ? 0.5 * a.z : -0.5 * a.z);
    add_ball_in_cavity(pose_a.to_world(local), 0.0, cavity, vertex, margin, out);
  }
}

template <class A, Hollow B>
  requires(std::same_as<A, Cylinder> || std::same_as<A, Cone>)
void find(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin, Contacts& out) {
  add_in_cavity(a, pose_a, cavity_in_world(b, pose_b), margin, out);
}

void find(const Ellipsoid& a, const Pose& pose_a, const HollowCylinder& b, const Pose& pose_b, double margin,
          Contacts& out) {
  add_in_pipe(a, pose_a, cavity_in_world(b, pose_b), margin, out);
}

void find(const Ellipsoid& a, const Pose& pose_a, const HollowSphere& b, const Pose& pose_b, double margin,
          Contacts& out) {
  add_in_ball(a, pose_a, cavity_in_world(b, pose_b), margin, out);
}

template <Hollow B>
void find(const Hull& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin, Contacts& out) {
  const Cavity cavity = cavity_in_world(b, pose_b);
  const std::size_t start = out.size();
  for (std::size_t i = 0; i < a.solid->vertices.size(); ++i) {
    add_ball_in_cavity(pose_a.to_world(a.solid->vertices[i]), 0.0, cavity, static_cast<int>(i), margin, out);
  }
  keep_spread(out, start, 8);
}

void find(const Sphere& a, const Pose& pose_a, const Sphere& b, const Pose& pose_b, double margin, Contacts& out) {
  if (a.radius == 0.0 && b.radius == 0.0) return;
  add_sphere_contact({pose_a.position, a.radius}, {pose_b.position, b.radius}, margin, out);
}

void find(const Sphere& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b, double margin, Contacts& out) {
  add_capsule_contact({pose_a.position, a.radius}, segment_in_world(b, pose_b), b.radius, margin, out);
}

void find(const Capsule& a, const Pose& pose_a, const Capsule& b, const Pose& pose_b, double margin, Contacts& out) {
  add_capsule_contacts(segment_in_world(a, pose_a), a.radius, segment_in_world(b, pose_b), b.radius, margin, out);
}

void find(const Sphere& a, const Pose& pose_a, const Box& b, const Pose& pose_b, double margin, Contacts& out) {
  const Vec3 half(0.5 * b.x, 0.5 * b.y, 0.5 * b.z);
  const Vec3 center = pose_b.to_local(pose_a.position);
  const Vec3 clamped = center.cwiseMax(-half).cwiseMin(half);
  Vec3 surface = clamped, normal = center - clamped;
  double distance = normal.norm();
  if (distance > 0.0) {
    normal /= distance;
  } else {
    // Inside: out through the nearest face, the first one of several.
    int axis = 0;
    (half - center.cwiseAbs()).minCoeff(&axis);
    const double side = center[axis] < 0.0 ? -1.0 : 1.0;
    distance = std::abs(center[axis]) - half[axis];
    surface[axis] = side * half[axis];
    normal = side * Vec3::Unit(axis);
  }
  const double gap = distance - a.radius;
  if (!(gap <= margin)) return;
  const Vec3 world_normal = pose_b.orientation * normal;
  out.push_back({.point_a = pose_a.position - a.radius * world_normal,
                 .point_b = pose_b.to_world(surface),
                 .normal = world_normal,
                 .gap = gap,
                 .curvature = a.radius > 0.0 ? 1.0 / a.radius : 0.0,
                 .feature = 0});
}

template <class S>
concept Solid = requires(const S& shape, const Pose& pose, const Vec3& origin) { core_of(shape, pose, origin); };
/// Pairs that have a closed form of their own.
template <class A, class B>
concept RoundPair =
    (std::same_as<A, Sphere> || std::same_as<A, Capsule>) && (std::same_as<B, Sphere> || std::same_as<B, Capsule>);

template <Solid A, Solid B>
  requires(is_before<A, B> && !RoundPair<A, B> && !(std::same_as<A, Sphere> && std::same_as<B, Box>))
void find(const A& a, const Pose& pose_a, const B& b, const Pose& pose_b, double margin, Contacts& out) {
  const Vec3& origin = pose_a.position;
  add_convex_contacts(core_of(a, pose_a, origin), core_of(b, pose_b, origin), origin, margin, out);
}

template <class A, class B>
concept KnownPair =
    requires(const A& a, const B& b, const Pose& pose, Contacts& out) { find(a, pose, b, pose, 0.0, out); };

bool is_thin_segment(const Shape& shape) {
  const auto* capsule = std::get_if<Capsule>(&shape);
  return capsule != nullptr && capsule->radius == 0.0;
}

bool is_thin(const Shape& shape) {
  const auto* sphere = std::get_if<Sphere>(&shape);
  return is_thin_segment(shape) || (sphere != nullptr && sphere->radius == 0.0);
}

}  // namespace

bool is_supported(const Shape& a, const Shape& b) {
  if ((is_thin_segment(a) && is_thin(b)) || (is_thin(a) && is_thin_segment(b))) return false;
  return std::visit([]<class A, class B>(const A&, const B&) { return KnownPair<A, B> || KnownPair<B, A>; }, a, b);
}

void find_contact_points(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
                         std::vector<SurfaceContact>& contacts) {
  if (!is_supported(a, b)) return;
  std::visit(
      [&]<class A, class B>(const A& first, const B& second) {
        if constexpr (KnownPair<A, B>) {
          find(first, pose_a, second, pose_b, margin, contacts);
        } else if constexpr (KnownPair<B, A>) {
          const std::size_t start = contacts.size();
          find(second, pose_b, first, pose_a, margin, contacts);
          for (std::size_t i = start; i < contacts.size(); ++i) {
            std::swap(contacts[i].point_a, contacts[i].point_b);
            contacts[i].normal = -contacts[i].normal;
          }
        }
      },
      a, b);
}

}  // namespace stiction
