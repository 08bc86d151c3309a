# Every library we use, as a target.

find_package(OpenMP 4.5 REQUIRED COMPONENTS CXX)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)

set(HDF5_PREFER_PARALLEL FALSE)
find_package(HDF5 1.10.3 REQUIRED COMPONENTS C HL)
if(HDF5_IS_PARALLEL)
  message(FATAL_ERROR "HDF5 found is the MPI flavour (mixlab needs the serial one); install libhdf5-dev")
endif()
add_library(mixlab_hdf5 INTERFACE)
target_link_libraries(mixlab_hdf5 INTERFACE hdf5::hdf5_hl hdf5::hdf5)
find_package(ZLIB REQUIRED)

# Armadillo without its wrapper library (which drags in ARPACK and SuperLU), without its own OpenMP (our threads
# own whole trajectories) and without its own HDF5.
find_package(BLAS REQUIRED)
find_package(LAPACK REQUIRED)
find_path(ARMADILLO_INCLUDE_DIR armadillo REQUIRED)
add_library(mixlab_armadillo INTERFACE)
target_include_directories(mixlab_armadillo SYSTEM INTERFACE ${ARMADILLO_INCLUDE_DIR})
target_compile_definitions(mixlab_armadillo INTERFACE ARMA_DONT_USE_WRAPPER ARMA_DONT_USE_OPENMP
  ARMA_DONT_USE_HDF5 ARMA_DONT_USE_ARPACK ARMA_DONT_USE_SUPERLU $<$<CONFIG:Release>:ARMA_NO_DEBUG>)
target_link_libraries(mixlab_armadillo INTERFACE LAPACK::LAPACK BLAS::BLAS)

find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
add_library(mixlab_random123 INTERFACE)
target_include_directories(mixlab_random123 SYSTEM INTERFACE ${RANDOM123_INCLUDE_DIR})

find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
add_library(mixlab_xxhash INTERFACE)
target_include_directories(mixlab_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
target_link_libraries(mixlab_xxhash INTERFACE ${XXHASH_LIBRARY})
