#include "mixlab/command_line.h"

int main(int argc, char** argv) {
  return mixlab::run_command_line(argc, argv);
}
