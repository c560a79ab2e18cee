#include "bench/step/scene_model.h"

#include "stiction/model/model_builder.h"

namespace stiction::bench {

Result<Model> make_model(const StepScene& scene) {
  ModelBuilder builder;
  builder.set_gravity(scene.gravity);
  const Material material{.mu = scene.mu};
  for (const SceneBody& body : scene.bodies) {
    BodyDef def;
    def.mass = body.mass;
    def.shape = body.shape;
    def.material = material;
    def.position = body.pose.position;
    def.orientation = body.pose.orientation;
    def.velocity = body.velocity;
    def.angular_velocity = body.angular_velocity;
    if (!scene.collide) def.group = "all";
    builder.add_body(def);
  }
  if (!scene.collide) builder.ignore_groups("all", "all");
  for (const HalfSpace& plane : scene.planes) builder.add_ground(plane, material);
  for (const SceneJoint& joint : scene.joints) {
    const bool is_ball = joint.kind == SceneJoint::Kind::ball;
    builder.add_joint({.kind = is_ball ? JointKind::spherical : JointKind::revolute,
                       .body = {joint.body},
                       .partner = joint.partner < 0 ? world : BodyId{joint.partner},
                       .anchor = joint.anchor,
                       .axis = joint.axis});
  }
  return builder.build();
}

}  // namespace stiction::bench
