#include "bench/step/peers.h"

#ifdef STICTION_HAVE_ODE
#include <ode/ode.h>

#include <array>

#include "stiction/geometry/mass_properties.h"

namespace stiction::bench {
namespace {

class OdeWorld final : public PeerWorld {
 public:
  explicit OdeWorld(const StepScene& scene) : h_(scene.h), mu_(scene.mu), world_(dWorldCreate()) {
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
    for (const SceneBody& body : scene.bodies) add(body, scene.collide);
    for (const HalfSpace& plane : scene.planes)
      dCreatePlane(space_, plane.normal.x(), plane.normal.y(), plane.normal.z(), plane.offset);
    for (const SceneJoint& joint : scene.joints) join(joint);
  }
  ~OdeWorld() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;

  void step() override {
    dSpaceCollide(space_, this, &OdeWorld::near);
    dWorldQuickStep(world_, h_);
    dJointGroupEmpty(contacts_);
  }
  void find_poses(std::vector<Pose>& poses) const override {
    poses.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const dReal *x = dBodyGetPosition(bodies_[i]), *q = dBodyGetQuaternion(bodies_[i]);
      poses[i] = {Vec3(x[0], x[1], x[2]), Quat(q[0], q[1], q[2], q[3])};
    }
  }

 private:
  static void near(void* data, dGeomID a, dGeomID b) {
    auto& self = *static_cast<OdeWorld*>(data);
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    if (body_a != nullptr && body_b != nullptr && dAreConnectedExcluding(body_a, body_b, dJointTypeContact) != 0)
      return;
    std::array<dContact, 8> found{};
    const int count = dCollide(a, b, static_cast<int>(found.size()), &found[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      dContact& contact = found[static_cast<std::size_t>(i)];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = self.mu_;
      dJointAttach(dJointCreateContact(self.world_, self.contacts_, &contact), body_a, body_b);
    }
  }

  dGeomID make(const Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) return dCreateSphere(space_, sphere->radius);
    if (const auto* box = std::get_if<Box>(&shape)) return dCreateBox(space_, box->x, box->y, box->z);
    if (const auto* capsule = std::get_if<Capsule>(&shape))
      return dCreateCapsule(space_, capsule->radius, capsule->length);
    const auto& cylinder = std::get<Cylinder>(shape);
    return dCreateCylinder(space_, cylinder.radius, cylinder.length);
  }

  void add(const SceneBody& body, bool collides) {
    dBodyID id = dBodyCreate(world_);
    const Mat3 I = mass_properties(body.shape, body.mass).inertia;
    dMass mass;
    dMassSetParameters(&mass, body.mass, 0, 0, 0, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    dBodySetMass(id, &mass);
    const Vec3 &x = body.pose.position, &v = body.velocity, &w = body.angular_velocity;
    const Quat& turn = body.pose.orientation;
    const dQuaternion q = {turn.w(), turn.x(), turn.y(), turn.z()};
    dBodySetPosition(id, x.x(), x.y(), x.z());
    dBodySetQuaternion(id, q);
    dBodySetLinearVel(id, v.x(), v.y(), v.z());
    dBodySetAngularVel(id, w.x(), w.y(), w.z());
    if (collides) dGeomSetBody(make(body.shape), id);
    bodies_.push_back(id);
  }

  void join(const SceneJoint& joint) {
    dBodyID a = bodies_[static_cast<std::size_t>(joint.body)];
    dBodyID b = joint.partner < 0 ? nullptr : bodies_[static_cast<std::size_t>(joint.partner)];
    const Vec3 &at = joint.anchor, &axis = joint.axis;
    if (joint.kind == SceneJoint::Kind::ball) {
      dJointID id = dJointCreateBall(world_, nullptr);
      dJointAttach(id, a, b);
      dJointSetBallAnchor(id, at.x(), at.y(), at.z());
      return;
    }
    dJointID id = dJointCreateHinge(world_, nullptr);
    dJointAttach(id, a, b);
    dJointSetHingeAnchor(id, at.x(), at.y(), at.z());
    dJointSetHingeAxis(id, axis.x(), axis.y(), axis.z());
  }

  double h_, mu_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
};

class Ode final : public Peer {
 public:
  Ode() { dInitODE2(0); }
  [[nodiscard]] std::string name() const override { return "ODE"; }
  [[nodiscard]] std::string settings() const override {
    return "ODE 0.16: `dWorldQuickStep`, 20 iterations, ERP 0.2, pyramids of friction (`dContactApprox1`), a hash "
           "space, up to 8 contacts a pair";
  }
  [[nodiscard]] PeerRun run(const StepScene& scene, const Model& model, const Limits& limits) override {
    OdeWorld world(scene);
    return run_world(world, model, limits);
  }
};

}  // namespace

std::unique_ptr<Peer> find_ode() {
  return std::make_unique<Ode>();
}

}  // namespace stiction::bench

#else

namespace stiction::bench {

std::unique_ptr<Peer> find_ode() {
  return nullptr;
}

}  // namespace stiction::bench

#endif
