#pragma once

#include <vector>

#include "stiction/cone/alart_curnier.h"
#include "stiction/cone/interior_system.h"
#include "stiction/cone/proximal_point.h"
#include "stiction/cone/solver.h"

namespace stiction::cone {

/// The interior point's path, followed by its length instead of by its barrier:
///
///     W^ x + q^ + g e_0 - y = (t / t_0) first defect,   x o y = t e,   g = sqrt(|y_T|^2 + (smoothing t)^2)
///
/// is a smooth curve from the start (t_0, where it holds by construction) to an answer (t = 0). With friction t need
/// not fall all the way: the curve has folds, before which an interior-point method stalls. Here t is an unknown like
/// the others, so folds are nothing special (Keller 1977); the sign of the determinant of the system says which way is
/// onwards, also after a step from one branch to another.
///
/// Predictor of second order and corrector in one step while the curve is gentle; where that loses it, once more from
/// the start with care. Near the end other methods give the last digits.
class CentralPath final : public Solver {
 public:
  struct Options {
    int most = 400;          ///< Steps of one walk along the path: a factorisation each, two where blocks fail.
    double start = 10.0;     ///< x = y = start e, in units of the scaled problem.
    double smoothing = 0.1;  ///< Of g, times the barrier.
    bool twice = true;       ///< A second walk, with care, where the first one lost the path.
  };

  CentralPath() = default;
  explicit CentralPath(const Options& options) : options_(options) {}
  [[nodiscard]] std::string_view name() const override { return "central_path"; }
  /// Starts from its own point whatever s is, and leaves the best point found of the two.
  int improve(const ScaledProblem& problem, double target, Vector& s) override;
  void set_start(double start) { options_.start = start; }

 private:
  /// How near the path one has to be.
  struct Care {
    double on_path;  ///< Distance at which the next step may be taken; above, correctors come first.
    double near;     ///< Largest distance after a step.
    double turn;     ///< Least cosine between the tangents before and after a step.
  };
  struct Direction {
    Vector x, y;
    Vector scaled_x, scaled_y;
    double t = 0.0;  ///< Relative to t.
    void multiply(double factor);
  };
  /// A point of the path with the ways to go from it.
  struct Anchor {
    Vector x, y;
    double t = 0.0, length = 0.0;
    int sign = 0;  ///< Of the determinant; where that is 0, the last anchor's.
    Direction tangent, correction, curve;
  };

  bool follow(const ScaledProblem& problem, double target, const Care& care, Vector& s, int& iterations);
  void begin(const ScaledProblem& problem);
  /// The defect of the path's equations at (x, y, t), which sets g.
  void find_defect(const ScaledProblem& problem, const Vector& x, const Vector& y, double t);
  /// How far the scaled point is from the path: 1 is about where Newton's method no longer is sure.
  [[nodiscard]] double find_distance(double t) const;
  /// Tangent and correction at (x_, y_, t_). False where the last step was too long.
  bool look(const ScaledProblem& problem, const Care& care);
  bool find_tangent();
  bool find_correction();
  bool find_curve();
  bool solve_for(Direction& direction);
  /// The cosine between the tangent and that of the anchor.
  double find_turn();
  /// Newton's step back to the path. False where it does not come nearer.
  bool correct(const ScaledProblem& problem);
  /// Makes (x_, y_, t_) the anchor and leaves it; false where that is not possible, and the old anchor stays.
  bool move_on(const ScaledProblem& problem, const Care& care);
  bool leave(const ScaledProblem& problem, const Anchor& anchor, double near, double& length);
  bool take(const ScaledProblem& problem, double t, double near);

  /// Weights each contact by how fast it moves along the tangent: near a fold few of them do, and a mean over all would
  /// not see them. The fastest moves by 1.
  void weigh_tangent();
  [[nodiscard]] double dot(const Direction& a, const Direction& b) const;
  void remove_tangent(Direction& direction) const;

  bool polish(const ScaledProblem& problem, double target, Vector& s);
  void keep(const ScaledProblem& problem, const Vector& found, Vector& s);

  Options options_ = {};
  InteriorSystem system_;
  AlartCurnier newton_{{.most = 20, .patience = 7}};
  ProximalPoint proximal_point_{{.most_iterations = 40}};
  double best_ = 0.0;

  Vector x_, y_, trial_x_, trial_y_;
  double t_ = 0.0, first_t_ = 0.0, polish_at_ = 0.0;
  double distance_ = 0.0;  ///< From the path, of (x_, y_, t_).
  double length_ = 0.0;    ///< Of the next step.
  int first_sign_ = 0, reversals_ = 0;
  bool has_anchor_ = false;
  Anchor anchor_, next_;
  std::vector<double> weights_;
  double weight_of_t_ = 1.0;
  Vector defect_, first_defect_, right_, left_, s_, u_, polished_;
};

}  // namespace stiction::cone
