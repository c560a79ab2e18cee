#pragma once

#include <string>
#include <vector>

#include "stiction/lcp/problem_file.h"

namespace stiction::families {

/// A file of problems/ that is made, not written by hand.
struct StoredFile {
  std::string name;
  std::vector<lcp::StoredProblem> problems;
};

/// All of them. A test compares them with the files; problems/README.md says how to write them again.
[[nodiscard]] std::vector<StoredFile> make_stored_files();

// By the file of this folder that makes them.
// stored_contacts.cpp
[[nodiscard]] StoredFile make_stored_rest();
[[nodiscard]] StoredFile make_stored_stacks();
[[nodiscard]] StoredFile make_stored_walls();
[[nodiscard]] StoredFile make_stored_paradoxes();
[[nodiscard]] StoredFile make_stored_hard();
// stored_problems.cpp
[[nodiscard]] StoredFile make_stored_murty();
[[nodiscard]] StoredFile make_stored_sparse();

}  // namespace stiction::families
