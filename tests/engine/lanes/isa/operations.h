// The operations of an instruction set on plain arrays: code that runs on every machine can call them, if it has asked
// whether this one supports them.
#pragma once

#include <span>
#include <string_view>

namespace mixlab::engine::lanes {

/// Numbers per argument: a multiple of the lanes of every instruction set.
inline constexpr int n_numbers = 8;

struct Operation {
  std::string_view name;
  /// Three arguments of n_numbers each; up to 2 n_numbers results: one per lane, or the lower halves of all registers
  /// followed by the upper ones.
  void (*apply)(const double* a, const double* b, const double* c, double* out);
};

struct InstructionSet {
  int n_lanes;
  std::span<const Operation> operations;
};

InstructionSet scalar_operations();
InstructionSet fused_operations();
InstructionSet avx2_operations();
InstructionSet avx512_operations();

}  // namespace mixlab::engine::lanes
