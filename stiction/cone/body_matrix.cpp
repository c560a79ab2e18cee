#include "stiction/cone/body_matrix.h"

#include <algorithm>

namespace stiction::cone {

void BodyMatrix::analyse(const BodyProblem& problem) {
  problem_ = &problem;
  edges_.assign(problem.coupled.begin(), problem.coupled.end());
  for (const BodyProblem::Unit& unit : problem.units)
    for (int i = 0; i < unit.touches; ++i)
      for (int j = i + 1; j < unit.touches; ++j) {
        const int a = problem.touched[unit.first_touch + i], b = problem.touched[unit.first_touch + j];
        const std::pair edge(std::min(a, b), std::max(a, b));
        if (edges_.empty() || edges_.back() != edge) edges_.push_back(edge);
      }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  lu_.analyse(problem.nodes, problem.width, edges_);
  places_.clear();
  starts_.clear();
  for (const BodyProblem::Unit& unit : problem.units) {
    starts_.push_back(places_.size());
    for (int i = 0; i < unit.touches; ++i)
      for (int j = 0; j < unit.touches; ++j)
        places_.push_back(lu_.place(problem.touched[unit.first_touch + i], problem.touched[unit.first_touch + j]));
  }
}

void BodyMatrix::begin() {
  const BodyProblem& p = *problem_;
  const auto size = static_cast<std::size_t>(p.width * p.width);
  lu_.clear();
  for (int i = 0; i < p.nodes; ++i)
    std::copy_n(p.M.data() + static_cast<std::size_t>(i) * size, size, lu_.at(lu_.place(i, i)));
  for (std::size_t i = 0; i < p.coupled.size(); ++i) {
    const auto [first, second] = p.coupled[i];
    std::copy_n(p.upper.data() + i * size, size, lu_.at(lu_.place(first, second)));
    std::copy_n(p.lower.data() + i * size, size, lu_.at(lu_.place(second, first)));
  }
}

template <int W>
void BodyMatrix::add_blocks(const BodyProblem::Unit& unit, const double* D, const std::size_t* places) {
  const int rows = unit.rows;
  const double* const J = problem_->J.data() + unit.jacobian;
  double DJ[BodyProblem::most_rows * W];
  for (int t = 0; t < unit.touches; ++t) {
    const double* right = J + static_cast<std::ptrdiff_t>(t) * rows * W;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < W; ++j) DJ[i * W + j] = 0.0;
      for (int k = 0; k < rows; ++k) {
        const double d = D[i * rows + k];
        for (int j = 0; j < W; ++j) DJ[i * W + j] += d * right[k * W + j];
      }
    }
    for (int s = 0; s < unit.touches; ++s) {
      const double* left = J + static_cast<std::ptrdiff_t>(s) * rows * W;
      double* block = lu_.at(places[s * unit.touches + t]);
      for (int i = 0; i < rows; ++i)
        for (int a = 0; a < W; ++a) {
          const double l = left[i * W + a];
          for (int j = 0; j < W; ++j) block[a * W + j] += l * DJ[i * W + j];
        }
    }
  }
}

void BodyMatrix::add(int unit, const double* D) {
  const std::size_t* places = places_.data() + starts_[unit];
  if (problem_->width == 3)
    add_blocks<3>(problem_->units[unit], D, places);
  else
    add_blocks<6>(problem_->units[unit], D, places);
}

}  // namespace stiction::cone
