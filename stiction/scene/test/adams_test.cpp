// Joints as ADAMS simulates them: motion and reactions of scenes/adams against its tables.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "stiction/model/joint_reaction.h"
#include "stiction/scene/scene.h"

namespace stiction {
namespace {

constexpr double weight = 9.80665;  ///< N, of the one body.
constexpr double arm = 2.0;         ///< m, from the joint to its centre.

struct AdamsCase {
  const char *folder, *file, *scene;
  Vec3 joint;  ///< Where its marker on the ground is.
};

void PrintTo(const AdamsCase& test, std::ostream* out) {
  *out << test.file;
}

/// One quantity over time, every 0.01 s: three or four columns after the time.
using AdamsTable = std::vector<Eigen::VectorXd>;

AdamsTable read_table(const std::filesystem::path& path) {
  std::ifstream in(path);
  AdamsTable rows;
  std::string line;
  for (int header = 0; header < 3; ++header) std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream text(line);
    std::vector<double> values;
    for (double value = 0.0; text >> value;) values.push_back(value);
    if (values.size() > 1) rows.emplace_back(Eigen::Map<Eigen::VectorXd>(values.data() + 1, values.size() - 1));
  }
  return rows;
}

/// The largest component's span over time.
double range_of(const AdamsTable& table) {
  Eigen::VectorXd low = table.front(), high = table.front();
  for (const auto& row : table) {
    low = low.cwiseMin(row);
    high = high.cwiseMax(row);
  }
  return (high - low).maxCoeff();
}

double largest_of(const AdamsTable& table) {
  double largest = 0.0;
  for (const auto& row : table) largest = std::max(largest, row.lpNorm<Eigen::Infinity>());
  return largest;
}

/// Half of the last of the six digits printed, and the rounding of ours.
double digits_of(const AdamsTable& table) {
  const double largest = largest_of(table);
  return 1e-12 + (largest > 0.0 ? 5e-6 * std::pow(10.0, std::floor(std::log10(largest))) : 0.0);
}

/// Cases 01 are a plane pendulum of moment 0.1 + 1 * 2^2 about its joint, let go at the horizontal: the angle below it
/// obeys 4.1 a'' = 2 g cos(a). Values at the times of the tables, by Runge-Kutta.
AdamsTable exact_pendulum(const std::string& quantity) {
  constexpr int steps_a_row = 100;
  constexpr double h = 0.01 / steps_a_row, k = weight * arm / (0.1 + arm * arm);
  using Pair = Eigen::Vector2d;
  const auto slope = [](const Pair& x) { return Pair(x[1], k * std::cos(x[0])); };
  AdamsTable rows;
  Pair x(0, 0);
  for (int i = 0; i <= 500; ++i) {
    const double a = x[0], rate = x[1], c = std::cos(a), s = std::sin(a);
    if (quantity == "Pos") rows.emplace_back(Vec3(arm * c, 0, -arm * s));
    if (quantity == "Vel") rows.emplace_back(Vec3(-arm * rate * s, 0, -arm * rate * c));
    if (quantity == "Avel") rows.emplace_back(Vec3(0, rate, 0));
    if (quantity == "Quat") rows.emplace_back(Eigen::Vector4d(std::cos(a / 2), 0, std::sin(a / 2), 0));
    for (int j = 0; j < steps_a_row; ++j) {
      const Pair k1 = slope(x), k2 = slope(x + h / 2 * k1), k3 = slope(x + h / 2 * k2), k4 = slope(x + h * k3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
  return rows;
}

double distance(const AdamsTable& a, const AdamsTable& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    worst = std::max(worst, (a[i] - b[i]).lpNorm<Eigen::Infinity>());
  return worst;
}

/// What Stiction says at the times of the tables from 0.01 s on.
struct Motion {
  AdamsTable position, orientation, velocity, angular_velocity, force, torque;
};

/// Of the joint on the ground, about its marker there, at the middle of the step that led here.
std::pair<Vec3, Vec3> reaction_on_ground(const Simulator& simulator, const State& before, double h, const Vec3& joint) {
  Vector q;
  const Vector v = 0.5 * (before.v + simulator.state().v);
  simulator.system().advance(before.q, v, 0.5 * h, q);
  const Reaction reaction =
      reaction_of(simulator.system(), JointId{0}, before.t + 0.5 * h, q, simulator.report().joint_impulses, h);
  const Vec3 torque = reaction.torque + (reaction.point - joint).cross(reaction.force);
  return {-reaction.force, -torque};
}

Motion run(Simulator& simulator, const Vec3& joint) {
  constexpr int steps_a_row = 10;
  constexpr BodyId body{0};
  const double h = simulator.options().h;
  const auto steps = std::lround(simulator.options().end / h);
  Motion motion;
  std::pair<Vec3, Vec3> last;
  for (long k = 1; k <= steps; ++k) {
    const State before = simulator.state();
    if (!simulator.step()) ADD_FAILURE() << simulator.why();
    const auto now = reaction_on_ground(simulator, before, h, joint);
    // A step's reaction belongs to its middle: the mean of two neighbours to the time between them.
    if (k % steps_a_row == 1 && k > 1) {
      motion.force.emplace_back(0.5 * (last.first + now.first));
      motion.torque.emplace_back(0.5 * (last.second + now.second));
    }
    last = now;
    if (k % steps_a_row != 0) continue;
    const Pose pose = simulator.pose(body);
    const Quat& o = pose.orientation;
    motion.position.emplace_back(pose.position);
    motion.orientation.emplace_back(Eigen::Vector4d(o.w(), o.x(), o.y(), o.z()));
    motion.velocity.emplace_back(simulator.velocity(body));
    motion.angular_velocity.emplace_back(simulator.angular_velocity(body));
  }
  return motion;
}

class Adams : public testing::TestWithParam<AdamsCase> {
 protected:
  [[nodiscard]] AdamsTable table(const char* quantity) const {
    return read_table(folder_ / (std::string(GetParam().file) + "_ADAMS_" + quantity + ".txt"));
  }

  /// Whether ours, from the second row on, stays within `tolerance` of the span of the values (or `least`, where that
  /// is more), and the digits printed.
  void compare(const char* quantity, const AdamsTable& ours, double tolerance, double least) const {
    AdamsTable theirs = table(quantity);
    ASSERT_EQ(theirs.size(), 501u) << quantity;
    ASSERT_GE(ours.size(), 499u);
    const double allowed = tolerance * std::max(range_of(theirs), least) + digits_of(theirs);
    // ADAMS' own run of this model is off by twice what is allowed here (TheirSphericalCase01IsOff): the equation of
    // the same pendulum stands for it.
    if (GetParam().file == std::string_view("Spherical_Case01"))
      if (AdamsTable exact = exact_pendulum(quantity); !exact.empty()) theirs = std::move(exact);
    double worst = 0.0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      Eigen::VectorXd row = theirs[i + 1];
      if (row.size() == 4 && row.dot(ours[i]) < 0.0) row = -row;  // the same rotation
      worst = std::max(worst, (ours[i] - row).lpNorm<Eigen::Infinity>());
    }
    EXPECT_LE(worst, allowed) << quantity;
    RecordProperty(quantity, std::to_string(worst / allowed));
  }

  std::filesystem::path folder_;
};

std::filesystem::path adams_folder() {
  const char* data = std::getenv("STICTION_DATA");  // NOLINT(concurrency-mt-unsafe): no other thread runs
  return std::filesystem::path(data != nullptr ? data : "../shared/data") / "adams";
}

/// The revolute and the spherical case 01 are one motion. The first is right to its last digit, the second is not.
TEST(AdamsTables, TheirSphericalCase01IsOff) {
  const auto folder = adams_folder();
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << folder << " is not here; set STICTION_DATA to the folder of test data";
  const AdamsTable exact = exact_pendulum("Pos");
  EXPECT_LT(distance(read_table(folder / "revolute_joint/Revolute_Case01_ADAMS_Pos.txt"), exact), 1e-5);
  EXPECT_GT(distance(read_table(folder / "spherical_joint/Spherical_Case01_ADAMS_Pos.txt"), exact), 8e-4);
}

TEST_P(Adams, MotionAndReactions) {
  folder_ = adams_folder() / GetParam().folder;
  if (!std::filesystem::exists(folder_))
    GTEST_SKIP() << folder_ << " is not here; set STICTION_DATA to the folder of test data";
  auto scene = read_scene(std::string("scenes/adams/") + GetParam().scene + ".json");
  ASSERT_TRUE(scene) << scene.error();
  Simulator simulator(scene.value().model, scene.value().settings.simulation);
  const Motion motion = run(simulator, GetParam().joint);
  compare("Pos", motion.position, 1e-4, 0.0);
  compare("Quat", motion.orientation, 1e-4, 0.0);
  compare("Vel", motion.velocity, 1e-4, 0.0);
  compare("Avel", motion.angular_velocity, 1e-4, 0.0);
  compare("Rforce", motion.force, 1e-3, weight);
  compare("Rtorque", motion.torque, 1e-3, weight * arm);
}

const Vec3 origin(0, 0, 0), aside(1, 2, 3);
INSTANTIATE_TEST_SUITE_P(Joints, Adams,
                         testing::Values(AdamsCase{"revolute_joint", "Revolute_Case01", "revolute_case01", origin},
                                         AdamsCase{"revolute_joint", "Revolute_Case02", "revolute_case02", aside},
                                         AdamsCase{"spherical_joint", "Spherical_Case01", "spherical_case01", origin},
                                         AdamsCase{"spherical_joint", "Spherical_Case02", "spherical_case02", aside},
                                         AdamsCase{"prismatic_joint", "Prismatic_Case01", "prismatic_case01", origin},
                                         AdamsCase{"prismatic_joint", "Prismatic_Case02", "prismatic_case02", aside},
                                         AdamsCase{"prismatic_joint", "Prismatic_Case03", "prismatic_case03", aside}),
                         [](const testing::TestParamInfo<AdamsCase>& test) { return std::string(test.param.scene); });

}  // namespace
}  // namespace stiction
