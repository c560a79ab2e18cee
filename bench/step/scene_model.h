#pragma once

#include "bench/step/scene.h"
#include "stiction/base/result.h"
#include "stiction/model/model.h"

namespace stiction::bench {

/// The scene as a model of ours: its bodies in their order, then the planes.
[[nodiscard]] Result<Model> make_model(const StepScene& scene);

}  // namespace stiction::bench
