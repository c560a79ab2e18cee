#include "stiction/model/model.h"

#include <algorithm>

#include "stiction/model/message.h"

namespace stiction {

std::optional<BodyId> Model::find_body(std::string_view name) const {
  for (std::size_t i = 0; i < bodies().size(); ++i) {
    if (bodies()[i].name == name) return BodyId{static_cast<int>(i)};
  }
  return std::nullopt;
}

bool Model::Data::may_touch(int shape_a, int shape_b) const {
  const int a = shapes[shape_a].body, b = shapes[shape_b].body;
  if (a == b || !(bodies[a].movable() || bodies[b].movable())) return false;
  if (groups > 0 && group_of[a] >= 0 && group_of[b] >= 0 && ignored_groups[group_of[a] * groups + group_of[b]] != 0) {
    return false;
  }
  return !std::binary_search(ignored_pairs.begin(), ignored_pairs.end(), std::pair(std::min(a, b), std::max(a, b)));
}

ModelOutline Model::outline() const {
  ModelOutline outline;
  outline.bodies = static_cast<int>(bodies().size());
  for (const Body& body : bodies()) {
    outline.movable += body.motion == Motion::movable ? 1 : 0;
    outline.kinematic += body.motion == Motion::kinematic ? 1 : 0;
    outline.fixed += body.motion == Motion::fixed ? 1 : 0;
  }
  outline.shapes = static_cast<int>(shapes().size());
  outline.velocities = velocities();
  outline.joints = static_cast<int>(joints().size());
  for (const Joint& joint : joints()) outline.joint_rows += static_cast<int>(joint.parts.size());
  outline.joint_gaps = static_cast<int>(joint_gaps().size());
  outline.joint_drives = static_cast<int>(joint_drives().size());
  outline.springs = static_cast<int>(springs().size());
  outline.forces = static_cast<int>(forces().size());
  outline.impulses = static_cast<int>(impulses().size());
  outline.user_gaps = static_cast<int>(user_gaps().size());
  outline.user_constraints = static_cast<int>(user_constraints().size());
  return outline;
}

std::string ModelOutline::text() const {
  std::string text = say(bodies, " bodies (", movable, " movable, ", kinematic, " kinematic, ", fixed, " fixed) with ",
                         shapes, " shapes and ", velocities, " free velocities");
  if (joints > 0) text += say(", ", joints, " joints of ", joint_rows, " rows");
  if (joint_gaps > 0) text += say(" with ", joint_gaps, " limits");
  if (joint_drives > 0) text += say(joint_gaps > 0 ? " and " : " with ", joint_drives, " drives");
  if (springs > 0) text += say(", ", springs, " springs");
  if (forces > 0) text += say(", ", forces, " forces");
  if (impulses > 0) text += say(", ", impulses, " impulses");
  if (user_gaps > 0) text += say(", ", user_gaps, " gaps of your own");
  if (user_constraints > 0) text += say(", ", user_constraints, " constraints of your own");
  return text;
}

}  // namespace stiction
