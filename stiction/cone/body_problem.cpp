#include "stiction/cone/body_problem.h"

namespace stiction::cone {

void BodyProblem::clear() {
  nodes = 0;
  for (auto* list : {&M, &upper, &lower, &v, &k, &J, &b, &compliance, &least, &most}) list->clear();
  coupled.clear();
  units.clear();
  touched.clear();
  groups.clear();
}

}  // namespace stiction::cone
