# What every target of ours is compiled with, and the helpers of the build.
include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Kind of build" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(STICTION_CCACHE ccache)
  if(STICTION_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths inside the project are not part of the key, so presets and clones share what they have compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${STICTION_CCACHE})
  endif()
endif()

# The same input gives the same bits, and a NaN is seen as one: flags that give that up are refused, not overridden.
if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE} ${CMAKE_CXX_FLAGS_RELWITHDEBINFO}" MATCHES "-ffast-math|-Ofast")
  message(FATAL_ERROR "Stiction's answers are checked to the last bits: configure it without -ffast-math and -Ofast")
endif()

add_library(stiction_flags INTERFACE)
target_compile_features(stiction_flags INTERFACE cxx_std_20)
target_compile_options(stiction_flags INTERFACE
  -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  # g++ 12 warns of "text" + std::string at -O3, wrongly (GCC bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<BOOL:${STICTION_WERROR}>:-Werror>)

if(STICTION_SANITIZE)
  add_compile_options(-fsanitize=${STICTION_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${STICTION_SANITIZE})
endif()
if(STICTION_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "STICTION_FUZZ needs libFuzzer, which comes with clang: use the preset 'fuzz'")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
