// Every figure as a line of CSV.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace mixlab::bench {

class Record {
 public:
  void add(const std::string& what, const std::string& quantity, double value);
  void add(const std::string& what, const std::string& quantity, const std::vector<double>& values);
  /// Nothing if `path` is empty.
  void save(const std::string& path) const;

 private:
  std::ostringstream csv_;
};

/// With a fixed number of digits.
std::string text(double value, int digits = 0);

}  // namespace mixlab::bench
