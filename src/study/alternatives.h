#pragma once

#include <string>
#include <vector>

namespace mixlab::study {

/// The values a key is swept over: separated by commas, each a value or a range. Throws KeyError for a range that makes
/// no sense.
std::vector<std::string> alternatives_in(const std::string& written, const std::string& full_key);

}  // namespace mixlab::study
