#pragma once

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "stiction/base/phase_times.h"
#include "stiction/base/random.h"
#include "stiction/geometry/hull.h"
#include "stiction/geometry/test/random_poses.h"
#include "stiction/sim/simulator.h"

namespace stiction::test {

/// What a number of steps of random scenes came to.
struct MixedTally {
  long scenes = 0, with_joints = 0, steps = 0;
  long uncertified = 0, not_finite = 0;
  long contacts = 0;
  long changing = 0;        ///< Steps in which some contact opened, closed, stuck or slid, as it did not before.
  long rank_deficient = 0;  ///< Steps whose W has not full rank.
  std::array<long, grade_count> grades{};  ///< Steps by grade.
  std::array<long, 9> histogram{};         ///< Steps by their contacts, in tens; the last counts all above.
  double worst_residual = 0.0, worst_contact_residual = 0.0, worst_defect = 0.0, deepest = 0.0;
  double heaviest = 0.0;           ///< Largest ratio of masses in a scene.
  PhaseTimes times;                ///< Of the steps alone.
  double slowest = 0.0;            ///< Step, s,
  std::uint64_t slowest_seed = 0;  ///< and of which scene.
  SolveCounts counts;
  std::vector<std::string> failures;  ///< The first few, in words.

  void add(const MixedTally& other) {
    for (long MixedTally::* count :
         {&MixedTally::scenes, &MixedTally::with_joints, &MixedTally::steps, &MixedTally::uncertified,
          &MixedTally::not_finite, &MixedTally::contacts, &MixedTally::changing, &MixedTally::rank_deficient})
      this->*count += other.*count;
    for (std::size_t i = 0; i < grades.size(); ++i) grades[i] += other.grades[i];
    for (std::size_t i = 0; i < histogram.size(); ++i) histogram[i] += other.histogram[i];
    for (double MixedTally::* worst : {&MixedTally::worst_residual, &MixedTally::worst_contact_residual,
                                       &MixedTally::worst_defect, &MixedTally::deepest, &MixedTally::heaviest})
      this->*worst = std::max(this->*worst, other.*worst);
    for (std::size_t i = 0; i < times.nanoseconds.size(); ++i) times.nanoseconds[i] += other.times.nanoseconds[i];
    times.factorisations += other.times.factorisations;
    times.iterations += other.times.iterations;
    if (other.slowest > slowest) {
      slowest = other.slowest;
      slowest_seed = other.slowest_seed;
    }
    counts.add(other.counts);
    failures.insert(failures.end(), other.failures.begin(), other.failures.end());
  }

  [[nodiscard]] long count(Grade grade) const { return grades[static_cast<std::size_t>(grade)]; }
  [[nodiscard]] double share(long of) const {
    return steps > 0 ? static_cast<double>(of) / static_cast<double>(steps) : 0.0;
  }
};

/// What a mixed scene has in addition; the rest of it is the same without.
struct MixedExtras {
  bool turning = false;  ///< Torsional and rolling friction, with radii up to a tenth of a body's size.
  bool driven = false;   ///< Motors and dry friction in the joints, with bounds.
};

inline Shape random_shape(Random& random, double size) {
  switch (random.integer(0, 5)) {
    case 0:
      return Sphere{0.5 * size};
    case 1:
      return Capsule{0.3 * size, 0.6 * size, Vec3::UnitX()};
    case 2:
      return Cylinder{0.4 * size, 0.8 * size, Vec3::UnitZ()};
    case 3: {
      std::vector<Vec3> points;
      points.reserve(8);
      for (int i = 0; i < 8; ++i) points.emplace_back(0.6 * size * random_direction(random));
      const auto hull = make_hull(points);
      if (hull.ok()) return centered(hull.value());
      return Box{size, size, size};
    }
    default:  // boxes have the largest patches: twice as many of them
      return Box{size, random.uniform(0.6, 1.0) * size, random.uniform(0.6, 1.0) * size};
  }
}

inline void add_bin(ModelBuilder& builder, Random& random) {
  const auto add_wall = [&](const char* name, const Vec3& normal, double offset) {
    BodyDef def;
    def.name = name;
    def.shape = HalfSpace{normal, offset};
    def.material.mu = random.uniform(0.0, 1.5);
    def.material.name = name;
    def.fixed = true;
    builder.add_body(def);
  };
  const double half = 0.36;
  add_wall("floor", Vec3::UnitZ(), 0.0);
  add_wall("left", Vec3::UnitX(), -half);
  add_wall("right", -Vec3::UnitX(), -half);
  add_wall("front", Vec3::UnitY(), -half);
  add_wall("back", -Vec3::UnitY(), -half);
}

inline void join(ModelBuilder& builder, Random& random, Random* drives, BodyId body, BodyId partner, const Vec3& at,
                 const Vec3& from) {
  constexpr JointKind kinds[] = {JointKind::revolute, JointKind::spherical, JointKind::universal, JointKind::distance};
  JointDef joint{.kind = kinds[random.integer(0, 3)], .body = body, .partner = partner};
  joint.anchor = joint.kind == JointKind::distance ? at : Vec3(0.5 * (at + from));
  if (joint.kind == JointKind::distance) joint.partner_anchor = from;
  joint.axis = random_direction(random);
  if (joint.kind == JointKind::universal) joint.partner_axis = joint.axis.unitOrthogonal();
  if (drives != nullptr) {
    const double largest = std::pow(10.0, drives->uniform(-2.0, 1.0));
    if (joint.kind == JointKind::spherical) joint.friction = largest;
    if (joint.kind == JointKind::revolute && drives->uniform() < 0.5)
      joint.turn.friction = largest;
    else if (joint.kind == JointKind::revolute)
      joint.turn.motor = MotorDef{.velocity = drives->uniform(-5.0, 5.0), .max_force = largest};
  }
  builder.add_joint(joint);
  builder.ignore_pair(body, partner);
}

inline Model mixed_scene(Random& random, bool with_joints, double& heaviest, const MixedExtras& extras = {}) {
  ModelBuilder builder;
  Random more(~Random(random).bits());  // the scene itself draws as many numbers as without
  add_bin(builder, random);
  // Three to a side in layers, a little apart, so that nothing overlaps.
  const int count = random.integer(9, 14);
  const double spacing = 0.23, size = 0.17;
  double lightest = 1e300, largest = 0.0;
  BodyId last;
  Vec3 from = Vec3::Zero();
  for (int i = 0; i < count; ++i) {
    const int column = i % 3, row = i / 3 % 3, layer = i / 9;
    const Vec3 at((column - 1) * spacing, (row - 1) * spacing, 0.13 + layer * spacing);
    const double mass = std::pow(10.0, random.uniform(-2.0, 2.0));
    lightest = std::min(lightest, mass);
    largest = std::max(largest, mass);
    const std::string name = "b" + std::to_string(i);
    // Half of them flat on the floor: patches, not points.
    const bool flat = random.uniform() < 0.5;
    BodyDef def;
    def.name = name;
    def.mass = mass;
    def.shape = random_shape(random, random.uniform(0.7, 1.0) * size);
    def.material.mu = random.uniform(0.0, 1.5);
    def.material.name = name;
    if (extras.turning) {
      def.material.spin_friction = more.uniform(0.0, 0.1 * size);
      def.material.roll_friction = more.uniform(0.0, 0.1 * size);
    }
    def.position = at;
    if (!flat) def.orientation = random_orientation(random);
    def.velocity = random_vector(random, 1.0);
    def.angular_velocity = random_vector(random, 3.0);
    const BodyId body = builder.add_body(def);
    if (with_joints && i % 3 != 0 && random.uniform() < 0.6)
      join(builder, random, extras.driven ? &more : nullptr, body, last, at, from);
    last = body;
    from = at;
  }
  heaviest = std::max(heaviest, largest / lightest);
  auto model = builder.build();
  if (!model) std::fprintf(stderr, "%s\n", model.error().c_str());
  return std::move(model).value();
}

/// Rank of the rows of the problem's contacts, joints taken out first: that of W.
inline bool is_rank_deficient(const StepProblem& problem) {
  const Eigen::Index nv = problem.velocities();
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(problem.joints() + 3 * problem.size(), nv);
  Eigen::Index used = 0;
  const auto put = [&](const linalg::Rows& from, int row) {
    const auto columns = from.columns(row);
    const auto values = from.values(row);
    if (columns.empty()) return;
    for (std::size_t p = 0; p < columns.size(); ++p)
      rows(used, columns[p]) = values[p] / std::sqrt(problem.M.coeff(columns[p], columns[p]));
    rows.row(used).normalize();
    ++used;
  };
  for (int i = 0; i < problem.joints(); ++i) put(problem.nu, i);
  for (int j = 0; j < problem.size(); ++j) {
    put(problem.n, j);
    if (problem.contacts[j].mu > 0.0) {
      put(problem.t1, j);
      put(problem.t2, j);
    }
  }
  if (used == 0) return false;
  if (used > nv) return true;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows.topRows(used).transpose());
  qr.setThreshold(1e-10);
  return qr.rank() < used;
}

enum class ContactState : char { open, sticks, slides };

inline std::map<std::uint64_t, ContactState> states_of(const StepReport& report) {
  std::map<std::uint64_t, ContactState> states;
  for (const ContactRecord& contact : report.contacts)
    if (contact.c_n > 0.0)
      states[contact.geometry.id] = contact.slip > 1e-6 ? ContactState::slides : ContactState::sticks;
  return states;
}

inline void add_step(Simulator& sim, const StepReport& report, MixedTally& tally) {
  const auto contacts = static_cast<long>(report.posed_contacts);
  tally.contacts += contacts;
  ++tally.histogram[static_cast<std::size_t>(std::min<long>(contacts / 10, tally.histogram.size() - 1))];
  tally.rank_deficient += is_rank_deficient(sim.last_problem());
  const StepCertificate& certificate = report.certificate;
  tally.worst_residual = std::max(tally.worst_residual, certificate.residual);
  tally.worst_contact_residual = std::max(tally.worst_contact_residual, certificate.contact_residual);
  tally.worst_defect = std::max(
      {tally.worst_defect, certificate.momentum_defect, certificate.energy_defect, certificate.equality_residual});
  tally.deepest = std::max(tally.deepest, report.penetration);
}

inline bool step_measured(Simulator& sim, PhaseTimes& times) {
  const PhaseMeter meter(times);
  return sim.step();
}

/// Boxes, balls, capsules, cylinders and hulls, of masses up to 1 : 10,000 and mu to 1.5, thrown into a bin, a half of
/// the scenes with joints between them. Runs `steps` steps and adds to the tally. A scene is its seed.
inline void run_mixed_scene(std::uint64_t seed, int steps, const SchemeOptions& scheme, MixedTally& tally,
                            const MixedExtras& extras = {}) {
  Random random(seed);
  const bool with_joints = seed % 2 == 1;
  Simulator sim(mixed_scene(random, with_joints, tally.heaviest, extras), {.h = 0.005, .scheme = scheme});
  ++tally.scenes;
  tally.with_joints += with_joints;
  std::map<std::uint64_t, ContactState> before;
  for (int i = 0; i < steps; ++i) {
    const double before_step = tally.times.seconds();
    const bool good = step_measured(sim, tally.times);
    ++tally.steps;
    if (const double taken = tally.times.seconds() - before_step; taken > tally.slowest) {
      tally.slowest = taken;
      tally.slowest_seed = seed;
    }
    const bool is_finite = sim.state().q.allFinite() && sim.state().v.allFinite();
    tally.not_finite += !is_finite;
    const Grade grade = sim.report().grade(scheme.cone.tolerance);
    ++tally.grades[static_cast<std::size_t>(grade)];
    if (!is_certified(grade)) {
      ++tally.uncertified;
      if (tally.failures.size() < 10)
        tally.failures.push_back("seed " + std::to_string(seed) + ", step " + std::to_string(i) + ", " +
                                 std::string(to_string(grade)) + ": " + sim.why());
    }
    if (!good) break;
    add_step(sim, sim.report(), tally);
    auto now = states_of(sim.report());
    tally.changing += now != before;
    before = std::move(now);
  }
  tally.counts.add(sim.counts());
}

}  // namespace stiction::test
