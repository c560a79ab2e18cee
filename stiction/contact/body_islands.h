#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/cone/body_problem.h"
#include "stiction/contact/step_problem.h"

namespace stiction {

/// A step problem in parts that do not act on each other, each posed on its bodies (cone::BodyProblem). Contacts take
/// the friction that they bear along: sliding, rolling and spinning are one unit. Storage is kept.
class BodyIslands {
 public:
  /// Where the impulse of a row of a BodyProblem belongs: c = scale r.
  struct Source {
    enum class List : std::uint8_t { nu, n, t1, t2 };
    List list = List::n;
    int row = 0;
    double scale = 1.0;
  };

  void split(const StepProblem& problem);
  /// Those with a constraint come first; where there are velocities without any, they are the last one, together.
  [[nodiscard]] int size() const { return static_cast<int>(node_starts_.size()) - 1; }
  [[nodiscard]] std::span<const int> nodes(int island) const { return part(node_starts_, node_list_, island); }
  /// The velocities of a node.
  [[nodiscard]] int first_velocity(int node) const { return velocity_starts_[node]; }
  [[nodiscard]] int velocities(int node) const { return velocity_starts_[node + 1] - velocity_starts_[node]; }
  [[nodiscard]] int nodes() const { return static_cast<int>(velocity_starts_.size()) - 1; }

  [[nodiscard]] bool has_contacts(int island) const;
  void pose(const StepProblem& problem, int island, cone::BodyProblem& posed, std::vector<Source>& sources);

 private:
  struct Unit {
    int contact = -1;        ///< Of the problem, or -1,
    int row = -1, rows = 0;  ///< and then rows of nu.
    int first_touch = 0, touches = 0;
    int island = 0;
  };

  static std::span<const int> part(const std::vector<int>& starts, const std::vector<int>& list, int i) {
    return {list.data() + starts[i], static_cast<std::size_t>(starts[i + 1] - starts[i])};
  }
  void read_nodes(const StepProblem& problem);
  void read_units(const StepProblem& problem);
  void find_islands(const StepProblem& problem);
  void find_speeds(const StepProblem& problem);
  void touch_rows(const linalg::Rows& rows, int row, Unit& unit);
  void touch_bodies(const StepProblem& problem, const BodyPair& bodies, Unit& unit);
  void touch(int node, Unit& unit);
  int root(int node);
  void pose_masses(const StepProblem& problem, int island, cone::BodyProblem& posed);
  void pose_contact(const StepProblem& problem, const Unit& unit, cone::BodyProblem& posed,
                    std::vector<Source>& sources);
  void pose_rows(const StepProblem& problem, const Unit& unit, cone::BodyProblem& posed, std::vector<Source>& sources);
  void begin_unit(const Unit& unit, int rows, cone::BodyProblem& posed) const;
  void write_row(const linalg::Rows& rows, int row, double scale, double b, cone::BodyProblem& posed) const;

  int width_ = 6;
  std::vector<int> velocity_starts_ = {0}, node_of_, body_nodes_;
  std::vector<Unit> units_;
  std::vector<int> touched_, borne_first_, borne_next_;
  std::vector<int> parent_, island_of_, local_;
  std::vector<char> constrained_;
  std::vector<int> node_starts_ = {0}, node_list_, unit_starts_ = {0}, unit_list_;
  Vector free_, weight_;
  std::vector<double> alone_, around_;  ///< Speeds of units by themselves, and the largest by node.
};

}  // namespace stiction
