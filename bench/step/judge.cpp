#include "bench/step/judge.h"

#include <algorithm>
#include <cmath>

namespace stiction::bench {

void Judge::look(std::span<const Pose> bodies) {
  q_.resize(7 * static_cast<int>(bodies.size()));
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const Pose& pose = bodies[static_cast<std::size_t>(i)];
    const Quat turn = pose.orientation.normalized();
    q_.segment<7>(7 * i) << pose.position, turn.w(), turn.x(), turn.y(), turn.z();
  }
  finite_ = finite_ && q_.allFinite();
  if (!finite_) return;
  system_.find_gaps(0.0, q_, 0.0, gaps_);
  for (const ContactPoint& contact : gaps_.contacts) penetration_ = std::max(penetration_, -contact.Phi);
  system_.find_joints(0.0, q_, joints_);
  for (const double off : joints_.Theta) drift_ = std::max(drift_, std::abs(off));
}

}  // namespace stiction::bench
