#pragma once

#ifdef STICTION_HAVE_ODE

#include <ode/ode.h>

#include "bench/rod_pendulum.h"

namespace stiction::bench {

/// The rods in ODE, with its own defaults but for a stiff world: no softness in the joints.
class OdePendulum {
 public:
  OdePendulum(const RodPendulum& start, bool is_quick) : is_quick_(is_quick) {
    dInitODE2(0);
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0, -RodPendulum::gravity, 0);
    dWorldSetCFM(world_, 0.0);
    for (std::size_t i = 0; i < 2; ++i) add_rod(start, i);
    add_joint(start, bodies_[0], nullptr, Vec3::Zero());
    add_joint(start, bodies_[1], bodies_[0], start.direction[0]);
  }
  ~OdePendulum() {
    dWorldDestroy(world_);
    dCloseODE();
  }
  OdePendulum(const OdePendulum&) = delete;
  OdePendulum& operator=(const OdePendulum&) = delete;

  void step(double h) {
    if (is_quick_)
      dWorldQuickStep(world_, h);
    else
      dWorldStep(world_, h);
  }
  [[nodiscard]] std::array<Vec3, 2> centres() const {
    std::array<Vec3, 2> at;
    for (std::size_t i = 0; i < 2; ++i) {
      const dReal* x = dBodyGetPosition(bodies_[i]);
      at[i] = Vec3(x[0], x[1], x[2]);
    }
    return at;
  }

 private:
  void add_rod(const RodPendulum& start, std::size_t i) {
    const Vec3 c = start.centres()[i], v = start.velocities()[i], w = start.angular_velocity(i), u = start.direction[i];
    bodies_[i] = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, 1.0, 0, 0, 0, RodPendulum::axial_inertia, RodPendulum::inertia, RodPendulum::inertia, 0,
                       0, 0);
    dBodySetMass(bodies_[i], &mass);
    dMatrix3 turn;
    dRFrom2Axes(turn, u[0], u[1], u[2], 0, 0, 1);  // x along the rod
    dBodySetRotation(bodies_[i], turn);
    dBodySetPosition(bodies_[i], c[0], c[1], c[2]);
    dBodySetLinearVel(bodies_[i], v[0], v[1], v[2]);
    dBodySetAngularVel(bodies_[i], w[0], w[1], w[2]);
  }
  void add_joint(const RodPendulum& start, dBodyID a, dBodyID b, const Vec3& at) {
    if (start.in_space) {
      const dJointID joint = dJointCreateBall(world_, nullptr);
      dJointAttach(joint, a, b);
      dJointSetBallAnchor(joint, at[0], at[1], at[2]);
      return;
    }
    const dJointID joint = dJointCreateHinge(world_, nullptr);
    dJointAttach(joint, a, b);
    dJointSetHingeAnchor(joint, at[0], at[1], at[2]);
    dJointSetHingeAxis(joint, 0, 0, 1);
  }

  bool is_quick_;
  dWorldID world_;
  std::array<dBodyID, 2> bodies_{};
};

}  // namespace stiction::bench

#endif
