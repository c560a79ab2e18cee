#pragma once

#ifdef STICTION_HAVE_BULLET

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "bench/rod_pendulum.h"

namespace stiction::bench {

/// The rods in Bullet with its own defaults (sequential impulses), in the precision that the library was built with.
class BulletPendulum {
 public:
  explicit BulletPendulum(const RodPendulum& start)
      : dispatcher_(&configuration_), world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity({0, static_cast<btScalar>(-RodPendulum::gravity), 0});
    for (std::size_t i = 0; i < 2; ++i) add_rod(start, i);
    add_joint(start, 0, nullptr, Vec3::Zero());
    add_joint(start, 1, bodies_[0].get(), start.direction[0]);
  }
  ~BulletPendulum() {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletPendulum(const BulletPendulum&) = delete;
  BulletPendulum& operator=(const BulletPendulum&) = delete;

  void step(double h) { world_.stepSimulation(static_cast<btScalar>(h), 0); }
  [[nodiscard]] std::array<Vec3, 2> centres() const {
    std::array<Vec3, 2> at;
    for (std::size_t i = 0; i < 2; ++i) {
      const btVector3& x = bodies_[i]->getCenterOfMassPosition();
      at[i] = Vec3(x.x(), x.y(), x.z());
    }
    return at;
  }

 private:
  static btVector3 to_bullet(const Vec3& x) {
    return {static_cast<btScalar>(x[0]), static_cast<btScalar>(x[1]), static_cast<btScalar>(x[2])};
  }
  void add_rod(const RodPendulum& start, std::size_t i) {
    const auto across = static_cast<btScalar>(RodPendulum::inertia);
    btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &shape_,
                                                  {static_cast<btScalar>(RodPendulum::axial_inertia), across, across});
    info.m_linearDamping = info.m_angularDamping = 0;
    const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitX(), start.direction[i]);
    info.m_startWorldTransform.setOrigin(to_bullet(start.centres()[i]));
    info.m_startWorldTransform.setRotation({static_cast<btScalar>(turn.x()), static_cast<btScalar>(turn.y()),
                                            static_cast<btScalar>(turn.z()), static_cast<btScalar>(turn.w())});
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_[i]->setLinearVelocity(to_bullet(start.velocities()[i]));
    bodies_[i]->setAngularVelocity(to_bullet(start.angular_velocity(i)));
    bodies_[i]->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_[i].get());
  }
  void add_joint(const RodPendulum& start, std::size_t body, btRigidBody* partner, const Vec3& at) {
    btRigidBody& a = *bodies_[body];
    const btTransform to_a = a.getCenterOfMassTransform().inverse();
    const btVector3 anchor = to_bullet(at), in_a = to_a * anchor, axis_a = to_a.getBasis() * btVector3(0, 0, 1);
    if (partner == nullptr) {
      if (start.in_space)
        joints_.push_back(std::make_unique<btPoint2PointConstraint>(a, in_a));
      else
        joints_.push_back(std::make_unique<btHingeConstraint>(a, in_a, axis_a));
    } else {
      const btTransform to_b = partner->getCenterOfMassTransform().inverse();
      if (start.in_space)
        joints_.push_back(std::make_unique<btPoint2PointConstraint>(a, *partner, in_a, to_b * anchor));
      else
        joints_.push_back(std::make_unique<btHingeConstraint>(a, *partner, in_a, to_b * anchor, axis_a,
                                                              to_b.getBasis() * btVector3(0, 0, 1)));
    }
    world_.addConstraint(joints_.back().get(), true);
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btEmptyShape shape_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace stiction::bench

#endif
