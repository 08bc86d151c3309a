# Every library that mixlab links, as a target. Included by the build, and by find_package(mixlab) from where it is installed.

if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)  # Boost's own configuration, which all releases since 1.70 bring
endif()
find_package(OpenMP 4.5 REQUIRED COMPONENTS CXX)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(ZLIB REQUIRED)

set(HDF5_PREFER_PARALLEL FALSE)
find_package(HDF5 1.10.3 REQUIRED COMPONENTS C HL)
if(HDF5_IS_PARALLEL)
  message(FATAL_ERROR "HDF5 found is the MPI flavour (mixlab needs the serial one); install libhdf5-dev")
endif()
if(NOT TARGET mixlab_hdf5)
  add_library(mixlab_hdf5 INTERFACE IMPORTED GLOBAL)
  if(TARGET hdf5::hdf5)
    target_link_libraries(mixlab_hdf5 INTERFACE hdf5::hdf5_hl hdf5::hdf5)
  else()  # CMake before 3.19
    target_include_directories(mixlab_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
    target_link_libraries(mixlab_hdf5 INTERFACE ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
  endif()
endif()

find_package(BLAS REQUIRED)
find_package(LAPACK REQUIRED)
find_path(ARMADILLO_INCLUDE_DIR armadillo REQUIRED)
if(NOT TARGET mixlab_armadillo)
  add_library(mixlab_armadillo INTERFACE IMPORTED GLOBAL)
  target_include_directories(mixlab_armadillo SYSTEM INTERFACE ${ARMADILLO_INCLUDE_DIR})
  target_link_libraries(mixlab_armadillo INTERFACE LAPACK::LAPACK BLAS::BLAS)
endif()

# What programs link beside Armadillo.
if(NOT TARGET mixlab_libraries)
  add_library(mixlab_libraries INTERFACE IMPORTED GLOBAL)
  target_link_libraries(mixlab_libraries INTERFACE mixlab_hdf5 ZLIB::ZLIB OpenMP::OpenMP_CXX Threads::Threads Boost::headers
    Boost::program_options ${CMAKE_DL_LIBS})
endif()
