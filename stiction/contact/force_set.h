#pragma once

#include <span>
#include <vector>

#include "stiction/contact/islands.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// All impulses of one island that obey the law with the velocities that were found (DESIGN.md, section 4: redundancy
/// is normal). What v+ leaves open is
///
///     A x = load,     c_n >= 0 where a contact is closed,     |s| <= mu c_n + hf where it sticks,
///     lower <= c_nu <= upper where a drive holds,
///
/// a convex set: friction that slides is (mu c_n + hf) t with t known, and goes along with c_n. Components of x are the
/// c_n of closed contacts, the friction s = (c_t1, c_t2/ratio) of what sticks, and the impulses of joints and drives;
/// all others keep their values.
struct ForceSet {
  /// A block that sticks.
  struct Friction {
    int contact = 0;
    int first = 0, directions = 0;  ///< Its components.
    double mu = 0.0, hf = 0.0;      ///< Of the disc that bounds it.
  };
  /// A block that slides, per unit of its radius.
  struct Sliding {
    int contact = 0, normal = 0;  ///< `normal`: the component that it follows.
    double t1 = 0.0, t2 = 0.0;    ///< In (c_t1, c_t2).
    int facet = -1;               ///< That it lies on, where there was no friction to be scaled.
  };
  /// A contact with the friction that it bears: components whose bounds depend on each other.
  struct Group {
    int contact = 0;
    int normal = -1;  ///< The component of c_n, or -1: there is none.
    int friction_begin = 0, friction_end = 0;
    double weight = 1.0, slope = 0.0;  ///< The squared length of its forces is weight c_n^2 + 2 slope c_n + |s|^2 + ...
  };
  /// A joint, or a drive that holds.
  struct Bounded {
    int row = 0, component = 0;
    double lower = 0.0, upper = 0.0;
  };
  /// Components on the same bodies: those of a group or of a bounded row.
  struct Bundle {
    int first = 0, end = 0;            ///< Its components,
    int node_begin = 0, node_end = 0;  ///< and its nodes in `nodes`.
  };

  std::vector<Group> groups;
  std::vector<Friction> frictions;
  std::vector<Sliding> slidings;
  std::vector<Bounded> bounded;
  std::vector<Bundle> bundles;  ///< Of the groups in turn, then of the bounded rows.
  std::vector<int> nodes;       ///< Of the bundles.
  /// Velocities are numbered by nodes, `width` to each: a node is a body or, of one that has more, six velocities in
  /// turn. Numbers that no velocity has are of zeros, with a mass of 1.
  int width = 6;
  linalg::Rows columns;       ///< Of A, one for each component.
  std::vector<double> found;  ///< x as it was.
  std::vector<double> load;   ///< A x.
  std::vector<double> mass;   ///< Of the velocities.
  int closed = 0;             ///< Contacts with a component.

  [[nodiscard]] int size() const { return columns.size(); }
  [[nodiscard]] int velocities() const { return static_cast<int>(load.size()); }
  [[nodiscard]] int node_count() const { return velocities() / width; }
  void clear();
  /// Ends the bundle of the components from `first` on.
  void end_bundle(int first);
  /// The directions in which the set goes on for ever: A x = 0, hf = 0, no finite bounds but zero.
  void make_recession();
};

/// Finds the sets of one problem after another and writes impulses back. Storage is kept.
class ForceSetFinder {
 public:
  /// `turns`: facets may be turned, so that friction has the true cone; otherwise the circle inscribed in the facets.
  explicit ForceSetFinder(bool turns) : turns_(turns) {}

  /// `speed` is the largest speed that takes part: a 1e-10 of it is at rest.
  void find(const StepProblem& problem, const Islands& islands, int island, const StepSolution& solution, double speed,
            ForceSet& set);
  /// Puts x in place of the island's impulses, facets and lambda included.
  void write(const StepProblem& problem, const ForceSet& set, const std::vector<double>& x,
             StepSolution& solution) const;

 private:
  void number(const StepProblem& problem, std::span<const int> velocities, ForceSet& set);
  void add_rows(const StepProblem& problem, const Islands& islands, int island, const StepSolution& solution,
                ForceSet& set);
  void add_group(const StepProblem& problem, std::span<const int> blocks, const StepSolution& solution, ForceSet& set);
  void add_sliding(const StepProblem& problem, int j, double u1, double u2, const StepSolution& solution,
                   ForceSet& set);
  void add_sticking(const StepProblem& problem, int j, const StepSolution& solution, ForceSet& set);
  void add_column(const linalg::Rows& rows, int row, double factor, double found, ForceSet& set);
  void add_to_column(const linalg::Rows& rows, int row, double factor);
  void end_column(double found, ForceSet& set);
  [[nodiscard]] double share_of_disc(const Facets& facets) const;
  void write_sticking(const ForceSet::Friction& block, const std::vector<double>& x, double ratio,
                      StepSolution& solution) const;
  void write_sliding(const StepProblem& problem, const ForceSet::Sliding& block, StepSolution& solution) const;

  bool turns_;
  double resting_ = 0.0;
  double largest_ = 0.0;  ///< Of the island's normal impulses.
  struct Slip {
    double u1 = 0.0, u2 = 0.0;  ///< In the metric in which the disc is round.
    bool slides = false;
  };
  [[nodiscard]] Slip slip_of(const StepProblem& problem, int j, const StepSolution& solution) const;

  std::vector<int> order_;      ///< The island's contacts, blocks after what bears them.
  std::vector<Slip> slips_;     ///< Of the blocks of a group.
  std::vector<int> number_;     ///< Of the velocities of the island under construction.
  std::vector<int> touched_;    ///< Numbers in the column under construction,
  std::vector<double> column_;  ///< by number: its values,
  std::vector<char> is_there_;  ///< and whether it is among them.
};

/// The largest speed that takes part in a step: before, after, and what forces would give each coordinate by itself.
[[nodiscard]] double speed_of(const StepProblem& problem, const StepSolution& solution);

}  // namespace stiction
