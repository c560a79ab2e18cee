#include "stiction/scene/scene.h"

#include <array>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "stiction/base/file.h"
#include "stiction/base/text.h"
#include "stiction/model/model_builder.h"
#include "stiction/scene/document_reader.h"
#include "stiction/scene/override.h"
#include "stiction/scene/quantities.h"
#include "stiction/scene/start_check.h"
#include "stiction/scene/version.h"

namespace stiction {

namespace {

using scene::Description;
using scene::JsonValue;
using scene::MistakeKind;
using scene::Mistakes;

ModelBuilder make_builder(const Description& description) {
  ModelBuilder builder;
  builder.set_gravity(description.gravity);
  for (const BodyDef& body : description.bodies) builder.add_body(body);
  for (const JointDef& joint : description.joints) builder.add_joint(joint);
  for (const SpringDef& spring : description.springs) builder.add_spring(spring);
  for (const ForceDef& force : description.forces) builder.add_force(force);
  for (const ImpulseDef& impulse : description.impulses) builder.add_impulse(impulse);
  for (const auto& pair : description.pairs) builder.set_pair(pair.a, pair.b, pair.surface);
  for (const auto& [a, b] : description.ignored_contacts) builder.ignore_pair(a, b);
  for (const auto& [a, b] : description.ignored_groups) builder.ignore_groups(a, b);
  return builder;
}

/// The pointer to what a message of the model is about. It begins with the kind and the name: "body 'rod': ...". What
/// has none is called by its place, as read_document() does it.
std::string find_subject(const std::string& message, const JsonValue& root) {
  struct Kind {
    std::string_view word, list, default_name;
  };
  constexpr std::array<Kind, 5> kinds{{{"body", "bodies", "body"},
                                       {"joint", "joints", "joint"},
                                       {"spring", "forces", "force"},
                                       {"force", "forces", "force"},
                                       {"impulse", "forces", "force"}}};
  for (const auto& [word, list, default_name] : kinds) {
    const auto* member = root.find(list);
    if (!message.starts_with(word) || member == nullptr || member->value.array() == nullptr) continue;
    const auto& items = *member->value.array();
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto* given = items[i].find("name");
      const bool is_named = given != nullptr && given->value.text() != nullptr;
      const std::string name = is_named ? *given->value.text() : std::string(default_name) + std::to_string(i);
      if (message.starts_with(std::string(word) + " '" + one_line(name, 80) + "'"))
        return "/" + std::string(list) + "/" + std::to_string(i);
    }
  }
  return "";
}

std::optional<Model> build(const Description& description, const JsonValue& root, Mistakes& mistakes) {
  Result<Model> model = make_builder(description).build();
  if (model) return std::move(model).value();
  const std::string pointer = find_subject(model.error(), root);
  mistakes.add(MistakeKind::meaning, find_value(root, pointer)->place, pointer, model.error());
  return std::nullopt;
}

std::string default_name(std::string_view file_name) {
  std::string stem = std::filesystem::path(file_name).stem().string();
  return scene::is_name(stem) ? stem : "scene";
}

}  // namespace

Result<Scene> parse_scene(std::string_view text, std::string_view file_name, std::span<const std::string> overrides,
                          const scene::JsonLimits& limits) try {
  Mistakes mistakes(file_name, {overrides.begin(), overrides.end()});
  std::optional<JsonValue> root = parse_json(text, 0, limits, mistakes);
  if (!root) return mistakes.to_error();
  for (std::size_t i = 0; i < overrides.size(); ++i)
    if (auto error = apply_override(*root, overrides[i], static_cast<std::uint32_t>(i + 1))) return std::move(*error);
  if (!migrate(*root, scene::format_version, scene::migrations(), mistakes)) return mistakes.to_error();

  const Description description = read_document(*root, mistakes);
  if (!mistakes.empty()) return mistakes.to_error();
  std::optional<Model> model = build(description, *root, mistakes);
  if (model) check_start(Multibody(*model), description.settings, *root, mistakes);
  if (!model || !mistakes.empty()) return mistakes.to_error();
  return Scene{.name = description.name.empty() ? default_name(file_name) : description.name,
               .text = std::string(text),
               .document = to_json(*root),
               .settings = description.settings,
               .model = std::move(*model),
               .exact = description.exact};
} catch (const std::bad_alloc&) {
  return Error{std::string(file_name) + ": not enough memory to read it"};
}

Result<Scene> read_scene(const std::filesystem::path& path, std::span<const std::string> overrides) {
  const Result<std::string> text = read_file(path, scene::JsonLimits{}.bytes);
  if (!text) return Error{text.error()};
  return parse_scene(text.value(), path.string(), overrides);
}

}  // namespace stiction
