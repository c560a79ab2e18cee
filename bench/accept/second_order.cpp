// The full-size checks of the second order: Table 10.1 of Potra, Anitescu, Gavrea and Trinkle 2006 as printed, and
// their carts at every stiffness. Prints one section of Markdown; exit code 1 when a promise is broken.
//
// usage: accept_second_order [--count PERCENT]
//   --count PERCENT  below 100 the reference is coarser, and the last two rows of the table are left out

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench/check_options.h"
#include "stiction/scene/test/papers_2006.h"

namespace {

using namespace stiction::scene::test;  // NOLINT(google-build-using-namespace): shared with the tests

const char* verdict(bool good) {
  return good ? "ok" : "**failed**";
}

bool is_near(double found, double printed) {
  return std::abs(std::abs(found) - std::abs(printed)) <= 0.05 * std::abs(printed);
}

bool is_quarter(double last, double now) {
  return last == 0.0 || (last / now >= 3.6 && last / now <= 4.4);
}

bool check_table(bool is_full) {
  std::fprintf(stderr, "double pendulum of 2006\n");
  std::printf(
      "### Table 10.1 (2006)\n\nEach value within 5 %% of the printed one, ratios 3.6 to 4.4, the same impacts.\n\n");
  std::printf("| h | E_h | Theta_1 | Theta_2 | impacts | verdict |\n|---|---|---|---|---|---|\n");
  const PendulumEnd reference = swing(std::ldexp(1.0, is_full ? -16 : -13));
  bool all = true;
  double last_error = 0.0, last_Theta1 = 0.0, last_Theta2 = 0.0;
  const int rows = static_cast<int>(table_10_1.size()) - (is_full ? 0 : 2);
  for (int i = 0; i < rows; ++i) {
    const PendulumEnd end = swing(std::ldexp(1.0, -5 - i));
    const PrintedRow& printed = table_10_1[i];
    const double error = end.distance(reference);
    bool good = end.certified && end.impacts.size() == 5;
    good &= is_near(error, printed.position_error) && is_near(end.drift1(), printed.Theta1) &&
            is_near(end.drift2(), printed.Theta2);
    good &=
        is_quarter(last_error, error) && is_quarter(last_Theta1, end.drift1()) && is_quarter(last_Theta2, end.drift2());
    for (std::size_t k = 0; good && k < end.impacts.size(); ++k)
      good = end.impacts[k].contact == reference.impacts[k].contact;
    std::printf("| 2^-%d | %.3e | %.3e | %.3e | %zu | %s |\n", 5 + i, error, end.drift1(), end.drift2(),
                end.impacts.size(), verdict(good));
    last_error = error;
    last_Theta1 = end.drift1();
    last_Theta2 = end.drift2();
    all &= good;
  }
  std::printf("\n");
  return all;
}

bool check_carts() {
  std::fprintf(stderr, "carts of 2006\n");
  std::printf(
      "### Two carts (2006)\n\n| what | value | distance varies by, m | cart 1 moves by, m | energy above its start, J "
      "| verdict |\n");
  std::printf("|---|---|---|---|---|---|\n");
  bool all = true;
  for (const bool is_damper : {true, false}) {
    for (int exponent = 2; exponent <= 9; ++exponent) {
      const std::string pointer = is_damper ? "/forces/1/damping=1e" : "/forces/0/stiffness=1e";
      const CartRun run =
          drive(is_damper ? "two_carts_delta_1e2" : "two_carts_gamma_1e2", {pointer + std::to_string(exponent)});
      const bool good = run.certified && run.finite && run.energy_gain() <= 1e-10;
      all &= good;
      std::printf("| %s | 1e%d | %.3e | %.3e | %.1e | %s |\n", is_damper ? "damper" : "spring", exponent,
                  CartRun::variation(run.distance), CartRun::variation(run.stretch), run.energy_gain(), verdict(good));
    }
  }
  std::printf("\n");
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv);
  if (!options) return 2;
  const double percent = options->percent;
  std::printf("## Second order\n\n");
  bool good = check_table(percent >= 100.0);
  good &= check_carts();
  stiction::test::GradeShares::print();
  return good ? 0 : 1;
}
