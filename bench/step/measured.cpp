#include "bench/step/measured.h"

#include <algorithm>
#include <csignal>
#include <numeric>

namespace stiction::bench {
namespace {

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

double StepTimes::median() const {
  if (ms.empty()) return 0.0;
  std::vector<double> sorted = ms;
  std::sort(sorted.begin(), sorted.end());
  return 0.5 * (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]);
}

double StepTimes::worst() const {
  return ms.empty() ? 0.0 : *std::max_element(ms.begin(), ms.end());
}

double StepTimes::mean() const {
  return ms.empty() ? 0.0 : std::accumulate(ms.begin(), ms.end(), 0.0) / static_cast<double>(ms.size());
}

bool is_interrupted() {
  return interrupted != 0;
}

void watch_for_interrupts() {
  for (const int signal : {SIGINT, SIGTERM}) static_cast<void>(std::signal(signal, [](int) { interrupted = 1; }));
}

}  // namespace stiction::bench
