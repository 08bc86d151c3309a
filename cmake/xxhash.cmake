# xxHash, of which the header is all we need: the system's from 0.8 on, where XXH3 has its final form, or the copy that comes
# with mixlab.
option(MIXLAB_VENDORED "Take xxHash's header from cmake/vendor even if the system has one" OFF)

set(MIXLAB_XXHASH_DIR ${PROJECT_SOURCE_DIR}/cmake/vendor/xxhash)
if(NOT MIXLAB_VENDORED)
  find_path(XXHASH_INCLUDE_DIR xxhash.h)
  if(XXHASH_INCLUDE_DIR)
    file(STRINGS ${XXHASH_INCLUDE_DIR}/xxhash.h recent REGEX "XXH_VERSION_MINOR +([89]|[1-9][0-9]+)")
    if(recent)
      set(MIXLAB_XXHASH_DIR ${XXHASH_INCLUDE_DIR})
    endif()
  endif()
endif()
message(STATUS "xxHash: ${MIXLAB_XXHASH_DIR}")
add_library(mixlab_xxhash INTERFACE)
target_include_directories(mixlab_xxhash SYSTEM INTERFACE ${MIXLAB_XXHASH_DIR})
