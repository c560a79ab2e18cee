// The numerical results of Stewart and Trinkle 1996, section 4, from the scenes of the same names.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "stiction/scene/scene.h"
#include "stiction/sim/simulator.h"

namespace stiction {
namespace {

Scene scene_of(const std::string& name, const std::vector<std::string>& overrides) {
  Result<Scene> scene = read_scene("scenes/papers/" + name + ".json", overrides);
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.error());
  return std::move(scene).value();
}

/// Velocities and positions of all balls after every step; rotations as the integral of the angular velocity.
struct Path {
  double h;
  std::vector<Vector> v, q;
  int largest_problem = 0;
  long uncertified = 0;
};

Path run_four_balls(double h) {
  const Scene scene = scene_of("four_balls", {"/simulation/h=" + std::to_string(h)});
  Simulator simulator(scene.model, scene.settings.simulation);
  Path path{h, {}, {}};
  Vector turned = Vector::Zero(12);
  const auto store = [&] {
    Vector v(24), q(24);
    for (int ball = 0; ball < 4; ++ball) {
      const BodyId id{ball + 1};  // the table is body 0
      v.segment<3>(6 * ball) = simulator.velocity(id);
      v.segment<3>(6 * ball + 3) = simulator.angular_velocity(id);
      q.segment<3>(6 * ball) = simulator.pose(id).position;
      q.segment<3>(6 * ball + 3) = turned.segment<3>(3 * ball);
    }
    path.v.push_back(v);
    path.q.push_back(q);
  };
  store();
  const long steps = std::lround(1.0 / h);
  for (long k = 0; k < steps; ++k) {
    EXPECT_TRUE(simulator.step()) << simulator.why();
    for (int ball = 0; ball < 4; ++ball)
      turned.segment<3>(3 * ball) += h * simulator.angular_velocity(BodyId{ball + 1});
    store();
  }
  path.largest_problem = simulator.counts().largest;
  path.uncertified = simulator.certificate().uncertified_steps;
  return path;
}

struct Row {
  double h, velocity_error, position_error, variation;
};

/// Errors against a finer path: the integral of |v^h - v| and the largest |q^h - q|, both in the largest component.
Row compare(const Path& path, const Path& reference) {
  Row row{path.h, 0.0, 0.0, 0.0};
  const long ratio = std::lround(path.h / reference.h);
  for (std::size_t fine = 1; fine < reference.v.size(); ++fine) {
    const std::size_t coarse = (fine + static_cast<std::size_t>(ratio) - 1) / static_cast<std::size_t>(ratio);
    row.velocity_error += reference.h * (path.v[coarse] - reference.v[fine]).lpNorm<Eigen::Infinity>();
    if (fine % static_cast<std::size_t>(ratio) == 0)
      row.position_error = std::max(row.position_error, (path.q[coarse] - reference.q[fine]).lpNorm<Eigen::Infinity>());
  }
  Vector variation = Vector::Zero(24);
  for (std::size_t k = 1; k < path.v.size(); ++k) variation += (path.v[k] - path.v[k - 1]).cwiseAbs();
  row.variation = variation.maxCoeff();
  return row;
}

TEST(StewartTrinkle1996, Table1) {
  constexpr std::array<Row, 5> printed = {{{0.02, 0.5050, 0.2505, 19.4046},
                                           {0.01, 0.3523, 0.2015, 19.1728},
                                           {0.005, 0.1657, 0.0838, 19.1702},
                                           {0.0025, 0.0700, 0.0298, 19.0862},
                                           {0.00125, 0.0, 0.0, 19.0690}}};
  const Path reference = run_four_balls(printed.back().h);
  std::printf(
      "| h | velocity error | paper | position error | paper | variation | paper |\n|---|---|---|---|---|---|---|\n");
  for (const Row& paper : printed) {
    const Path path = paper.h == reference.h ? reference : run_four_balls(paper.h);
    const Row row = compare(path, reference);
    std::printf("| %g | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f |\n", row.h, row.velocity_error, paper.velocity_error,
                row.position_error, paper.position_error, row.variation, paper.variation);
    EXPECT_EQ(path.uncertified, 0);
    EXPECT_EQ(path.largest_problem, 70);  // seven contacts of ten unknowns
    EXPECT_NEAR(row.variation, paper.variation, 0.005 * paper.variation);
    EXPECT_NEAR(row.velocity_error, paper.velocity_error, 0.15 * paper.velocity_error);
    EXPECT_NEAR(row.position_error, paper.position_error, 0.20 * paper.position_error);
  }
}

struct RodRun {
  double first = -1, second = -1, rest = -1, omega_at_contact = 0, omega_after = 0, x_end = 0;
  RunCertificate certificate;
};

RodRun run_rod(double h, const std::string& scheme) {
  const Scene scene = scene_of(
      "rod_and_table", {"/simulation/h=" + std::to_string(h), "/simulation/scheme=" + scheme, "/simulation/end=0.7"});
  Simulator simulator(scene.model, scene.settings.simulation);
  BodyId rod{0};
  for (std::size_t i = 0; i < scene.model.bodies().size(); ++i)
    if (scene.model.bodies()[i].name == "rod") rod.index = static_cast<int>(i);
  RodRun run;
  int steps_since = -1;
  const long steps = std::lround(0.7 / h);
  for (long k = 0; k < steps; ++k) {
    EXPECT_TRUE(simulator.step()) << simulator.why();
    for (const Event& event : simulator.report().events)
      if (event.kind == EventKind::impact) (run.first < 0 ? run.first : run.second) = event.time;
    if (run.first >= 0) ++steps_since;
    const double omega = simulator.angular_velocity(rod).z();
    if (steps_since == 0) run.omega_at_contact = omega;
    if (steps_since == 1) run.omega_after = omega;
    if (run.second > 0 && run.rest < 0 && simulator.velocity(rod).norm() < 1e-9) run.rest = simulator.time();
  }
  run.x_end = simulator.pose(rod).position.x();
  run.certificate = simulator.certificate();
  return run;
}

TEST(StewartTrinkle1996, RodPassesPainlevesContact) {
  const RodRun run = run_rod(0.0025, "stewart_trinkle");
  std::printf(
      "rod, h = 0.0025: contact %.4f s (paper 0.383), second end %.4f s (0.548), at rest %.4f s later (0.02); omega "
      "%.3f "
      "at contact, %.3f after\n",
      run.first, run.second, run.rest - run.second, run.omega_at_contact, run.omega_after);
  EXPECT_NEAR(run.first, 0.3858, 0.0025);  // 0.385818 by the closed form, 0.383 in the paper
  EXPECT_NEAR(run.second, 0.548, 0.003);
  EXPECT_NEAR(run.rest - run.second, 0.02, 0.005);
  EXPECT_GT(std::abs(run.omega_at_contact - run.omega_after), 0.3);  // the spike of figure 4
  EXPECT_LE(run.certificate.max_penetration, 1e-10);
  EXPECT_EQ(run.certificate.uncertified_steps, 0);
  EXPECT_EQ(run.certificate.unconverged_steps, 0);
}

TEST(StewartTrinkle1996, BothSchemesTendToTheSameRod) {
  const double limit = run_rod(1e-4, "stewart_trinkle").x_end;
  double last = 1.0;
  for (const double h : {0.005, 0.00125, 0.0003125}) {
    const double error = std::abs(run_rod(h, "stewart_trinkle").x_end - limit);
    EXPECT_LT(error, last);
    last = error;
  }
  EXPECT_LT(last, 1e-3);
  EXPECT_NEAR(run_rod(1e-4, "anitescu_potra").x_end, limit, 1e-3);
}

}  // namespace
}  // namespace stiction
