#include "apps/fclib_file.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/fclib_matrix.h"
#include "stiction/base/file.h"
#include "stiction/cone/factor_form.h"
#include "stiction/cone/joint_elimination.h"
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

  Result<cone::StoredProblem> read() {
    if (!file_.ok()) return Error{fmt::format("{}: cannot be read as HDF5", path_)};
    const bool is_local = has("/fclib_local");
    if (!is_local && has("/fclib_global_rolling"))
      return Error{fmt::format("{}: /fclib_global_rolling: rolling friction is not read from FCLIB's files", path_)};
    if (!is_local && !has("/fclib_global"))
      return Error{
          fmt::format("{}: neither /fclib_local nor /fclib_global is in it, expected a problem of FCLIB", path_)};
    return is_local ? read_local() : read_global();
  }

 private:
  Result<cone::StoredProblem> read_local() {
    cone::Problem problem;
    const std::optional<int> dimension = read_int("/fclib_local/spacedim");
    if (!dimension) return Error{defect_};
    problem.dimension = *dimension;
    const std::optional<SparseMatrix> W = read_matrix("/fclib_local/W");
    if (!W || !read_vector("/fclib_local/vectors/q", problem.q) || !read_vector("/fclib_local/vectors/mu", problem.mu))
      return Error{defect_};
    problem.W = *W;
    if (!has("/fclib_local/V")) return named(std::move(problem));
    const std::optional<SparseMatrix> V = read_matrix("/fclib_local/V");
    const std::optional<SparseMatrix> R = V ? read_matrix("/fclib_local/R") : std::nullopt;
    Vector s;
    if (!R || !read_vector("/fclib_local/vectors/s", s)) return Error{defect_};
    const bool fits = W->rows() == W->cols() && W->rows() == problem.size() && V->rows() == W->rows() &&
                      V->cols() == R->cols() && R->rows() == R->cols() && R->rows() == s.size();
    if (!fits)
      return Error{fmt::format(
          "{}: W is {} by {}, V {} by {}, R {} by {}, q has {} numbers and s {}: expected W, V and q with as many "
          "rows, "
          "and R, s and the columns of V with as many",
          path_, W->rows(), W->cols(), V->rows(), V->cols(), R->rows(), R->cols(), problem.size(), s.size())};
    cone::Reduced reduced{.W = *W, .V = *V, .V2_transposed = *V, .R = *R, .q = problem.q, .s = s};
    reduced.free = reduced.q;
    reduced.free_s = s;
    reduced.terms = s.cwiseAbs();
    if (const std::string defect = cone::eliminate_joints(reduced, {.entries = limits_.entries}); !defect.empty())
      return Error{fmt::format("{}: {}", path_, defect)};
    if (reduced.is_contradictory)
      return Error{fmt::format("{}: the equality constraints contradict each other", path_)};
    constexpr double rounding = 1e-9;
    if (reduced.unheld > rounding)
      return Error{fmt::format(
          "{}: R is singular, and V'r has a part that no R l takes up: these equality constraints bind r itself, "
          "expected R regular or V of its range",
          path_)};
    problem.W = cone::Matrix(std::move(reduced.W));
    problem.q = std::move(reduced.q);
    return named(std::move(problem));
  }

  /// With the file's name, and without defect.
  template <class Form>
  Result<cone::StoredProblem> named(Form form) const {
    form.name = std::filesystem::path(path_).stem().string();
    if (const std::string defect = find_defect(form); !defect.empty())
      return Error{fmt::format("{}: {}", path_, defect)};
    return cone::StoredProblem(std::move(form));
  }

  Result<cone::StoredProblem> read_global() {
    cone::FactorForm form;
    const std::optional<int> dimension = read_int("/fclib_global/spacedim");
    if (!dimension) return Error{defect_};
    form.dimension = *dimension;
    // One after the other: what is missing first is what the error names.
    const std::optional<SparseMatrix> M = read_matrix("/fclib_global/M");
    const std::optional<SparseMatrix> H = M ? read_matrix("/fclib_global/H") : std::nullopt;
    if (!H || !read_vector("/fclib_global/vectors/f", form.f) || !read_vector("/fclib_global/vectors/w", form.b) ||
        !read_vector("/fclib_global/vectors/mu", form.mu))
      return Error{defect_};
    form.M = *M;
    form.H = *H;
    if (has("/fclib_global/G")) {
      const std::optional<SparseMatrix> G = read_matrix("/fclib_global/G");
      if (!G || !read_vector("/fclib_global/vectors/b", form.d)) return Error{defect_};
      form.G = *G;
    }
    return named(std::move(form));
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
    const Hdf5Handle kind(H5Dget_type(data.id()), H5Tclose);
    const H5T_class_t found = kind.ok() ? H5Tget_class(kind.id()) : H5T_NO_CLASS;
    const bool is_whole = H5Tget_class(type) == H5T_INTEGER;  // HDF5 would round 0.5 to 0
    if (found != H5T_INTEGER && (is_whole || found != H5T_FLOAT)) {
      defect_ = fmt::format("{}: {}: not {}", path_, place, is_whole ? "whole numbers" : "numbers");
      return false;
    }
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

  std::optional<int> read_int(const std::string& place) {
    std::vector<int> numbers;
    if (!read_numbers(place, H5T_NATIVE_INT, numbers) || numbers.size() != 1) return std::nullopt;
    return numbers[0];
  }

  std::optional<SparseMatrix> read_matrix(const std::string& group) {
    if (!has(group)) {
      defect_ = fmt::format("{}: {}: missing, expected a matrix", path_, group);
      return std::nullopt;
    }
    const auto rows = read_int(group + "/m");
    const auto columns = rows ? read_int(group + "/n") : std::nullopt;
    const auto kind = columns ? read_int(group + "/nz") : std::nullopt;
    if (!kind) return std::nullopt;
    const Index most = 3 * limits_.contacts;
    if (*rows > most || *columns > most) {
      defect_ =
          fmt::format("{}: {}: {} by {}, at most {} rows and columns are read", path_, group, *rows, *columns, most);
      return std::nullopt;
    }
    FclibMatrix stored{.m = *rows, .n = *columns, .nz = *kind};
    if (!read_numbers(group + "/p", H5T_NATIVE_INT, stored.p) ||
        !read_numbers(group + "/i", H5T_NATIVE_INT, stored.i) ||
        !read_numbers(group + "/x", H5T_NATIVE_DOUBLE, stored.x))
      return std::nullopt;
    Result<SparseMatrix> matrix = to_sparse(stored);
    if (matrix) return std::move(matrix).value();
    defect_ = fmt::format("{}: {}: {}", path_, group, matrix.error());
    return std::nullopt;
  }

  std::string path_, defect_;
  cone::ReadLimits limits_;
  Hdf5Handle file_;
};

}  // namespace

Result<cone::StoredProblem> read_fclib(const std::filesystem::path& path, const cone::ReadLimits& limits) {
  if (auto error = find_unreadable(path)) return std::move(*error);
  const Hdf5Session session;
  return Reader(path, limits).read();
}

}  // namespace stiction::apps
