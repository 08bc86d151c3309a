# Read by cpack once per generator: shared libraries go into the archive, a Debian package depends on those of Debian.
set(CPACK_COMPONENTS_ALL program library)
if(CPACK_GENERATOR STREQUAL "TGZ")
  list(APPEND CPACK_COMPONENTS_ALL bundle)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
