#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "stiction/model/definitions.h"
#include "stiction/scene/exact_motion.h"
#include "stiction/scene/settings.h"

namespace stiction::scene {

/// Two named materials and what holds between them.
struct PairDef {
  std::string a, b;
  Material surface;
};

/// A scene file's content in the model's own terms, before a model is made of it. Body ids are positions in the file.
struct Description {
  std::string name;
  Vec3 gravity = {0.0, 0.0, -9.81};
  std::vector<PairDef> pairs;
  std::vector<BodyDef> bodies;
  std::vector<JointDef> joints;
  std::vector<SpringDef> springs;
  std::vector<ForceDef> forces;
  std::vector<ImpulseDef> impulses;
  std::vector<std::pair<BodyId, BodyId>> ignored_contacts;
  std::vector<std::pair<std::string, std::string>> ignored_groups;
  std::vector<ExactMotion> exact;
  Settings settings;
};

}  // namespace stiction::scene
