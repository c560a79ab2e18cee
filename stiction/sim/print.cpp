#include "stiction/sim/print.h"

#include <cstdio>

namespace stiction {

void print(const Pose& pose, const RunCertificate& certificate) {
  const Vec3& p = pose.position;
  const Quat& o = pose.orientation;
  std::printf("position [%.9g, %.9g, %.9g] m, orientation [%.9g, %.9g, %.9g, %.9g]\n", p.x(), p.y(), p.z(), o.w(),
              o.x(), o.y(), o.z());
  std::printf(
      "%ld steps, %ld not certified; worst residual %.2g, penetration %.2g m, momentum defect %.2g, energy defect "
      "%.2g\n",
      certificate.steps, certificate.uncertified_steps, certificate.max_residual, certificate.max_penetration,
      certificate.max_momentum_defect, certificate.max_energy_defect);
}

}  // namespace stiction
