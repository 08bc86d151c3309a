# find_package(mixlab 0.2): the target mixlab::mixlab, with everything that a program linking it needs.
enable_language(C)  # CMake looks for HDF5 by its C compiler
include(${CMAKE_CURRENT_LIST_DIR}/dependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/mixlabTargets.cmake)
