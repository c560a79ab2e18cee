// Our cascade on the true cone beside Siconos' NSGS, NSN-AC, NSN-FB and ADMM on the same generated contact problems, in
// one run. Whatever a solver says of itself, an answer counts when it is good to 1e-8 by certify(), both residuals, or
// by Siconos' own measure. Peers run in processes of their own, since some abort.
//
// usage: cone_vs_siconos_bench [--problems N] [--seconds S] [--contacts 5,20,50,100,200]
//   --problems N   problems of each family and size (4)
//   --seconds S    most time for a peer on one problem (20), beyond which it is stopped and counts so long; and for a
//                  solver on one family and size, beyond which the remaining problems are left out

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/child_process.h"
#include "bench/cpu_seconds.h"
#include "bench/siconos_cone.h"
#include "bench/siconos_settings.h"
#include "problems/generator/cone_problem.h"
#include "problems/generator/families.h"
#include "stiction/cone/cascade.h"

namespace {

using namespace stiction;

constexpr double tolerance = 1e-8;
constexpr const char* family_names[] = {"random_contacts", "sphere_pile", "box_stack", "tables"};

/// The best of several runs, since other programs disturb short ones and the first finds cold caches: at least
/// three, up to 1000 within 20 ms, and none after one that took more than 0.2 s. Time of this thread: both libraries
/// have one (main sees to that), and the clock of a process with a limit of its time counts ticks, which are longer
/// than most solves here. `between` comes before each run and is not counted.
template <class Between, class Work>
double measure(Between&& between, Work&& work) {
  constexpr double short_enough = 0.2, enough = 0.02;
  double best = 0.0, sum = 0.0;
  for (int run = 0; run < 3 || (run < 1000 && sum < enough); ++run) {
    between();
    const double start = bench::cpu_seconds();
    work();
    const double seconds = bench::cpu_seconds() - start;
    best = run == 0 ? seconds : std::min(best, seconds);
    sum += seconds;
    if (seconds > short_enough) break;
  }
  return best;
}

struct Answer {
  double seconds = 0.0;
  cone::Vector r;
};

/// Solves the first problem; the second, of the same size, is there to make a solver forget.
using Method = std::function<Answer(const cone::Problem&, const cone::Problem&)>;

/// As in a simulation, and as the peers: the solver is kept, with its storage. Between two runs it solves a problem
/// with another pattern, since what it keeps of one must not make the next run shorter.
Answer solve_with_cascade(const cone::Problem& problem, const cone::Problem& other) {
  cone::Cascade cascade;
  cone::Solution solution, forgotten;
  const double seconds = measure(
      [&] {
        forgotten.r.setZero();
        cascade.solve(other, forgotten);
      },
      [&] {
        solution.r.setZero();
        cascade.solve(problem, solution);
      });
  return {seconds, solution.r};
}

std::vector<std::pair<std::string, Method>> make_methods([[maybe_unused]] unsigned most_seconds) {
  std::vector<std::pair<std::string, Method>> methods;
  methods.emplace_back("Stiction auto", solve_with_cascade);
#ifdef STICTION_HAVE_SICONOS
  struct Peer {
    const char* name;
    int id, most;
    bool sparse;
  };
  for (const Peer& peer : {Peer{"Siconos NSGS", SICONOS_FRICTION_3D_NSGS, 10'000, false},
                           Peer{"Siconos NSN-AC", SICONOS_FRICTION_3D_NSN_AC, 200, false},
                           Peer{"Siconos NSN-FB", SICONOS_FRICTION_3D_NSN_FB, 200, false},
                           Peer{"Siconos ADMM", SICONOS_FRICTION_3D_ADMM, 10'000, true}})
    methods.emplace_back(peer.name, [peer, most_seconds](const cone::Problem& problem, const cone::Problem&) {
      // The time, then r.
      const auto size = static_cast<std::size_t>(problem.size());
      const std::vector<double> found = bench::run_in_child(size + 1, most_seconds, [&](double* numbers) {
        bench::SiconosCone siconos(problem, peer.id, peer.most, tolerance, peer.sparse);
        numbers[0] = measure([] {}, [&] { siconos.solve(); });
        std::copy_n(siconos.r().data(), size, numbers + 1);
      });
      Answer answer{.seconds = static_cast<double>(most_seconds), .r = cone::Vector::Zero(problem.size())};
      if (found.empty()) return answer;
      answer.seconds = found[0];
      std::copy(found.begin() + 1, found.end(), answer.r.data());
      return answer;
    });
#endif
  return methods;
}

struct Row {
  int solved = 0, tried = 0;
  double seconds = 0.0;  ///< Of all that were tried.
  [[nodiscard]] double mean() const { return tried > 0 ? seconds / tried : 0.0; }
};

Row run_cell(const Method& method, const std::vector<cone::Problem>& problems, const cone::Problem& other,
             double limit) {
  Row row;
  for (const cone::Problem& problem : problems) {
    if (row.seconds > limit) break;
    const Answer answer = method(problem, other);
    ++row.tried;
    row.seconds += answer.seconds;
    row.solved +=
        cone::certify(problem, answer.r).certified(tolerance) || cone::siconos_error(problem, answer.r) <= tolerance;
  }
  return row;
}

/// One line: how many each solved and its mean time; last the ratio of ours to the fastest peer that solved all.
void print_cell(const char* family, int contacts, const std::vector<Row>& rows, int problems) {
  std::printf("| %s | %d |", family, contacts);
  double fastest = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::printf(" %d/%d, %.3f |", rows[i].solved, rows[i].tried, 1e3 * rows[i].mean());
    const bool counts = i > 0 && rows[i].solved == problems;
    if (counts && (fastest == 0.0 || rows[i].mean() < fastest)) fastest = rows[i].mean();
  }
  if (fastest > 0.0)
    std::printf(" %.2f |\n", rows[0].mean() / fastest);
  else
    std::printf(" no peer solved all |\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  // Siconos' linear algebra starts threads when it is loaded, unless this is said before; times are of one thread.
  if (std::getenv("OPENBLAS_NUM_THREADS") == nullptr) {
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
  }
  SiconosSettings settings{.problems = 4, .seconds = 20.0};
  if (!read_settings(argc, argv, settings)) {
    std::fprintf(stderr, "usage: %s [--problems N] [--seconds S] [--contacts 5,20,50,100,200]\n", argv[0]);
    return 2;
  }
  const auto methods = make_methods(static_cast<unsigned>(std::ceil(settings.seconds)));
  std::printf("## The true cone beside Siconos\n\n");
  std::printf(
      "Solved of those tried, mean ms (the best of several runs of each problem); at last our time over that of "
      "the fastest peer that solved all.\n\n");
  std::printf("| family | contacts |");
  for (const auto& [name, method] : methods) std::printf(" %s |", name.c_str());
  std::printf(" ratio |\n|---|---|");
  for (std::size_t i = 0; i <= methods.size(); ++i) std::printf("---|");
  std::printf("\n");
  const auto make = [](const char* family, int contacts, int i) {
    return families::to_cone(families::find_family(family)->make(
        {.contacts = contacts, .mass_ratio = i % 2 == 0 ? 1.0 : 1000.0, .seed = 1000U + i}));
  };
  for (const char* family : family_names)
    for (const int contacts : settings.contacts) {
      std::vector<cone::Problem> problems;
      problems.reserve(static_cast<std::size_t>(settings.problems));
      for (int i = 0; i < settings.problems; ++i) problems.push_back(make(family, contacts, i));
      const cone::Problem other = make(family == family_names[0] ? family_names[1] : family_names[0], contacts, 0);
      std::vector<Row> rows;
      rows.reserve(methods.size());
      for (const auto& [name, method] : methods) rows.push_back(run_cell(method, problems, other, settings.seconds));
      print_cell(family, contacts, rows, settings.problems);
    }
  return 0;
}
