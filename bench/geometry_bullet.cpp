#include "bench/geometry_peers.h"

#ifdef STICTION_HAVE_BULLET
#include <btBulletCollisionCommon.h>

#include "stiction/geometry/polytope.h"

namespace stiction::bench {
namespace {

btVector3 vector_of(const Vec3& x) {
  return {static_cast<btScalar>(x.x()), static_cast<btScalar>(x.y()), static_cast<btScalar>(x.z())};
}

btTransform transform_of(const Pose& pose) {
  const Quat& q = pose.orientation;
  const btQuaternion rotation(static_cast<btScalar>(q.x()), static_cast<btScalar>(q.y()), static_cast<btScalar>(q.z()),
                              static_cast<btScalar>(q.w()));
  return btTransform(rotation, vector_of(pose.position));
}

/// Each pair with the algorithm that Bullet's dispatcher picks for it, kept as a world keeps it.
class Bullet final : public NarrowPeer {
 public:
  ~Bullet() override {
    for (auto& pair : pairs_) {
      if (pair.algorithm == nullptr) continue;
      pair.algorithm->~btCollisionAlgorithm();
      dispatcher_.freeCollisionAlgorithm(pair.algorithm);
    }
  }
  [[nodiscard]] std::string name() const override { return "Bullet"; }
  bool prepare(std::span<const PlacedPair> pairs) override {
    pairs_.resize(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      Pair& pair = pairs_[i];
      for (int side = 0; side < 2; ++side) {
        pair.shapes[side] = make(side == 0 ? pairs[i].a : pairs[i].b);
        if (!pair.shapes[side]) return false;
        pair.objects[side] = std::make_unique<btCollisionObject>();
        pair.objects[side]->setCollisionShape(pair.shapes[side].get());
        pair.objects[side]->setWorldTransform(transform_of(side == 0 ? pairs[i].pose_a : pairs[i].pose_b));
      }
      const btCollisionObjectWrapper first = wrapped(pair, 0), second = wrapped(pair, 1);
      pair.algorithm = dispatcher_.findAlgorithm(&first, &second, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    }
    return true;
  }
  long collide() override {
    long count = 0;
    const btDispatcherInfo info;
    for (Pair& pair : pairs_) {
      const btCollisionObjectWrapper first = wrapped(pair, 0), second = wrapped(pair, 1);
      btManifoldResult result(&first, &second);
      pair.algorithm->processCollision(&first, &second, info, &result);
      if (result.getPersistentManifold() != nullptr) count += result.getPersistentManifold()->getNumContacts();
    }
    return count;
  }

 private:
  struct Pair {
    std::unique_ptr<btCollisionShape> shapes[2];
    std::unique_ptr<btCollisionObject> objects[2];
    btCollisionAlgorithm* algorithm = nullptr;
  };

  static btCollisionObjectWrapper wrapped(const Pair& pair, int side) {
    return {nullptr, pair.shapes[side].get(), pair.objects[side].get(), pair.objects[side]->getWorldTransform(), -1,
            -1};
  }

  static std::unique_ptr<btCollisionShape> make(const Shape& shape) {
    if (const auto* sphere = std::get_if<Sphere>(&shape)) {
      return std::make_unique<btSphereShape>(static_cast<btScalar>(sphere->radius));
    }
    if (const auto* box = std::get_if<Box>(&shape)) {
      return std::make_unique<btBoxShape>(vector_of(0.5 * Vec3(box->x, box->y, box->z)));
    }
    const auto* hull = std::get_if<Hull>(&shape);
    if (hull == nullptr) return nullptr;
    auto convex = std::make_unique<btConvexHullShape>();
    for (const Vec3& x : hull->solid->vertices) convex->addPoint(vector_of(x), false);
    convex->recalcLocalAabb();
    return convex;
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  std::vector<Pair> pairs_;
};

class BulletTree final : public BroadPeer {
 public:
  [[nodiscard]] std::string name() const override { return "Bullet (dynamic trees)"; }
  void prepare(std::span<const Vec3> half_extents, std::span<const Vec3> places) override {
    half_.assign(half_extents.begin(), half_extents.end());
    for (std::size_t i = 0; i < places.size(); ++i) {
      proxies_.push_back(broad_phase_.createProxy(vector_of(places[i] - half_[i]), vector_of(places[i] + half_[i]), 0,
                                                  nullptr, 1, -1, &dispatcher_));
    }
  }
  long update(std::span<const Vec3> places) override {
    for (std::size_t i = 0; i < places.size(); ++i) {
      broad_phase_.setAabb(proxies_[i], vector_of(places[i] - half_[i]), vector_of(places[i] + half_[i]), &dispatcher_);
    }
    broad_phase_.calculateOverlappingPairs(&dispatcher_);
    return broad_phase_.getOverlappingPairCache()->getNumOverlappingPairs();
  }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  std::vector<Vec3> half_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::unique_ptr<NarrowPeer> narrow_bullet() {
  return std::make_unique<Bullet>();
}

std::unique_ptr<BroadPeer> broad_bullet() {
  return std::make_unique<BulletTree>();
}

}  // namespace stiction::bench

#else

namespace stiction::bench {

std::unique_ptr<NarrowPeer> narrow_bullet() {
  return nullptr;
}

std::unique_ptr<BroadPeer> broad_bullet() {
  return nullptr;
}

}  // namespace stiction::bench

#endif
