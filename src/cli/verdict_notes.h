// What a table says in a line each, beside its rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/verdict/verdict.h"

namespace mixlab::cli {

struct Note {
  std::string name;
  std::string words;
};

/// On standard output, broken before column 80.
void print_notes(const std::vector<Note>& notes);

/// Of the last round alone, sharpness, power, what would decide, early stops and lemmas.
std::vector<Note> finding_notes(const verdict::Verdict& shown);

/// Of lemmas alone.
std::vector<Note> lemma_notes(const verdict::Verdict& shown);

enum class Theorems { told, not_told };
/// Of theorems, unless they are told elsewhere, and of policies against each other.
std::vector<Note> regret_notes(const verdict::Verdict& verdict, const verdict::Verdict& shown, Theorems theorems);

/// "0.28", or "0.28 to 0.31" where they differ as they are printed.
std::string range_text(const std::vector<double>& values, const char* format, const char* to = " to ");
/// "cell 3", "cells 0-2 5"
std::string cell_list(const std::vector<std::int64_t>& cells);

}  // namespace mixlab::cli
