#include "stiction/record/hdf5_handle.h"

namespace stiction {

namespace {

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(hdf5_mutex()) {
  // What could not be written to a full disk is not tried again when the process ends.
  static const bool is_left = H5dont_atexit() >= 0;
  // Each thread has failures of its own, and would print them.
  thread_local const bool is_quiet = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  (void)is_left;
  (void)is_quiet;
}

}  // namespace stiction
