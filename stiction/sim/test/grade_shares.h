#pragma once

#include <array>
#include <cstdio>
#include <mutex>

#include "stiction/sim/simulator.h"

namespace stiction::test {

/// Steps by grade of all runs that a program made, whichever thread they ran on: what the page of acceptance publishes.
class GradeShares {
 public:
  static void add(const RunCertificate& run) {
    const std::scoped_lock hold(lock_);
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i] += run.grades[i].steps;
  }
  /// One line of Markdown.
  static void print() {
    const std::scoped_lock hold(lock_);
    std::printf("\nSteps of all runs of this check by grade:");
    const char* separator = " ";
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i] == 0 && i > 0) continue;
      std::printf("%s%ld %s", separator, steps_[i], std::string(grade_names[i]).c_str());
      separator = ", ";
    }
    std::printf(".\n\n");
  }

  /// Deletes a simulator and counts what it did.
  struct Counted {
    void operator()(Simulator* simulator) const {
      add(simulator->certificate());
      delete simulator;
    }
  };

 private:
  inline static std::mutex lock_;
  inline static std::array<long, grade_count> steps_{};
};

}  // namespace stiction::test
