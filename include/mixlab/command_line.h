// The program: all of mixlab's commands over one library. An executable that adds its own noise processes, sets or
// policies registers them and calls run_command_line from its main.
#pragma once

namespace mixlab {

/// Runs `mixlab COMMAND ...` and returns the exit code; never throws.
int run_command_line(int argc, char** argv);

}  // namespace mixlab
