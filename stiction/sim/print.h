#pragma once

#include "stiction/linalg/pose.h"
#include "stiction/sim/run_certificate.h"

namespace stiction {

/// On standard output: where a body is, and what the run is worth.
void print(const Pose& pose, const RunCertificate& certificate);

}  // namespace stiction
