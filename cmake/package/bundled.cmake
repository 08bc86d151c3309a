# The targets of dependencies.cmake from the folder MIXLAB_BUNDLE of an archive: programs built on it link what its own program
# links, whatever the machine has, except for the compiler's runtime, which must be that of the machine's compiler.
find_package(OpenMP 4.5 REQUIRED COMPONENTS CXX)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
if(NOT TARGET mixlab_armadillo)
  file(GLOB MIXLAB_BUNDLED ${MIXLAB_BUNDLE}/*.so*)
  add_library(mixlab_armadillo INTERFACE IMPORTED)
  target_include_directories(mixlab_armadillo SYSTEM INTERFACE ${MIXLAB_BUNDLE}/include)
  add_library(mixlab_libraries INTERFACE IMPORTED)
  target_link_libraries(mixlab_libraries INTERFACE
    -Wl,--as-needed ${MIXLAB_BUNDLED} OpenMP::OpenMP_CXX Threads::Threads ${CMAKE_DL_LIBS})
  # The old kind of search path also serves the libraries that these need themselves.
  target_link_options(mixlab_libraries INTERFACE
    -Wl,--disable-new-dtags,-rpath,${MIXLAB_BUNDLE},-rpath-link,${MIXLAB_BUNDLE})
endif()
