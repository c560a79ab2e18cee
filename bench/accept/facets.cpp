// The papers' scenes with friction in space: as the facets of the cone grow in number, the answers tend to that of the
// circular cone, and facets that turn give it at once. Prints one section of Markdown; exit code 1 when they do not.
//
// usage: accept_facets [--count PERCENT]   below 100 the runs are shorter

#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>

#include "bench/check_options.h"
#include "stiction/scene/test/cone_trials.h"
#include "stiction/scene/test/slope_trials.h"

namespace {

using namespace stiction::scene::test;  // NOLINT(google-build-using-namespace): shared with the tests

const char* verdict(bool good) {
  return good ? "ok" : "**failed**";
}

/// Same limits: the last distance a twentieth of the first, and none of the turned ones to be seen.
bool is_right(const FacetStudy& study) {
  bool good = study.certified && study.fixed.back() < study.fixed.front() / 20.0;
  for (const double distance : study.turned) good &= distance < 1e-9;
  return good;
}

bool check_papers(double share) {
  std::printf(
      "### Facets and the circular cone: the papers' scenes\n\n"
      "Largest distance of a body at the end from where the circular cone brings it, m. Facets that stay come nearer "
      "in "
      "the mean, not step by step: it matters how near one of them lies to the sliding.\n\n"
      "| scene | h | facets | k = 4 | 8 | 16 | 32 | 64 | verdict |\n|---|---|---|---|---|---|---|---|---|\n");
  const struct {
    const char* scene;
    double h, end;
  } trials[] = {
      {"papers/two_balls", 0.0025, 1.0}, {"papers/two_balls_landing", 0.0025, 1.0}, {"papers/four_balls", 0.0025, 1.0}};
  bool all = true;
  for (const auto& [scene, h, end] : trials) {
    std::fprintf(stderr, "%s\n", scene);
    const FacetStudy study = study_facets(scene, h, share * end);
    const bool good = is_right(study);
    for (const bool turns : {false, true}) {
      std::printf("| %s | %g | %s |", scene, h, turns ? "turn" : "stay");
      for (const double distance : turns ? study.turned : study.fixed) std::printf(" %.1e |", distance);
      std::printf(" %s |\n", verdict(good));
    }
    std::fflush(stdout);
    all &= good;
  }
  std::printf("\n");
  return all;
}

/// Down a slope of 30 degrees with mu = 0.9 tan(30 deg), from rest: relative error of the acceleration.
bool check_slopes() {
  constexpr double mu_over_tan = 0.9;
  std::printf(
      "### Facets on a slope\n\nRelative error of the acceleration with mu = 0.9 tan(30 deg) by the heading of the "
      "fall "
      "line. At a facet it is right; halfway between two friction is cos(pi/k) too small, which makes the error "
      "9 (1 - cos(pi/k)).\n\n| cone | 0 | 10 | 22.5 | 45 | expected | verdict |\n|---|---|---|---|---|---|---|\n");
  bool all = true;
  for (const int k : {4, 8, 16, 32, 64, 0}) {
    const std::string cone = k == 0 ? "\"circular\"" : std::to_string(k);
    const SlopeRun run = run_slope(
        "slope_headings", mu_over_tan, 0.01, 0.5,
        {"/simulation/cone=" + cone, k == 0 ? "/simulation/turn_facets=true" : "/simulation/turn_facets=false"});
    bool good = run.certified;
    const double halfway = k == 0 ? 0.0 : 9.0 * (1.0 - std::cos(std::numbers::pi / k));
    std::printf("| %s |", k == 0 ? "circular" : std::to_string(k).c_str());
    for (const SlopeBox& box : run.boxes) {
      std::printf(" %.1e |", box.acceleration_error);
      const bool is_halfway = (k == 4 && box.name == "box_45") || (k == 8 && box.name == "box_22_5");
      const bool is_exact =
          k == 0 || box.name == "box_0" || (k >= 8 && box.name == "box_45") || (k >= 16 && box.name == "box_22_5");
      if (is_halfway) good &= std::abs(box.acceleration_error - halfway) < 1e-6;
      if (is_exact) good &= std::abs(box.acceleration_error) < 1e-6;
      good &= box.acceleration_error < halfway + 1e-6;
    }
    std::printf(" <= %.1e | %s |\n", halfway, verdict(good));
    all &= good;
  }
  std::printf("\n");
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<CheckOptions> options = read_check_options(argc, argv);
  if (!options) return 2;
  std::printf("## Facets and the circular cone\n\n");
  const bool papers = check_papers(options->share()), slopes = check_slopes();
  stiction::test::GradeShares::print();
  return papers && slopes ? 0 : 1;
}
