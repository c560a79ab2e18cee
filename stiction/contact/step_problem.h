#pragma once

#include <cstdint>
#include <vector>

#include "stiction/contact/body_masses.h"
#include "stiction/contact/jacobian_blocks.h"
#include "stiction/lcp/problem.h"
#include "stiction/linalg/rows.h"
#include "stiction/model/system.h"

namespace stiction {

/// A step problem on bodies. Contacts have three rows each, n, t1 and t2, and joints and drives one to six; their
/// right-hand sides and laws are those of the step problem, in the same order.
struct StepBlocks {
  BodyStructure structure;
  BodyMasses masses;
  JacobianBlocks contacts, rows;
};

struct StepSolution;

/// The problem that every scheme poses at every step and every impact (DESIGN.md, section 1). Find v+ and impulses with
///
///     M (v+ - v) - nu c_nu - n c_n - t c_t = k                          momentum
///     nu' v_alpha + b_nu + compliance c_nu = 0                          joints; drives within their bounds:
///     lower <= c_nu <= upper, the left side >= 0 at lower, <= 0 at upper   (1982, (6.4)-(6.5))
///     0 <= n' v_alpha + b_n   complementary to   c_n >= 0               no penetration
///     c_t in the friction ellipse of radius mu c_n + hf, opposing t' v_alpha + b_t
///     or, of two blocks that share one set, |c_t1|^2/r_1^2 + |c_t2|^2/r_2^2 <= 1 with r = mu c_n + hf, their friction
///     the one of most dissipation in it (1996, section 3.5): the ellipsoid of a soft finger, the ball of a joint
///
/// where v_alpha = alpha v+ + (1 - alpha) v. M and k are the scheme's M~ and k~.
struct StepProblem {
  struct Contact {
    std::uint64_t id = 0;
    double mu = 0.0, mu2 = 0.0;  ///< Along t1 and t2.
    double hf = 0.0;             ///< Friction impulse that needs no normal force (1996, section 3.5).
    int tangents = 0;
    /// The contact whose normal impulse bounds this friction, or -1: its own. Torsional and rolling friction are blocks
    /// without a normal of their own (an empty row of n), after the contact that bears them.
    int normal = -1;
    /// The cone that the scene asks for: 0 is the true one, round or elliptic; k is the polyhedral cone with k facets,
    /// the first along t1 or, where they may be turned, anywhere. An answer is judged by this and has no say in it.
    int facets = 0;
    bool turns = false;
    int partner = -1;  ///< The block that shares one set with this one, said by both; or -1.
    /// Axis of the ellipse along t2 over that along t1.
    [[nodiscard]] double ratio() const { return mu > 0.0 ? mu2 / mu : 1.0; }
  };

  /// Of a row of nu; that of a joint unless it is said otherwise.
  struct RowLaw {
    double lower = -lcp::infinity, upper = lcp::infinity;  ///< Of its impulse, lower <= 0 <= upper.
    double compliance = 0.0;                               ///< Speed by which an impulse lets it give way.
    [[nodiscard]] bool is_joint() const { return lower == -lcp::infinity && upper == lcp::infinity; }
  };

  double alpha = 1.0;
  StepBlocks blocks;  ///< Without bodies in problems that are made of M and rows by hand, and in single islands.
  /// M as the system gives it; after writing it, take_masses(). The rows nu, n, t1 and t2 are read from the blocks by
  /// those who know no bodies: the functions below write both.
  SparseMatrix M;
  Vector v, k;
  /// What the applied forces give each velocity in the step, |g| h for what falls: the measure of what is at rest.
  /// Empty: what k gives it. An impact, which takes no time, has that of the step it happens in.
  Vector weight;
  linalg::Rows nu;
  std::vector<double> b_nu;
  std::vector<RowLaw> row_laws;  ///< May be shorter than nu: the rest are joints.
  std::vector<Contact> contacts;
  linalg::Rows n, t1, t2;
  std::vector<double> b_n, b_t1, b_t2;

  /// Bodies, from which on the problem has blocks. Its constraints start anew.
  void set_bodies(const BodyStructure& structure);
  [[nodiscard]] bool has_blocks() const { return blocks.structure.size() > 0; }
  void take_masses();
  void clear_constraints();
  /// Right-hand sides of the rows of a contact.
  struct Offsets {
    double n = 0.0, t1 = 0.0, t2 = 0.0;
  };
  void add_contact(const Contact& law, const BodyPair& bodies, const RowOf& along_n, const RowOf& along_t1,
                   const RowOf& along_t2, const Offsets& b);
  /// A row of a joint: the rows of one owner in turn are one block.
  void add_joint(const BodyPair& bodies, int owner, const RowOf& row, double b);
  /// A row with a law of its own.
  void add_drive(const BodyPair& bodies, int owner, const RowOf& row, double b, const RowLaw& law);
  /// The same in a problem without blocks.
  void add_row(const linalg::Rows& rows, int row, double b, const RowLaw& law);
  [[nodiscard]] RowLaw row_law(int row) const {
    return row < static_cast<int>(row_laws.size()) ? row_laws[row] : RowLaw{};
  }
  [[nodiscard]] int velocities() const { return static_cast<int>(v.size()); }
  [[nodiscard]] int joints() const { return nu.size(); }
  [[nodiscard]] int size() const { return static_cast<int>(contacts.size()); }

  [[nodiscard]] bool has_normal(int contact) const { return contacts[contact].normal < 0; }
  [[nodiscard]] int normal_of(int contact) const { return has_normal(contact) ? contact : contacts[contact].normal; }
  /// What bounds the friction of a contact: mu c_n + hf.
  [[nodiscard]] double radius(int contact, const std::vector<double>& c_n) const {
    return contacts[contact].mu * c_n[normal_of(contact)] + contacts[contact].hf;
  }

  /// Whether friction of any two blocks shares one set.
  [[nodiscard]] bool has_pairs() const;
  /// What the friction of a contact may grow to along its own block: its radius or, of a pair, what its partner leaves.
  [[nodiscard]] double radius_left(int contact, const StepSolution& solution) const;
  /// What friction takes: lambda (mu c_n + hf); of a pair the root of the sum of squares, counted with its first block.
  [[nodiscard]] double friction_loss(int contact, const StepSolution& solution) const;

  /// row' v_alpha.
  [[nodiscard]] double speed(const linalg::Rows& rows, int row, const Vector& v_plus) const {
    return alpha * rows.dot(row, v_plus) + (1.0 - alpha) * rows.dot(row, v);
  }
  /// The left side of a row of nu: zero for a joint that holds.
  [[nodiscard]] double row_speed(int row, const Vector& v_plus, double c_nu) const {
    return speed(nu, row, v_plus) + b_nu[row] + row_law(row).compliance * c_nu;
  }
};

/// The polyhedral cone of one contact: directions (cos a, (mu2/mu) sin a) in (t1, t2) at a = turn + 2 pi i / count. In
/// the plane count is 2 and turn is 0; without friction count is 0.
struct Facets {
  int count = 0;
  double turn = 0.0;
  bool has_normal = true;  ///< Its contact has a normal impulse of its own.
  /// The answer is the true cone's: its facets have no impulses and only say where a polyhedral solve would start.
  bool round = false;
  void direction(int i, double ratio, double& along1, double& along2) const;
  /// c_n, the facets' impulses and lambda; without friction c_n alone.
  [[nodiscard]] int unknowns() const { return first() + (count == 0 ? 0 : count + 1); }
  /// Place of the first facet among the contact's unknowns.
  [[nodiscard]] int first() const { return has_normal ? 1 : 0; }
};

/// The answer, with the cone it was found for: where that is not the cone asked for, the answer is one of a weaker
/// problem, and is graded so.
struct StepSolution {
  Vector v;  ///< v+
  std::vector<double> c_nu, c_n, c_t1, c_t2;
  std::vector<double>
      lambda;  ///< Of facets; for the true cone the speed of sliding, in the metric in which it is round.
  std::vector<Facets> facets;   ///< One a contact.
  std::vector<double> beta;     ///< Facet impulses, contact after contact.
  std::vector<int> beta_start;  ///< Where a contact's begin; one more entry than contacts.
};

}  // namespace stiction
