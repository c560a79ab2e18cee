# stiction_module(NAME [DEPENDS targets] [PRIVATE targets] [TEST_DEPENDS targets])
#
# One folder, one module, one target stiction::NAME. Sources are the folder's *.cpp, tests its test/*_test.cpp, one test
# program per module. DEPENDS are seen by users of the module, PRIVATE ones are header-only and end here.
# A name in TEST_DEPENDS that is no target of this build is left out.
function(stiction_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PRIVATE;TEST_DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(stiction_${name} STATIC ${sources})
  add_library(stiction::${name} ALIAS stiction_${name})
  set_target_properties(stiction_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(stiction_${name} PUBLIC cxx_std_20)
  target_include_directories(stiction_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(stiction_${name} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:stiction_flags>)
  foreach(library IN LISTS ARG_PRIVATE)
    target_link_libraries(stiction_${name} PRIVATE $<BUILD_INTERFACE:${library}>)
  endforeach()

  install(TARGETS stiction_${name} EXPORT stiction ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction/${name}
    FILES_MATCHING PATTERN "*.h" PATTERN "hdf5_*.h" EXCLUDE PATTERN "test" EXCLUDE)
  set_property(GLOBAL APPEND PROPERTY STICTION_MODULES ${name})

  stiction_tests(${name} stiction_${name} ${ARG_TEST_DEPENDS})
endfunction()

# stiction_tests(NAME libraries...): the test program stiction_NAME_tests from this folder's test/*_test.cpp, if any.
function(stiction_tests name)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*_test.cpp)
  if(NOT STICTION_TESTS OR NOT tests)
    return()
  endif()
  add_executable(stiction_${name}_tests ${tests})
  target_link_libraries(stiction_${name}_tests PRIVATE stiction_flags GTest::gtest_main)
  # Tests are compiled more often than they run long. GCC 12 takes the strings of temporary definitions for uninitialised.
  target_compile_options(stiction_${name}_tests PRIVATE $<$<CXX_COMPILER_ID:GNU>:-O1 -Wno-maybe-uninitialized>)
  foreach(library IN LISTS ARGN)
    target_link_libraries(stiction_${name}_tests PRIVATE $<TARGET_NAME_IF_EXISTS:${library}>)
  endforeach()
  target_include_directories(stiction_${name}_tests PRIVATE ${PROJECT_SOURCE_DIR})
  gtest_discover_tests(stiction_${name}_tests WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${name} TIMEOUT 300)
endfunction()
