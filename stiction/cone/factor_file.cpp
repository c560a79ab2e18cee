#include <cmath>
#include <new>
#include <vector>

#include "stiction/cone/problem_file.h"
#include "stiction/cone/word_reader.h"

namespace stiction::cone {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// FCG1, section by section. Nothing is reserved by what a header promises: lists grow as numbers come.
class FactorParser : private WordReader {
 public:
  FactorParser(std::string_view text, std::string_view file, const ReadLimits& limits)
      : WordReader(text, file), limits_(limits) {}

  Result<FactorForm> parse() {
    if (!read_header() || !read_bodies() || !read_couplings()) return defect();
    const Index nv = starts_.back();
    form_.M.resize(nv, nv);
    form_.M.setFromTriplets(M_.begin(), M_.end());
    const bool is_read = read_word("v") && read_vector("v", nv, form_.v0) && read_word("k") &&
                         read_vector("k", nv, form_.f) && read_contacts() && read_rows() &&
                         read_end(next(), form_.expect);
    if (!is_read) return defect();
    form_.name = stem();
    if (const std::string wrong = find_defect(form_); !wrong.empty()) return Error{file() + ": " + wrong};
    return std::move(form_);
  }

 private:
  bool read_header() {
    Index dimension = 0;
    if (!read_word("FCG1") || !read_index("the dimension", 2, 3, dimension) || !read_word("alpha") ||
        !read_value("alpha", form_.alpha))
      return false;
    form_.dimension = static_cast<int>(dimension);
    return true;
  }

  /// A dense block of M, row after row; zeros are left out.
  bool read_block(Index first_row, Index rows, Index first_column, Index columns) {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j) {
        double value = 0.0;
        if (!read_value("an entry of M", value) || !count_entry()) return false;
        if (value != 0.0) M_.emplace_back(first_row + i, first_column + j, value);
      }
    return true;
  }

  bool count_entry() {
    if (++entries_ <= limits_.entries) return true;
    return fail("more than " + std::to_string(limits_.entries) + " entries");
  }

  bool read_bodies() {
    Index bodies = 0;
    if (!read_word("bodies") || !read_index("the number of bodies", 1, most_velocities(), bodies)) return false;
    for (Index body = 0; body < bodies; ++body) {
      Index size = 0;
      const Index left = most_velocities() - starts_.back();
      if (!read_index("the number of velocities of body " + std::to_string(body), 1, left, size)) return false;
      if (!read_block(starts_.back(), size, starts_.back(), size)) return false;
      form_.bodies.push_back(static_cast<int>(size));
      starts_.push_back(starts_.back() + size);
    }
    return true;
  }

  bool read_couplings() {
    Index couplings = 0;
    if (!read_word("couplings") || !read_index("the number of couplings", 0, limits_.entries, couplings)) return false;
    const auto last = static_cast<Index>(form_.bodies.size()) - 1;
    for (Index i = 0; i < couplings; ++i) {
      Index a = 0, b = 0;
      if (!read_index("a body of a coupling", 0, last, a) || !read_index("a body of a coupling", 0, last, b))
        return false;
      if (a == b) return fail("body " + std::to_string(a) + " is coupled to itself, expected two bodies");
      const auto rows = form_.bodies[static_cast<std::size_t>(a)], columns = form_.bodies[static_cast<std::size_t>(b)];
      if (!read_block(starts_[static_cast<std::size_t>(a)], rows, starts_[static_cast<std::size_t>(b)], columns))
        return false;
    }
    return true;
  }

  /// offset count (velocity value)...
  bool read_row(Index column, double& offset, Triplets& to) {
    Index count = 0;
    const Index nv = starts_.back();
    if (!read_value("the offset of a row", offset) || !read_index("the number of entries of a row", 0, nv, count))
      return false;
    for (Index i = 0; i < count; ++i) {
      Index velocity = 0;
      double value = 0.0;
      if (!read_index("a velocity", 0, nv - 1, velocity) || !read_value("an entry of a row", value) || !count_entry())
        return false;
      to.emplace_back(velocity, column, value);
    }
    return true;
  }

  bool read_contacts() {
    Index contacts = 0;
    if (!read_word("contacts") || !read_index("the number of contacts", 0, limits_.contacts, contacts)) return false;
    std::vector<double> mu, mu2, hf, b;
    Triplets H;
    for (Index c = 0; c < contacts; ++c) {
      double first = 0.0, second = 0.0, limit = 0.0;
      Index bearer = -1;
      if (!read_value("mu", first) || (form_.dimension == 3 && !read_value("mu2", second)) ||
          !read_value("hf", limit) || !read_index("the bearer", -1, contacts - 1, bearer))
        return false;
      mu.push_back(first);
      mu2.push_back(second);
      hf.push_back(limit);
      form_.bearer.push_back(static_cast<int>(bearer));
      for (int axis = 0; axis < form_.dimension; ++axis) {
        double offset = 0.0;
        if (!read_row(c * form_.dimension + axis, offset, H)) return false;
        b.push_back(offset);
      }
    }
    form_.mu = Eigen::Map<const Vector>(mu.data(), contacts);
    if (form_.dimension == 3) form_.mu2 = Eigen::Map<const Vector>(mu2.data(), contacts);
    form_.hf = Eigen::Map<const Vector>(hf.data(), contacts);
    form_.b = Eigen::Map<const Vector>(b.data(), static_cast<Index>(b.size()));
    form_.H.resize(starts_.back(), contacts * form_.dimension);
    form_.H.setFromTriplets(H.begin(), H.end());
    return true;
  }

  bool read_rows() {
    Index rows = 0;
    if (!read_word("rows") || !read_index("the number of rows", 0, most_velocities(), rows)) return false;
    std::vector<double> lower, upper, compliance, d;
    Triplets G;
    for (Index row = 0; row < rows; ++row) {
      double low = 0.0, high = 0.0, give = 0.0, offset = 0.0;
      if (!read_bound("the lower bound", low) || !read_bound("the upper bound", high) ||
          !read_value("the compliance", give) || !read_row(row, offset, G))
        return false;
      lower.push_back(low);
      upper.push_back(high);
      compliance.push_back(give);
      d.push_back(offset);
    }
    form_.lower = Eigen::Map<const Vector>(lower.data(), rows);
    form_.upper = Eigen::Map<const Vector>(upper.data(), rows);
    form_.compliance = Eigen::Map<const Vector>(compliance.data(), rows);
    form_.d = Eigen::Map<const Vector>(d.data(), rows);
    form_.G.resize(starts_.back(), rows);
    form_.G.setFromTriplets(G.begin(), G.end());
    return true;
  }

  [[nodiscard]] Index most_velocities() const { return 6 * limits_.contacts; }

  ReadLimits limits_;
  FactorForm form_;
  std::vector<Index> starts_ = {0};  ///< Of each body, and their end.
  Triplets M_;
  Index entries_ = 0;
};

}  // namespace

Result<FactorForm> parse_factors(std::string_view text, std::string_view file_name, const ReadLimits& limits) try {
  if (text.size() > limits.file_bytes)
    return Error{std::string(file_name) + ": larger than the limit of " + std::to_string(limits.file_bytes) + " bytes"};
  return FactorParser(text, file_name, limits).parse();
} catch (const std::bad_alloc&) {
  return Error{std::string(file_name) + ": not enough memory to read it"};
}

}  // namespace stiction::cone
