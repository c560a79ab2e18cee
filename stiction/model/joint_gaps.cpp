#include "stiction/model/joint_gaps.h"

#include <cmath>
#include <numbers>

#include "stiction/model/joint_parts.h"
#include "stiction/model/message.h"
#include "stiction/model/pair_row.h"

namespace stiction {
namespace {

/// Where a coordinate's force acts, and along or about what.
GapValue place_of(const JointCoordinate& coordinate, const JointSide& a, const JointSide& b) {
  GapValue value;
  if (const auto* slide = std::get_if<SlideCoordinate>(&coordinate)) {
    value.point = a.pose.to_world(slide->anchor_a);
    value.normal = b.pose.orientation * slide->axis_b;
  } else {
    const auto& angle = std::get<AngleCoordinate>(coordinate);
    value.point = a.pose.position;
    value.normal = b.pose.orientation * angle.x_b.cross(angle.y_b);
  }
  return value;
}

GapValue evaluate_gap(const LimitGap& gap, const JointSide& a, const JointSide& b, PairRow& gradient) {
  GapValue value = place_of(gap.coordinate, a, b);
  double x = evaluate(gap.coordinate, a, b, gap.side, gradient) - gap.middle;
  if (std::holds_alternative<AngleCoordinate>(gap.coordinate)) x = std::remainder(x, 2.0 * std::numbers::pi);
  value.Phi = gap.half + gap.side * x;
  value.normal *= gap.side;
  value.thickness = gap.rest();
  return value;
}

GapValue evaluate_gap(const RopeGap& gap, const JointSide& a, const JointSide& b, PairRow& gradient) {
  GapValue value;
  value.point = a.pose.to_world(gap.anchor_a);
  const Vec3 x_b = b.pose.to_world(gap.anchor_b), apart = value.point - x_b;
  const double distance = apart.norm();
  value.Phi = gap.length - distance;
  value.curvature = 1.0 / gap.length;
  // Both ends in one place are a slack rope: it pulls nowhere.
  value.normal = distance > 0.0 ? Vec3(-apart / distance) : Vec3(Vec3::Zero());
  gradient.add_point(a.body, a.pose, value.point, value.normal, 1.0);
  gradient.add_point(b.body, b.pose, x_b, value.normal, -1.0);
  return value;
}

GapValue evaluate_gap(const RatchetGap& gap, const JointSide& a, const JointSide& b, PairRow& gradient) {
  evaluate(gap.coordinate, a, b, 1.0, gradient);
  return place_of(gap.coordinate, a, b);
}

GapValue evaluate_gap(const EdgeGap& gap, const JointSide& a, const JointSide& b, PairRow& gradient) {
  GapValue value;
  value.point = a.pose.to_world(gap.edge.anchor_a);
  value.normal = a.pose.orientation * gap.edge.direction_a;
  value.Phi = evaluate(ConstraintPart(gap.edge), {a, b, b}, gradient);
  return value;
}

void add_coordinate(const CoordinateDef& def, const JointCoordinate& coordinate, const JointGap& of_joint,
                    std::vector<JointGap>& gaps) {
  JointGap gap = of_joint;
  gap.restitution = def.restitution;
  if (def.limits) {
    const auto [low, high] = *def.limits;
    for (const int side : {1, -1}) {
      gap.name = of_joint.name + (side > 0 ? " lower limit" : " upper limit");
      gap.law = LimitGap{coordinate, 0.5 * (low + high), 0.5 * (high - low), side};
      gaps.push_back(gap);
    }
  }
  if (!def.one_way) return;
  gap.name = of_joint.name + " ratchet";
  gap.law = RatchetGap{coordinate};
  gap.restitution = 0.0;
  gaps.push_back(gap);
}

}  // namespace

double LimitGap::rest() const {
  const bool is_angle = std::holds_alternative<AngleCoordinate>(coordinate);
  return is_angle ? 2.0 * (std::numbers::pi - half) : std::numeric_limits<double>::infinity();
}

GapValue evaluate(const JointGap& gap, const JointSide& a, const JointSide& b, PairRow& gradient) {
  return std::visit([&](const auto& law) { return evaluate_gap(law, a, b, gradient); }, gap.law);
}

void add_joint_gaps(const JointDef& def, const std::string& name, int joint, const JointFrames& f,
                    std::vector<JointGap>& gaps) {
  JointGap gap{.name = called("joint", name), .joint = joint, .law = {}, .restitution = def.restitution};
  const Vec3 axis = def.axis.stableNormalized();
  if (def.kind == JointKind::rope) {
    gap.name += " taut";
    gap.law = RopeGap{f.anchor_a(), f.anchor_b(), def.length.value_or((f.anchor - f.partner_anchor).norm())};
    gaps.push_back(gap);
  } else if (def.kind == JointKind::knife_edge && def.one_way) {
    gap.name += " edge";
    gap.law = EdgeGap{EdgePart{f.anchor_a(), f.turned_a(axis)}};
    gaps.push_back(gap);
  } else if (has_slide(def.kind) || has_turn(def.kind)) {
    if (has_slide(def.kind)) add_coordinate(def.slide, slide_along(axis, f.anchor, f.a, f.b), gap, gaps);
    if (has_turn(def.kind)) add_coordinate(def.turn, angle_about(axis, f.a, f.b), gap, gaps);
  }
}

}  // namespace stiction
