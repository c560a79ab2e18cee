// Reads records that were changed: the bytes are a list of changes to a small real record, made through HDF5 itself
// (links removed or pointed elsewhere, extents, numbers and texts replaced), so that what is fuzzed is our reader and
// the page made of what it takes, not HDF5's own parser.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "stiction/base/file.h"
#include "stiction/record/hdf5_create.h"
#include "stiction/record/page_data.h"
#include "stiction/record/run_plots.h"
#include "stiction/record/run_reader.h"
#include "stiction/record/run_writer.h"

namespace {

namespace fs = std::filesystem;
using namespace stiction;

const fs::path& scratch() {
  static const fs::path path =
      fs::temp_directory_path() / ("stiction_run_reader_fuzz_" + std::to_string(::getpid()) + ".h5");
  return path;
}

/// A ball on the ground and a pendulum, three steps.
std::string make_record() {
  ModelBuilder builder;
  builder.add_ground(HalfSpace{}, {.mu = 0.5});
  builder.add_body({.mass = 1.0, .shape = Sphere{.radius = 0.1}, .position = {0, 0, 0.1}, .velocity = {1, 0, 0}});
  const BodyId bob = builder.add_body({.mass = 1.0, .inertia = Mat3(Mat3::Identity()), .position = {5, 0, 3}});
  builder.add_joint({.kind = JointKind::spherical, .body = bob, .anchor = {5, 0, 4}});
  Simulator simulator(builder.build().value(), {.h = 0.01, .end = 0.03, .scheme = preset(Scheme::trapezoidal)});
  RunWriter writer =
      RunWriter::create(scratch(), {.name = "x", .scene = "{}", .settings = "{}", .version = "0"}, simulator).value();
  writer.add_frame(simulator);
  (void)simulator.run_until(0.03, [&] {
    writer.add_step(simulator);
    writer.add_frame(simulator);
    return true;
  });
  if (writer.finish("done", "{}")) std::abort();
  return read_file(scratch(), 1 << 24).value();
}

std::vector<std::string> list_paths() {
  const Hdf5Session session;
  const Hdf5Handle file = open_hdf5(scratch());
  std::vector<std::string> paths;
  H5Ovisit2(
      file.id(), H5_INDEX_NAME, H5_ITER_INC,
      [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
        if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
        return 0;
      },
      &paths, H5O_INFO_BASIC);
  return paths;
}

void change(hid_t file, const std::string& path, unsigned kind, const std::string& text, std::uint64_t number) {
  const char* name = path.c_str();
  if (kind == 0) {
    H5Ldelete(file, name, H5P_DEFAULT);
  } else if (kind == 1) {
    (void)set_attribute(file, number % 2 == 0 ? "format_version" : "status", text);
  } else if (kind == 2) {
    H5Ldelete(file, name, H5P_DEFAULT);
    (void)create_text(file, path, text);
  } else if (kind == 3) {
    H5Ldelete(file, name, H5P_DEFAULT);
    H5Lcreate_soft("/frames/time", file, name, H5P_DEFAULT, H5P_DEFAULT);
  } else {
    const Hdf5Handle data(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
    const Hdf5Handle space(data.ok() ? H5Dget_space(data.id()) : -1, H5Sclose);
    hsize_t extent[8] = {};
    const int rank = space.ok() ? H5Sget_simple_extent_ndims(space.id()) : -1;
    if (rank < 1 || rank > 3 || H5Sget_simple_extent_dims(space.id(), extent, nullptr) < 0) return;
    if (kind == 5) {
      extent[0] = number % 4 == 0 ? number : number % 9;
      H5Dset_extent(data.id(), extent);
      return;
    }
    const hssize_t count = H5Sget_simple_extent_npoints(space.id());
    const Hdf5Handle type(H5Dget_type(data.id()), H5Tclose);
    if (count <= 0 || count > 1000 || H5Tget_class(type.id()) == H5T_STRING) return;
    std::vector<double> values(static_cast<std::size_t>(count));
    if (H5Dread(data.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return;
    std::memcpy(&values[number % values.size()], &number, sizeof number);
    H5Dwrite(data.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const std::string whole = make_record();
  static const std::vector<std::string> paths = list_paths();
  constexpr std::size_t head = 10;
  if (write_file(scratch(), whole)) return 0;
  {
    const Hdf5Session session;
    const Hdf5Handle file = open_hdf5(scratch());
    while (size >= head) {
      std::uint64_t number = 0;
      std::memcpy(&number, bytes + 2, sizeof number);
      const std::size_t length = std::min<std::size_t>(number % 32, size - head);
      std::string text(reinterpret_cast<const char*>(bytes + head), length);
      for (char& c : text)
        if (c == '\0') c = '0';
      change(file.id(), paths[bytes[0] % paths.size()], bytes[1] % 6u, text, number);
      const std::size_t used = head + (bytes[1] % 6u == 1 || bytes[1] % 6u == 2 ? length : 0);
      bytes += used;
      size -= used;
    }
  }
  const Result<RecordedRun> run = read_run(scratch(), {.numbers = 1 << 20, .text = 1 << 20});
  if (run) {
    (void)make_page_data({{&run.value(), label_of(run.value()), 1}});
    for (const auto& [name, plot] : make_run_plots(run.value())) (void)to_svg(plot);
    (void)tabulate_quantities(run.value(), "t", {"energy.total", "body.body1.speed"});
  }
  fs::remove(scratch());
  return 0;
}
