#include "stiction/model/joint_impulses.h"

#include <algorithm>

#include "stiction/linalg/pivoted_qr.h"

namespace stiction {
namespace {

// Share of a row's length that is left where it follows from others; implied rows fit them to about 1e-5.
constexpr double dependent = 1e-4;

void share(const JointSet& joints, const std::vector<int>& group, std::vector<double>& impulses) {
  std::vector<int> columns;
  for (const int row : group)
    columns.insert(columns.end(), joints.nu.columns(row).begin(), joints.nu.columns(row).end());
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  const auto place = [&](int column) {
    return std::lower_bound(columns.begin(), columns.end(), column) - columns.begin();
  };
  linalg::PivotedQr qr;
  const auto rows = static_cast<Eigen::Index>(columns.size()), cols = static_cast<Eigen::Index>(group.size());
  linalg::DenseMatrix& A = qr.begin(rows, cols);
  A.setZero();
  Vector load = Vector::Zero(rows), z, x;
  for (Eigen::Index j = 0; j < cols; ++j) {
    const auto at = joints.nu.columns(group[j]);
    for (std::size_t p = 0; p < at.size(); ++p) A(place(at[p]), j) = joints.nu.values(group[j])[p];
    load += impulses[group[j]] * A.col(j);
  }
  qr.factorise(dependent);
  qr.to_range(load, z);
  qr.solve_minimum_norm(z, x);
  for (Eigen::Index j = 0; j < cols; ++j) impulses[group[j]] = x[j];
}

}  // namespace

std::vector<double> spread_joint_impulses(const Multibody& system, double t, const Vector& q,
                                          std::span<const double> impulses) {
  const ImpliedRows& implied = system.implied_rows();
  std::vector<double> all(implied.is_implied.size(), 0.0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (implied.is_implied[i] == 0 && next < impulses.size()) all[i] = impulses[next++];
  if (implied.groups.empty()) return all;
  JointSet joints;
  system.find_all_joints(t, q, joints);
  for (const std::vector<int>& group : implied.groups) share(joints, group, all);
  return all;
}

}  // namespace stiction
