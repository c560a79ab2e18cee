// The full-size checks of the mechanics: scenes with closed forms, the rod and the balls of 1996, boxes on slopes,
// random Painleve rods, mutated scene files. Prints one section of Markdown; exit code 1 when a promise is broken.
//
// usage: accept_mechanics [--count PERCENT] [--dump FOLDER]
//   --count PERCENT  this part of the full counts of rods and mutants (100)
//   --dump FOLDER    writes each mutated scene that broke a promise there

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "bench/check_options.h"
#include "bench/on_all_cores.h"
#include "stiction/base/random.h"
#include "stiction/lcp/enumeration.h"
#include "stiction/scene/test/known_answers.h"
#include "stiction/scene/test/mutant_runs.h"
#include "stiction/scene/test/rod_trials.h"
#include "stiction/scene/test/slope_trials.h"

namespace {

using namespace stiction;
using namespace stiction::scene::test;  // NOLINT(google-build-using-namespace): the trials, shared with the tests

const char* verdict(bool good) {
  return good ? "ok" : "**failed**";
}

bool is_first_order(const Convergence& errors) {
  return errors.order() >= 0.8 && errors.order() <= 1.3;
}

bool check_known_answers() {
  std::fprintf(stderr, "scenes with closed forms\n");
  std::printf("### Scenes with closed forms\n\nOrders are fitted by least squares and must be 0.8 to 1.3.\n\n");
  std::printf("| scene | scheme | error of | h = 0.01 | 0.005 | 0.0025 | 0.00125 | 0.000625 | order | verdict |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|---|\n");
  bool all = true;
  for (const KnownAnswer& answer : known_answers()) {
    const bool good = answer.certified && is_first_order(answer.errors);
    all &= good;
    std::printf("| %s | %s | %s |%s %.2f | %s |\n", answer.scene.c_str(), answer.scheme.c_str(),
                answer.quantity.c_str(), answer.errors.row().c_str(), answer.errors.order(), verdict(good));
  }
  std::printf("\n");
  return all;
}

bool check_rod() {
  std::fprintf(stderr, "rod and table\n");
  const RodLimit limit;
  std::printf(
      "### Rod and table (1996)\n\nThe limit, integrated from event to event: contact %.6f s, slip %.6f s, second end "
      "%.6f s, rest %.6f s at x = %.6f m. Error of the resting place, mean over eight phases of the steps:\n\n",
      limit.first, limit.slip, limit.second, limit.rest, limit.x_end);
  std::printf("| scheme | h = 0.0016 | 0.0008 | 0.0004 | 0.0002 | 0.0001 | order | verdict |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  bool all = limit.least_ratio > 0.0;
  for (const std::string scheme : {"stewart_trinkle", "anitescu_potra"}) {
    bool certified = true;
    const Convergence errors = rod_convergence(scheme, 8, certified);
    const bool good = certified && is_first_order(errors);
    all &= good;
    std::printf("| %s |%s %.2f | %s |\n", scheme.c_str(), errors.row().c_str(), errors.order(), verdict(good));
  }
  std::printf(
      "\n| h | impacts | take-offs | turns of v_x, v_y, omega | omega before, in and after the step of contact | "
      "penetration | verdict |\n|---|---|---|---|---|---|---|\n");
  for (const double h : {0.01, 0.005, 0.0025, 0.001, 0.0005, 0.0001}) {
    const RodCurves curves = rod_curves(h);
    const std::size_t at = curves.contact_step();
    const int turns_x = RodCurves::turns(curves.v_x), turns_y = RodCurves::turns(curves.v_y),
              turns_omega = RodCurves::turns(curves.omega);
    const bool good = curves.certified && curves.impacts == 2 && curves.take_offs == 0 && turns_x <= 1 &&
                      turns_y <= 3 && turns_omega <= 2 && curves.penetration <= 1e-10;
    all &= good;
    std::printf("| %g | %d | %d | %d, %d, %d | %.3f, %.3f, %.3f | %.1e | %s |\n", h, curves.impacts, curves.take_offs,
                turns_x, turns_y, turns_omega, curves.omega[at - 1], curves.omega[at], curves.omega[at + 1],
                curves.penetration, verdict(good));
  }
  std::printf("\n");
  return all;
}

bool check_two_balls() {
  std::fprintf(stderr, "two balls\n");
  std::printf("### Two balls (1996)\n\nLarger error of the two places at 1 s, against h = 0.00002.\n\n");
  std::printf("| scene | scheme | h = 0.004 | 0.002 | 0.001 | 0.0005 | 0.00025 | order | verdict |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  bool all = true;
  for (const std::string scene : {"papers/two_balls", "papers/two_balls_landing"})
    for (const std::string scheme : {"stewart_trinkle", "anitescu_potra"}) {
      bool certified = true;
      const Convergence errors =
          two_balls_convergence(scene, {0.004, 0.002, 0.001, 0.0005, 0.00025}, 2e-5, scheme, certified);
      const bool good = certified && is_first_order(errors);
      all &= good;
      std::printf("| %s | %s |%s %.2f | %s |\n", scene.c_str(), scheme.c_str(), errors.row().c_str(), errors.order(),
                  verdict(good));
    }
  std::printf("\n");
  return all;
}

bool print_slope(const std::string& scene, const char* scheme, double h, bool turned) {
  std::vector<std::string> overrides{std::string("/simulation/scheme=") + scheme};
  if (!turned) overrides.emplace_back("/simulation/turn_facets=false");
  const SlopeRun stay = run_slope(scene, 1.02, h, 5.0, overrides), slide = run_slope(scene, 0.98, h, 5.0, overrides);
  bool all = true;
  for (std::size_t i = 0; i < stay.boxes.size(); ++i) {
    const bool good = stay.certified && slide.certified && stay.boxes[i].travel < 1e-9 &&
                      std::abs(slide.boxes[i].acceleration_error) <= 1e-3;
    all &= good;
    std::printf("| %s | %s | %g | %s | %.1e | %+.1e | %.2f | %s |\n", scene.c_str(), scheme, h,
                stay.boxes[i].name.c_str(), stay.boxes[i].travel, slide.boxes[i].acceleration_error,
                slide.boxes[i].astray * 180.0 / std::numbers::pi, turned ? verdict(good) : "a warning");
  }
  return all;
}

bool check_slopes() {
  const auto head = [] {
    std::printf(
        "| scene | scheme | h | box and heading | travel in 5 s, mu 2 %% above tan 30 | relative error of the "
        "acceleration, 2 %% below | degrees off the fall line | verdict |\n|---|---|---|---|---|---|---|---|\n");
  };
  std::printf("### Slopes of 30 degrees\n\n");
  head();
  bool all = true;
  for (const std::string scene : {"slope_box", "slope_headings"})
    for (const char* scheme : {"stewart_trinkle", "anitescu_potra"})
      for (const double h : {0.01, 0.001}) {
        std::fprintf(stderr, "slopes: %s, %s, h = %g\n", scene.c_str(), scheme, h);
        all &= print_slope(scene, scheme, h, true);
      }
  std::printf("\nWith 8 facets that stay where they are (`\"turn_facets\": false`), as a warning:\n\n");
  head();
  print_slope("slope_headings", "stewart_trinkle", 0.01, false);
  std::printf("\n");
  return all;
}

/// A uniform rod that slides on its lower end, away from the way it leans: the end digs in.
struct Rod {
  double m, L, theta, mu, slip, omega;

  /// Force and acceleration at the end: mobility c_n + b >= 0, complementary to c_n >= 0 (case 16 of the known
  /// answers).
  [[nodiscard]] bool has_acceleration() const {
    lcp::Problem problem;
    const double mobility = (1.0 + 3.0 * std::cos(theta) * (std::cos(theta) - mu * std::sin(theta))) / m;
    problem.M = lcp::Matrix(lcp::DenseMatrix::Constant(1, 1, mobility));
    problem.q = Vector::Constant(1, -g + 0.5 * L * omega * omega * std::sin(theta));
    lcp::Solution solution;
    lcp::Enumeration judge;
    judge.solve(problem, solution);
    return solution.status == lcp::Status::solved;
  }

  /// Ten steps of 1 ms; their certificate.
  [[nodiscard]] RunCertificate steps(Scheme scheme) const {
    ModelBuilder builder;
    builder.set_gravity({0.0, -g, 0.0});
    builder.add_ground(HalfSpace{Vec3::UnitY(), 0.0}, {.mu = mu});
    const Vec3 r(0.5 * L * std::cos(theta), 0.5 * L * std::sin(theta), 0.0);  // from the end to the centre
    BodyDef rod{.mass = m, .inertia = Mat3(Mat3::Identity() * m * L * L / 12.0)};
    rod.shape = Capsule{0.0, L, Vec3::UnitX()};
    rod.material = {.mu = mu};
    rod.position = r;
    rod.orientation = Quat(Eigen::AngleAxisd(theta, Vec3::UnitZ()));
    rod.angular_velocity = {0.0, 0.0, omega};
    rod.velocity = Vec3(-slip, 0.0, 0.0) + rod.angular_velocity.cross(r);
    rod.freedom = Freedom::planar();
    builder.add_body(rod);
    Result<Model> model = builder.build();
    if (!model.ok()) {
      std::fprintf(stderr, "%s\n", model.error().c_str());
      std::exit(1);
    }
    SimulationOptions options{.h = 1e-3};
    options.scheme = preset(scheme);
    Simulator simulator(std::move(model).value(), options);
    for (int k = 0; k < 10 && simulator.step(); ++k) {
    }
    stiction::test::GradeShares::add(simulator.certificate());
    return simulator.certificate();
  }
};

struct RodTally {
  int certified = 0, divided = 0;

  void add(const RunCertificate& run) {
    certified += run.steps == 10 && run.uncertified_steps == 0 && run.relaxed_steps == 0;
    divided += run.divided_steps > 0;
  }
};

bool check_painleve(int count) {
  std::fprintf(stderr, "Painleve rods\n");
  Random random(1895);
  int without = 0;
  RodTally position, velocity;
  for (int trial = 0; trial < count; ++trial) {
    const Rod rod{std::pow(10.0, random.uniform(-1, 1)),
                  random.uniform(0.2, 2.0),
                  random.uniform(0.1, 0.5 * std::numbers::pi - 0.05),
                  random.uniform(0.0, 3.0),
                  random.uniform(0.01, 5.0),
                  random.uniform(-3.0, 3.0)};
    without += !rod.has_acceleration();
    position.add(rod.steps(Scheme::stewart_trinkle));
    velocity.add(rod.steps(Scheme::anitescu_potra));
  }
  const bool good = position.certified == count && velocity.certified == count && without >= count / 50;
  std::printf(
      "### Painleve's rods\n\nTen steps of 1 ms each.\n\n| random rods, mu up to 3 | without an acceleration | "
      "`stewart_trinkle` certified | with divided steps | `anitescu_potra` certified | verdict |\n"
      "|---|---|---|---|---|---|\n| %d | %d | %d | %d | %d | %s |\n\n",
      count, without, position.certified, position.divided, velocity.certified, verdict(good));
  return good;
}

/// Every mutant is refused, runs certified, or stops saying which step, joint or contact and why: mutants may have
/// anchors 1e9 m away. More than one in a thousand of the last kind would be a defect all the same.
bool check_mutants(int count, const std::string& dump) {
  std::fprintf(stderr, "mutated scenes\n");
  std::vector<Mutant> mutants = make_mutants(20260101, count);
  std::atomic<std::size_t> done = 0;
  on_all_cores(static_cast<long>(mutants.size()), [&](long i) {
    run_mutant(mutants[static_cast<std::size_t>(i)], 100);
    if (++done % 100 == 0) std::fprintf(stderr, "%zu of %zu mutants\n", done.load(), mutants.size());
  });
  int refused = 0, certified = 0, relaxed = 0;
  std::vector<std::string> stopped;
  double slowest = 0.0;
  for (const Mutant& mutant : mutants) {
    refused += mutant.end == Mutant::End::refused;
    certified += mutant.end == Mutant::End::certified;
    relaxed += mutant.end == Mutant::End::relaxed;
    slowest = std::max(slowest, mutant.seconds);
    if (mutant.end != Mutant::End::failed) continue;
    stopped.push_back(mutant.scene + ": " + mutant.message);
    if (dump.empty()) continue;
    std::filesystem::create_directories(dump);
    std::ofstream(std::filesystem::path(dump) / ("mutant_" + std::to_string(stopped.size()) + ".json")) << mutant.text;
  }
  const bool good = stopped.size() <= mutants.size() / 1000;
  std::printf(
      "### Mutated scene files\n\nUp to 100 steps each. Relaxed: certified after the position part of a step was "
      "dropped. Stopped: at a step that did not certify, with what the run said; at most one in a thousand.\n\n"
      "| tried | refused with a message | run and certified | relaxed | stopped | slowest, s | verdict |\n"
      "|---|---|---|---|---|---|---|\n| %zu | %d | %d | %d | %zu | %.1f | %s |\n\n",
      mutants.size(), refused, certified, relaxed, stopped.size(), slowest, verdict(good));
  for (const std::string& message : stopped) std::printf("- %s\n", message.c_str());
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv, true);
  if (!options) return 2;
  const int count = std::max(50, static_cast<int>(10000 * options->share()));
  std::printf("## Mechanics\n\n");
  bool good = check_known_answers();
  good &= check_rod();
  good &= check_two_balls();
  good &= check_slopes();
  good &= check_painleve(count);
  good &= check_mutants(count, options->dump);
  stiction::test::GradeShares::print();
  return good ? 0 : 1;
}
