#pragma once

#include <cstddef>
#include <vector>

#include "stiction/cone/problem.h"
#include "stiction/cone/speed_scales.h"

namespace stiction::cone {

/// A problem as every solver here sees it: round cones, mean diagonal one, q of root mean square one, W in blocks of
/// three by three, in the plane of two by two, row after row.
///
/// r = kappa D s and u = kappa D^-1 v with one scale d = (tr W_ii / 3)^-1/2 a contact, times the shares of an elliptic
/// cone. Vectors have three numbers a contact; a tangent that the problem does not have has q, s and v zero: the second
/// one in the plane, which W has not, and those without friction, which are rows of their own with a unit diagonal.
class ScaledProblem {
 public:
  /// Storage is kept: a second problem with no more blocks allocates nothing.
  void load(const Problem& problem);

  [[nodiscard]] int contacts() const { return static_cast<int>(mu_.size()); }
  [[nodiscard]] Index size() const { return 3 * static_cast<Index>(mu_.size()); }
  [[nodiscard]] double mu(int contact) const { return mu_[contact]; }
  /// What forces of a contact are divided by, but for the shares of an elliptic cone: d above.
  [[nodiscard]] double metric(int contact) const { return metric_[contact]; }
  /// Whether its first number is a radius (Problem::borne).
  [[nodiscard]] bool is_borne(int contact) const { return !borne_.empty() && borne_[contact] != 0; }
  /// Whether a row is one of the problem's own.
  [[nodiscard]] bool is_own(Index row) const { return own_[row] != 0; }
  [[nodiscard]] const Vector& q() const { return q_; }

  /// Rows and columns of a block of W.
  [[nodiscard]] int width() const { return dimension_; }
  /// A block, and the way to the next one of its row.
  struct Block {
    const int* at;
    const double* a;  ///< Row after row, `width` numbers each.
    int entries;

    [[nodiscard]] int column() const { return *at; }
    Block& operator++() {
      ++at;
      a += entries;
      return *this;
    }
    bool operator!=(const Block& other) const { return at != other.at; }
    int operator-(const Block& other) const { return static_cast<int>(at - other.at); }
    /// As three by three, with a unit diagonal for a tangent that is not there.
    void expand(double full[9]) const;
  };
  [[nodiscard]] Block begin(int contact) const { return block(starts_[contact]); }
  [[nodiscard]] Block end(int contact) const { return block(starts_[contact + 1]); }
  [[nodiscard]] Block diagonal(int contact) const { return block(diagonal_[contact]); }
  [[nodiscard]] std::size_t blocks() const { return columns_.size(); }

  /// u = W s + q.
  void velocity(const Vector& s, Vector& u) const;
  /// The larger of the certificate's two residuals of s with u = W s + q, from these numbers.
  [[nodiscard]] double residual(const Vector& s, const Vector& u) const;

  void to_original(const Vector& s, Vector& r) const;
  void from_original(const Vector& r, Vector& s) const;

 private:
  template <int dimension>
  void find_blocks(const Problem& problem);
  template <int dimension>
  void count_blocks(const Problem& problem, int columns);
  template <int dimension>
  bool fill_blocks(const Problem& problem);
  double set_scales(const Problem& problem);
  template <int width>
  void scale_blocks();
  template <int width>
  void multiply(const Vector& s, Vector& u) const;
  [[nodiscard]] Block block(int place) const {
    const int entries = dimension_ * dimension_;
    return {columns_.data() + place, values_.data() + static_cast<std::ptrdiff_t>(entries) * place, entries};
  }
  void set_weights(const Problem& problem);
  /// The error of one contact over the speeds around it.
  [[nodiscard]] double contact_residual(int contact, const double s[3], const double v[3], double u_n) const;
  /// Where the natural map takes s: to the cone, or, of friction that is borne, to the disc of its radius.
  void move(int contact, const double s[3], const double v[3], double rho, double moved[3]) const;

  int dimension_ = 3;
  double kappa_ = 1.0;
  double data_ = 0.0;  ///< rho |q| of the certificate, over kappa.
  std::vector<double> mu_;
  std::vector<double> scale_;          ///< D, a row each.
  std::vector<double> metric_;         ///< d alone, a contact each: what the certificate measures in.
  std::vector<double> rho_;            ///< The certificate's, in these units, a contact each.
  std::vector<double> weight_;         ///< kappa / (d V): the certificate's contact_residual is that times the error.
  std::vector<double> radius_weight_;  ///< The same of the law of a radius, by the radius or V.
  std::vector<char> own_, borne_;
  std::vector<int> starts_, diagonal_, mark_, cursor_;
  std::vector<int> columns_;    ///< Of the blocks,
  std::vector<double> values_;  ///< and their entries.
  Vector q_;
  SpeedScales speeds_;
};

}  // namespace stiction::cone
