# The target stiction::hdf5: HDF5's C library without MPI, as Debian has it.
find_path(STICTION_HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(STICTION_HDF5 hdf5 NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
if(NOT STICTION_HDF5 OR NOT STICTION_HDF5_INCLUDE)
  message(FATAL_ERROR "HDF5's C library is not there: install libhdf5-dev, or set STICTION_HDF5 and STICTION_HDF5_INCLUDE")
endif()
if(NOT TARGET stiction::hdf5)
  add_library(stiction::hdf5 UNKNOWN IMPORTED)
  set_target_properties(stiction::hdf5 PROPERTIES
    IMPORTED_LOCATION ${STICTION_HDF5} INTERFACE_INCLUDE_DIRECTORIES ${STICTION_HDF5_INCLUDE})
endif()
