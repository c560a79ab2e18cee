#pragma once

#include <hdf5.h>

#include <mutex>
#include <utility>

namespace stiction {

/// HDF5 need not be made for threads: whoever calls it, or lets go of an Hdf5Handle, holds one of these. It also
/// keeps HDF5 from printing its failures and from writing anything when the process ends.
class Hdf5Session {
 public:
  Hdf5Session();

 private:
  std::unique_lock<std::mutex> lock_;
};

/// An open thing of HDF5, closed at the end of its life.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  ~Hdf5Handle() { (void)close(); }
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  [[nodiscard]] bool ok() const { return id_ >= 0; }
  [[nodiscard]] hid_t id() const { return id_; }
  /// True where nothing was lost by it.
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

}  // namespace stiction
