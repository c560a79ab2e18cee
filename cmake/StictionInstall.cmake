# find_package(stiction): targets stiction::base, stiction::linalg, ... and, as components, the same names.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
get_property(modules GLOBAL PROPERTY STICTION_MODULES)
list(JOIN modules " " STICTION_INSTALLED_MODULES)

configure_package_config_file(cmake/stictionConfig.cmake.in ${PROJECT_BINARY_DIR}/cmake/stictionConfig.cmake
  INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may break the API: see CHANGELOG.md.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/stictionConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/stictionConfig.cmake ${PROJECT_BINARY_DIR}/cmake/stictionConfigVersion.cmake
  cmake/StictionHdf5.cmake
  DESTINATION ${package_folder})
install(EXPORT stiction FILE stictionTargets.cmake NAMESPACE stiction:: DESTINATION ${package_folder})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
