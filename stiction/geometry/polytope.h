#pragma once

#include <array>
#include <span>
#include <vector>

#include "stiction/linalg/pose.h"

namespace stiction {

/// A convex solid with flat faces. Every vertex is on three faces or more; faces turn counterclockwise as seen from
/// outside, and no two of them lie in one plane.
struct Polytope {
  struct Face {
    Vec3 normal;       ///< Unit, outwards.
    double offset;     ///< normal . x on the face.
    int first, count;  ///< Of its corners in `corners`.
  };
  struct Edge {
    int from, to;  ///< Vertices.
  };
  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<int> corners;  ///< Vertices of the faces, face after face,
  std::vector<int> sides;    ///< and the edges from each to the next.
  std::vector<Edge> edges;
  std::vector<int> neighbours;       ///< Of the vertices, vertex after vertex,
  std::vector<int> first_neighbour;  ///< where each one's begin; one more than there are vertices.
  std::vector<int> faces_around;     ///< The vertices, vertex after vertex,
  std::vector<int> first_around;     ///< where each one's begin; one more than there are vertices.
  Vec3 center = Vec3::Zero();        ///< Of mass.
  double size = 0.0;                 ///< Largest distance of a vertex from the centre.

  [[nodiscard]] std::span<const int> corners_of(const Face& face) const {
    return std::span(corners).subspan(static_cast<std::size_t>(face.first), static_cast<std::size_t>(face.count));
  }
};

/// What is in the lists of edges, neighbours, centre and size, from vertices, faces and corners.
void complete(Polytope& solid);

/// Faces -x, +x, -y, +y, -z, +z; bit 0, 1, 2 of a vertex's index is set where its x, y, z is positive.
[[nodiscard]] Polytope box_polytope(const Vec3& half);

}  // namespace stiction
