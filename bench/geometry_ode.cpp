#include "bench/geometry_peers.h"

#ifdef STICTION_HAVE_ODE
#include <ode/ode.h>

#include <array>

#include "stiction/geometry/polytope.h"

namespace stiction::bench {
namespace {

/// ODE wants planes, points and polygons of its convex solids to live as long as these.
struct ConvexData {
  std::vector<dReal> planes, points;
  std::vector<unsigned> polygons;
};

void place(dGeomID geom, const Pose& pose) {
  const dQuaternion q = {pose.orientation.w(), pose.orientation.x(), pose.orientation.y(), pose.orientation.z()};
  dGeomSetPosition(geom, pose.position.x(), pose.position.y(), pose.position.z());
  dGeomSetQuaternion(geom, q);
}

void start_once() {
  static const int started = dInitODE2(0);
  static_cast<void>(started);
}

class Ode final : public NarrowPeer {
 public:
  ~Ode() override {
    for (dGeomID geom : geoms_) dGeomDestroy(geom);
  }
  [[nodiscard]] std::string name() const override { return "ODE"; }
  bool prepare(std::span<const PlacedPair> pairs) override {
    start_once();
    for (const PlacedPair& pair : pairs) {
      for (const auto& [shape, pose] : {std::pair(&pair.a, &pair.pose_a), std::pair(&pair.b, &pair.pose_b)}) {
        dGeomID geom = make(*shape);
        if (geom == nullptr) return false;
        place(geom, *pose);
        geoms_.push_back(geom);
      }
    }
    return true;
  }
  long collide() override {
    std::array<dContactGeom, 8> contacts;
    long count = 0;
    for (std::size_t i = 0; i + 1 < geoms_.size(); i += 2) {
      count += dCollide(geoms_[i], geoms_[i + 1], 8, contacts.data(), sizeof(dContactGeom));
    }
    return count;
  }

 private:
  dGeomID make(const Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) return dCreateSphere(nullptr, sphere->radius);
    if (const auto* box = std::get_if<Box>(&shape)) return dCreateBox(nullptr, box->x, box->y, box->z);
    const auto* hull = std::get_if<Hull>(&shape);
    if (hull == nullptr) return nullptr;
    auto data = std::make_unique<ConvexData>();
    for (const Vec3& x : hull->solid->vertices) data->points.insert(data->points.end(), {x.x(), x.y(), x.z()});
    for (const auto& face : hull->solid->faces) {
      data->planes.insert(data->planes.end(), {face.normal.x(), face.normal.y(), face.normal.z(), face.offset});
      data->polygons.push_back(static_cast<unsigned>(face.count));
      for (const int v : hull->solid->corners_of(face)) data->polygons.push_back(static_cast<unsigned>(v));
    }
    dGeomID geom =
        dCreateConvex(nullptr, data->planes.data(), static_cast<unsigned>(hull->solid->faces.size()),
                      data->points.data(), static_cast<unsigned>(hull->solid->vertices.size()), data->polygons.data());
    data_.push_back(std::move(data));
    return geom;
  }

  std::vector<dGeomID> geoms_;
  std::vector<std::unique_ptr<ConvexData>> data_;
};

class OdeSpace final : public BroadPeer {
 public:
  ~OdeSpace() override {
    if (space_ != nullptr) dSpaceDestroy(space_);
  }
  [[nodiscard]] std::string name() const override { return "ODE (sweep and prune)"; }
  void prepare(std::span<const Vec3> half_extents, std::span<const Vec3> places) override {
    start_once();
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Vec3 size = 2.0 * half_extents[i];
      geoms_.push_back(dCreateBox(space_, size.x(), size.y(), size.z()));
      dGeomSetPosition(geoms_.back(), places[i].x(), places[i].y(), places[i].z());
    }
  }
  long update(std::span<const Vec3> places) override {
    for (std::size_t i = 0; i < places.size(); ++i) {
      dGeomSetPosition(geoms_[i], places[i].x(), places[i].y(), places[i].z());
    }
    long count = 0;
    dSpaceCollide(space_, &count, [](void* data, dGeomID, dGeomID) { ++*static_cast<long*>(data); });
    return count;
  }

 private:
  dSpaceID space_ = nullptr;
  std::vector<dGeomID> geoms_;
};

}  // namespace

std::unique_ptr<NarrowPeer> narrow_ode() {
  return std::make_unique<Ode>();
}

std::unique_ptr<BroadPeer> broad_ode() {
  return std::make_unique<OdeSpace>();
}

}  // namespace stiction::bench

#else

namespace stiction::bench {

std::unique_ptr<NarrowPeer> narrow_ode() {
  return nullptr;
}

std::unique_ptr<BroadPeer> broad_ode() {
  return nullptr;
}

}  // namespace stiction::bench

#endif
