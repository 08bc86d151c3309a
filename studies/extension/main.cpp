// mixlab with a noise process, a confidence set and a policy of our own.
#include "mixlab/command_line.h"
#include "own.h"

int main(int argc, char** argv) {
  add_alternating();
  add_measured();
  add_curious();
  return mixlab::run_command_line(argc, argv);
}
