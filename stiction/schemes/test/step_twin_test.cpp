#include "stiction/schemes/test/step_twin.h"

#include <gtest/gtest.h>

#include <iostream>

#include "stiction/contact/test/with_blocks.h"
#include "stiction/schemes/position_level.h"
#include "stiction/schemes/test/random_scene.h"
#include "stiction/schemes/velocity_level.h"

/// "The certificate cannot see wrong assembly" (DESIGN.md, section 5): M~, k~, nu, n, D and the right-hand sides that
/// the schemes assemble, against a second, slow way to them; and every sign of them matters.
namespace stiction {
namespace {

using twin::Difference;

/// Everything the twin knows of a step problem.
struct Twin {
  linalg::DenseMatrix M;
  Vector k;
  std::vector<Vector> nu;
  std::vector<double> b_nu;
  std::vector<twin::ContactRows> contacts;  ///< Those of the problem, with b_n in Phi.
  std::vector<SurfacePair> surfaces;
  std::vector<BodyPair> joint_bodies, contact_bodies;
};

/// Bodies that move, counted from the first: the place of one among them, or -1.
int place_of(const Model& model, int body) {
  if (body < 0 || model.bodies()[body].motion != Motion::movable) return -1;
  int place = 0;
  for (int i = 0; i < body; ++i) place += model.bodies()[i].motion == Motion::movable ? 1 : 0;
  return place;
}

/// How a scheme makes its coefficients (DESIGN.md, section 1).
struct Coefficients {
  double geometry = 1.0;  ///< q^ = q + s h v^, for gaps and joints,
  double normals = 1.0;   ///< and for n and D.
  double forces = 0.0;    ///< k1 at q + s h v.
  double position = 0.0;  ///< Share of the position error in b: 1 for position level.
  Vector v_hat;
};

Twin build(const Multibody& system, const StepProblem& problem, const State& state, double h, const Coefficients& c) {
  const Model& model = system.model();
  Twin twin;
  linalg::DenseMatrix F;
  twin::inertia(model, state.v, twin.M, F);
  twin.M -= h * F;
  const twin::Neighbourhood at_forces(model, state.t, state.q, state.v, c.forces * h);
  twin.k = h * twin::applied_force(model, at_forces, state.v) + h * F * state.v;

  const twin::Neighbourhood gaps(model, state.t, state.q, c.v_hat, c.geometry * h);
  const twin::Neighbourhood normals(model, state.t, state.q, c.v_hat, c.normals * h);
  // [value(q^, t^) + row'(h v+ - s h v^) + (1 - s) h rate]/h, a share of it; the rest at velocity level.
  const auto right_side = [&](double value, double row_speed, double rate) {
    return c.position * (value / h - c.geometry * (row_speed + rate)) + rate;
  };
  for (const Joint& joint : model.joints()) {
    for (const ConstraintPart& part : joint.parts) {
      const auto Theta = [&](const twin::Placement& placement) { return twin::joint_value(joint, part, placement); };
      twin.joint_bodies.push_back({place_of(model, joint.body), place_of(model, joint.partner)});
      twin.nu.push_back(gaps.gradient(Theta));
      twin.b_nu.push_back(right_side(Theta(gaps.here()), twin.nu.back().dot(c.v_hat), gaps.rate(Theta)));
    }
  }
  const auto count = static_cast<std::uint64_t>(model.shapes().size());
  const twin::Neighbourhood start(model, state.t, state.q, c.v_hat, 0.0);
  for (const StepProblem::Contact& contact : problem.contacts) {
    const bool leaves = (contact.id & leaving_bit) != 0;  // what the step leaves has its row where the step starts
    const std::uint64_t id = contact.id & ~leaving_bit;
    twin::ContactRows rows = twin::contact_rows(model, leaves ? start : normals, id);
    const double Phi = twin::witness(model, id, (leaves ? start : gaps).here()).Phi;
    rows.Phi = leaves ? Phi / h + rows.speed : right_side(Phi, rows.n.dot(c.v_hat), rows.speed);
    twin.contacts.push_back(rows);
    const std::uint64_t pair = id >> feature_bits;
    twin.contact_bodies.push_back(
        {place_of(model, model.shapes()[pair / count].body), place_of(model, model.shapes()[pair % count].body)});
    twin.surfaces.push_back(
        model.surface(model.shapes()[pair / count].material, model.shapes()[pair % count].material));
  }
  return twin;
}

/// The blocks against the twin: six numbers a side, the world's side zeros.
void compare_blocks(const Twin& twin, const StepProblem& problem, Difference& d) {
  const auto side = [](const Vector& row, int body) {
    return body < 0 ? Vector(Vector::Zero(6)) : Vector(row.segment<6>(6 * body));
  };
  const auto compare = [&](const Vector& mine, const JacobianBlocks& blocks, int block, int row, const BodyPair& pair,
                           const char* what) {
    if (blocks.bodies(block) != pair || blocks.width() != 6 || blocks.is_wide(row)) d = {1e300, "bodies of a block"};
    const Vector a = side(mine, pair.a), b = side(mine, pair.b);
    for (int i = 0; i < 6; ++i) {
      d.compare(a[i], blocks.J_a(row)[i], 1.0, what);
      d.compare(b[i], blocks.J_b(row)[i], 1.0, what);
    }
  };
  const JacobianBlocks &contacts = problem.blocks.contacts, &rows = problem.blocks.rows;
  if (contacts.size() != problem.size() || rows.rows() != problem.joints()) {
    d = {1e300, "number of blocks"};
    return;
  }
  for (int j = 0; j < contacts.size(); ++j) {
    const double with = twin.surfaces[j].mu > 0.0 ? 1.0 : 0.0;
    const int first = contacts.first_row(j);
    compare(twin.contacts[j].n, contacts, j, first, twin.contact_bodies[j], "block of n");
    compare(with * twin.contacts[j].t1, contacts, j, first + 1, twin.contact_bodies[j], "block of t1");
    compare(with * twin.contacts[j].t2, contacts, j, first + 2, twin.contact_bodies[j], "block of t2");
  }
  for (int block = 0; block < rows.size(); ++block)
    for (int i = rows.first_row(block); i < rows.first_row(block) + rows.rows(block); ++i)
      compare(twin.nu[i], rows, block, i, twin.joint_bodies[i], "block of nu");
  const BodyMasses& masses = problem.blocks.masses;
  const double mass = twin.M.cwiseAbs().maxCoeff();
  if (6 * masses.size() != twin.M.rows()) d = {1e300, "number of bodies"};
  for (int body = 0; body < masses.size(); ++body) {
    const linalg::DenseMatrix M = twin.M.block(6 * body, 6 * body, 6, 6);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) d.compare(M(i, j), masses.block(body)(i, j), mass, "block of M");
  }
}

Difference difference(const Twin& twin, const StepProblem& problem) {
  Difference d;
  compare_blocks(twin, problem, d);
  const linalg::DenseMatrix M(problem.M);
  const double mass = twin.M.cwiseAbs().maxCoeff(), force = twin.k.cwiseAbs().maxCoeff();
  if (M.rows() != twin.M.rows() || problem.joints() != static_cast<int>(twin.nu.size())) return {1e300, "sizes"};
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    for (Eigen::Index j = 0; j < M.cols(); ++j) d.compare(twin.M(i, j), M(i, j), mass, "M");
    d.compare(twin.k[i], problem.k[i], force, "k");
  }
  for (int i = 0; i < problem.joints(); ++i) {
    d.compare(twin.nu[i], problem.nu, i, "nu");
    d.compare(twin.b_nu[i], problem.b_nu[i], 1.0, "b_nu");
  }
  for (int j = 0; j < problem.size(); ++j) {
    const twin::ContactRows& rows = twin.contacts[j];
    const SurfacePair& surface = twin.surfaces[j];
    d.compare(rows.n, problem.n, j, "n");
    d.compare(rows.Phi, problem.b_n[j], 1.0, "b_n");
    d.compare(surface.mu, problem.contacts[j].mu, 1.0, "mu");
    d.compare(surface.mu > 0.0 ? 2 : 0, problem.contacts[j].tangents, 1.0, "tangents");
    const double with = surface.mu > 0.0 ? 1.0 : 0.0;
    d.compare(with * rows.t1, problem.t1, j, "t1");
    d.compare(with * rows.t2, problem.t2, j, "t2");
    d.compare(with * rows.slip1, problem.b_t1[j], 1.0, "b_t1");
    d.compare(with * rows.slip2, problem.b_t2[j], 1.0, "b_t2");
  }
  return d;
}

linalg::Rows with_row_flipped(const linalg::Rows& rows, int flipped) {
  linalg::Rows copy;
  for (int row = 0; row < rows.size(); ++row) {
    for (std::size_t p = 0; p < rows.columns(row).size(); ++p)
      copy.push(rows.columns(row)[p], (row == flipped ? -1.0 : 1.0) * rows.values(row)[p]);
    copy.end_row();
  }
  return copy;
}

/// The problem with a row of its blocks turned round, those that solvers read left as they are.
StepProblem with_block_flipped(const StepProblem& problem, linalg::Rows StepProblem::* list, int flipped) {
  StepProblem turned = problem;
  turned.*list = with_row_flipped(problem.*list, flipped);
  StepProblem wrong = with_blocks(turned, problem.blocks.structure, &problem.blocks);
  wrong.*list = problem.*list;
  return wrong;
}

/// Every sign of the problem turned round in turn must be seen. Returns how many were tried.
int expect_flips_are_seen(const Twin& twin, const StepProblem& problem, double tolerance, const std::string& where) {
  int flips = 0;
  const auto seen = [&](const StepProblem& wrong, const char* what) {
    ++flips;
    EXPECT_GT(difference(twin, wrong).worst, tolerance) << where << ": a wrong sign of " << what << " went unnoticed";
  };
  for (linalg::Rows StepProblem::* list : {&StepProblem::nu, &StepProblem::n, &StepProblem::t1, &StepProblem::t2})
    for (int row = 0; row < (problem.*list).size(); ++row) {
      if ((problem.*list).is_zero(row)) continue;
      StepProblem wrong = problem;
      wrong.*list = with_row_flipped(problem.*list, row);
      seen(wrong, "a row");
      seen(with_block_flipped(problem, list, row), "a row of a block");
    }
  for (std::vector<double> StepProblem::* list :
       {&StepProblem::b_nu, &StepProblem::b_n, &StepProblem::b_t1, &StepProblem::b_t2})
    for (std::size_t i = 0; i < (problem.*list).size(); ++i) {
      if (std::abs((problem.*list)[i]) < 1e-4) continue;  // nothing to turn round
      StepProblem wrong = problem;
      (wrong.*list)[i] *= -1.0;
      seen(wrong, "a right-hand side");
    }
  const double force = problem.k.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < problem.k.size(); ++i) {
    if (std::abs(problem.k[i]) < 1e-4 * std::max(1.0, force)) continue;
    StepProblem wrong = problem;
    wrong.k[i] *= -1.0;
    seen(wrong, "k");
  }
  for (Eigen::Index j = 0; j < problem.M.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(problem.M, j); it; ++it) {
      if (std::abs(it.value()) < 1e-6) continue;
      StepProblem wrong = problem;
      wrong.M.coeffRef(it.row(), j) *= -1.0;
      seen(wrong, "M");
      wrong.take_masses();
      wrong.M = problem.M;
      seen(wrong, "a block of M");
    }
  return flips;
}

std::vector<SchemeOptions> velocity_choices() {
  std::vector<SchemeOptions> choices;
  for (const GeometryAt geometry : {GeometryAt::start, GeometryAt::midpoint, GeometryAt::predicted})
    for (const double stabilisation : {0.0, 0.6}) {
      SchemeOptions options = preset(Scheme::anitescu_potra);
      options.geometry = geometry;
      options.stabilisation = stabilisation;
      choices.push_back(options);
    }
  return choices;
}

double share_of(GeometryAt geometry) {
  return geometry == GeometryAt::start ? 0.0 : geometry == GeometryAt::midpoint ? 0.5 : 1.0;
}

// Differences of fourth order with steps of 1e-3 leave (1e-3)^4/30 times a fifth derivative, which on these bodies of
// 0.05 m and more is below 1/0.05^4 = 2e5 for unit rates: 5e-9; rounding is 1e-12 of energies near 100 J over h.
// Measured: 6e-11.
constexpr double tolerance = 1e-8;

TEST(StepTwin, VelocityLevel) {
  Random random(1001);
  int compared = 0, contacts = 0, joints = 0, flips = 0;
  double worst = 0.0;
  const std::vector<SchemeOptions> choices = velocity_choices();
  for (std::size_t trial = 0; trial < 48; ++trial) {
    const Multibody system(random_scene(random, {.kinematic = trial % 5 == 0, .restitution = 0.0}));
    const double h = random.uniform(1e-3, 5e-3);
    const SchemeOptions& options = choices[trial % choices.size()];
    StepWork work(system, options);
    Impact impact(system, options, work);
    VelocityLevel level(system, options, work, impact);
    State state = start_of(system);
    for (int step = 0; step < 20; ++step) {
      const State before = state;
      StepReport report;
      ASSERT_TRUE(level.step(state, h, report));
      if (report.solves != 1) continue;  // an impact, or a part of a step: another problem than that from `before`
      const double share = share_of(options.geometry);
      const Coefficients c{share, share, 0.0, options.stabilisation, before.v};
      const Twin twin = build(system, work.problem(), before, h, c);
      const Difference d = difference(twin, work.problem());
      EXPECT_EQ(difference_of_blocks(work.problem()), "");
      EXPECT_LE(d.worst, tolerance) << "trial " << trial << " step " << step << ": " << d.where;
      worst = std::max(worst, d.worst);
      ++compared;
      contacts += work.problem().size();
      joints += work.problem().joints();
      if (step % 5 == 0) flips += expect_flips_are_seen(twin, work.problem(), tolerance, "velocity level");
    }
  }
  std::cout << compared << " problems, " << contacts << " contacts, " << joints << " joint rows, " << flips
            << " flips, largest difference " << worst << "\n";
  EXPECT_GT(compared, 100);
  EXPECT_GT(contacts, 100);
  EXPECT_GT(joints, 100);
  EXPECT_GT(flips, 500);
}

TEST(StepTwin, PositionLevel) {
  Random random(1003);
  int compared = 0, contacts = 0, joints = 0, flips = 0;
  double worst = 0.0;
  const GeometryAt places[] = {GeometryAt::start, GeometryAt::midpoint, GeometryAt::predicted, GeometryAt::end,
                               GeometryAt::average};
  for (int trial = 0; trial < 20; ++trial) {
    const Multibody system(random_scene(random, {.kinematic = trial % 3 == 0}));
    const double h = random.uniform(1e-3, 5e-3);
    SchemeOptions options = preset(Scheme::stewart_trinkle);
    options.geometry = places[trial % 5];
    options.linear = trial % 5 < 3;
    options.hold.band = 0.0;  // as in the paper
    StepWork work(system, options);
    PositionLevel level(system, options, work);
    State state = start_of(system);
    for (int step = 0; step < 12; ++step) {
      const State before = state;
      StepReport report;
      ASSERT_EQ(level.step(state, h, true, report), PositionLevel::Outcome::taken);
      ASSERT_TRUE(report.converged);
      ASSERT_FALSE(report.relaxed);
      const double share = share_of(options.geometry);
      const double normals = options.geometry == GeometryAt::average ? 0.5 : share;
      const Coefficients c{share, normals, 0.5, 1.0, options.linear ? before.v : state.v};
      const Twin twin = build(system, work.problem(), before, h, c);
      const Difference d = difference(twin, work.problem());
      EXPECT_EQ(difference_of_blocks(work.problem()), "");
      // The iteration ends with v^ within 1e-11 m/h of v+, and b_n has Phi/h and n'v^ of it.
      const double bound = options.linear ? tolerance : tolerance + 4e-11 / h;
      EXPECT_LE(d.worst, bound) << "trial " << trial << " step " << step << ": " << d.where;
      worst = std::max(worst, d.worst);
      ++compared;
      contacts += work.problem().size();
      joints += work.problem().joints();
      if (step % 5 == 0) flips += expect_flips_are_seen(twin, work.problem(), bound, "position level");
    }
  }
  std::cout << compared << " problems, " << contacts << " contacts, " << joints << " joint rows, " << flips
            << " flips, largest difference " << worst << "\n";
  EXPECT_GT(contacts, 100);
  EXPECT_GT(joints, 100);
  EXPECT_GT(flips, 500);
}

}  // namespace
}  // namespace stiction
