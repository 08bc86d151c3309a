#include <cmath>

#include "mixlab/bandit/arms.h"
#include "mixlab/core/error.h"
#include "mixlab/core/number_table.h"
#include "mixlab/core/text.h"

namespace mixlab::bandit {
namespace {

class FromFile final : public Arms {
 public:
  explicit FromFile(arma::mat arms) : arms_(std::move(arms)) {}
  int n_arms() const override { return static_cast<int>(arms_.n_cols); }
  bool random() const override { return false; }
  arma::mat draw(const arma::vec&, random::Stream&) const override { return arms_; }

 private:
  arma::mat arms_;
};

std::unique_ptr<const Arms> make(int p, const std::vector<std::string>& arguments, const Attachments& files) {
  const std::string path = join(arguments, ":");
  if (path.empty())
    throw KeyError("problem.arms",
                   "bad value for problem.arms: 'file' (must be file:PATH); for instance file:arms.csv");
  const auto rows = NumberTable(files.text(path, "problem.arms"), path, "problem.arms").rows();
  arma::mat arms(static_cast<arma::uword>(p), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (static_cast<int>(rows[k].size()) != p)
      throw KeyError("problem.arms",
                     "bad arm " + std::to_string(k + 1) + " in '" + path + "': " + std::to_string(rows[k].size()) +
                         " numbers (must be problem.dimension = " + std::to_string(p) + "); correct the file");
    arms.col(k) = arma::vec(rows[k]);
    if (const double norm = arma::norm(arms.col(k)); norm > 1 + 1e-12)
      throw KeyError("problem.arms", "bad arm " + std::to_string(k + 1) + " in '" + path + "': norm " + to_text(norm) +
                                         " (must be at most 1); rescale the arms");
  }
  return std::make_unique<FromFile>(std::move(arms));
}

}  // namespace

void register_file() {
  arm_families().add({.name = "file",
                      .summary = "file:PATH, the arms of a text or CSV file, one per line",
                      .formula = "x_k = line k of the file, p numbers of norm at most 1",
                      .source = "",
                      .takes_file = true},
                     make);
}

}  // namespace mixlab::bandit
