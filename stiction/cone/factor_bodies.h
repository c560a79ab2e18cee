#pragma once

#include <vector>

#include "stiction/cone/body_problem.h"
#include "stiction/cone/factor_parts.h"

namespace stiction::cone {

/// A factor form, mostly one island, as a BodyProblem of velocities v_alpha, with masses M / alpha.
///
/// Nodes are made of the blocks of `form.bodies` or, where these are not given, of the blocks into which M falls.
/// Neighbours that the same contact or row touches share a node as long as it has room, since M of a ball is diagonal;
/// larger ones are cut, and coupled. Ellipses are scaled to balls. Joints side by side on the same nodes are one unit.
class FactorBodies {
 public:
  /// The form must outlive this. `speeds`: what the errors of each part (find_parts) are measured against. False where
  /// the form has no such problem: a contact that bears more friction than a unit has room for, or a row that acts on
  /// nothing.
  bool pose(const FactorForm& form, const std::vector<double>& speeds);
  [[nodiscard]] const BodyProblem& posed() const { return posed_; }
  /// Impulses of the BodyProblem, laid out as `condense` says.
  [[nodiscard]] Vector lay_out(const std::vector<double>& impulses) const;

 private:
  struct Source {
    Index at = -1;  ///< Its number in r, -1 for joints: r = scale * impulse - shift.
    double scale = 1.0, shift = 0.0;
  };
  struct Row {
    const SparseMatrix* from = nullptr;
    Index column = 0;
    double scale = 1.0, b = 0.0;
    Source source;
  };

  void find_atoms();
  void find_nodes();
  void pose_masses();
  bool pose_units();
  bool add_contact(Index part);
  void add_friction(Index part, std::vector<Row>& rows, std::vector<BodyProblem::Group>& groups) const;
  bool add_bounded(Index part);
  void add_joints();
  void add_unit(BodyProblem::Kind kind, const std::vector<Row>& rows);
  [[nodiscard]] std::vector<int> touched_by(const std::vector<Row>& rows) const;

  const FactorForm* form_ = nullptr;
  std::vector<FactorPart> parts_;
  Problem laws_;  ///< Friction alone.
  std::vector<double> speeds_;
  std::vector<std::vector<Index>> atoms_, borne_;  ///< Velocities; the parts that a part bears.
  std::vector<int> node_of_, slot_of_;
  std::vector<double> around_;  ///< The largest speed of contacts on a node.
  std::vector<Source> sources_;
  BodyProblem posed_;
};

}  // namespace stiction::cone
