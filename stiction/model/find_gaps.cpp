#include <algorithm>
#include <cmath>

#include "stiction/base/phase_times.h"
#include "stiction/geometry/broad_phase.h"
#include "stiction/geometry/contact_points.h"
#include "stiction/model/contact_frame.h"
#include "stiction/model/function_gradient.h"
#include "stiction/model/multibody.h"
#include "stiction/model/pair_row.h"

namespace stiction {

/// Storage that lives from call to call. Each thread has its own, since several may look at once.
struct Multibody::GapScratch {
  std::vector<Pose> bodies, shapes;
  std::vector<Bounds> boxes;
  std::vector<IndexPair> pairs;
  BroadPhase broad_phase;
  std::vector<SurfaceContact> found;
  FunctionGradient function;
};

namespace {

void append(const PairRow& row, linalg::Rows& rows, std::vector<double>& speeds) {
  row.append_to(rows);
  speeds.push_back(row.kinematic_speed());
}

/// The two bodies of a contact where they are.
struct Pair {
  const Body &a, &b;
  const Pose &pose_a, &pose_b;
  const BodyShape &shape_a, &shape_b;
  BodyPair bodies;

  /// direction . (velocity of a at its contact point - velocity of b at its own)
  [[nodiscard]] PairRow row(const SurfaceContact& contact, const Vec3& direction) const {
    PairRow row;
    row.add_point(&a, pose_a, contact.point_a, direction, 1.0);
    row.add_point(&b, pose_b, contact.point_b, direction, -1.0);
    return row;
  }
};

/// A sharp point at its shape's origin still turns about the body's.
double curvature_of(const SurfaceContact& contact, const Pair& pair) {
  if (contact.curvature > 0.0 || !pair.a.can_rotate()) return contact.curvature;
  const double arm = (contact.point_a - pair.pose_a.position).norm();
  return arm > 0.0 ? 1.0 / arm : 0.0;
}

bool moves(const PairRow& row) {
  return !row.is_zero() || row.kinematic_speed() != 0.0;
}

/// The frame of a contact: along the material's direction where one of the two shapes has one.
Tangents frame_of(const SurfaceContact& contact, const Pair& pair, const Vec3& up) {
  if (pair.a.planar && pair.b.planar && std::abs(contact.normal.z()) < 1e-9) return planar_tangents(contact.normal);
  const auto along = [&](const BodyShape& shape, const Pose& pose) {
    return shape.direction ? tangents_along(contact.normal, pose.orientation * *shape.direction) : std::nullopt;
  };
  if (const auto frame = along(pair.shape_a, pair.pose_a)) return *frame;
  if (const auto frame = along(pair.shape_b, pair.pose_b)) return *frame;
  return tangents(contact.normal, up);
}

/// Rows of torsional and rolling friction, empty where there is none: every contact has its place in the lists.
void add_turning(const ContactPoint& point, const Pair* pair, GapSet& gaps) {
  if (!(point.spin_friction > 0.0 || point.roll_friction > 0.0)) {
    for (linalg::Rows* rows : {&gaps.spin, &gaps.roll1, &gaps.roll2}) rows->end_row();
    for (std::vector<double>* speeds : {&gaps.spin_speed, &gaps.roll_speed1, &gaps.roll_speed2}) speeds->push_back(0.0);
    return;
  }
  PairRow spin, roll1, roll2;
  const auto turn = [&](const Vec3& axis, PairRow& row) {
    row.add_rotation(&pair->a, pair->pose_a, axis, 1.0);
    row.add_rotation(&pair->b, pair->pose_b, axis, -1.0);
  };
  if (point.spin_friction > 0.0) turn(point.normal, spin);
  if (point.roll_friction > 0.0) {
    turn(point.t1, roll1);
    turn(point.t2, roll2);
    if (roll1.is_zero()) std::swap(roll1, roll2);
  }
  append(spin, gaps.spin, gaps.spin_speed);
  append(roll1, gaps.roll1, gaps.roll_speed1);
  append(roll2, gaps.roll2, gaps.roll_speed2);
}

/// Friction's directions: only those in which the contact can slide and has friction, these first.
void add_tangents(const SurfaceContact& contact, const Pair& pair, const Vec3& up, ContactPoint& point, GapSet& gaps) {
  const bool planar = pair.a.planar && pair.b.planar && std::abs(contact.normal.z()) < 1e-9;
  const Tangents frame = frame_of(contact, pair, up);
  point.t1 = frame.t1;
  point.t2 = frame.t2;
  PairRow first = pair.row(contact, frame.t1), second = pair.row(contact, frame.t2);
  const bool has_first = point.mu > 0.0 && moves(first);
  const bool has_second = !planar && point.mu2 > 0.0 && moves(second);
  if (!has_first && has_second) {
    std::swap(first, second);
    std::swap(point.mu, point.mu2);
    // Keeps (normal, t1, t2) a frame of the same hand.
    point.t1 = frame.t2;
    point.t2 = -frame.t1;
  }
  point.tangents = (has_first ? 1 : 0) + (has_second ? 1 : 0);
  const PairRow none{};
  append(point.tangents > 0 ? first : none, gaps.t1, gaps.slip1);
  append(point.tangents > 1 ? second : none, gaps.t2, gaps.slip2);
}

void add_contact(const SurfaceContact& contact, const Pair& pair, const SurfacePair& surface, std::uint64_t pair_index,
                 double thickness, const Vec3& up, GapSet& gaps) {
  const PairRow normal = pair.row(contact, contact.normal);
  if (normal.is_zero()) return;
  ContactPoint point;
  point.id = (pair_index << feature_bits) | static_cast<std::uint64_t>(contact.feature);
  point.Phi = contact.gap;
  point.mu = surface.mu;
  point.mu2 = surface.mu2;
  point.spin_friction = surface.spin_friction;
  point.roll_friction = surface.roll_friction;
  point.restitution = surface.restitution;
  point.tangential_restitution = surface.tangential_restitution;
  point.soft = surface.soft;
  point.curvature = curvature_of(contact, pair);
  point.thickness = thickness;
  point.point = 0.5 * (contact.point_a + contact.point_b);
  point.normal = contact.normal;
  point.bodies = pair.bodies;
  append(normal, gaps.n, gaps.normal_speed);
  add_tangents(contact, pair, up, point, gaps);
  add_turning(point, &pair, gaps);
  gaps.contacts.push_back(point);
}

void add_user_gap(const FunctionConstraint& gap, const FunctionGradient& function, std::uint64_t pair_index,
                  const BodyPair& bodies, GapSet& gaps) {
  ContactPoint point;
  point.bodies = bodies;
  point.id = pair_index << feature_bits;
  point.Phi = function.value;
  point.restitution = gap.restitution;
  point.tangents = 0;
  for (int i = 0; i < function.gradient.size(); ++i) gaps.n.push(i, function.gradient[i]);
  gaps.n.end_row();
  gaps.normal_speed.push_back(function.rate);
  const PairRow none{};
  append(none, gaps.t1, gaps.slip1);
  append(none, gaps.t2, gaps.slip2);
  add_turning(point, nullptr, gaps);
  gaps.contacts.push_back(point);
}

void add_joint_gap(const JointGap& gap, const GapValue& value, const PairRow& normal, std::uint64_t pair_index,
                   const BodyPair& bodies, GapSet& gaps) {
  ContactPoint point;
  point.bodies = bodies;
  point.id = pair_index << feature_bits;
  point.Phi = value.Phi;
  point.restitution = gap.restitution;
  point.curvature = value.curvature;
  point.thickness = value.thickness;
  point.pfaffian = gap.is_pfaffian();
  point.tangents = 0;
  point.point = value.point;
  point.normal = value.normal;
  append(normal, gaps.n, gaps.normal_speed);
  const PairRow none{};
  append(none, gaps.t1, gaps.slip1);
  append(none, gaps.t2, gaps.slip2);
  add_turning(point, nullptr, gaps);
  gaps.contacts.push_back(point);
}

}  // namespace

template <class Wanted>
void Multibody::add_gaps(double margin, const Wanted& wanted, GapScratch& scratch, GapSet& gaps) const {
  const std::vector<BodyShape>& shapes = model_.shapes();
  const auto count = static_cast<std::uint64_t>(shapes.size());
  for (const auto& [first, second] : scratch.pairs) {
    const BodyShape &a = shapes[first], &b = shapes[second];
    scratch.found.clear();
    find_contact_points(a.shape, scratch.shapes[first], b.shape, scratch.shapes[second], margin, scratch.found);
    if (scratch.found.empty()) continue;
    const Pair pair{model_.body({a.body}),  model_.body({b.body}), scratch.bodies[a.body], scratch.bodies[b.body], a, b,
                    pair_of(a.body, b.body)};
    const std::uint64_t index = static_cast<std::uint64_t>(first) * count + static_cast<std::uint64_t>(second);
    const double thick = thickness(a.shape) + thickness(b.shape);
    const SurfacePair& surface = model_.surface(a.material, b.material);
    for (const SurfaceContact& contact : scratch.found) add_contact(contact, pair, surface, index, thick, up_, gaps);
  }
  std::uint64_t index = count * count;
  for (const FunctionConstraint& gap : model_.user_gaps()) {
    if (wanted(index) && gap.value(scratch.bodies) <= margin) {
      differentiate(model_, gap, scratch.bodies, scratch.function);
      add_user_gap(gap, scratch.function, index, all_bodies(), gaps);
    }
    ++index;
  }
  static const Pose origin;
  const auto side = [&](int body) -> JointSide {
    if (body < 0) return {nullptr, origin};
    return {&model_.body({body}), scratch.bodies[body]};
  };
  for (const JointGap& gap : model_.joint_gaps()) {
    if (wanted(index)) {
      const Joint& joint = model_.joints()[gap.joint];
      PairRow normal;
      const GapValue value = evaluate(gap, side(joint.body), side(joint.partner), normal);
      if (value.Phi <= margin && !normal.is_zero())
        add_joint_gap(gap, value, normal, index, pair_of(joint.body, joint.partner), gaps);
    }
    ++index;
  }
}

void Multibody::find_gaps(double t, const Vector& q, double margin, GapSet& gaps) const {
  thread_local GapScratch scratch;
  PhaseScope scope(Phase::broad);
  gaps.clear();
  find_poses(t, q, scratch.bodies);
  const std::vector<BodyShape>& shapes = model_.shapes();
  scratch.shapes.resize(shapes.size());
  scratch.boxes.resize(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    scratch.shapes[i] = scratch.bodies[shapes[i].body] * shapes[i].pose;
    scratch.boxes[i] = bounds(shapes[i].shape, scratch.shapes[i]);
  }
  scratch.broad_phase.find_pairs(
      scratch.boxes, margin, [this](int i, int j) { return model_.may_touch(i, j); }, scratch.pairs);
  for (IndexPair& pair : scratch.pairs) {
    if (!model_.bodies()[shapes[pair.first].body].movable()) std::swap(pair.first, pair.second);
  }
  std::sort(scratch.pairs.begin(), scratch.pairs.end());
  scope.change(Phase::narrow);
  add_gaps(margin, [](std::uint64_t) { return true; }, scratch, gaps);
}

void Multibody::find_pair_gaps(double t, const Vector& q, std::span<const std::uint64_t> pairs, double margin,
                               GapSet& gaps) const {
  thread_local GapScratch scratch;
  const PhaseScope scope(Phase::narrow);
  gaps.clear();
  find_poses(t, q, scratch.bodies);
  const std::vector<BodyShape>& shapes = model_.shapes();
  const auto count = static_cast<std::uint64_t>(shapes.size());
  scratch.shapes.resize(shapes.size());
  scratch.pairs.clear();
  for (const std::uint64_t pair : pairs) {
    if (pair >= count * count) continue;
    const int first = static_cast<int>(pair / count), second = static_cast<int>(pair % count);
    scratch.pairs.push_back({first, second});
    for (const int i : {first, second}) scratch.shapes[i] = scratch.bodies[shapes[i].body] * shapes[i].pose;
  }
  add_gaps(
      margin, [&](std::uint64_t pair) { return std::binary_search(pairs.begin(), pairs.end(), pair); }, scratch, gaps);
}

std::uint64_t Multibody::event_id(JointId joint) const {
  const std::size_t first = model_.shapes().size() * model_.shapes().size() + model_.user_gaps().size();
  return (first + model_.joint_gaps().size() + static_cast<std::uint64_t>(joint.index)) << feature_bits;
}

int Multibody::joint_of_gap(std::uint64_t id) const {
  const std::uint64_t first = model_.shapes().size() * model_.shapes().size() + model_.user_gaps().size();
  const std::uint64_t index = id >> feature_bits;
  return index < first || index - first >= model_.joint_gaps().size() ? -1 : model_.joint_gaps()[index - first].joint;
}

std::string Multibody::contact_name(std::uint64_t id) const {
  if ((id & spin_bit) != 0) return contact_name(id & ~spin_bit) + " (spin)";
  if ((id & roll_bit) != 0) return contact_name(id & ~roll_bit) + " (roll)";
  if (contact_of_row(id) != id) return contact_name(contact_of_row(id));
  const auto count = static_cast<std::uint64_t>(model_.shapes().size());
  const std::uint64_t pair = id >> feature_bits;
  if (pair >= count * count) {
    const std::uint64_t index = pair - count * count, own = model_.user_gaps().size();
    if (index < own) return model_.user_gaps()[index].name;
    const std::uint64_t of_joint = index - own, gaps = model_.joint_gaps().size();
    return of_joint < gaps ? model_.joint_gaps()[of_joint].name
                           : "joint '" + joint_name(static_cast<int>(of_joint - gaps)) + "'";
  }
  const BodyShape &a = model_.shapes()[pair / count], &b = model_.shapes()[pair % count];
  const auto is_ball = [](const Shape& s) {
    return std::holds_alternative<Sphere>(s) || std::holds_alternative<Disc>(s);
  };
  const bool one_feature = is_ball(a.shape) || is_ball(b.shape);
  const std::uint64_t feature = id & ((std::uint64_t{1} << feature_bits) - 1);
  return a.name + " - " + b.name + (one_feature ? "" : " #" + std::to_string(feature));
}

}  // namespace stiction
