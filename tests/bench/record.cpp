#include "record.h"

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace mixlab::bench {

void Record::add(const std::string& what, const std::string& quantity, double value) {
  csv_ << '"' << what << "\"," << quantity << "," << text(value, 4) << "\n";
}

void Record::add(const std::string& what, const std::string& quantity, const std::vector<double>& values) {
  for (const double value : values) add(what, quantity, value);
}

void Record::save(const std::string& path) const {
  if (path.empty()) return;
  std::ofstream file(path);
  file << "case,quantity,value\n" << csv_.str();
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string text(double value, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}

}  // namespace mixlab::bench
