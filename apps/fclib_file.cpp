#include "apps/fclib_file.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/cone/factor_form.h"
#include "stiction/record/hdf5_handle.h"

namespace stiction::apps {

namespace {

using cone::Index;
using cone::SparseMatrix;
using cone::Vector;

class Reader {
 public:
  Reader(const std::filesystem::path& path, const cone::ReadLimits& limits)
      : path_(path.string()), limits_(limits), file_(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {}

  Result<cone::Problem> read() {
    if (!file_.ok()) return Error{fmt::format("{}: cannot be read as HDF5", path_)};
    const bool is_local = has("/fclib_local");
    if (!is_local && !has("/fclib_global"))
      return Error{
          fmt::format("{}: neither /fclib_local nor /fclib_global is in it, expected a problem of FCLIB", path_)};
    Result<cone::Problem> problem = is_local ? read_local() : read_global();
    if (!problem) return problem;
    cone::Problem answer = std::move(problem).value();
    answer.name = std::filesystem::path(path_).stem().string();
    if (const std::string defect = find_defect(answer); !defect.empty())
      return Error{fmt::format("{}: {}", path_, defect)};
    return answer;
  }

 private:
  Result<cone::Problem> read_local() {
    cone::Problem problem;
    problem.dimension = read_dimension("/fclib_local");
    const std::optional<SparseMatrix> W = read_matrix("/fclib_local/W");
    if (!W || !read_vector("/fclib_local/vectors/q", problem.q) || !read_vector("/fclib_local/vectors/mu", problem.mu))
      return Error{defect_};
    problem.W = *W;
    if (!has("/fclib_local/V")) return problem;
    const std::optional<SparseMatrix> V = read_matrix("/fclib_local/V"), R = read_matrix("/fclib_local/R");
    Vector s;
    if (!V || !R || !read_vector("/fclib_local/vectors/s", s)) return Error{defect_};
    const bool fits = W->rows() == W->cols() && W->rows() == problem.size() && V->rows() == W->rows() &&
                      V->cols() == R->cols() && R->rows() == R->cols() && R->rows() == s.size();
    if (!fits) return Error{fmt::format("{}: the sizes of W, V, R, q and s do not agree", path_)};
    constexpr double agreement = 1e-9;
    cone::DenseMatrix condensed(*W);
    const double off = cone::eliminate(cone::DenseMatrix(*R), cone::DenseMatrix(*V), cone::DenseMatrix(V->transpose()),
                                       s, condensed, problem.q);
    if (!(off <= agreement)) return Error{fmt::format("{}: the equality constraints contradict each other", path_)};
    problem.W = condensed;
    return problem;
  }

  Result<cone::Problem> read_global() {
    cone::FactorForm form;
    form.dimension = read_dimension("/fclib_global");
    const std::optional<SparseMatrix> M = read_matrix("/fclib_global/M"), H = read_matrix("/fclib_global/H");
    if (!M || !H || !read_vector("/fclib_global/vectors/f", form.f) ||
        !read_vector("/fclib_global/vectors/w", form.b) || !read_vector("/fclib_global/vectors/mu", form.mu))
      return Error{defect_};
    form.M = *M;
    form.H = *H;
    if (has("/fclib_global/G")) {
      const std::optional<SparseMatrix> G = read_matrix("/fclib_global/G");
      if (!G || !read_vector("/fclib_global/vectors/b", form.d)) return Error{defect_};
      form.G = *G;
    }
    Result<cone::Problem> problem = cone::condense(form);
    if (!problem) return Error{fmt::format("{}: {}", path_, problem.error())};
    return problem;
  }

  /// Whether a path of groups is there; each step must be asked for by itself.
  [[nodiscard]] bool has(const std::string& place) const {
    for (std::size_t end = place.find('/', 1);; end = place.find('/', end + 1)) {
      if (H5Lexists(file_.id(), place.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
      if (end == std::string::npos) return true;
    }
  }

  template <class T>
  bool read_numbers(const std::string& place, hid_t type, std::vector<T>& numbers) {
    defect_ = fmt::format("{}: {}: missing or not a list of numbers", path_, place);
    if (!has(place)) return false;
    const Hdf5Handle data(H5Dopen2(file_.id(), place.c_str(), H5P_DEFAULT), H5Dclose);
    if (!data.ok()) return false;
    const Hdf5Handle space(H5Dget_space(data.id()), H5Sclose);
    const hssize_t count = space.ok() ? H5Sget_simple_extent_npoints(space.id()) : -1;
    if (count < 0) return false;
    if (count > 4 * limits_.entries) {
      defect_ = fmt::format("{}: {}: {} numbers, at most {} are read", path_, place, count, 4 * limits_.entries);
      return false;
    }
    numbers.resize(static_cast<std::size_t>(count));
    return count == 0 || H5Dread(data.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) >= 0;
  }

  bool read_vector(const std::string& place, Vector& vector) {
    std::vector<double> numbers;
    if (!read_numbers(place, H5T_NATIVE_DOUBLE, numbers)) return false;
    vector = Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()));
    return true;
  }

  int read_dimension(const std::string& group) {
    std::vector<int> numbers;
    return read_numbers(group + "/spacedim", H5T_NATIVE_INT, numbers) && numbers.size() == 1 ? numbers[0] : 0;
  }

  std::optional<int> read_int(const std::string& place) {
    std::vector<int> numbers;
    if (!read_numbers(place, H5T_NATIVE_INT, numbers) || numbers.size() != 1) return std::nullopt;
    return numbers[0];
  }

  /// nz >= 0: triplets, p the rows and i the columns. -1: p where columns begin, i the rows; -2: the other way round.
  std::optional<SparseMatrix> read_matrix(const std::string& group) {
    const auto rows = read_int(group + "/m"), columns = read_int(group + "/n"), kind = read_int(group + "/nz");
    std::vector<int> p, i;
    std::vector<double> x;
    if (!rows || !columns || !kind || !read_numbers(group + "/p", H5T_NATIVE_INT, p) ||
        !read_numbers(group + "/i", H5T_NATIVE_INT, i) || !read_numbers(group + "/x", H5T_NATIVE_DOUBLE, x))
      return std::nullopt;
    defect_ = fmt::format("{}: {}: p, i, x, m, n and nz do not make a matrix", path_, group);
    const Index most = 3 * limits_.contacts;
    if (*rows < 0 || *columns < 0 || *kind < -2 || *rows > most || *columns > most) return std::nullopt;
    std::vector<Eigen::Triplet<double>> triplets;
    const bool is_plain = *kind >= 0;
    const std::size_t lines = static_cast<std::size_t>(*kind == -1 ? *columns : *rows);
    const std::size_t entries = is_plain ? static_cast<std::size_t>(*kind) : p.empty() ? 0 : std::max(0, p.back());
    if (entries > i.size() || entries > x.size() || p.size() < (is_plain ? entries : lines + 1)) return std::nullopt;
    std::size_t line = 0;
    for (std::size_t e = 0; e < entries; ++e) {
      while (!is_plain && line < lines && p[line + 1] <= static_cast<int>(e)) ++line;
      if (!is_plain && line >= lines) return std::nullopt;
      const int along = is_plain ? p[e] : static_cast<int>(line), across = i[e];
      const int row = *kind == -1 ? across : along, column = *kind == -1 ? along : across;
      if (row < 0 || row >= *rows || column < 0 || column >= *columns) return std::nullopt;
      triplets.emplace_back(row, column, x[e]);
    }
    SparseMatrix matrix(*rows, *columns);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return matrix;
  }

  std::string path_, defect_;
  cone::ReadLimits limits_;
  Hdf5Handle file_;
};

}  // namespace

Result<cone::Problem> read_fclib(const std::filesystem::path& path, const cone::ReadLimits& limits) {
  const Hdf5Session session;
  return Reader(path, limits).read();
}

}  // namespace stiction::apps
