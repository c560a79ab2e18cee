include(GNUInstallDirs)
include(GoogleTest OPTIONAL)

# Flags that every target of ours shares. No contraction and no fast-math: the same input gives the same bits.
add_library(stiction_flags INTERFACE)
target_compile_features(stiction_flags INTERFACE cxx_std_20)
target_compile_options(stiction_flags INTERFACE
  $<BUILD_INTERFACE:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror -ffp-contract=off>)

# stiction_module(NAME DEPENDS a b PRIVATE x): one folder, one module, one target stiction_NAME.
# Sources are the folder's *.cpp, tests its test/*_test.cpp, one test program per module.
function(stiction_module name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(stiction_${name} STATIC ${sources})
  add_library(stiction::${name} ALIAS stiction_${name})
  set_target_properties(stiction_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(stiction_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(stiction_${name} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:stiction_flags> ${ARG_PRIVATE})
  target_compile_features(stiction_${name} PUBLIC cxx_std_20)

  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*_test.cpp)
  if(STICTION_TESTS AND tests)
    add_executable(stiction_${name}_tests ${tests})
    target_link_libraries(stiction_${name}_tests PRIVATE stiction_${name} stiction_flags GTest::gtest_main)
    target_include_directories(stiction_${name}_tests PRIVATE ${PROJECT_SOURCE_DIR})
    gtest_discover_tests(stiction_${name}_tests WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS ${name})
  endif()
endfunction()
