// Runs a fuzz target without libFuzzer: the corpus as it is, then so many mutations of it.
// usage: TARGET N PATH...   (MIXLAB_TEST_SEED sets another seed)
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "mutation.h"

extern "C" int LLVMFuzzerInitialize(int*, char***);
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size);

namespace {

void try_one(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(text.data()), text.size());
}

std::vector<std::string> read_corpus(char** first, char** last) {
  std::vector<std::string> corpus;
  for (; first != last; ++first)
    for (const auto& entry : std::filesystem::directory_iterator(*first)) {
      if (entry.path().extension() != ".cfg") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      corpus.push_back(text.str());
    }
  return corpus;
}

}  // namespace

int main(int argc, char** argv) {
  LLVMFuzzerInitialize(&argc, &argv);
  const char* seed = std::getenv("MIXLAB_TEST_SEED");
  std::mt19937_64 chance(seed ? std::stoull(seed) : 20260131);
  const auto corpus = read_corpus(argv + 2, argv + argc);
  if (corpus.empty()) return 1;
  for (const auto& text : corpus) try_one(text);
  for (long left = std::atol(argv[1]); left > 0; --left) {
    std::string text = corpus[mixlab::below(chance, corpus.size())];
    for (std::size_t n = 1 + mixlab::below(chance, 6); n > 0; --n)
      mixlab::mutate(text, chance, 0, corpus[mixlab::below(chance, corpus.size())]);
    try_one(text);
  }
  std::cout << corpus.size() << " files and " << argv[1] << " mutations of them\n";
}
