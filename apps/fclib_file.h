#pragma once

#include <filesystem>

#include "stiction/base/result.h"
#include "stiction/cone/problem_file.h"

namespace stiction::apps {

/// A contact problem from a file of FCLIB, the collection of Acary and others, in HDF5: a local one (W, q, mu, perhaps
/// V, R, s), with equality constraints eliminated group by group, or a global one (M, H, f, w, mu, perhaps G, b) as it
/// stands. Matrices by triplets, columns or rows. The problem's name is the file's, without folder and ending.
[[nodiscard]] Result<cone::StoredProblem> read_fclib(const std::filesystem::path& path,
                                                     const cone::ReadLimits& limits = {});

}  // namespace stiction::apps
