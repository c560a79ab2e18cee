#pragma once

namespace stiction {

/// How the parts of two polytopes that meet are numbered, in 20 bits.
enum class FeatureKind : int {
  vertex_of_a = 0,  ///< Against a face of b.
  vertex_of_b = 1,
  edges = 2,
  nearest = 3,  ///< The two nearest points, whatever they are on.
};

inline constexpr int feature_index_bits = 9;
inline constexpr int most_features = 1 << 20;

[[nodiscard]] constexpr int feature_id(FeatureKind kind, int first = 0, int second = 0) {
  return (static_cast<int>(kind) << (2 * feature_index_bits)) | (first << feature_index_bits) | second;
}

/// Of the size of the smaller of two shapes. A corner that is so far beside a face still stands on it, and contacts
/// that are so near each other are one; nothing flickers where edges lie on edges.
inline constexpr double place_tolerance = 1e-6;

/// Cosine up to which a face serves as the one that others are measured against.
inline constexpr double facing = 0.966;

}  // namespace stiction
