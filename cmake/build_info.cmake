# Version, git commit and compiler, compiled into the program. The header is rewritten at every build, but only
# touched when its contents change.

set(MIXLAB_COMMIT "unknown" CACHE STRING "The git commit, for sources outside their repository")
add_custom_target(mixlab_build_info_header
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
    -DOUTPUT=${PROJECT_BINARY_DIR}/generated/build_info.h
    -DMIXLAB_VERSION=${PROJECT_VERSION}
    -DMIXLAB_COMMIT=${MIXLAB_COMMIT}
    "-DMIXLAB_COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -DMIXLAB_BUILD_TYPE=${CMAKE_BUILD_TYPE}
    -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/build_info.h
  COMMENT "")
add_library(mixlab_build_info INTERFACE)
target_include_directories(mixlab_build_info INTERFACE ${PROJECT_BINARY_DIR}/generated)
add_dependencies(mixlab_build_info mixlab_build_info_header)
