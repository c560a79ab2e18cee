#include <Eigen/Cholesky>

#include "stiction/geometry/mass_properties.h"
#include "stiction/model/assembly.h"
#include "stiction/model/message.h"

namespace stiction {
namespace {

/// Farther than this share of the body's size, the centre of the shapes is not the body's origin.
constexpr double center_tolerance = 1e-6;

double total_volume(const std::vector<ShapeDef>& shapes) {
  double sum = 0.0;
  for (const ShapeDef& shape : shapes) sum += volume(shape.shape);
  return sum;
}

Result<double> find_mass(const std::string& where, const BodyDef& def, const std::vector<ShapeDef>& shapes) {
  if (def.mass && def.density) return error_at(where, "has both a mass and a density; give one of them");
  if (def.mass) return *def.mass;
  if (!def.density) return error_at(where, "has no mass; give mass, or density and a shape");
  const double mass = *def.density * total_volume(shapes);
  if (!(mass > 0.0)) {
    return error_at(where, "has a density but no shape with a volume; give mass, or a shape that has one");
  }
  if (auto error = need_positive(where, "mass from density", mass)) return *error;
  return mass;
}

Result<Mat3> inertia_from_shapes(const std::string& where, double mass, const std::vector<ShapeDef>& shapes) {
  if (shapes.empty()) return error_at(where, "can rotate but has neither inertia nor a shape; give one of them");
  const double whole = total_volume(shapes);
  if (whole == 0.0 && shapes.size() > 1) {
    return error_at(where, "has several shapes, none with a volume, so its inertia is not known; give inertia");
  }
  MassProperties solid;
  double size = 0.0;
  for (const ShapeDef& shape : shapes) {
    const double share = whole > 0.0 ? volume(shape.shape) / whole : 1.0;
    solid = solid + moved(mass_properties(shape.shape, share * mass),
                          {shape.pose.position, shape.pose.orientation.normalized()});
    size = std::max(size, shape.pose.position.norm());
  }
  size = std::max(size, std::sqrt(solid.inertia.trace() / mass));
  if (solid.center.norm() > center_tolerance * size) {
    return error_at(where, "the centre of mass of its shapes is at ", solid.center,
                    " in the body's frame, but must be at its origin; move the shapes by ", Vec3(-solid.center),
                    ", or give inertia");
  }
  return solid.inertia;
}

/// Why the inertia cannot serve; of a body that has only some rotations, the rest of it does not matter.
std::optional<std::string> defect(const Body& body) {
  const auto& columns = body.columns;
  if (columns[3] >= 0 && columns[4] >= 0 && columns[5] >= 0) return inertia_defect(body.inertia);
  if (!body.inertia.allFinite()) return "has an entry that is not a finite number";
  Mat3 free = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (columns[3 + i] >= 0 && columns[3 + j] >= 0) free(i, j) = body.inertia(i, j);
    }
  }
  if ((free - free.transpose()).cwiseAbs().maxCoeff() > 1e-9 * free.cwiseAbs().maxCoeff()) return "is not symmetric";
  if (Eigen::LLT<Mat3>(free).info() == Eigen::Success && free.diagonal().minCoeff() > 0.0) return std::nullopt;
  return "must be positive about every axis the body can rotate about";
}

}  // namespace

Result<Body> with_mass(Body body, const BodyDef& def, const std::vector<ShapeDef>& shapes) {
  const std::string where = called("body", body.name);
  const Result<double> mass = find_mass(where, def, shapes);
  if (!mass) return Error{mass.error()};
  body.mass = mass.value();
  if (!body.can_rotate()) return body;
  if (def.inertia) {
    body.inertia = *def.inertia;
  } else {
    const Result<Mat3> inertia = inertia_from_shapes(where, body.mass, shapes);
    if (!inertia) return Error{inertia.error()};
    body.inertia = inertia.value();
  }
  if (auto why = defect(body)) {
    return error_at(where, def.inertia ? "the inertia " : "the inertia of its shapes ", *why,
                    def.inertia ? "; correct it" : "; give inertia");
  }
  body.inertia = (0.5 * (body.inertia + body.inertia.transpose())).eval();
  return body;
}

}  // namespace stiction
