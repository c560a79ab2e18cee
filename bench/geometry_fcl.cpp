#include "bench/geometry_peers.h"

#ifdef STICTION_HAVE_FCL
#include <fcl/fcl.h>

#include "stiction/geometry/polytope.h"

namespace stiction::bench {
namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

fcl::Transform3d transform_of(const Pose& pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  transform.linear() = pose.orientation.toRotationMatrix();
  transform.translation() = pose.position;
  return transform;
}

Geometry convex_of(const Polytope& solid) {
  auto faces = std::make_shared<std::vector<int>>();
  for (const auto& face : solid.faces) {
    faces->push_back(face.count);
    for (const int v : solid.corners_of(face)) faces->push_back(v);
  }
  return std::make_shared<fcl::Convexd>(std::make_shared<const std::vector<Vec3>>(solid.vertices),
                                        static_cast<int>(solid.faces.size()), faces);
}

Geometry make(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return std::make_shared<fcl::Sphered>(sphere->radius);
  if (const auto* box = std::get_if<Box>(&shape)) return std::make_shared<fcl::Boxd>(box->x, box->y, box->z);
  const auto* hull = std::get_if<Hull>(&shape);
  return hull != nullptr ? convex_of(*hull->solid) : nullptr;
}

class Fcl final : public NarrowPeer {
 public:
  [[nodiscard]] std::string name() const override { return "FCL"; }
  bool prepare(std::span<const PlacedPair> pairs) override {
    for (const PlacedPair& pair : pairs) {
      for (const auto& [shape, pose] : {std::pair(&pair.a, &pair.pose_a), std::pair(&pair.b, &pair.pose_b)}) {
        const Geometry geometry = make(*shape);
        if (geometry == nullptr) return false;
        objects_.push_back(std::make_unique<fcl::CollisionObjectd>(geometry, transform_of(*pose)));
      }
    }
    return true;
  }
  long collide() override {
    fcl::CollisionRequestd request;
    request.num_max_contacts = 8;
    request.enable_contact = true;
    long count = 0;
    for (std::size_t i = 0; i + 1 < objects_.size(); i += 2) {
      fcl::CollisionResultd result;
      fcl::collide(objects_[i].get(), objects_[i + 1].get(), request, result);
      count += static_cast<long>(result.numContacts());
    }
    return count;
  }
  long measure_distances() override {
    const fcl::DistanceRequestd request(true);
    long count = 0;
    for (std::size_t i = 0; i + 1 < objects_.size(); i += 2) {
      fcl::DistanceResultd result;
      count += fcl::distance(objects_[i].get(), objects_[i + 1].get(), request, result) > 0.0 ? 1 : 0;
    }
    return count;
  }

 private:
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
};

class FclTree final : public BroadPeer {
 public:
  [[nodiscard]] std::string name() const override { return "FCL (dynamic tree)"; }
  void prepare(std::span<const Vec3> half_extents, std::span<const Vec3> places) override {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Vec3 size = 2.0 * half_extents[i];
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(
          std::make_shared<fcl::Boxd>(size.x(), size.y(), size.z()), transform_of({places[i], Quat::Identity()})));
      manager_.registerObject(objects_.back().get());
    }
    manager_.setup();
  }
  long update(std::span<const Vec3> places) override {
    for (std::size_t i = 0; i < places.size(); ++i) {
      objects_[i]->setTranslation(places[i]);
      objects_[i]->computeAABB();
    }
    manager_.update();
    long count = 0;
    manager_.collide(&count, [](fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
      if (a->getAABB().overlap(b->getAABB())) ++*static_cast<long*>(data);
      return false;
    });
    return count;
  }

 private:
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};

}  // namespace

std::unique_ptr<NarrowPeer> narrow_fcl() {
  return std::make_unique<Fcl>();
}

std::unique_ptr<BroadPeer> broad_fcl() {
  return std::make_unique<FclTree>();
}

std::optional<double> distance_by_fcl(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const Geometry first = make(a), second = make(b);
  if (first == nullptr || second == nullptr) return {};
  fcl::DistanceRequestd request;
  request.distance_tolerance = 1e-12;
  fcl::DistanceResultd result;
  return fcl::distance(first.get(), transform_of(pose_a), second.get(), transform_of(pose_b), request, result);
}

}  // namespace stiction::bench

#else

namespace stiction::bench {

std::unique_ptr<NarrowPeer> narrow_fcl() {
  return nullptr;
}

std::unique_ptr<BroadPeer> broad_fcl() {
  return nullptr;
}

std::optional<double> distance_by_fcl(const Shape& /*a*/, const Pose& /*pose_a*/, const Shape& /*b*/,
                                      const Pose& /*pose_b*/) {
  return {};
}

}  // namespace stiction::bench

#endif
