#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <vector>

#include "problems/generator/contact_problem.h"
#include "stiction/base/random.h"

namespace stiction::families {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

/// Step and gravity of every family, in seconds and metres: gravity is ten so that symmetric problems stay exact.
inline constexpr double step = 0.01;
inline constexpr double gravity = 10.0;

/// A rigid body: linear velocity in the world frame, angular velocity in its own, so that the mass matrix is diagonal.
struct Body {
  double mass = 1.0;
  Vector3 inertia = Vector3::Ones();  ///< Principal moments.
  Vector3 position = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();  ///< Own frame to world.
  Vector3 velocity = Vector3::Zero();      ///< Free velocity: what the applied forces add in the step is in it.
  Vector3 spin = Vector3::Zero();
};

[[nodiscard]] Body make_box(double mass, const Vector3& size, const Vector3& position);
[[nodiscard]] Body make_sphere(double mass, double radius, const Vector3& position);

struct Contact {
  int a = 0;            ///< The body pushed along the normal.
  int b = -1;           ///< The body pushed against it.
  Vector3 point = {};   ///< World.
  Vector3 normal = {};  ///< Unit, from b to a.
  double mu = 0.0;
  double b_n = 0.0;
  double hf = 0.0;
  Vector3 surface_velocity = Vector3::Zero();  ///< Of b's surface beyond its body's: a conveyor.
};

/// Bodies and their contacts, from which the step's matrices are made.
class Scene {
 public:
  static constexpr int world = -1;

  int add_body(const Body& body);
  Contact& add_contact(const Contact& contact);
  /// The points of two bodies at `point` do not move apart along `direction`.
  void add_joint_row(int a, int b, const Vector3& point, const Vector3& direction);
  /// All three directions: a ball joint.
  void add_ball_joint(int a, int b, const Vector3& point);

  [[nodiscard]] std::vector<Body>& bodies() { return bodies_; }
  [[nodiscard]] std::vector<Contact>& contacts() { return contacts_; }

  /// Adds what gravity gives in a step to every velocity.
  void fall(const Vector3& acceleration = {0.0, 0.0, -gravity});

  /// `with_gyroscopic_force`: M~ = M - h F with F w = (I w) x w, not symmetric.
  [[nodiscard]] ContactProblem build(std::string name, bool with_gyroscopic_force = false) const;

 private:
  struct JointRow {
    int a, b;
    Vector3 point, direction;
  };
  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
  std::vector<JointRow> joint_rows_;
};

/// Two unit vectors that complete a unit normal; axes stay exact axes.
void make_tangents(const Vector3& normal, Vector3& t1, Vector3& t2);

/// Draws that use only operations IEEE 754 rounds the one right way, so that a seed gives the same bits everywhere.
[[nodiscard]] Vector3 random_in_cube(Random& random, double half);
[[nodiscard]] Vector3 random_direction(Random& random);
[[nodiscard]] Matrix3 random_rotation(Random& random);
/// ratio^fraction, rounded to single precision for the same reason.
[[nodiscard]] double log_scale(double ratio, double fraction);
/// Log-uniform in [1, ratio].
[[nodiscard]] double random_mass(Random& random, double ratio);
/// [cos, 0, sin] of an angle in the x, z plane.
[[nodiscard]] Vector3 direction_at(double angle);

}  // namespace stiction::families
