#include "stiction/model/model_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace stiction {
namespace {

BodyDef ball(const std::string& name, const Vec3& position = Vec3::Zero()) {
  return {.name = name, .mass = 1.0, .shape = Sphere{0.1}, .position = position};
}

/// A good model: a ball and a plate on the ground, joined and pulled.
struct Sketch {
  std::vector<BodyDef> bodies = {ball("ball"), ball("other", {1.0, 0.0, 0.0})};
  std::vector<JointDef> joints = {
      {.name = "hinge", .kind = JointKind::revolute, .body = {0}, .anchor = {0.5, 0.0, 0.0}}};
  std::vector<SpringDef> springs = {{.name = "spring", .body = {0}, .partner = {1}, .stiffness = 1.0}};
  std::vector<ForceDef> forces = {{.name = "push", .body = {1}, .force = {1.0, 0.0, 0.0}}};
  std::vector<FunctionConstraint> gaps, constraints;
  Vec3 gravity = {0.0, 0.0, -9.81};

  [[nodiscard]] Result<Model> build() const {
    ModelBuilder builder;
    for (const auto& body : bodies) builder.add_body(body);
    builder.add_ground(HalfSpace{{0.0, 0.0, 1.0}, -5.0});
    for (const auto& joint : joints) builder.add_joint(joint);
    for (const auto& spring : springs) builder.add_spring(spring);
    for (const auto& force : forces) builder.add_force(force);
    for (const auto& gap : gaps) builder.add_gap(gap);
    for (const auto& constraint : constraints) builder.add_constraint(constraint);
    builder.set_gravity(gravity);
    return builder.build();
  }
};

struct Mistake {
  const char* what;
  std::function<void(Sketch&)> make;
  std::vector<std::string> message;  ///< Parts that it must have.
};

const double nan = std::nan("");

const Mistake mistakes[] = {
    {"zero mass", [](Sketch& s) { s.bodies[0].mass = 0.0; }, {"body 'ball'", "mass must be positive", "0"}},
    {"negative mass", [](Sketch& s) { s.bodies[0].mass = -2.5; }, {"body 'ball'", "mass must be positive", "-2.5"}},
    {"mass not a number", [](Sketch& s) { s.bodies[0].mass = nan; }, {"body 'ball'", "mass", "nan"}},
    {"negative density",
     [](Sketch& s) { s.bodies[0].mass.reset(), s.bodies[0].density = -1.0; },
     {"body 'ball'", "density must be positive"}},
    {"no mass", [](Sketch& s) { s.bodies[0].mass.reset(); }, {"body 'ball'", "no mass", "give mass, or density"}},
    {"mass and density", [](Sketch& s) { s.bodies[0].density = 1.0; }, {"body 'ball'", "both a mass and a density"}},
    {"density without volume",
     [](Sketch& s) { s.bodies[0].mass.reset(), s.bodies[0].density = 1.0, s.bodies[0].shape = Sphere{0.0}; },
     {"body 'ball'", "no shape with a volume"}},
    {"inertia of no body",
     [](Sketch& s) { s.bodies[0].inertia = Vec3(1.0, 1.0, 3.0).asDiagonal(); },
     {"body 'ball'", "inertia", "larger than the sum"}},
    {"inertia of one axis negative",
     [](Sketch& s) { s.bodies[0].freedom = Freedom::planar(), s.bodies[0].inertia = -Mat3::Identity(); },
     {"body 'ball'", "inertia must be positive about every axis"}},
    {"inertia of a fixed body not a number",
     [](Sketch& s) { s.bodies[1].fixed = true, s.bodies[1].inertia = nan * Mat3::Identity(); },
     {"body 'other'", "inertia", "finite"}},
    {"rotates without inertia",
     [](Sketch& s) { s.bodies[0].shape.reset(); },
     {"body 'ball'", "neither inertia nor a shape"}},
    {"a point that rotates",
     [](Sketch& s) { s.bodies[0].shape = Sphere{0.0}; },
     {"body 'ball'", "inertia of its shapes", "give inertia"}},
    {"centre of the shapes elsewhere",
     [](Sketch& s) {
       s.bodies[0].shape.reset(), s.bodies[0].shapes = {{.shape = Sphere{0.1}, .pose = {Vec3(0.0, 0.2, 0.0)}}};
     },
     {"body 'ball'", "centre of mass", "(0, 0.2, 0)", "move the shapes by (-0, -0.2, -0)"}},
    {"position not finite", [](Sketch& s) { s.bodies[0].position.y() = nan; }, {"body 'ball'", "position", "finite"}},
    {"velocity infinite",
     [](Sketch& s) { s.bodies[0].velocity.x() = INFINITY; },
     {"body 'ball'", "velocity", "finite"}},
    {"zero quaternion",
     [](Sketch& s) { s.bodies[0].orientation = Quat(0.0, 0.0, 0.0, 0.0); },
     {"body 'ball'", "orientation must not be zero"}},
    {"same name", [](Sketch& s) { s.bodies[1].name = "ball"; }, {"two of body 'ball'"}},
    {"default name taken",
     [](Sketch& s) { s.bodies[0].name = "body1", s.bodies[1].name = ""; },
     {"two of body 'body1'"}},
    {"fixed and kinematic",
     [](Sketch& s) { s.bodies[1].fixed = s.bodies[1].kinematic = true; },
     {"body 'other'", "both fixed and kinematic"}},
    {"fixed but moving",
     [](Sketch& s) { s.bodies[1].fixed = true, s.bodies[1].velocity.x() = 1.0; },
     {"body 'other'", "fixed but has a velocity"}},
    {"nothing free",
     [](Sketch& s) { s.bodies[1].freedom = {false, false, false, false, false, false}; },
     {"body 'other'", "no free velocity"}},
    {"locked velocity",
     [](Sketch& s) { s.bodies[1].freedom = Freedom::planar(), s.bodies[1].velocity.z() = 1.0; },
     {"body 'other'", "velocity has a part along z", "freedom locks"}},
    {"locked rotation",
     [](Sketch& s) { s.bodies[1].freedom = Freedom::planar(), s.bodies[1].angular_velocity.y() = 1.0; },
     {"body 'other'", "angular_velocity has a part along ry"}},
    {"negative radius", [](Sketch& s) { s.bodies[0].shape = Sphere{-0.1}; }, {"body 'ball', sphere", "radius", "-0.1"}},
    {"flat box", [](Sketch& s) { s.bodies[0].shape = Box{1.0, 0.0, 1.0}; }, {"body 'ball', box", "edge lengths"}},
    {"short capsule", [](Sketch& s) { s.bodies[0].shape = Capsule{0.1, 0.0}; }, {"body 'ball', capsule", "length"}},
    {"capsule without axis",
     [](Sketch& s) { s.bodies[0].shape = Capsule{0.1, 1.0, Vec3::Zero()}; },
     {"body 'ball', capsule", "axis must not be zero"}},
    {"plane without normal",
     [](Sketch& s) { s.bodies[1] = {.name = "wall", .shape = HalfSpace{Vec3::Zero(), 0.0}, .fixed = true}; },
     {"body 'wall', half_space", "normal must not be zero"}},
    {"half-space that flies",
     [](Sketch& s) { s.bodies[1].shape = HalfSpace{}; },
     {"body 'other', half_space", "fixed or kinematic"}},
    {"restitution", [](Sketch& s) { s.bodies[0].material.restitution = 1.01; }, {"body 'ball'", "restitution", "1.01"}},
    {"restitution not a number",
     [](Sketch& s) { s.bodies[0].material.restitution = nan; },
     {"body 'ball'", "restitution"}},
    {"negative mu", [](Sketch& s) { s.bodies[0].material.mu = -0.1; }, {"body 'ball'", "mu must be zero or positive"}},
    {"negative mu2", [](Sketch& s) { s.bodies[0].material.mu2 = -0.1; }, {"body 'ball'", "mu2"}},
    {"one material, two values",
     [](Sketch& s) {
       s.bodies[0].material = {.mu = 0.1, .name = "ice"}, s.bodies[1].material = {.mu = 0.2, .name = "ice"};
     },
     {"material 'ice'", "different values"}},
    {"joint of one body", [](Sketch& s) { s.joints[0].partner = {0}; }, {"joint 'hinge'", "'ball' to itself"}},
    {"joint of nobody", [](Sketch& s) { s.joints[0].body = {}; }, {"joint 'hinge'", "body is missing"}},
    {"joint of a stranger", [](Sketch& s) { s.joints[0].partner = {7}; }, {"joint 'hinge'", "partner is 7"}},
    {"joint of the ground", [](Sketch& s) { s.joints[0].body = {2}; }, {"joint 'hinge'", "no force moves"}},
    {"joint without axis", [](Sketch& s) { s.joints[0].axis.setZero(); }, {"joint 'hinge'", "axis must not be zero"}},
    {"axis not a number",
     [](Sketch& s) { s.joints[0].kind = JointKind::spherical, s.joints[0].axis.x() = nan; },
     {"joint 'hinge'", "axis", "finite"}},
    {"frames apart",
     [](Sketch& s) { s.joints[0].partner_anchor = Vec3(0.5, 0.0, 0.25); },
     {"joint 'hinge'", "do not meet", "0.25 m apart"}},
    {"rod without its second end",
     [](Sketch& s) { s.joints[0].kind = JointKind::distance; },
     {"joint 'hinge'", "needs partner_anchor"}},
    {"rod of no length",
     [](Sketch& s) { s.joints[0].kind = JointKind::distance, s.joints[0].partner_anchor = s.joints[0].anchor; },
     {"joint 'hinge'", "length must be positive"}},
    {"length of a hinge",
     [](Sketch& s) { s.joints[0].length = 1.0; },
     {"joint 'hinge'", "belongs to distance joints and ropes"}},
    {"one axis of a cross",
     [](Sketch& s) { s.joints[0].kind = JointKind::universal; },
     {"joint 'hinge'", "partner_axis is missing", "universal"}},
    {"a slanted cross",
     [](Sketch& s) { s.joints[0].kind = JointKind::universal, s.joints[0].partner_axis = Vec3(1.0, 0.0, 1.0); },
     {"joint 'hinge'", "perpendicular", "0.707"}},
    {"second axis of a hinge",
     [](Sketch& s) { s.joints[0].partner_axis = Vec3(1.0, 0.0, 1.0); },
     {"joint 'hinge'", "partner_axis belongs to universal joints"}},
    {"teeth of a hinge", [](Sketch& s) { s.joints[0].teeth = {1, 2}; }, {"joint 'hinge'", "teeth belongs to gears"}},
    {"gear without teeth",
     [](Sketch& s) { s.joints[0].kind = JointKind::gear, s.joints[0].partner = {1}; },
     {"joint 'hinge'", "either teeth or a ratio"}},
    {"gear without a ratio",
     [](Sketch& s) { s.joints[0].kind = JointKind::gear, s.joints[0].partner = {1}, s.joints[0].ratio = 0.0; },
     {"joint 'hinge'", "ratio must be finite and not zero"}},
    {"gear of no teeth",
     [](Sketch& s) { s.joints[0].kind = JointKind::gear, s.joints[0].partner = {1}, s.joints[0].teeth = {0, 3}; },
     {"joint 'hinge'", "teeth must not be zero"}},
    {"gear on what does not turn",
     [](Sketch& s) { s.joints[0].kind = JointKind::gear, s.joints[0].ratio = 2.0; },
     {"joint 'hinge'", "the world cannot turn"}},
    {"gear carried by itself",
     [](Sketch& s) {
       s.joints[0].kind = JointKind::gear, s.joints[0].partner = {1}, s.joints[0].ratio = 2.0,
       s.joints[0].carrier = {1};
     },
     {"joint 'hinge'", "carrier is body 'other'"}},
    {"rack without a radius",
     [](Sketch& s) {
       s.joints[0].kind = JointKind::rack, s.joints[0].partner = {1}, s.joints[0].partner_axis = Vec3::UnitX();
     },
     {"joint 'hinge'", "radius must be positive"}},
    {"rack that cannot travel",
     [](Sketch& s) {
       s.bodies[1].freedom = Freedom::along_x(), s.joints[0].kind = JointKind::rack, s.joints[0].partner = {1},
       s.joints[0].radius = 1.0, s.joints[0].partner_axis = Vec3::UnitY();
     },
     {"joint 'hinge'", "body 'other' cannot travel"}},
    {"limits without the start",
     [](Sketch& s) { s.joints[0].turn.limits = {0.1, 1.0}; },
     {"joint 'hinge', turn", "the start, 0, between them"}},
    {"limits of a whole turn",
     [](Sketch& s) { s.joints[0].turn.limits = {-3.2, 3.2}; },
     {"joint 'hinge', turn", "less than one turn apart"}},
    {"limits not a number", [](Sketch& s) { s.joints[0].turn.limits = {nan, 1.0}; }, {"joint 'hinge', turn", "limits"}},
    {"a bounce without limits",
     [](Sketch& s) { s.joints[0].turn.restitution = 0.5; },
     {"joint 'hinge', turn", "restitution belongs to limits"}},
    {"sliding of a hinge",
     [](Sketch& s) { s.joints[0].slide.friction = 1.0; },
     {"joint 'hinge'", "slide belongs to prismatic"}},
    {"negative friction",
     [](Sketch& s) { s.joints[0].turn.friction = -1.0; },
     {"joint 'hinge', turn", "friction must be zero or positive"}},
    {"motor and servo",
     [](Sketch& s) {
       s.joints[0].turn.motor = MotorDef{1.0}, s.joints[0].turn.servo = ServoDef{.position = 1.0, .stiffness = 1.0};
     },
     {"joint 'hinge', turn", "a motor and a servo"}},
    {"motor to nowhere",
     [](Sketch& s) { s.joints[0].turn.motor = MotorDef{nan}; },
     {"joint 'hinge', turn, motor", "target", "finite"}},
    {"motor with a negative force",
     [](Sketch& s) { s.joints[0].turn.motor = MotorDef{1.0, -1.0}; },
     {"joint 'hinge', turn, motor", "max_force"}},
    {"servo that does nothing",
     [](Sketch& s) { s.joints[0].turn.servo = ServoDef{}; },
     {"joint 'hinge', turn, servo", "neither stiffness nor damping"}},
    {"a flat disc",
     [](Sketch& s) { s.joints[0].kind = JointKind::rolling_disc, s.joints[0].radius = 0.1; },
     {"joint 'hinge'", "lies flat"}},
    {"a ball without a radius",
     [](Sketch& s) { s.joints[0].kind = JointKind::rolling_ball; },
     {"joint 'hinge'", "radius must be positive"}},
    {"a bouncing hinge",
     [](Sketch& s) { s.joints[0].restitution = 0.5; },
     {"joint 'hinge'", "restitution belongs to ropes"}},
    {"a rope of one end",
     [](Sketch& s) { s.joints[0].kind = JointKind::rope; },
     {"joint 'hinge'", "needs partner_anchor"}},
    {"a hinge that breaks",
     [](Sketch& s) { s.joints[0].break_force = 1.0; },
     {"joint 'hinge'", "break_force belongs to fixed joints"}},
    {"a weld of no strength",
     [](Sketch& s) { s.joints[0].kind = JointKind::fixed, s.joints[0].break_torque = 0.0; },
     {"joint 'hinge'", "break_torque must be positive"}},
    {"joints of one name", [](Sketch& s) { s.joints.push_back(s.joints[0]); }, {"two of joint 'hinge'"}},
    {"negative stiffness", [](Sketch& s) { s.springs[0].stiffness = -1.0; }, {"spring 'spring'", "stiffness"}},
    {"negative damping", [](Sketch& s) { s.springs[0].damping = -1.0; }, {"spring 'spring'", "damping"}},
    {"negative length", [](Sketch& s) { s.springs[0].length = -1.0; }, {"spring 'spring'", "length"}},
    {"spring on one body", [](Sketch& s) { s.springs[0].partner = {0}; }, {"spring 'spring'", "itself"}},
    {"spring of a stranger", [](Sketch& s) { s.springs[0].partner = {9}; }, {"spring 'spring'", "partner is 9"}},
    {"force not a number", [](Sketch& s) { s.forces[0].force = Vec3(0.0, 0.0, nan); }, {"force 'push'", "finite"}},
    {"force on a stranger", [](Sketch& s) { s.forces[0].body = {-3}; }, {"force 'push'", "body is -3"}},
    {"gravity not a number", [](Sketch& s) { s.gravity.x() = nan; }, {"gravity", "finite"}},
    {"gap without a function",
     [](Sketch& s) { s.gaps.push_back({.name = "wall", .value = {}}); },
     {"function 'wall'", "no value"}},
    {"cylinder without a length",
     [](Sketch& s) { s.bodies[0].shape = Cylinder{0.1, 0.0}; },
     {"body 'ball', cylinder", "length must be positive"}},
    {"cone without a radius",
     [](Sketch& s) { s.bodies[0].shape = Cone{0.0, 1.0}; },
     {"body 'ball', cone", "radius must be positive"}},
    {"flat ellipsoid",
     [](Sketch& s) { s.bodies[0].shape = Ellipsoid{1.0, 1.0, -1.0}; },
     {"body 'ball', ellipsoid", "radii must be positive"}},
    {"hull of nothing", [](Sketch& s) { s.bodies[0].shape = Hull{}; }, {"body 'ball', hull", "make_hull"}},
    {"polygon of nothing", [](Sketch& s) { s.bodies[0].shape = Polygon{}; }, {"body 'ball', polygon", "make_polygon"}},
    {"pipe that moves",
     [](Sketch& s) { s.bodies[0].shape = HollowCylinder{1.0}; },
     {"body 'ball', hollow_cylinder", "fixed or kinematic"}},
    {"disc in space", [](Sketch& s) { s.bodies[0].shape = Disc{1.0}; }, {"body 'ball', disc", "plane x, y"}},
    {"two segments",
     [](Sketch& s) {
       for (BodyDef& body : s.bodies) body.shape = Capsule{0.0, 1.0}, body.freedom = Freedom::particle();
     },
     {"body 'ball' and body 'other'", "a thin capsule and a thin capsule"}},
};

TEST(ModelBuilder, TheSketchItselfIsGood) {
  const auto model = Sketch().build();
  ASSERT_TRUE(model.ok()) << model.error();
}

TEST(ModelBuilder, EveryMistakeIsRefusedInWords) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.what);
    Sketch sketch;
    mistake.make(sketch);
    const auto model = sketch.build();
    ASSERT_FALSE(model.ok());
    for (const std::string& part : mistake.message) {
      EXPECT_NE(model.error().find(part), std::string::npos) << "'" << part << "' is not in: " << model.error();
    }
  }
}

TEST(ModelBuilder, NoBodies) {
  EXPECT_NE(ModelBuilder().build().error().find("no bodies"), std::string::npos);
}

TEST(ModelBuilder, BodiesKeepTheirOrderAndGetNames) {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{});
  const BodyId first = builder.add_body({.mass = 1.0, .shape = Sphere{}});
  builder.add_ground(HalfSpace{{1.0, 0.0, 0.0}, 0.0});
  const Model model = builder.build().value();
  EXPECT_EQ(model.bodies()[0].name, "ground");
  EXPECT_EQ(model.body(first).name, "body1");
  EXPECT_EQ(model.bodies()[2].name, "ground2");
  EXPECT_EQ(model.find_body("body1"), first);
  EXPECT_EQ(model.find_body("nobody"), std::nullopt);
}

TEST(ModelBuilder, MassComesFromShapesAndDensity) {
  ModelBuilder builder;
  const BodyId heavy = builder.add_body({.density = 1000.0, .shape = Box{0.1, 0.2, 0.3}});
  const BodyId given = builder.add_body({.mass = 12.0, .shape = Sphere{0.5}});
  // Two balls on a stick without weight: the centre is in the middle.
  const BodyId dumbbell = builder.add_body({.mass = 2.0,
                                            .shapes = {{.shape = Sphere{0.1}, .pose = {Vec3(0.5, 0.0, 0.0)}},
                                                       {.shape = Sphere{0.1}, .pose = {Vec3(-0.5, 0.0, 0.0)}}}});
  builder.ignore_pair(heavy, given);
  const Model model = builder.build().value();
  EXPECT_DOUBLE_EQ(model.body(heavy).mass, 6.0);
  EXPECT_DOUBLE_EQ(model.body(heavy).inertia(2, 2), 6.0 / 12.0 * 0.05);
  EXPECT_DOUBLE_EQ(model.body(given).inertia(0, 0), 0.4 * 12.0 * 0.25);
  EXPECT_NEAR(model.body(dumbbell).inertia(0, 0), 0.4 * 2.0 * 0.01, 1e-16);
  EXPECT_NEAR(model.body(dumbbell).inertia(1, 1), 0.4 * 2.0 * 0.01 + 2.0 * 0.25, 1e-15);
}

TEST(ModelBuilder, OnlyFreeRotationsNeedInertia) {
  ModelBuilder builder;
  builder.add_body({.mass = 1.0, .position = {0.0, 0.0, 1.0}, .freedom = Freedom::particle()});
  BodyDef rod{.mass = 1.0, .inertia = Mat3(Vec3(0.0, 0.0, 0.002).asDiagonal()), .freedom = Freedom::planar()};
  builder.add_body(rod);
  rod.inertia.reset();
  rod.shape = Capsule{0.0, 1.0, Vec3::UnitX()};
  builder.add_body(rod);
  const auto model = builder.build();
  ASSERT_TRUE(model.ok()) << model.error();
  EXPECT_DOUBLE_EQ(model.value().bodies()[2].inertia(2, 2), 1.0 / 12.0);
}

TEST(ModelBuilder, AModelOutlivesItsBuilderAndItsCopies) {
  auto builder = std::make_unique<ModelBuilder>();
  builder->add_body(ball("ball"));
  auto first = std::make_unique<Model>(builder->build().value());
  builder.reset();
  const Model second = *first;
  first.reset();
  EXPECT_EQ(second.bodies()[0].name, "ball");
}

TEST(ModelBuilder, OutlineCounts) {
  const ModelOutline outline = Sketch().build().value().outline();
  EXPECT_EQ(outline.bodies, 3);
  EXPECT_EQ(outline.movable, 2);
  EXPECT_EQ(outline.fixed, 1);
  EXPECT_EQ(outline.velocities, 12);
  EXPECT_EQ(outline.joint_rows, 5);
  EXPECT_EQ(outline.text(),
            "3 bodies (2 movable, 0 kinematic, 1 fixed) with 3 shapes and 12 free velocities, 1 joints of 5 rows, 1 "
            "springs, 1 forces");
}

}  // namespace
}  // namespace stiction
