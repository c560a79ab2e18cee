#include "stiction/geometry/polytope.h"

#include <algorithm>
#include <map>
#include <utility>

namespace stiction {
namespace {

void find_edges(Polytope& solid) {
  std::map<std::pair<int, int>, int> known;
  solid.edges.clear();
  solid.sides.clear();
  for (const Polytope::Face& face : solid.faces) {
    for (int i = 0; i < face.count; ++i) {
      const int from = solid.corners[face.first + i], to = solid.corners[face.first + (i + 1) % face.count];
      const auto [at, is_new] =
          known.try_emplace({std::min(from, to), std::max(from, to)}, static_cast<int>(solid.edges.size()));
      if (is_new) solid.edges.push_back({from, to});
      solid.sides.push_back(at->second);
    }
  }
}

/// One list after the other, and where each begins.
void join_lists(std::vector<std::vector<int>>& lists, std::vector<int>& joined, std::vector<int>& first) {
  joined.clear();
  first.assign(1, 0);
  for (std::vector<int>& list : lists) {
    std::sort(list.begin(), list.end());
    joined.insert(joined.end(), list.begin(), list.end());
    first.push_back(static_cast<int>(joined.size()));
  }
}

void find_neighbours(Polytope& solid) {
  std::vector<std::vector<int>> of(solid.vertices.size());
  for (const Polytope::Edge& edge : solid.edges) {
    of[edge.from].push_back(edge.to);
    of[edge.to].push_back(edge.from);
  }
  join_lists(of, solid.neighbours, solid.first_neighbour);
}

void find_faces_around(Polytope& solid) {
  std::vector<std::vector<int>> of(solid.vertices.size());
  for (int face = 0; face < static_cast<int>(solid.faces.size()); ++face) {
    for (const int vertex : solid.corners_of(solid.faces[face])) of[vertex].push_back(face);
  }
  join_lists(of, solid.faces_around, solid.first_around);
}

/// By tetrahedra over the faces' triangles from one vertex.
Vec3 center_of(const Polytope& solid) {
  const Vec3 apex = solid.vertices.front();
  Vec3 moment = Vec3::Zero();
  double volume = 0.0;
  for (const Polytope::Face& face : solid.faces) {
    const auto corners = solid.corners_of(face);
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const Vec3 a = solid.vertices[corners[0]] - apex, b = solid.vertices[corners[i - 1]] - apex,
                 c = solid.vertices[corners[i]] - apex;
      const double part = a.dot(b.cross(c));
      volume += part;
      moment += part * (a + b + c) / 4.0;
    }
  }
  return apex + moment / volume;
}

}  // namespace

void complete(Polytope& solid) {
  find_edges(solid);
  find_neighbours(solid);
  find_faces_around(solid);
  solid.center = center_of(solid);
  solid.size = 0.0;
  for (const Vec3& x : solid.vertices) solid.size = std::max(solid.size, (x - solid.center).norm());
}

Polytope box_polytope(const Vec3& half) {
  static constexpr int loops[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                      {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  Polytope solid;
  for (int vertex = 0; vertex < 8; ++vertex) {
    Vec3 x;
    for (int axis = 0; axis < 3; ++axis) x[axis] = ((vertex >> axis) & 1) != 0 ? half[axis] : -half[axis];
    solid.vertices.push_back(x);
  }
  for (int face = 0; face < 6; ++face) {
    const Vec3 normal = (face % 2 == 0 ? -1.0 : 1.0) * Vec3::Unit(face / 2);
    solid.faces.push_back({normal, half[face / 2], 4 * face, 4});
    solid.corners.insert(solid.corners.end(), std::begin(loops[face]), std::end(loops[face]));
  }
  complete(solid);
  return solid;
}

}  // namespace stiction
