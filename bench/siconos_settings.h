#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

/// What the benchmarks beside Siconos take from the command line.
struct SiconosSettings {
  int problems;    ///< Of each family and size.
  double seconds;  ///< Limit for each.
  std::vector<int> contacts = {5, 20, 50, 100, 200};
};

/// False where something is not understood.
inline bool read_settings(int argc, char** argv, SiconosSettings& settings) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--problems") {
      settings.problems = std::atoi(argv[i + 1]);
    } else if (option == "--seconds") {
      settings.seconds = std::atof(argv[i + 1]);
    } else if (option == "--contacts") {
      settings.contacts.clear();
      for (char* next = argv[i + 1]; *next != '\0';) {
        char* const start = next;
        settings.contacts.push_back(static_cast<int>(std::strtol(next, &next, 10)));
        if (next == start) return false;
        if (*next == ',') ++next;
      }
    } else {
      return false;
    }
  }
  return argc % 2 == 1 && settings.problems > 0 && settings.seconds > 0.0;
}
