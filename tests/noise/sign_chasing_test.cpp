// W3 of MATHEMATICS.md B.7: the noise pushes the least squares estimate away from theta*. With Y = <theta*, X> + eps the
// error theta_LS - theta* is the least squares estimate for the targets eps alone, which is recomputed here.
#include <boost/test/unit_test.hpp>
#include <functional>

#include "checks.h"

using namespace mixlab;

namespace {

using Vector = std::vector<double>;

Values parameters_of(double frozen, std::int64_t lag, const std::string& law) {
  Values parameters;
  parameters.set("frozen", frozen);
  parameters.set("lag", lag);
  parameters.set("law", law);
  return parameters;
}

std::unique_ptr<const noise::Process> sign_chasing(double frozen, std::int64_t lag, const std::string& law) {
  return make_process("sign-chasing", parameters_of(frozen, lag, law));
}

double dot(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

/// One trajectory: the arms and the noise of its rounds.
struct Trajectory {
  std::vector<Vector> x;
  Vector eps;
};

/// arm(t, so far) is played in round t, from 0.
using Design = std::function<Vector(std::size_t, const Trajectory&)>;

Trajectory play(const noise::Process& process, int p, std::size_t T, std::uint64_t use, std::uint64_t trajectory,
                const Design& arm) {
  const auto path = process.start_reactive(random::Stream({test_seed(), use, trajectory, random::Purpose::noise}), p);
  Trajectory result;
  for (std::size_t t = 0; t < T; ++t) {
    result.x.push_back(arm(t, result));
    result.eps.push_back(path->next(result.x.back()));
  }
  return result;
}

/// Arms at random in the unit ball, of various lengths.
Design random_arms(int p, std::uint64_t use) {
  return [stream = test_stream(use), p](std::size_t, const Trajectory&) mutable {
    Vector x;
    for (int i = 0; i < p; ++i) x.push_back(uniform_in(stream, -1, 1) / std::sqrt(p));
    return x;
  };
}

/// Arms that follow the noise `lag` rounds ago: allowed to a policy of that lag.
Design adaptive_arms(int p, std::uint64_t use, std::size_t lag) {
  return [arms = random_arms(p, use), lag](std::size_t t, const Trajectory& past) {
    Vector x = arms(t, past);
    if (t >= lag && past.eps[t - lag] > 0)
      for (double& value : x) value = std::abs(value);
    return x;
  };
}

/// Solves A y = b by elimination with pivots; false if A is nearly singular, where the page leaves the sign open.
bool solve(std::vector<Vector> A, Vector b, Vector& y) {
  const std::size_t p = b.size();
  for (std::size_t k = 0; k < p; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < p; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    if (std::abs(A[pivot][k]) < 1e-5) return false;
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < p; ++i) {
      const double factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < p; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  y.assign(p, 0);
  for (std::size_t k = p; k-- > 0;) {
    y[k] = b[k];
    for (std::size_t j = k + 1; j < p; ++j) y[k] -= A[k][j] * y[j];
    y[k] /= A[k][k];
  }
  return true;
}

/// What may be wrong about the recomputed sign.
struct Variant {
  std::int64_t lag;
  double ridge = 0;
  bool with_gram = true;
};

/// <theta_LS(t - lag) - theta*, x_t> for every round, 0 where it is not defined or too close to call.
Vector chased(const Trajectory& trajectory, const Variant& variant) {
  const std::size_t p = trajectory.x[0].size(), T = trajectory.x.size();
  std::vector<Vector> A(p, Vector(p));
  for (std::size_t i = 0; i < p; ++i) A[i][i] = variant.ridge;
  Vector b(p), result(T), error;
  std::size_t used = 0;
  for (std::size_t t = 0; t < T; ++t) {
    for (; static_cast<std::int64_t>(used) <= static_cast<std::int64_t>(t) - variant.lag; ++used)
      for (std::size_t i = 0; i < p; ++i) {
        b[i] += trajectory.x[used][i] * trajectory.eps[used];
        for (std::size_t j = 0; j < p; ++j) A[i][j] += trajectory.x[used][i] * trajectory.x[used][j];
      }
    if (!variant.with_gram)
      result[t] = dot(b, trajectory.x[t]);
    else if (used >= p && solve(A, b, error))
      result[t] = dot(error, trajectory.x[t]);
    if (std::abs(result[t]) < 1e-8) result[t] = 0;
  }
  return result;
}

/// The sign s in phi s + sqrt(1-phi^2) xi with a sign xi; 0 if eps is none of the four values.
double sign_in(double eps, double phi) {
  const double c = std::sqrt(1 - phi * phi);
  for (const double s : {-1.0, 1.0})
    for (const double xi : {-1.0, 1.0})
      if (std::abs(eps - phi * s - c * xi) < 1e-12) return s;
  return 0;
}

/// Rounds in which the sign of the noise is not the chased one, as a fraction of those that can be compared.
double disagreement(const std::vector<Trajectory>& trajectories, double phi, const Variant& variant) {
  double compared = 0, wrong = 0;
  for (const auto& trajectory : trajectories) {
    const Vector inner = chased(trajectory, variant);
    for (std::size_t t = 0; t < inner.size(); ++t)
      if (inner[t] != 0) {
        ++compared;
        wrong += sign_in(trajectory.eps[t], phi) * inner[t] <= 0;
      }
  }
  BOOST_REQUIRE(compared > 100);
  return wrong / compared;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise)
BOOST_AUTO_TEST_SUITE(sign_chasing_reactive)

BOOST_AUTO_TEST_CASE(certificate) {
  for (const double phi : {0.0, 0.1, 0.4})
    for (const std::int64_t lag : {1, 7}) {
      const auto process = sign_chasing(phi, lag, "gaussian");
      BOOST_TEST(process->reactive());
      BOOST_TEST(process->sigma() == 1);
      for (const std::int64_t d : {std::int64_t{1}, lag, 2 * lag, std::int64_t{1000}})
        BOOST_TEST(process->phi(d) == phi);
      BOOST_TEST(!process->geometric().has_value());
      BOOST_TEST(!process->algebraic().has_value());
    }
}

BOOST_AUTO_TEST_CASE(the_sign_is_that_of_the_least_squares_error) {  // signs are read exactly: no false alarm
  const double phi = 0.3;
  for (const int p : {1, 2, 3, 6})
    for (const std::size_t lag : {1u, 2u, 7u, 25u})
      for (const bool adaptive : {false, true}) {
        const auto process = sign_chasing(phi, static_cast<std::int64_t>(lag), "rademacher");
        std::vector<Trajectory> trajectories;
        for (std::uint64_t i = 0; i < 40; ++i)
          trajectories.push_back(
              play(*process, p, 70, 221, i, adaptive ? adaptive_arms(p, 300 + i, lag) : random_arms(p, 300 + i)));
        for (const auto& trajectory : trajectories)
          for (const double eps : trajectory.eps) BOOST_REQUIRE(sign_in(eps, phi) != 0);
        const auto L = static_cast<std::int64_t>(lag);
        BOOST_TEST_CONTEXT("p " << p << " lag " << lag << " adaptive " << adaptive) {
          BOOST_TEST(disagreement(trajectories, phi, {L}) == 0);
          // power: a round more or less of delay, a regularised estimate, an estimate without the Gram matrix
          BOOST_TEST(disagreement(trajectories, phi, {L + 1}) > 0.002);
          BOOST_TEST(disagreement(trajectories, phi, {L - 1}) > 0.002);
          if (p > 1) {
            BOOST_TEST(disagreement(trajectories, phi, {L, 3}) > 0.002);
            BOOST_TEST(disagreement(trajectories, phi, {L, 0, false}) > 0.002);
          }
        }
      }
}

BOOST_AUTO_TEST_CASE(one_arm_in_many_dimensions_is_chased_too) {  // its prediction is unique, theta_LS is not
  const double phi = 0.3;
  for (const std::size_t lag : {1u, 3u}) {
    const auto process = sign_chasing(phi, static_cast<std::int64_t>(lag), "rademacher");
    std::size_t compared = 0;
    for (std::uint64_t i = 0; i < 20; ++i) {
      const auto trajectory = play(*process, 3, 100, 240, i, [](std::size_t, const Trajectory&) {
        return Vector{0.6, -0.3, 0.5};
      });
      double sum = 0;
      for (std::size_t t = lag; t < 100; ++t) {
        sum += trajectory.eps[t - lag];
        if (std::abs(sum) < 1e-6) continue;
        BOOST_REQUIRE(sign_in(trajectory.eps[t], phi) == (sum > 0 ? 1 : -1));
        ++compared;
      }
    }
    BOOST_TEST(compared > 1500);
  }
}

BOOST_AUTO_TEST_CASE(first_rounds_and_ties_are_fair) {  // 3 x 8 comparisons at 6e-10
  const double phi = 0.3;
  for (const std::size_t lag : {1u, 3u, 6u}) {
    const auto process = sign_chasing(phi, static_cast<std::int64_t>(lag), "rademacher");
    Paths signs, draws;
    for (std::uint64_t i = 0; i < 20000; ++i) {  // one arm, then one orthogonal to it: a tie
      const auto trajectory = play(*process, 2, lag + 2, 241, i, [&](std::size_t t, const Trajectory&) {
        return t <= lag ? Vector{1, 0} : Vector{0, 1};
      });
      draws.push_back(trajectory.eps);
      signs.emplace_back();
      for (const double eps : trajectory.eps) signs.back().push_back(sign_in(eps, phi));
    }
    const auto z = [&](auto f) {
      double worst = 0;
      for (const bool with_draws : {false, true})
        worst = std::max(worst, std::abs(z_score(with_draws ? draws : signs, 0, [&](const auto& path) {
                           return f(path, signs[static_cast<std::size_t>(&path - (with_draws ? draws : signs).data())]);
                         })));
      return worst;
    };
    BOOST_TEST(z([&](const auto&, const auto& s) { return s[0]; }) < z_many);
    BOOST_TEST(z([&](const auto&, const auto& s) { return s[lag - 1]; }) < z_many);
    BOOST_TEST(z([&](const auto& past, const auto& s) { return lag > 1 ? past[0] * s[lag - 1] : s[0]; }) < z_many);
    BOOST_TEST(z([&](const auto&, const auto& s) { return s[lag + 1]; }) < z_many);  // the tie
    BOOST_TEST(z([&](const auto& past, const auto& s) { return past[0] * s[lag + 1]; }) < z_many);
    BOOST_TEST(z([&](const auto& past, const auto& s) { return past[0] * s[lag]; }) > z_many);  // power: no longer fair
  }
}

BOOST_AUTO_TEST_CASE(noise_given_the_past) {  // 3 x 2 x 14 comparisons at 6e-10
  const double phi = 0.4, rest = std::sqrt(1 - phi * phi);
  for (const std::string law : {"gaussian", "rademacher", "uniform"})
    for (const std::int64_t lag : {1, 4}) {
      const auto process = sign_chasing(phi, lag, law);
      std::vector<Trajectory> trajectories;
      for (std::uint64_t i = 0; i < 3000; ++i)
        trajectories.push_back(play(*process, 2, 25, 242, i, random_arms(2, 10000 + i)));
      // eps s = phi + sqrt(1-phi^2) xi s with independent xi: one row per trajectory
      const auto residuals = [&](std::int64_t delay) {
        Paths rows;
        for (const auto& trajectory : trajectories) {
          rows.emplace_back();
          const Vector inner = chased(trajectory, {delay});
          for (std::size_t t = static_cast<std::size_t>(lag) + 3; t < inner.size(); ++t) {
            if (inner[t] == 0) continue;  // too close to call: as good as never
            const double s = inner[t] > 0 ? 1 : -1;
            rows.back().push_back((trajectory.eps[t] - phi * s) / rest);
            rows.back().push_back((trajectory.eps[t] * s - phi) / rest);
          }
        }
        return rows;
      };
      const auto split = [](const Paths& rows, std::size_t which) {
        Paths part;
        for (const auto& row : rows) {
          part.emplace_back();
          for (std::size_t i = which; i < row.size(); i += 2) part.back().push_back(row[i]);
        }
        return part;
      };
      const Paths rows = residuals(lag);
      const Paths xi = split(rows, 0), aligned = split(rows, 1);
      const auto identity = [](double x) { return x; };
      const auto square = [](double x) { return x * x; };
      BOOST_TEST(mean_z(aligned, 0, identity) < z_many);  // the mean given the past is phi s
      BOOST_TEST(mean_z(xi, 0, identity) < z_many);
      BOOST_TEST(covariance_z(xi, 1, 0) < z_many);
      if (law == "rademacher") {
        for (const auto& path : xi)
          for (const double x : path) BOOST_REQUIRE(std::abs(std::abs(x) - 1) < 1e-12);
      } else {
        BOOST_TEST(mean_z(xi, 1, square) < z_many);
        BOOST_TEST(mean_z(xi, law == "gaussian" ? 3 : 1.8, [](double x) { return x * x * x * x; }) < z_many);
      }
      if (law == "uniform")
        for (const auto& path : xi)
          for (const double x : path) BOOST_REQUIRE(std::abs(x) <= std::sqrt(3.0) + 1e-12);
      BOOST_TEST(worst_mgf_z(xi, 1) < z_many);  // around its mean the noise has proxy 1 - phi^2
      // power: the other sign, another phi, a delay wrong by one, a larger scale
      BOOST_TEST(mean_z(aligned, 0.05, identity) > z_many);
      BOOST_TEST(mean_z(split(residuals(lag + 1), 1), 0, identity) > z_many);
      BOOST_TEST(mean_z(split(residuals(lag - 1), 1), 0, identity) > z_many);
      BOOST_TEST(worst_mgf_z(scaled(xi, 1.1), 1) > z_many);

      // A design that does not look at data: every round is centred, and 1-sub-Gaussian marginally
      Paths eps;
      for (const auto& trajectory : trajectories) eps.push_back(trajectory.eps);
      for (const std::size_t t : {0u, 4u, 24u})
        BOOST_TEST(std::abs(z_score(eps, 0, [&](const auto& path) { return path[t]; })) < z_many);
      BOOST_TEST(worst_mgf_z(eps, 1) < z_many);
      BOOST_TEST(worst_mgf_z(scaled(eps, 1.1), 1) > z_many);
    }
}

BOOST_AUTO_TEST_CASE(trajectories_repeat_and_the_horizon_does_not_matter) {
  const auto parameters = parameters_of(0.3, 2, "gaussian");
  const auto run = [&](std::int64_t T, std::uint64_t trajectory) {
    return play(*make_process("sign-chasing", parameters, T), 2, 60, 243, trajectory, random_arms(2, 9000)).eps;
  };
  BOOST_TEST((run(50, 0) == run(1000000, 0)));
  BOOST_TEST((run(50, 0) != run(50, 1)));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
