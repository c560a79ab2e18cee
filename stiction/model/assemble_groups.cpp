#include <map>

#include "stiction/model/assembly.h"
#include "stiction/model/message.h"

namespace stiction {

std::optional<Error> ModelAssembly::add_groups() {
  if (from.ignored_groups_.empty()) return std::nullopt;
  std::map<std::string, int> index;
  for (const BodyDef& body : from.bodies_) {
    const bool has_one = !body.group.empty();
    data.group_of.push_back(has_one ? index.try_emplace(body.group, static_cast<int>(index.size())).first->second : -1);
  }
  const int count = static_cast<int>(index.size());
  data.groups = count;
  data.ignored_groups.assign(index.size() * index.size(), 0);
  for (const auto& [a, b] : from.ignored_groups_) {
    for (const std::string* name : {&a, &b}) {
      if (index.contains(*name)) continue;
      return error_at("ignored groups",
                      say("no body is in ", called("group", *name), "; give one the group, or remove this"));
    }
    const int i = index[a], j = index[b];
    data.ignored_groups[i * count + j] = data.ignored_groups[j * count + i] = 1;
  }
  return std::nullopt;
}

}  // namespace stiction
