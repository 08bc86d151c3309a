# find_package(mixlab 0.2): the target mixlab::mixlab, with everything that a program linking it needs. An archive that brings
# its libraries along has them, and Armadillo's headers, in lib/mixlab.
enable_language(C)  # CMake looks for HDF5 by its C compiler
get_filename_component(MIXLAB_BUNDLE ${CMAKE_CURRENT_LIST_DIR}/../../mixlab ABSOLUTE)
if(EXISTS ${MIXLAB_BUNDLE}/include/armadillo)
  include(${CMAKE_CURRENT_LIST_DIR}/bundled.cmake)
else()
  include(${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/mixlabTargets.cmake)
