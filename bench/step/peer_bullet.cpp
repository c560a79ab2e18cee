#include "bench/step/peers.h"

#ifdef STICTION_HAVE_BULLET
#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "stiction/geometry/mass_properties.h"

namespace stiction::bench {
namespace {

btScalar real(double x) {
  return static_cast<btScalar>(x);
}
btVector3 vector_of(const Vec3& x) {
  return {real(x.x()), real(x.y()), real(x.z())};
}

std::unique_ptr<btCollisionShape> make(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return std::make_unique<btSphereShape>(real(sphere->radius));
  if (const auto* box = std::get_if<Box>(&shape))
    return std::make_unique<btBoxShape>(vector_of(0.5 * Vec3(box->x, box->y, box->z)));
  if (const auto* capsule = std::get_if<Capsule>(&shape))
    return std::make_unique<btCapsuleShapeZ>(real(capsule->radius), real(capsule->length));
  const auto& cylinder = std::get<Cylinder>(shape);
  return std::make_unique<btCylinderShapeZ>(vector_of({cylinder.radius, cylinder.radius, 0.5 * cylinder.length}));
}

class BulletWorld final : public PeerWorld {
 public:
  explicit BulletWorld(const StepScene& scene)
      : h_(scene.h),
        root_mu_(real(std::sqrt(scene.mu))),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity(vector_of(scene.gravity));
    for (const SceneBody& body : scene.bodies) add(body, scene.collide);
    moving_ = bodies_.size();
    for (const HalfSpace& plane : scene.planes) {
      shapes_.push_back(std::make_unique<btStaticPlaneShape>(vector_of(plane.normal), real(plane.offset)));
      add_body({0, nullptr, shapes_.back().get()}, true);
    }
    for (const SceneJoint& joint : scene.joints) join(joint);
  }
  ~BulletWorld() override {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  void step() override { world_.stepSimulation(real(h_), 0); }
  void find_poses(std::vector<Pose>& poses) const override {
    poses.resize(moving_);
    for (std::size_t i = 0; i < moving_; ++i) {
      const btVector3& x = bodies_[i]->getCenterOfMassPosition();
      const btQuaternion q = bodies_[i]->getOrientation();
      poses[i] = {Vec3(x.x(), x.y(), x.z()), Quat(q.w(), q.x(), q.y(), q.z())};
    }
  }

 private:
  void add_body(btRigidBody::btRigidBodyConstructionInfo info, bool collides) {
    info.m_friction = root_mu_;  // Bullet multiplies those of two bodies
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    if (collides)
      world_.addRigidBody(bodies_.back().get());
    else
      world_.addRigidBody(bodies_.back().get(), 1, 0);
  }

  void add(const SceneBody& body, bool collides) {
    shapes_.push_back(make(body.shape));
    const Vec3 inertia = mass_properties(body.shape, body.mass).inertia.diagonal();
    btRigidBody::btRigidBodyConstructionInfo info(real(body.mass), nullptr, shapes_.back().get(), vector_of(inertia));
    const Quat& q = body.pose.orientation;
    info.m_startWorldTransform.setOrigin(vector_of(body.pose.position));
    info.m_startWorldTransform.setRotation({real(q.x()), real(q.y()), real(q.z()), real(q.w())});
    add_body(info, collides);
    bodies_.back()->setLinearVelocity(vector_of(body.velocity));
    bodies_.back()->setAngularVelocity(vector_of(body.angular_velocity));
  }

  void join(const SceneJoint& joint) {
    btRigidBody& a = *bodies_[static_cast<std::size_t>(joint.body)];
    const btVector3 at = vector_of(joint.anchor), axis = vector_of(joint.axis);
    const btTransform to_a = a.getCenterOfMassTransform().inverse();
    if (joint.partner < 0) {
      joints_.push_back(std::make_unique<btPoint2PointConstraint>(a, to_a * at));
    } else {
      btRigidBody& b = *bodies_[static_cast<std::size_t>(joint.partner)];
      const btTransform to_b = b.getCenterOfMassTransform().inverse();
      if (joint.kind == SceneJoint::Kind::ball)
        joints_.push_back(std::make_unique<btPoint2PointConstraint>(a, b, to_a * at, to_b * at));
      else
        joints_.push_back(std::make_unique<btHingeConstraint>(a, b, to_a * at, to_b * at, to_a.getBasis() * axis,
                                                              to_b.getBasis() * axis));
    }
    world_.addConstraint(joints_.back().get(), true);
  }

  double h_;
  btScalar root_mu_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::size_t moving_ = 0;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

class Bullet final : public Peer {
 public:
  [[nodiscard]] std::string name() const override { return "Bullet"; }
  [[nodiscard]] std::string settings() const override {
    return "Bullet 3: sequential impulses, 10 iterations, in " +
           std::string(sizeof(btScalar) == 4 ? "single" : "double") + " precision, without deactivation";
  }
  [[nodiscard]] PeerRun run(const StepScene& scene, const Model& model, const Limits& limits) override {
    BulletWorld world(scene);
    return run_world(world, model, limits);
  }
};

}  // namespace

std::unique_ptr<Peer> find_bullet() {
  return std::make_unique<Bullet>();
}

}  // namespace stiction::bench

#else

namespace stiction::bench {

std::unique_ptr<Peer> find_bullet() {
  return nullptr;
}

}  // namespace stiction::bench

#endif
