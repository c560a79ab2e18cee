#include "stiction/contact/step_problem.h"

#include <cmath>
#include <numbers>

namespace stiction {

void StepProblem::clear_constraints() {
  nu.clear();
  b_nu.clear();
  row_laws.clear();
  contacts.clear();
  n.clear();
  t1.clear();
  t2.clear();
  b_n.clear();
  b_t1.clear();
  b_t2.clear();
}

void StepProblem::add_row(const linalg::Rows& rows, int row, double b, const RowLaw& law) {
  row_laws.resize(static_cast<std::size_t>(nu.size()));
  row_laws.push_back(law);
  nu.append(rows, row);
  b_nu.push_back(b);
}

void Facets::direction(int i, double ratio, double& along1, double& along2) const {
  if (count == 2) {  // exact in the plane
    along1 = i == 0 ? 1.0 : -1.0;
    along2 = 0.0;
    return;
  }
  // Opposite facets are exact negatives: (13) of 1996 holds to the last bit.
  const int half = count / 2;
  const double sign = i < half ? 1.0 : -1.0;
  const double angle = turn + 2.0 * std::numbers::pi * (i % half) / count;
  along1 = sign * std::cos(angle);
  along2 = sign * ratio * std::sin(angle);
}

}  // namespace stiction
