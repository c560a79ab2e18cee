// The full-size checks of the event-driven method: Newton's law on random systems, smooth motion, and the systems of
// 1982 against time stepping. Prints one section of Markdown; exit code 1 when a promise is broken.
//
// usage: accept_events [--count PERCENT]
//   --count PERCENT  this part of the full count of random systems (100)

#include <algorithm>
#include <cstdio>
#include <string>

#include "bench/check_options.h"
#include "stiction/base/random.h"
#include "stiction/scene/test/systems_1982.h"
#include "stiction/schemes/test/newton_trials.h"

namespace {

using namespace stiction;

const char* verdict(bool good) {
  return good ? "ok" : "**failed**";
}

bool check_newton(int count) {
  std::fprintf(stderr, "Newton's law\n");
  Random random(19820401);
  int unsolved = 0, uncertified = 0, unreported = 0, equality_gains = 0;
  double gain = -1.0, equality = -1.0, order = 0.0, excess = -1.0, faster = -1.0;
  for (int i = 0; i < count; ++i) {
    const test::NewtonTrial trial = test::try_newton(random);
    unsolved += !trial.solved;
    uncertified += !trial.certified;
    unreported += !trial.is_reported;
    equality_gains += trial.equality_gain > 1e-10;
    gain = std::max(gain, trial.gain);
    equality = std::max(equality, trial.equality_gain);
    order = std::max(order, trial.order_error);
    excess = std::max(excess, trial.bound_excess);
    faster = std::max(faster, trial.speed_excess);
  }
  const bool good =
      unsolved + uncertified + unreported == 0 && gain <= 1e-12 && order <= 1e-9 && excess <= 1e-9 && faster <= 1e-9;
  std::printf(
      "### Newton's law of impact\n\nRandom systems without friction: 2 to 6 velocities, 1 to 8 contacts that are "
      "closed "
      "and do not separate, some of them copies, some joints. Gains are over the energy before. The bounds are (3.7) "
      "and "
      "(3.8) of 1982 for a constant mass matrix, over half a second of motion by `lotstedt`.\n\n| systems | unsolved | "
      "not "
      "certified | largest gain | by order of contacts and joints | over (3.7) | over (3.8) | gains of the equality "
      "(3.9) | its largest | "
      "not reported | verdict |\n|---|---|---|---|---|---|---|---|---|---|---|\n| %d | %d | %d | %.1e | %.1e | %.1e | "
      "%.1e | %d | "
      "%.1f | %d | %s |\n\n",
      count, unsolved, uncertified, gain, order, excess, faster, equality_gains, equality, unreported, verdict(good));
  return good;
}

bool check_systems() {
  using namespace stiction::scene::test;  // NOLINT(google-build-using-namespace): shared with the tests
  std::fprintf(stderr, "systems of 1982\n");
  std::printf(
      "### The systems of 1982\n\nDistance of q from `lotstedt`'s; orders must be 0.8 to 1.3, for `trapezoidal` 1.8 to "
      "2.3 "
      "or the error below 1e-11.\n\n");
  std::printf("| scene | scheme | h = 0.004 | 0.002 | 0.001 | 0.0005 | 0.00025 | order | verdict |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  bool all = true;
  for (const std::string scheme : {"anitescu_potra", "stewart_trinkle", "trapezoidal"})
    for (const System1982& system : systems_1982(scheme)) {
      const Agreement found = agreement_1982(system, scheme, {0.004, 0.002, 0.001, 0.0005, 0.00025});
      const bool good = found.certified && found.has_order(order_of(scheme));
      all &= good;
      std::printf("| %s | %s |%s %.2f | %s |\n", system.scene.c_str(), scheme.c_str(), found.errors.row().c_str(),
                  found.errors.order(), verdict(good));
    }
  std::printf("\n");
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv);
  if (!options) return 2;
  const double percent = options->percent;
  std::printf("## Events\n\n");
  bool good = check_newton(std::max(50, static_cast<int>(10000 * percent / 100.0)));
  good &= check_systems();
  stiction::test::GradeShares::print();
  return good ? 0 : 1;
}
