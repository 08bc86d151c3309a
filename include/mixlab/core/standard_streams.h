// The three descriptors that every program has, or should have.
#pragma once

namespace mixlab {

/// Fills those of descriptors 0 to 2 that are closed, so that no file which is opened later becomes standard output or
/// error. What is written to such a one fails, as it would if it were closed.
void keep_standard_streams();

}  // namespace mixlab
