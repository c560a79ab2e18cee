#pragma once

#include <utility>
#include <vector>

namespace stiction::cone {

/// The speed that a solver measures a contact's error by: as the certificate's V (certificate.h), from the solver's own
/// numbers. Storage is kept.
class SpeedScales {
 public:
  void begin(int contacts);
  void set_free_speed(int contact, double speed) { free_[contact] = speed; }
  /// Two contacts that share a body.
  void join(int a, int b);
  void find();
  [[nodiscard]] double scale(int contact) const { return scale_[contact]; }

 private:
  void find_islands();

  std::vector<double> free_, scale_, next_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> island_;
};

}  // namespace stiction::cone
