#define BOOST_TEST_MODULE mixlab
#include <boost/test/unit_test.hpp>
#include <iostream>

#include "mixlab/builtins.h"
#include "mixlab/core/blas.h"
#include "mixlab/core/version.h"
#include "mixlab/engine/machine.h"
#include "mixlab/store/hdf5.h"
#include "seed.h"

namespace {

/// Before the first test: what the program does at its start, and what a reader of a failure needs to know.
struct Start {
  Start() {
    mixlab::register_builtins();
    mixlab::store::prepare_hdf5();
    mixlab::prepare_blas();
    std::cout << "seed " << mixlab::test_seed() << " (MIXLAB_TEST_SEED sets another); " << mixlab::engine::numerics()
              << "; HDF5 " << mixlab::store::hdf5_version() << std::endl;
  }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Start);
