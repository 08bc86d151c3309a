// Whether a process keeps what it certifies, seen from outside. Paths are drawn, and bets are placed against the
// certificate: each is unfavourable if the certificate is true, so its capital E exceeds x with probability at most 1/x.
// One that grows all the same refutes it. Nothing here can prove a certificate: a bet sees only what it looks at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mixlab/noise/process.h"

namespace mixlab::noise {

struct AuditSettings {
  std::vector<std::int64_t> lags = {1, 2, 5, 10, 20, 50};
  std::int64_t n_paths = 1000;
  std::int64_t n_rounds = 2000;
  std::uint64_t seed = 1;
  double alpha = 1e-3;  ///< probability of refuting a true certificate
};

/// One claim of the certificate, and the bet that has won most against it.
struct AuditedClaim {
  enum class Kind { bias, tail };

  Kind kind = Kind::bias;
  std::int64_t lag = 1;
  double declared = 0;  ///< phi_d; sigma
  double seen = 0;      ///< bias: mean noise in the direction of the bet, which phi_d must not be below; tail: sd
  std::string bet;      ///< in words
  std::int64_t n = 0;   ///< rounds that it bet on
  double log10_e = 0;   ///< capital, of 1 at the start
  double visible = 0;   ///< bias: an excess over phi_d, in every round, that would be found with probability 0.9
};

struct SkippedLag {
  std::int64_t lag = 1;
  std::string why;
};

struct Audit {
  std::vector<AuditedClaim> claims;
  std::vector<SkippedLag> skipped;
  double log10_enough = 0;  ///< capital at which a claim is refuted, whatever the number of claims and bets

  bool refutes(const AuditedClaim& claim) const { return claim.log10_e >= log10_enough; }
  bool refutes() const;
};

/// Of a process that is not reactive; a recorded series is tested as it stands, whatever the seed. Throws
/// std::runtime_error, which names path and round, where noise is no number.
Audit audit(const Process& process, const AuditSettings& settings);

}  // namespace mixlab::noise
