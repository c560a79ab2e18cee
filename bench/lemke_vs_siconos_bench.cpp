// Our Lemke beside Siconos' lexicographic Lemke on the same generated contact problems, octagonal cones, in one run.
// Whatever a solver says of itself, an answer counts when certify() gives a residual <= 1e-8 on the dense problem.
//
// usage: lemke_vs_siconos_bench [--problems N] [--seconds S] [--contacts 5,20,50,100,200]
//   --problems N   problems of each family and size (5)
//   --seconds S    most time for one solver on one family and size (60): beyond it the remaining problems are left out

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/siconos_lemke.h"
#include "bench/siconos_settings.h"
#include "problems/generator/families.h"
#include "stiction/base/random.h"
#include "stiction/lcp/certificate.h"
#include "stiction/lcp/lemke.h"

namespace {

using namespace stiction;
using families::ContactProblem;

constexpr double tolerance = 1e-8;
constexpr int facets = 8;
constexpr const char* family_names[] = {"random_contacts", "sphere_pile", "box_stack"};

/// One problem in both forms.
struct Case {
  ContactProblem contact_problem;
  lcp::Problem dense, mixed;
};

/// What a solver gave for one problem: its answer to the dense problem and the time it took.
struct Answer {
  double seconds = 0.0;
  lcp::Vector z;
};

struct Row {
  int solved = 0, tried = 0;
  std::vector<double> seconds;
  double worst_residual = 0.0;

  [[nodiscard]] double median() const {
    if (seconds.empty()) return 0.0;
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  [[nodiscard]] double slowest() const {
    return seconds.empty() ? 0.0 : *std::max_element(seconds.begin(), seconds.end());
  }
  void add(const Row& other) {
    solved += other.solved;
    tried += other.tried;
    seconds.insert(seconds.end(), other.seconds.begin(), other.seconds.end());
    worst_residual = std::max(worst_residual, other.worst_residual);
  }
};

/// Processor time of all threads, which other programs on the machine disturb least. Both libraries run on one thread.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The best of up to three runs, fewer when one takes long; the same for every solver.
double best_time(const std::function<void()>& solve) {
  double best = 1e300, total = 0.0;
  for (int run = 0; run < 3 && total < 0.5; ++run) {
    const double start = processor_seconds();
    solve();
    const double seconds = processor_seconds() - start;
    best = std::min(best, seconds);
    total += seconds;
  }
  return best;
}

Answer solve_with_lemke(lcp::Lemke& lemke, const lcp::Problem& problem) {
  lcp::Solution solution;
  Answer answer;
  answer.seconds = best_time([&] {
    solution.basis.clear();  // a cold start every time
    solution.z.resize(0);
    lemke.solve(problem, solution);
  });
  answer.z = solution.z;
  return answer;
}

using Method = std::function<Answer(const Case&)>;

std::vector<std::pair<std::string, Method>> make_methods() {
  std::vector<std::pair<std::string, Method>> methods;
  auto lemke = std::make_shared<lcp::Lemke>();
  methods.emplace_back("Stiction Lemke, dense", [lemke](const Case& c) { return solve_with_lemke(*lemke, c.dense); });
  methods.emplace_back("Stiction Lemke, mixed sparse", [lemke](const Case& c) {
    Answer answer = solve_with_lemke(*lemke, c.mixed);
    if (answer.z.size() == c.mixed.size()) answer.z = families::dense_from_mixed(c.contact_problem, answer.z);
    return answer;
  });
#ifdef STICTION_HAVE_SICONOS
  methods.emplace_back("Siconos lexicolemke", [](const Case& c) {
    bench::SiconosLemke siconos(c.dense);
    Answer answer{.seconds = best_time([&] { siconos.solve(); }), .z = {}};
    answer.z = siconos.z();
    return answer;
  });
  // Siconos has no such option, so q is moved by hand, and the answer still judged with the true q. Of 1e-12 to 1e-8
  // this size solved the most.
  methods.emplace_back("Siconos lexicolemke, q perturbed", [](const Case& c) {
    bench::SiconosLemke siconos(c.dense);
    Random random(1);
    const double size = 1e-10 * c.dense.q.cwiseAbs().maxCoeff();
    for (lcp::Index i = 0; i < c.dense.size(); ++i) siconos.q()[i] += size * random.uniform();
    Answer answer{.seconds = best_time([&] { siconos.solve(); }), .z = {}};
    answer.z = siconos.z();
    return answer;
  });
#endif
  return methods;
}

std::vector<Case> make_cases(std::string_view family, int contacts, int count) {
  const double ratios[] = {1.0, 10.0, 100.0, 1000.0};
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) {
    Case c;
    c.contact_problem = families::find_family(family)->make(
        {.contacts = contacts, .mass_ratio = ratios[i % 4], .seed = static_cast<std::uint64_t>(1000 + i)});
    c.dense = to_dense_lcp(c.contact_problem, facets);
    c.mixed = to_mixed(c.contact_problem, facets);
    cases.push_back(std::move(c));
  }
  return cases;
}

/// `expected`: seconds a problem, from the size before; problems that would pass the limit are left out.
Row run_cell(const Method& method, const std::vector<Case>& cases, double expected, double limit) {
  Row row;
  double total = 0.0;
  for (const Case& c : cases) {
    if (total + std::max(expected, row.slowest()) > limit) break;
    const double start = processor_seconds();
    const Answer answer = method(c);
    total += processor_seconds() - start;
    const lcp::Certificate certificate = lcp::certify(c.dense, answer.z);
    ++row.tried;
    row.solved += certificate.residual <= tolerance;  // as for Siconos, whose answers the stricter parts would refuse
    row.worst_residual = std::max(row.worst_residual, certificate.residual);
    row.seconds.push_back(answer.seconds);
  }
  return row;
}

void print_row(const char* family, int contacts, const std::string& solver, const Row& row, double ours, int total) {
  std::printf("| %s | %d | %s | ", family, contacts, solver.c_str());
  if (row.tried == 0) {
    std::printf("left out: over the time limit | | | | |\n");
  } else {
    std::printf("%d/%d%s | %.3f | %.3f | %.1e | %.2f |\n", row.solved, row.tried,
                row.tried < total ? " (time limit)" : "", 1e3 * row.median(), 1e3 * row.slowest(), row.worst_residual,
                row.median() / ours);
  }
  std::fflush(stdout);
}

constexpr const char* table_head =
    "| family | contacts | solver | solved | median ms | slowest ms | worst residual | ratio |\n"
    "|---|---|---|---|---|---|---|---|\n";

/// The goals, family by family: the better of our forms against Siconos with q perturbed, which solves more than plain.
void print_goals(const std::map<std::string, std::map<int, std::map<std::string, Row>>>& families, int problems) {
  const auto find = [](const std::map<int, std::map<std::string, Row>>& sizes, int contacts, const char* solver) {
    const auto size = sizes.find(contacts);
    if (size == sizes.end()) return Row{};
    const auto row = size->second.find(solver);
    return row == size->second.end() ? Row{} : row->second;
  };
  std::printf("\nGoals, with the faster of our two forms and Siconos with q perturbed:\n\n");
  std::printf("| family | goal | reached | |\n|---|---|---|---|\n");
  for (const auto& [family, sizes] : families) {
    const auto ours = [&](int contacts) {
      const Row dense = find(sizes, contacts, "Stiction Lemke, dense"),
                mixed = find(sizes, contacts, "Stiction Lemke, mixed sparse");
      return mixed.tried > 0 && mixed.median() < dense.median() ? mixed : dense;
    };
    for (const auto& [contacts, times] : {std::pair{20, 5.0}, std::pair{100, 10.0}}) {
      const Row siconos = find(sizes, contacts, "Siconos lexicolemke, q perturbed"), row = ours(contacts);
      if (siconos.tried == 0 || row.tried == 0) continue;
      const double ratio = siconos.median() / row.median();
      std::printf("| %s | %d contacts: %.0f times faster | %.1f times | %s |\n", family.c_str(), contacts, times, ratio,
                  ratio >= times ? "met" : "**missed**");
    }
    const Row row = ours(200);
    if (row.tried == 0) continue;
    std::printf("| %s | 200 contacts: under 0.5 s, all solved | median %.3f s, slowest %.3f s, %d/%d | %s |\n",
                family.c_str(), row.median(), row.slowest(), row.solved, problems,
                row.slowest() < 0.5 && row.solved == problems ? "met" : "**missed**");
  }
}

}  // namespace

int main(int argc, char** argv) {
  SiconosSettings settings{.problems = 5, .seconds = 60.0};
  if (!read_settings(argc, argv, settings)) {
    std::fprintf(stderr, "usage: %s [--problems N] [--seconds S] [--contacts 5,20,50]\n", argv[0]);
    return 2;
  }
  const auto methods = make_methods();
  std::map<int, std::map<std::string, Row>> all_families;
  std::map<std::string, std::map<int, std::map<std::string, Row>>> by_family;
  std::printf("## Lemke beside Siconos\n\n");
  std::printf(
      "Generated contact problems with octagonal cones (10 unknowns a contact), mass ratios 1 to 1000, %d of each\n"
      "kind. An answer is solved when our certificate's residual is <= 1e-8 on the dense problem. Times are\n"
      "processor time, the best of up to three runs of a cold start, without building the problem; ours include\n"
      "the certificate. The ratio is to our dense form. A solver has %g s for a family and size; problems beyond\n"
      "that are left out.%s\n\n",
      settings.problems, settings.seconds, methods.size() == 2 ? " Siconos was not found when this was built." : "");
  std::printf(table_head);
  for (const char* family : family_names) {
    std::vector<double> expected(methods.size(), 0.0);
    double last = 0.0;
    for (const int contacts : settings.contacts) {
      std::fprintf(stderr, "%s, %d contacts\n", family, contacts);
      const std::vector<Case> cases = make_cases(family, contacts, settings.problems);
      double ours = 0.0;
      for (std::size_t m = 0; m < methods.size(); ++m) {
        // A pivot costs n^2 and there are about n of them; a little more is expected to be safe.
        const double growth = last > 0.0 ? std::pow(contacts / last, 3.3) : 0.0;
        const Row row = run_cell(methods[m].second, cases, expected[m] * growth, settings.seconds);
        if (m == 0) ours = row.median();
        print_row(family, contacts, methods[m].first, row, ours, settings.problems);
        expected[m] = row.tried > 0 ? row.slowest() : expected[m] * growth;
        all_families[contacts][methods[m].first].add(row);
        by_family[family][contacts][methods[m].first] = row;
      }
      last = contacts;
    }
  }

  std::printf("\nAll families together:\n\n");
  std::printf(table_head);
  bool all_solved = true;
  const int total = settings.problems * static_cast<int>(std::size(family_names));
  for (const auto& [contacts, rows] : all_families)
    for (const auto& [name, _] : methods) {
      const Row& row = rows.at(name);
      print_row("all", contacts, name, row, rows.at(methods[0].first).median(), total);
      if (name.starts_with("Stiction")) all_solved &= row.solved == total;
    }
  print_goals(by_family, total / static_cast<int>(std::size(family_names)));
  return all_solved ? 0 : 1;
}
