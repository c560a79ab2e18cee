#include "stiction/record/run_columns.h"

#include <algorithm>

#include "stiction/schemes/grade.h"

namespace stiction {

namespace {

std::vector<ColumnDef> frame_columns(std::uint64_t bodies) {
  using enum ColumnType;
  return {{"frames/time", f64, {}, "s", ""},
          {"frames/step", u32, {}, "", "number of steps taken before"},
          {"frames/position", f64, {bodies, 3}, "m", "of the centre of mass"},
          {"frames/orientation", f64, {bodies, 4}, "", "unit quaternion w x y z, body to world"},
          {"frames/velocity", f64, {bodies, 3}, "m/s", ""},
          {"frames/angular_velocity", f64, {bodies, 3}, "rad/s", "world frame"},
          {"energy/kinetic", f64, {}, "J", ""},
          {"energy/gravity", f64, {}, "J", ""},
          {"energy/springs", f64, {}, "J", ""},
          {"energy/total", f64, {}, "J", ""},
          {"dissipated/contacts", f64, {}, "J", "so far, by friction in contacts"},
          {"dissipated/joints", f64, {}, "J", "so far, by friction in joints"},
          {"dissipated/impacts", f64, {}, "J", "so far, by impacts that the scheme resolves; negative: made"},
          {"dissipated/rest", f64, {}, "J", "energy/total at the start, less that now and the others"}};
}

std::string solver_names() {
  return "none,basis,newton,lemke,active_set";
}

std::string grade_list() {
  std::string text;
  for (const std::string_view name : grade_names) text += (text.empty() ? "" : ",") + std::string(name);
  return text;
}

/// A body has about one contact.
std::vector<ColumnDef> contact_columns(std::uint64_t joints, std::uint64_t bodies) {
  using enum ColumnType;
  return {{"contacts/start", u32, {}, "", "frame f has the contacts start[f] to start[f + 1] - 1"},
          {"contacts/id", u32, {}, "", "row of contacts/name", "", bodies},
          {"contacts/point", f64, {3}, "m", "", "", bodies},
          {"contacts/normal", f64, {3}, "", "towards the first body of the name", "", bodies},
          {"contacts/gap", f64, {}, "m", "where the step's problem was posed; negative is penetration", "", bodies},
          {"contacts/impulse", f64, {3}, "N s", "of the step, on the first body of the name", "", bodies},
          {"contacts/slip_speed", f64, {}, "m/s", "", "", bodies},
          {"contacts/state", u8, {}, "", "at the end of the step", "open,stick,slip", bodies},
          {"contacts/mu", f64, {}, "", "friction coefficient, by row of contacts/name"},
          {"joints/force", f64, {joints, 3}, "N", "on the joint's body, mean over the step"},
          {"joints/torque", f64, {joints, 3}, "N m", "about joints/point, likewise"},
          {"joints/point", f64, {joints, 3}, "m", ""}};
}

std::vector<ColumnDef> step_columns() {
  using enum ColumnType;
  return {{"steps/time", f64, {}, "s", "end of the step; where it was not solved, its beginning"},
          {"steps/residual", f64, {}, "", "complementarity, natural map"},
          {"steps/cone_violation", f64, {}, "", ""},
          {"steps/penetration", f64, {}, "m", "deepest at the end of the step"},
          {"steps/joint_error", f64, {}, "", "largest |Theta|, m or rad"},
          {"steps/equality_residual", f64, {}, "", ""},
          {"steps/momentum_defect", f64, {}, "", ""},
          {"steps/energy_defect", f64, {}, "", ""},
          {"steps/certified", u8, {}, "", ""},
          {"steps/solved", u8, {}, "", ""},
          {"steps/relaxed", u8, {}, "", "stabilising terms were dropped"},
          {"steps/converged", u8, {}, "", ""},
          {"steps/contacts", u32, {}, "", "that took part"},
          {"steps/solves", u32, {}, "", "problems posed, impacts included"},
          {"steps/parts", u32, {}, "", "into which the step was divided"},
          {"steps/problems", u32, {}, "", "islands solved"},
          {"steps/reused", u32, {}, "", "of these, without a pivot"},
          {"steps/pivots", u32, {}, "", "of Lemke's method"},
          {"steps/solver", u8, {}, "", "the last resort among those that the step's islands took", solver_names()},
          {"steps/worst_contact", i32, {}, "", "row of contacts/name that has steps/residual; -1: none"},
          {"steps/deepest_contact", i32, {}, "", "row of contacts/name that has steps/penetration; -1: none"},
          {"steps/grade", u8, {}, "", "what the step is worth, from best to worst", grade_list()},
          {"steps/contact_residual", f64, {}, "", "of the worst contact or joint against the speeds around it"}};
}

std::vector<ColumnDef> event_columns() {
  using enum ColumnType;
  return {{"events/time", f64, {}, "s", ""},
          {"events/kind", u8, {}, "", "", "impact,take_off,stick,slip,break,reversal"},
          {"events/contact", u32, {}, "", "row of contacts/name"},
          {"events/energy_gain", f64, {}, "J", "made by the impact law"},
          {"events/step", u32, {}, "", "number of steps taken before the one it was in"}};
}

}  // namespace

std::vector<BodyId> moving_bodies(const Model& model) {
  std::vector<BodyId> moving;
  for (std::size_t i = 0; i < model.bodies().size(); ++i)
    if (model.bodies()[i].motion != Motion::fixed) moving.push_back(BodyId{static_cast<int>(i)});
  return moving;
}

bool has_own_alpha(const SchemeOptions& scheme) {
  using enum Scheme;
  return scheme.scheme != stewart_trinkle && scheme.scheme != anitescu_potra && scheme.scheme != lotstedt;
}

std::vector<ColumnDef> run_columns(const Model& model, const SchemeOptions& scheme) {
  const std::uint64_t bodies = moving_bodies(model).size();
  std::vector<ColumnDef> columns = frame_columns(bodies);
  for (const auto& more : {contact_columns(model.joints().size(), bodies), step_columns(), event_columns()})
    columns.insert(columns.end(), more.begin(), more.end());
  if (!has_own_alpha(scheme)) return columns;
  columns.push_back(
      {"frames/velocity_alpha", ColumnType::f64, {bodies, 3}, "m/s", "at which the step's contact law held"});
  columns.push_back({"frames/angular_velocity_alpha", ColumnType::f64, {bodies, 3}, "rad/s", "likewise, world frame"});
  return columns;
}

std::vector<NameList> run_lists(const Model& model) {
  std::vector<NameList> lists{
      {"bodies/name", "rows of frames/position and its like"},
      {"joints/name", "rows of joints/force and its like"},
      {"contacts/name", "what contacts/id and events/contact point to; joints have events too"}};
  for (const BodyId id : moving_bodies(model)) lists[0].names.push_back(model.body(id).name);
  for (const Joint& joint : model.joints()) lists[1].names.push_back(joint.name);
  return lists;
}

}  // namespace stiction
