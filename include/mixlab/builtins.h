#pragma once

namespace mixlab {

/// Puts everything that mixlab ships into the catalogue, once; call it before reading a study.
void register_builtins();

}  // namespace mixlab
