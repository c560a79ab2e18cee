// How much accuracy a second of processor time buys: a double pendulum of two rods, ten seconds, by our schemes and by
// ODE and Bullet where they are installed, at many steps in one run.
//
// usage: work_precision_bench [--finest N]   steps 2^-5 to 2^-N for us, four halvings more for the peers (12)

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bullet_pendulum.h"
#include "bench/ode_pendulum.h"
#include "bench/rod_pendulum.h"
#include "stiction/scene/scene.h"

namespace {

using namespace stiction;
using bench::RodPendulum;
using Centres = std::array<Vec3, 2>;

constexpr int coarsest = 5;
constexpr int repeats = 3;

/// An engine at one step: the end and the processor time that the steps took.
struct Run {
  double h = 0.0, seconds = 0.0, error = 0.0;
};

struct Engine {
  std::string name;
  /// Steps of h to the end, with a stopwatch around them; nothing when it cannot.
  std::function<std::optional<Centres>(const RodPendulum& start, double h, double& seconds)> run;
  bool is_ours = false;
  std::vector<Run> runs = {};
};

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string vector_text(const Vec3& x) {
  char text[100];
  std::snprintf(text, sizeof text, "[%.17g, %.17g, %.17g]", x[0], x[1], x[2]);
  return text;
}

std::string rod_text(const RodPendulum& start, std::size_t i) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitX(), start.direction[i]);
  char inertia[200];
  std::snprintf(
      inertia, sizeof inertia, "\"inertia\": [%.17g, %.17g, %.17g], \"orientation\": [%.17g, %.17g, %.17g, %.17g]",
      RodPendulum::axial_inertia, RodPendulum::inertia, RodPendulum::inertia, turn.w(), turn.x(), turn.y(), turn.z());
  return "{\"name\": \"rod" + std::to_string(i + 1) + "\", \"mass\": 1, \"freedom\": \"" +
         (start.in_space ? "full" : "planar") + "\", " + inertia +
         ", \"position\": " + vector_text(start.centres()[i]) +
         ", \"velocity\": " + vector_text(start.velocities()[i]) +
         ", \"angular_velocity\": " + vector_text(start.angular_velocity(i)) + "}";
}

std::string scene_text(const RodPendulum& start, const std::string& scheme) {
  const std::string type = start.in_space ? "\"type\": \"spherical\"" : "\"type\": \"revolute\", \"axis\": [0, 0, 1]";
  return "{\"stiction\": 1, \"gravity\": [0, -9.8, 0], \"bodies\": [" + rod_text(start, 0) + ", " + rod_text(start, 1) +
         "], \"joints\": [{\"body\": \"rod1\", \"partner\": \"world\", \"anchor\": [0, 0, 0], " + type +
         "}, {\"body\": \"rod2\", \"partner\": \"rod1\", \"anchor\": " + vector_text(start.direction[0]) + ", " + type +
         "}], \"simulation\": {\"scheme\": \"" + scheme + "\", \"end\": 10}}";
}

std::optional<Centres> run_stiction(const std::string& scheme, const RodPendulum& start, double h, double& seconds) {
  auto scene = parse_scene(scene_text(start, scheme), scheme);
  if (!scene) {
    std::fprintf(stderr, "%s\n", scene.error().c_str());
    return std::nullopt;
  }
  SimulationOptions options = scene.value().settings.simulation;
  options.h = h;
  Simulator simulator(scene.value().model, options);
  const double from = processor_seconds();
  const auto outcome = simulator.run_until(RodPendulum::end);
  seconds = processor_seconds() - from;
  if (!outcome) {
    std::fprintf(stderr, "%s at h = %g: %s\n", scheme.c_str(), h, outcome.error().c_str());
    return std::nullopt;
  }
  return Centres{simulator.pose(BodyId{0}).position, simulator.pose(BodyId{1}).position};
}

#if defined(STICTION_HAVE_ODE) || defined(STICTION_HAVE_BULLET)
template <class World>
std::optional<Centres> run_world(World& world, double h, double& seconds) {
  const long steps = std::lround(RodPendulum::end / h);
  const double from = processor_seconds();
  for (long i = 0; i < steps; ++i) world.step(h);
  seconds = processor_seconds() - from;
  return world.centres();
}
#endif

std::vector<Engine> list_engines() {
  std::vector<Engine> engines;
  for (const char* scheme : {"trapezoidal", "anitescu_potra"})
    engines.push_back({std::string("Stiction ") + scheme,
                       [scheme](const RodPendulum& start, double h, double& seconds) {
                         return run_stiction(scheme, start, h, seconds);
                       },
                       true});
#ifdef STICTION_HAVE_ODE
  for (const bool is_quick : {false, true})
    engines.push_back(
        {is_quick ? "ODE QuickStep" : "ODE WorldStep", [is_quick](const RodPendulum& start, double h, double& seconds) {
           bench::OdePendulum world(start, is_quick);
           return run_world(world, h, seconds);
         }});
#endif
#ifdef STICTION_HAVE_BULLET
  engines.push_back({sizeof(btScalar) == 4 ? "Bullet (float)" : "Bullet (double)",
                     [](const RodPendulum& start, double h, double& seconds) {
                       bench::BulletPendulum world(start);
                       return run_world(world, h, seconds);
                     }});
#endif
  return engines;
}

double distance(const Centres& a, const Centres& b) {
  return std::hypot((a[0] - b[0]).norm(), (a[1] - b[1]).norm());
}

void measure(Engine& engine, const RodPendulum& start, const Centres& exact, int finest) {
  for (int k = coarsest; k <= finest + (engine.is_ours ? 0 : 4); ++k) {
    Run run{.h = std::ldexp(1.0, -k), .seconds = INFINITY};
    for (int i = 0; i < repeats; ++i) {
      double seconds = 0.0;
      const auto end = engine.run(start, run.h, seconds);
      if (!end) return;
      run.seconds = std::min(run.seconds, seconds);
      run.error = distance(*end, exact);
    }
    std::fprintf(stderr, "%-24s h = 2^-%-2d %10.4g s, error %.3g\n", engine.name.c_str(), k, run.seconds, run.error);
    engine.runs.push_back(run);
  }
}

/// The least error that the engine reaches within this time; nothing when it needs more for any run.
std::optional<double> error_within(const Engine& engine, double seconds) {
  std::optional<double> least;
  for (const Run& run : engine.runs)
    if (run.seconds <= seconds) least = std::min(least.value_or(run.error), run.error);
  return least;
}

void print_runs(const RodPendulum& start, const std::vector<Engine>& engines) {
  std::printf("### %s\n\n", start.in_space ? "In space, ball joints" : "Planar, hinges");
  std::printf("| engine | h | processor time, ms | error at 10 s, m |\n|---|---|---|---|\n");
  for (const Engine& engine : engines)
    for (const Run& run : engine.runs)
      std::printf("| %s | 2^%d | %.2f | %.2e |\n", engine.name.c_str(), static_cast<int>(std::log2(run.h)),
                  1e3 * run.seconds, run.error);
  std::printf("\n");
}

/// How many times more error each engine has in the time that a run of the first one took.
void print_ratios(const std::vector<Engine>& engines) {
  const Engine& ours = engines.front();
  if (ours.runs.empty()) {
    std::printf("%s did not run.\n\n", ours.name.c_str());
    return;
  }
  std::printf("Error at equal processor time, over that of %s (the least that the other reaches in this time):\n\n",
              ours.name.c_str());
  std::printf("| h | time, ms | error, m |");
  for (std::size_t i = 1; i < engines.size(); ++i) std::printf(" %s |", engines[i].name.c_str());
  std::printf("\n|---|---|---|%s\n",
              [&] {
                std::string columns;
                for (std::size_t i = 1; i < engines.size(); ++i) columns += "---|";
                return columns;
              }()
                  .c_str());
  for (const Run& run : ours.runs) {
    std::printf("| 2^%d | %.2f | %.2e |", static_cast<int>(std::log2(run.h)), 1e3 * run.seconds, run.error);
    for (std::size_t i = 1; i < engines.size(); ++i) {
      const auto error = error_within(engines[i], run.seconds);
      if (error)
        std::printf(" %.3g |", *error / run.error);
      else
        std::printf(" no run so short |");
    }
    std::printf("\n");
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  int finest = 12;
  if (argc == 3 && std::string_view(argv[1]) == "--finest") finest = std::clamp(std::atoi(argv[2]), coarsest, 20);
  std::printf("## Work and precision\n\n");
  std::printf(
      "Two thin rods of 1 kg and 1 m swing for ten seconds from the start of the 2006 paper's section 10.1, without "
      "its\n"
      "wall. The error is the distance of the rods' centres at the end from a solution by other code (fourth-order\n"
      "Runge-Kutta in the rods' directions). Processor time is the best of %d runs of the steps alone; ours certifies\n"
      "every step. The peers run with their own defaults, joints without softness where they have that choice.\n\n",
      repeats);
  for (const RodPendulum& start : bench::rod_pendulums()) {
    const Centres exact = bench::exact_end(start, 400'000), check = bench::exact_end(start, 200'000);
    std::vector<Engine> engines = list_engines();
    for (Engine& engine : engines) measure(engine, start, exact, finest);
    print_runs(start, engines);
    std::printf("The reference is right to %.1e m.\n\n", distance(exact, check));
    print_ratios(engines);
  }
  return 0;
}
