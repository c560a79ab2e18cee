// The full-size checks of the complementarity solvers: stored textbook problems, random small problems against
// enumeration, generated contact problems to mass ratios of 1e6, infeasible ones. Prints one section of Markdown; exit
// code 1 when a promise is broken.
//
// usage: accept_complementarity [--count PERCENT] [--dump FOLDER]
//   --count PERCENT  this part of the full counts (100)
//   --dump FOLDER    writes each problem that broke a promise to a file there, to be stored in problems/

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "bench/check_options.h"
#include "problems/generator/trials.h"
#include "stiction/lcp/lemke.h"
#include "stiction/lcp/problem_file.h"

namespace {

using namespace stiction;
using families::Form;
using families::Tally;

struct Settings {
  double percent = 100.0;
  std::string dump;

  [[nodiscard]] int scaled(int full) const { return std::max(1, static_cast<int>(full * percent / 100.0)); }
};

/// Says on standard error what broke, at most a few times, and keeps the problem.
class Dump {
 public:
  explicit Dump(std::string folder) : folder_(std::move(folder)) {}

  void operator()(const lcp::Problem& problem, const std::string& reason) {
    if (++count_ <= 50) std::fprintf(stderr, "%s: %s\n", problem.name.c_str(), reason.c_str());
    if (folder_.empty() || count_ > 1000) return;
    lcp::StoredProblem stored{.problem = problem};
    stored.source = "generated: " + problem.name;
    stored.must = "broke a promise: " + reason;
    std::filesystem::create_directories(folder_);
    const auto path = std::filesystem::path(folder_) / (std::to_string(count_) + "_" + problem.name + ".json");
    if (const auto error = lcp::write_problems(path, {&stored, 1}))
      std::fprintf(stderr, "%s\n", error->message.c_str());
  }

 private:
  std::string folder_;
  int count_ = 0;
};

bool check_textbook() {
  const char* data = std::getenv("STICTION_DATA");
  const std::filesystem::path file = std::filesystem::path(data ? data : "../shared/data") / "lcp" / "textbook.json";
  std::printf("### Textbook problems\n\n");
  if (!std::filesystem::exists(file)) {
    std::printf("**Not shown**: there is no `lcp/textbook.json` in the test data (STICTION_DATA).\n\n");
    return false;
  }
  const auto problems = lcp::read_problems(file);
  if (!problems) {
    std::printf("**failed**: %s\n\n", problems.error().c_str());
    return false;
  }
  std::printf("| problem | solutions in the file | Lemke | residual | verdict |\n|---|---|---|---|---|\n");
  bool all_good = true;
  lcp::Lemke lemke;
  for (const lcp::StoredProblem& stored : problems.value()) {
    lcp::Solution solution;
    lemke.solve(stored.problem, solution);
    const std::size_t known = stored.basic_solutions ? stored.basic_solutions->size() : 0;
    const bool solved = solution.status == lcp::Status::solved;
    bool good = solved == (known > 0);
    // Every problem of the file with one basic solution has no other solution.
    if (good && known == 1) good = (solution.z - stored.basic_solutions->front()).cwiseAbs().maxCoeff() <= 1e-9;
    all_good &= good;
    std::printf("| %s | %zu | %s | %.1e | %s |\n", stored.problem.name.c_str(), known,
                std::string(to_string(solution.status)).c_str(), solution.certificate.residual,
                good ? "ok" : "**failed**");
  }
  std::printf("\n");
  return all_good;
}

bool check_small(const Settings& settings, Dump& dump) {
  const int count = settings.scaled(100000);
  std::printf("### Small random problems against enumeration\n\n");
  std::printf(
      "%d problems of each class, 1 to 8 unknowns. Broken: a promise of `problems/generator/trials.h`. Missed: the "
      "solver claims nothing where enumeration has a solution.\n\n",
      count);
  std::printf(
      "| class | solver | solved | proven infeasible | no claim | missed | broken | worst residual | median us |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
  bool good = true;
  for (const families::SmallClass small_class : families::all_small_classes) {
    const std::string name(to_string(small_class));
    std::fprintf(stderr, "small problems, class %s\n", name.c_str());
    for (const Tally& tally : try_small(small_class, 0, count, std::ref(dump))) {
      std::printf("| %s | %s | %d | %d | %d | %d | %d | %.1e | %.1f |\n", name.c_str(), tally.solver.c_str(),
                  tally.solved, tally.proven, tally.gave_up, tally.missed, tally.broken, tally.worst_residual,
                  1e6 * tally.median_seconds());
      good &= tally.broken == 0;
    }
  }
  std::printf("\n");
  return good;
}

void print_contact_row(const char* what, const Tally& tally) {
  std::printf("| %s | %s | %d | %d | %.3f %% | %d | %d | %.1e | %.3f | %.1f (%s) |\n", what, tally.solver.c_str(),
              tally.tried, tally.solved, 100.0 * tally.solved / tally.tried, tally.beyond_first, tally.proven,
              tally.worst_residual, 1e3 * tally.median_seconds(), 1e3 * tally.slowest, tally.slowest_name.c_str());
  std::fflush(stdout);
}

bool check_contacts(const Settings& settings, Dump& dump) {
  std::printf("### Contact problems\n\n%zu families, 1 to 24 contacts, octagonal cones.\n\n",
              families::solvable_families().size());
  std::printf(
      "| problems | form | tried | solved | | after a further try | proven infeasible | worst residual | "
      "median ms | slowest ms |\n|---|---|---|---|---|---|---|---|---|---|\n");
  bool good = true;
  for (const Form form : {Form::dense, Form::mixed}) {
    std::fprintf(stderr, "contact problems, %s form\n", form == Form::dense ? "dense" : "mixed");
    const Tally usual = try_contacts(form, settings.scaled(10000), 1e3, std::ref(dump));
    print_contact_row("mass ratios 1 to 1e3", usual);
    good &= usual.solved == usual.tried;
    const Tally wide = try_contacts(form, settings.scaled(10000), 1e6, std::ref(dump));
    print_contact_row("mass ratios 1 to 1e6", wide);
    good &= wide.solved >= 0.999 * wide.tried;
    const Tally squeezed = try_infeasible(form, settings.scaled(200), std::ref(dump));
    print_contact_row("infeasible: parallel walls", squeezed);
    good &= squeezed.solved == 0 && squeezed.proven >= 0.9 * squeezed.tried;
  }
  std::printf("\n");
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv, true);
  if (!options) return 2;
  const Settings settings{.percent = options->percent, .dump = options->dump};
  Dump dump(settings.dump);
  std::printf("## Complementarity\n\n");
  const bool textbook = check_textbook();
  const bool small = check_small(settings, dump);
  const bool contacts = check_contacts(settings, dump);
  return textbook && small && contacts ? 0 : 1;
}
