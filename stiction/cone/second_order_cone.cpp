#include "stiction/cone/second_order_cone.h"

#include <cmath>

namespace stiction::soc {

namespace {

double tail_norm(int dim, const double* x) {
  return dim == 1 ? 0.0 : dim == 2 ? std::abs(x[1]) : std::hypot(x[1], x[2]);
}

double dot(int dim, const double* x, const double* y) {
  double sum = 0.0;
  for (int i = 0; i < dim; ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

double determinant(int dim, const double* x) {
  const double tail = tail_norm(dim, x);
  return (x[0] - tail) * (x[0] + tail);
}

void multiply(int dim, const double* x, const double* y, double* z) {
  const double first = dot(dim, x, y);
  for (int i = 1; i < dim; ++i) z[i] = x[0] * y[i] + y[0] * x[i];
  z[0] = first;
}

void divide(int dim, const double* x, const double* y, double* z) {
  double tail = 0.0;
  for (int i = 1; i < dim; ++i) tail += x[i] * y[i];
  const double first = (x[0] * y[0] - tail) / determinant(dim, x);
  for (int i = 1; i < dim; ++i) z[i] = (y[i] - first * x[i]) / x[0];
  z[0] = first;
}

bool Scaling::set(int dimension, const double* x, const double* y) {
  dim = dimension;
  const double det_x = determinant(dim, x), det_y = determinant(dim, y);
  if (!(det_x > 0.0) || !(det_y > 0.0) || !(x[0] > 0.0) || !(y[0] > 0.0)) return false;
  const double root_x = std::sqrt(det_x), root_y = std::sqrt(det_y);
  beta = std::sqrt(root_y / root_x);
  const double product = dot(dim, x, y) / (root_x * root_y);
  const double gamma = std::sqrt(0.5 * (1.0 + product));
  w[0] = (y[0] / root_y + x[0] / root_x) / (2.0 * gamma);
  double tail = 0.0;
  for (int i = 1; i < dim; ++i) {
    w[i] = (y[i] / root_y - x[i] / root_x) / (2.0 * gamma);
    tail += w[i] * w[i];
  }
  w[0] = std::sqrt(1.0 + tail);  // w_0^2 - |w_T|^2 = 1 to rounding
  return std::isfinite(beta) && std::isfinite(w[0]);
}

void Scaling::apply(const double* x, double* z) const {
  double tail = 0.0;
  for (int i = 1; i < dim; ++i) tail += w[i] * x[i];
  const double first = w[0] * x[0] + tail, factor = x[0] + tail / (1.0 + w[0]);
  for (int i = 1; i < dim; ++i) z[i] = beta * (x[i] + factor * w[i]);
  z[0] = beta * first;
}

void Scaling::apply_inverse(const double* x, double* z) const {
  double tail = 0.0;
  for (int i = 1; i < dim; ++i) tail += w[i] * x[i];
  const double first = w[0] * x[0] - tail, factor = -x[0] + tail / (1.0 + w[0]);
  for (int i = 1; i < dim; ++i) z[i] = (x[i] + factor * w[i]) / beta;
  z[0] = first / beta;
}

double Scaling::squared(int i, int j) const {
  const double sign = i == j ? (i == 0 ? 1.0 : -1.0) : 0.0;
  return beta * beta * (2.0 * w[i] * w[j] - sign);
}

}  // namespace stiction::soc
