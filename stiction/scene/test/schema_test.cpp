// The published schema and the reader must say the same of every document, as far as a schema can see: it refuses
// exactly where the reader finds a mistake of structure. valijson, a library of others, reads the schema.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "stiction/base/random.h"
#include "stiction/scene/document_reader.h"
#include "stiction/scene/test/scene_files.h"
#include "stiction/scene/version.h"

#if __has_include(<valijson/validator.hpp>)
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#define STICTION_HAS_VALIJSON 1
#endif

namespace {

using nlohmann::json;
using namespace stiction::scene;  // NOLINT(google-build-using-namespace): a test of that namespace

constexpr const char* schema_path = "stiction/scene/scene.schema.json";

json read_schema() {
  std::ifstream in(schema_path);
  return json::parse(in);
}

/// Whether the reader finds a mistake of structure in the document; `told` is what it says.
bool reader_accepts_structure(const json& document, std::string& told) {
  Mistakes mistakes("document");
  auto root = parse_json(document.dump(), 0, {}, mistakes);
  if (root && migrate(*root, format_version, migrations(), mistakes)) static_cast<void>(read_document(*root, mistakes));
  told = mistakes.empty() ? "nothing" : mistakes.to_error().message;
  return !mistakes.has(MistakeKind::structure) && !mistakes.has(MistakeKind::syntax);
}

/// Changes one value, key or entry anywhere in a document.
class DocumentMutator {
 public:
  explicit DocumentMutator(std::uint64_t seed) : random_(seed) {}

  json mutate(json document) {
    std::vector<json*> nodes;
    collect(document, nodes);
    json& node = *nodes[static_cast<std::size_t>(random_.bits() % nodes.size())];
    switch (random_.integer(0, 5)) {
      case 0:
        node = values_[static_cast<std::size_t>(random_.bits() % values_.size())];
        break;
      case 1:
        if (node.is_number()) node = node.get<double>() * (random_.integer(0, 1) == 0 ? -1.0 : 1e10);
        break;
      case 2:
        erase_entry(node);
        break;
      case 3:
        if (node.is_array()) node.push_back(node.empty() ? json(1) : node.back());
        if (node.is_object()) node["unknown_key"] = 1;
        break;
      case 4:
        if (node.is_object()) node[keys_[static_cast<std::size_t>(random_.bits() % keys_.size())]] = random_value();
        break;
      default:
        node = *nodes[static_cast<std::size_t>(random_.bits() % nodes.size())];
    }
    return document;
  }

 private:
  static void collect(json& node, std::vector<json*>& nodes) {
    nodes.push_back(&node);
    if (node.is_structured())
      for (json& child : node) collect(child, nodes);
  }
  void erase_entry(json& node) {
    if (!node.is_structured() || node.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(random_.bits() % node.size());
    node.erase(std::next(node.begin(), at));
  }
  json random_value() { return values_[static_cast<std::size_t>(random_.bits() % values_.size())]; }

  stiction::Random random_;
  const std::vector<json> values_{nullptr,
                                  true,
                                  0,
                                  1,
                                  -1,
                                  2,
                                  0.5,
                                  8,
                                  7,
                                  8.5,
                                  8.0,
                                  1e-13,
                                  1e20,
                                  "",
                                  "x",
                                  "planar",
                                  "default",
                                  "floor",
                                  "sphere",
                                  "auto",
                                  std::string(101, 'n'),
                                  "a\tb",
                                  "\xC3\xA4",
                                  json::array(),
                                  {1, 2},
                                  {0, 0, 1},
                                  {0, 0, 0, 1},
                                  {"x", "y"},
                                  {"x", "x"},
                                  {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                  json::object(),
                                  {{"mu", 0.3}},
                                  {{"axis", {0, 0, 1}}, {"angle", 1}},
                                  {{"type", "point"}},
                                  {{"type", "sphere"}, {"radius", 1}},
                                  json::array({{{"type", "segment"}, {"length", 1}}})};
  const std::vector<std::string> keys_{"name",
                                       "mass",
                                       "density",
                                       "inertia",
                                       "shape",
                                       "shapes",
                                       "position",
                                       "orientation",
                                       "angle",
                                       "velocity",
                                       "angular_velocity",
                                       "freedom",
                                       "fixed",
                                       "kinematic",
                                       "material",
                                       "mu",
                                       "mu2",
                                       "restitution",
                                       "pairs",
                                       "between",
                                       "type",
                                       "body",
                                       "partner",
                                       "anchor",
                                       "partner_anchor",
                                       "axis",
                                       "length",
                                       "partner_axis",
                                       "carrier",
                                       "teeth",
                                       "ratio",
                                       "break_force",
                                       "break_torque",
                                       "limits",
                                       "one_way",
                                       "friction",
                                       "motor",
                                       "servo",
                                       "slide",
                                       "turn",
                                       "max_force",
                                       "stiffness",
                                       "damping",
                                       "force",
                                       "torque",
                                       "point",
                                       "scheme",
                                       "h",
                                       "end",
                                       "solver",
                                       "cone",
                                       "turn_facets",
                                       "max_turns",
                                       "geometry",
                                       "linear",
                                       "max_iterations",
                                       "position_update",
                                       "impact",
                                       "restitution_threshold",
                                       "stabilisation",
                                       "contact_tolerance",
                                       "max_events",
                                       "initial_velocity",
                                       "start_penetration",
                                       "tolerance",
                                       "gravity",
                                       "joints",
                                       "forces",
                                       "ignore_contacts",
                                       "ignore_groups",
                                       "group",
                                       "simulation",
                                       "materials",
                                       "bodies",
                                       "stiction",
                                       "$schema",
                                       "collide",
                                       "radius",
                                       "size",
                                       "normal",
                                       "offset"};
};

/// A document with every kind of thing in it, so that mutants reach all of the schema.
const json everything = json::parse(R"({
  "$schema": "x", "stiction": 1, "name": "everything", "gravity": [0, 0, -9.81],
  "materials": {"default": {"mu": 0.3}, "ice": {"mu": 0.01, "mu2": 0.02, "restitution": 0.5},
                "pairs": [{"between": ["ice", "default"], "mu": 0.1, "mu2": 0.2, "restitution": 0}]},
  "bodies": [
    {"name": "floor", "fixed": true, "shape": {"type": "half_space", "normal": [0, 0, 1], "offset": 0}},
    {"name": "a", "mass": 1, "inertia": [1, 1, 1], "material": "ice", "position": [0, 0, 3], "orientation": [1, 0, 0, 0],
     "velocity": [1, 0, 0], "angular_velocity": [0, 0, 1], "freedom": "full",
     "shapes": [{"type": "sphere", "radius": 0.1, "name": "s", "position": [1, 0, 0], "material": {"mu": 0.2}},
                {"type": "capsule", "radius": 0.1, "length": 1, "axis": [1, 0, 0], "angle": 0.5},
                {"type": "segment", "length": 1, "axis": [0, 1, 0]}, {"type": "point", "orientation": [1, 0, 0, 0]}]},
    {"name": "b", "density": 1000, "shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 3, 3], "angle": 0.1,
     "orientation": {"axis": [0, 0, 1], "angle": 0.1}, "freedom": ["x", "y", "rz"], "angular_velocity": 2},
    {"name": "c", "kinematic": true, "velocity": [0, 0, 1], "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
    {"name": "d", "mass": 1, "inertia": 2, "freedom": "planar", "group": "g"}],
  "joints": [
    {"type": "fixed", "name": "j0", "body": "a", "partner": "world", "anchor": [0, 0, 3],
     "break_force": 100, "break_torque": 10},
    {"type": "revolute", "body": "a", "partner": "b", "anchor": [0, 0, 3], "axis": [0, 0, 1], "collide": true},
    {"type": "prismatic", "body": "a", "axis": [0, 0, 1], "partner_anchor": [0, 0, 3]},
    {"type": "spherical", "body": "a", "anchor": [0, 0, 3]},
    {"type": "distance", "body": "a", "partner": "b", "anchor": [0, 0, 3], "partner_anchor": [0, 3, 3], "length": 3},
    {"type": "universal", "body": "a", "anchor": [0, 0, 3], "axis": [1, 0, 0], "partner_axis": [0, 1, 0]},
    {"type": "cylindrical", "body": "a", "axis": [0, 0, 1], "anchor": [0, 0, 3], "partner_anchor": [0, 0, 4]},
    {"type": "planar", "body": "a", "axis": [0, 0, 1], "anchor": [0, 0, 3]},
    {"type": "gear", "body": "a", "partner": "b", "axis": [0, 0, 1], "partner_axis": [0, 0, 1], "carrier": "d",
     "teeth": [20, -40]},
    {"type": "gear", "body": "a", "partner": "b", "ratio": -2.5},
    {"type": "rack", "body": "a", "partner": "b", "axis": [0, 0, 1], "partner_axis": [1, 0, 0], "carrier": "world",
     "radius": 0.1},
    {"type": "rope", "body": "a", "partner": "b", "anchor": [0, 0, 3], "partner_anchor": [0, 3, 3], "length": 4,
     "restitution": 0.5},
    {"type": "rolling_ball", "body": "a", "anchor": [0, 0, 3], "normal": [0, 0, 1], "radius": 0.1},
    {"type": "rolling_disc", "body": "a", "anchor": [0, 0, 3], "normal": [0, 0, 1], "radius": 0.1, "axis": [0, 1, 0]},
    {"type": "knife_edge", "body": "a", "anchor": [0, 0, 3], "axis": [0, 1, 0], "one_way": true},
    {"type": "revolute", "body": "a", "anchor": [0, 0, 3], "limits": [-1, 1], "restitution": 0.5, "one_way": false,
     "friction": 0.1, "motor": {"velocity": "2*t", "max_force": 3}},
    {"type": "prismatic", "body": "a", "axis": [0, 0, 1], "limits": [0, 1], "friction": 2,
     "servo": {"position": 0.5, "stiffness": 100, "damping": 1, "max_force": 3}},
    {"type": "cylindrical", "body": "a", "axis": [0, 0, 1],
     "slide": {"limits": [-1, 1], "restitution": 0.5, "one_way": true, "friction": 1, "motor": {"velocity": 1}},
     "turn": {"limits": [-1, 1], "servo": {"position": "t", "stiffness": 10}}}],
  "forces": [
    {"type": "spring", "name": "f", "body": "a", "partner": "b", "anchor": [0, 0, 3], "partner_anchor": [0, 3, 3],
     "stiffness": 10, "damping": 1, "length": 2},
    {"type": "force", "body": "a", "force": [1, 0, 0], "torque": [0, 0, 1], "point": [0, 0, 0]}],
  "ignore_contacts": [["a", "b"], ["a", "c"]], "ignore_groups": [["g", "g"]],
  "simulation": {"scheme": "stewart_trinkle", "h": 0.01, "end": 1, "solver": "auto", "cone": 8, "turn_facets": true,
    "max_turns": 20, "geometry": "end", "linear": false, "max_iterations": 50, "position_update": "new_velocity",
    "impact": "poisson", "restitution_threshold": 0, "stabilisation": 0, "contact_tolerance": 1e-7, "max_events": 100,
    "initial_velocity": "refuse", "start_penetration": 1e-6, "tolerance": 1e-8, "alpha": 0.5, "gamma": 0.5,
    "jacobian": "auto", "newton": false, "projection": false, "locate_transitions": true}
})");

#if defined(STICTION_HAS_VALIJSON)

class SchemaJudge {
 public:
  SchemaJudge() {
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text_), schema_);
  }
  bool accepts(const json& document) {
    valijson::Validator validator;
    return validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
  }

 private:
  json text_ = read_schema();
  valijson::Schema schema_;
};

TEST(Schema, AcceptsEveryScene) {
  SchemaJudge schema;
  for (const auto& file : test::scene_files())
    EXPECT_TRUE(schema.accepts(json::parse(file.text, nullptr, true, true))) << file.path;
}

TEST(Schema, AgreesWithTheReaderOnMutatedScenes) {
  SchemaJudge schema;
  std::vector<json> documents{everything, everything, everything, everything};
  for (const auto& file : test::scene_files()) documents.push_back(json::parse(file.text, nullptr, true, true));
  DocumentMutator mutator(7);
  int accepted = 0, refused = 0;
  for (const json& document : documents) {
    for (int i = 0; i < 250; ++i) {
      json mutant = mutator.mutate(document);
      if (i % 4 == 0) mutant = mutator.mutate(mutant);
      std::string told;
      const bool reader = reader_accepts_structure(mutant, told);
      ASSERT_EQ(schema.accepts(mutant), reader) << mutant.dump(1) << "\nThe reader says: " << told;
      ++(reader ? accepted : refused);
    }
  }
  EXPECT_GT(accepted, 1000);
  EXPECT_GT(refused, 1000);
}

#else

TEST(Schema, AgreesWithTheReaderOnMutatedScenes) {
  GTEST_SKIP() << "valijson is not installed: apt-get install libvalijson-dev";
}

#endif

TEST(Schema, EveryKindOfThingIsInTheTestsDocument) {
  std::string told;
  json document = everything;
  document["bodies"][2].erase("angle");  // it has an orientation too, for the mutants' sake
  EXPECT_TRUE(reader_accepts_structure(document, told)) << told;
}

}  // namespace
