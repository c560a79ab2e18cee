#include "stiction/record/hdf5_handle.h"

namespace stiction {

namespace {

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(hdf5_mutex()) {
  static const bool is_quiet = [] {
    // What could not be written to a full disk is not tried again when the process ends.
    H5dont_atexit();
    return H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  }();
  (void)is_quiet;
}

}  // namespace stiction
