#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "stiction/base/file.h"
#include "stiction/cone/problem_file.h"

namespace stiction::cone {

namespace {

void append(std::string& text, double value) {
  char buffer[40];
  const auto [end, code] = std::to_chars(buffer, buffer + sizeof buffer, value);
  text.append(buffer, code == std::errc() ? end : buffer);
}

void append(std::string& text, const Vector& values) {
  for (const double value : values) {
    append(text, value);
    text += '\n';
  }
}

/// offset count (velocity value)...
void append_row(std::string& text, double offset, const SparseMatrix& columns, Index column) {
  append(text, offset);
  text += ' ' + std::to_string(columns.col(column).nonZeros());
  for (SparseMatrix::InnerIterator it(columns, column); it; ++it) {
    text += ' ' + std::to_string(it.row()) + ' ';
    append(text, it.value());
  }
  text += '\n';
}

/// Where nothing couples the velocities before to those after, and in pieces of six.
std::vector<int> find_bodies(const SparseMatrix& M) {
  constexpr Index most = 6;
  const Index n = M.rows();
  std::vector<Index> reach(static_cast<std::size_t>(n), 0);  // the last velocity that one is coupled to
  for (Index j = 0; j < n; ++j)
    for (SparseMatrix::InnerIterator it(M, j); it; ++it) {
      const Index low = std::min<Index>(it.row(), j), high = std::max<Index>(it.row(), j);
      reach[static_cast<std::size_t>(low)] = std::max(reach[static_cast<std::size_t>(low)], high);
    }
  std::vector<int> bodies;
  for (Index first = 0; first < n;) {
    Index end = first + 1;
    for (Index i = first; i < end; ++i) end = std::max(end, reach[static_cast<std::size_t>(i)] + 1);
    for (; first < end; first += static_cast<Index>(bodies.back()))
      bodies.push_back(static_cast<int>(std::min(most, end - first)));
  }
  return bodies;
}

void append_block(std::string& text, const DenseMatrix& block) {
  for (Index i = 0; i < block.rows(); ++i)
    for (Index j = 0; j < block.cols(); ++j) {
      append(text, block(i, j));
      text += j + 1 == block.cols() ? '\n' : ' ';
    }
}

void append_blocks(std::string& text, const SparseMatrix& M, const std::vector<int>& bodies) {
  std::vector<Index> first, body_of;
  for (std::size_t body = 0; body < bodies.size(); ++body) {
    first.push_back(static_cast<Index>(body_of.size()));
    body_of.insert(body_of.end(), static_cast<std::size_t>(bodies[body]), static_cast<Index>(body));
  }
  std::map<std::pair<Index, Index>, DenseMatrix> blocks;
  const auto size = [&](Index body) { return static_cast<Index>(bodies[static_cast<std::size_t>(body)]); };
  for (Index body = 0; body < static_cast<Index>(bodies.size()); ++body)
    blocks[{body, body}] = DenseMatrix::Zero(size(body), size(body));
  for (Index j = 0; j < M.cols(); ++j)
    for (SparseMatrix::InnerIterator it(M, j); it; ++it) {
      const Index a = body_of[static_cast<std::size_t>(it.row())], b = body_of[static_cast<std::size_t>(j)];
      if (it.value() == 0.0 && a != b) continue;
      DenseMatrix& block = blocks[{a, b}];
      if (block.size() == 0) block = DenseMatrix::Zero(size(a), size(b));
      block(it.row() - first[static_cast<std::size_t>(a)], j - first[static_cast<std::size_t>(b)]) = it.value() + 0.0;
    }
  text += "\nbodies " + std::to_string(bodies.size()) + "\n";
  for (Index body = 0; body < static_cast<Index>(bodies.size()); ++body) {
    text += std::to_string(size(body)) + "\n";
    append_block(text, blocks[{body, body}]);
  }
  text += "couplings " + std::to_string(blocks.size() - bodies.size()) + "\n";
  for (const auto& [at, block] : blocks) {
    if (at.first == at.second) continue;
    text += std::to_string(at.first) + " " + std::to_string(at.second) + "\n";
    append_block(text, block);
  }
}

void append_end(std::string& text, lcp::Status expect) {
  if (expect != lcp::Status::solved) text += "expect " + std::string(to_string(expect)) + "\n";
}

std::string unwritable(const std::string& name, const std::string& why) {
  return (name.empty() ? "" : name + ": ") + "cannot be written: " + why;
}

}  // namespace

Result<std::string> to_text(const Problem& problem) {
  if (const std::string defect = find_defect(problem); !defect.empty()) return Error{unwritable(problem.name, defect)};
  if (problem.is_contradictory() || problem.disagreement > 0.0)
    return Error{
        unwritable(problem.name, "its joints contradict each other, which FCP1 cannot say; write its factors")};
  std::string body;
  Index entries = 0;
  for (Index j = 0; j < problem.size(); ++j)
    problem.W.for_each_in_column(j, [&](Index i, double value) {
      body += std::to_string(i) + " " + std::to_string(j) + " ";
      append(body, value);
      body += '\n';
      ++entries;
    });
  std::string text = "FCP1 " + std::to_string(problem.dimension) + " " + std::to_string(problem.contacts()) + " " +
                     std::to_string(entries) + "\n" + body;
  append(text, problem.q);
  append(text, problem.mu);
  if (problem.mu2.size() != 0) append(text += "mu2\n", problem.mu2);
  append_end(text, problem.expect);
  return text;
}

Result<std::string> to_text(const FactorForm& form) {
  if (const std::string defect = find_defect(form); !defect.empty()) return Error{unwritable(form.name, defect)};
  const std::vector<int> bodies = form.bodies.empty() ? find_bodies(form.M) : form.bodies;
  if (std::accumulate(bodies.begin(), bodies.end(), Index{0}) != form.velocities())
    return Error{unwritable(form.name, "its bodies do not have the velocities of M")};
  std::string text = "FCG1 " + std::to_string(form.dimension) + "\nalpha ";
  append(text, form.alpha);
  append_blocks(text, form.M, bodies);
  text += "v\n";
  append(text, form.v0.size() == 0 ? Vector(Vector::Zero(form.velocities())) : form.v0);
  text += "k\n";
  append(text, form.f);
  text += "contacts " + std::to_string(form.contacts()) + "\n";
  for (Index c = 0; c < form.contacts(); ++c) {
    append(text, form.mu[c]);
    if (form.dimension == 3) append(text += ' ', form.mu2.size() == 0 ? form.mu[c] : form.mu2[c]);
    append(text += ' ', form.slide_limit(c));
    text += ' ' + std::to_string(form.bearer_of(c)) + '\n';
    for (Index i = form.dimension * c; i < form.dimension * (c + 1); ++i) append_row(text, form.b[i], form.H, i);
  }
  text += "rows " + std::to_string(form.rows()) + "\n";
  for (Index row = 0; row < form.rows(); ++row) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    append(text, form.lower.size() == 0 ? -infinity : form.lower[row]);
    append(text += ' ', form.upper.size() == 0 ? infinity : form.upper[row]);
    append(text += ' ', form.compliance.size() == 0 ? 0.0 : form.compliance[row]);
    append_row(text += ' ', form.d[row], form.G, row);
  }
  append_end(text, form.expect);
  return text;
}

std::optional<Error> write_problem(const std::filesystem::path& path, const FactorForm& form) {
  const Result<std::string> text = to_text(form);
  if (!text) return Error{path.string() + ": " + text.error()};
  return write_file(path, text.value());
}

std::optional<Error> write_problem(const std::filesystem::path& path, const Problem& problem) {
  const Result<std::string> text = to_text(problem);
  if (!text) return Error{path.string() + ": " + text.error()};
  return write_file(path, text.value());
}

}  // namespace stiction::cone
