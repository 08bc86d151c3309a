// Every operation of every instruction set that this machine has, against plain C++ on one number after the other.
#include "operations.h"

#include <algorithm>
#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "mixlab/engine/lanes.h"
#include "seed.h"

using namespace mixlab;
using namespace mixlab::engine;
using lanes::n_numbers;

namespace {

struct Arguments {
  double a[n_numbers], b[n_numbers], c[n_numbers];
};

/// Zeros, infinities, numbers that are none, the ends of the range and the borders of single precision.
const std::vector<double>& corners() {
  using Limits = std::numeric_limits<double>;
  static const std::vector<double> numbers = [] {
    std::vector<double> found = {Limits::quiet_NaN()};
    for (const double x : {0.0, 1.0, 3.0, 1 + 0x1p-30, 1e30, 1e39, 1e-39, 1e-46, Limits::min(), Limits::denorm_min(),
                           Limits::max(), Limits::infinity()})
      for (const double signed_x : {x, -x}) found.push_back(signed_x);
    return found;
  }();
  return numbers;
}

/// All pairs of corners, in turning lanes, then random numbers.
std::vector<Arguments> arguments() {
  std::vector<Arguments> found;
  random::Stream stream = test_stream(7120);
  const std::size_t n = corners().size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      Arguments& next = found.emplace_back();
      for (std::size_t l = 0; l < n_numbers; ++l) {
        next.a[l] = corners()[(i + l) % n];
        next.b[l] = corners()[(j + 2 * l) % n];
        next.c[l] = corners()[static_cast<std::size_t>(integer_in(stream, 0, static_cast<std::int64_t>(n) - 1))];
      }
    }
  for (int i = 0; i < 500; ++i) {
    Arguments& next = found.emplace_back();
    for (auto* argument : {next.a, next.b, next.c})
      for (int l = 0; l < n_numbers; ++l) argument[l] = uniform_in(stream, -2, 2);
  }
  return found;
}

std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(x);
}
float single(double x) {
  return static_cast<float>(x);
}
double larger(double a, double b) {
  return a > b ? a : b;  // b if one of them is not a number
}
double smaller(double a, double b) {
  return a < b ? a : b;
}

/// What result l may be; `n_lanes`: of the instruction set.
using Truth = std::function<std::vector<double>(const Arguments& from, int n_lanes, int l)>;
struct Truths {
  Truth lower, upper = nullptr;  ///< upper: of operations on single precision
};

template <class Function>
Truths per_lane(Function f) {
  return {[f](const Arguments& from, int, int l) {
    return std::vector<double>{static_cast<double>(f(from.a[l], from.b[l], from.c[l]))};
  }};
}

/// The upper halves get b, c, a for a, b, c.
template <class Function>
Truths per_half(Function f) {
  return {[f](const Arguments& from, int, int l) {
            return std::vector<double>{f(single(from.a[l]), single(from.b[l]), single(from.c[l]))};
          },
          [f](const Arguments& from, int, int l) {
            return std::vector<double>{f(single(from.b[l]), single(from.c[l]), single(from.a[l]))};
          }};
}

int first_of_register(int l, int n_lanes) {
  return l / n_lanes * n_lanes;
}
int count_less(const Arguments& from, int n_lanes, int l) {
  int n = 0;
  for (int i = 0; i < n_lanes; ++i) {
    const int lane = first_of_register(l, n_lanes) + i;
    n += from.a[lane] < from.b[lane];
  }
  return n;
}

Truths comparisons_of_registers(bool (*holds)(int n_less, int n_lanes)) {
  return {[holds](const Arguments& from, int n_lanes, int l) {
    return std::vector<double>{holds(count_less(from, n_lanes, l), n_lanes) ? 1.0 : 0.0};
  }};
}

/// Fused or in two steps.
std::vector<double> product_and_sum(double a, double b, double c) {
  const float product = single(a) * single(b);
  return {std::fma(single(a), single(b), single(c)), product + single(c)};
}

std::map<std::string_view, Truths> all_truths() {
  using D = double;
  using F = float;
  return {
      {"broadcast", {[](const Arguments& from, int, int) { return std::vector<D>{from.a[0]}; }}},
      {"gather", {[](const Arguments& from, int n_lanes, int l) {
         const int first = first_of_register(l, n_lanes);
         return std::vector<D>{from.b[first + n_lanes - 1 - (l - first)]};
       }}},
      {"+", per_lane([](D a, D b, D) { return a + b; })},
      {"-", per_lane([](D a, D b, D) { return a - b; })},
      {"*", per_lane([](D a, D b, D) { return a * b; })},
      {"/", per_lane([](D a, D b, D) { return a / b; })},
      {"minus", per_lane([](D a, D, D) { return -a; })},
      {"abs", per_lane([](D a, D, D) { return std::abs(a); })},
      {"<", per_lane([](D a, D b, D) { return a < b; })},
      {"<=", per_lane([](D a, D b, D) { return a <= b; })},
      {">", per_lane([](D a, D b, D) { return a > b; })},
      {">=", per_lane([](D a, D b, D) { return a >= b; })},
      {"and", per_lane([](D a, D b, D c) { return a < b && b < c; })},
      {"or", per_lane([](D a, D b, D c) { return a < b || b < c; })},
      {"not", per_lane([](D a, D b, D) { return !(a < b); })},
      {"nowhere", per_lane([](D, D, D) { return false; })},
      {"everywhere", per_lane([](D, D, D) { return true; })},
      {"lanes_of", per_lane([](D a, D b, D) { return a < b; })},
      {"any", comparisons_of_registers([](int n_less, int) { return n_less > 0; })},
      {"all", comparisons_of_registers([](int n_less, int n_lanes) { return n_less == n_lanes; })},
      {"select", per_lane([](D a, D b, D c) { return a < b ? b : c; })},
      {"fma", per_lane([](D a, D b, D c) { return std::fma(a, b, c); })},
      {"fnma", per_lane([](D a, D b, D c) { return std::fma(-a, b, c); })},
      {"sqrt", per_lane([](D a, D, D) { return std::sqrt(a); })},
      {"max", per_lane([](D a, D b, D) { return larger(a, b); })},
      {"min", per_lane([](D a, D b, D) { return smaller(a, b); })},
      {"multiply_low",
       per_lane([](D a, D b, D) { return std::bit_cast<D>((bits(a) & 0xffffffff) * (bits(b) & 0xffffffff)); })},
      {"with_low",
       per_lane([](D a, D b, D) { return std::bit_cast<D>((bits(a) >> 32 << 32) | (bits(b) & 0xffffffff)); })},
      {"pair", per_half([](F a, F, F) { return a; })},
      {"in_both_halves", {per_half([](F a, F, F) { return a; }).lower, per_half([](F a, F, F) { return a; }).lower}},
      {"widen",
       {[](const Arguments&, int n_lanes, int l) { return std::vector<D>{D(l % n_lanes)}; },
        [](const Arguments&, int n_lanes, int l) { return std::vector<D>{D(n_lanes + l % n_lanes)}; }}},
      {"single fma",
       {[](const Arguments& from, int, int l) { return product_and_sum(from.a[l], from.b[l], from.c[l]); },
        [](const Arguments& from, int, int l) { return product_and_sum(from.b[l], from.c[l], from.a[l]); }}},
      {"single sqrt", per_half([](F a, F, F) { return std::sqrt(a); })},
      {"single max", per_half([](F a, F b, F) { return single(larger(a, b)); })},
      {"single min", per_half([](F a, F b, F) { return single(smaller(a, b)); })},
      {"later_where_greater",
       {[](const Arguments& from, int n_lanes, int l) {
          return std::vector<D>{D(l % n_lanes + (single(from.a[l]) > single(from.b[l]) ? 100 : 0))};
        },
        [](const Arguments& from, int n_lanes, int l) {
          return std::vector<D>{D(n_lanes + l % n_lanes + (single(from.b[l]) > single(from.c[l]) ? 100 : 0))};
        }}},
  };
}

/// What bits a result has that is not a number is the machine's business.
bool is_one_of(double got, const std::vector<double>& truth) {
  return std::any_of(truth.begin(), truth.end(),
                     [&](double t) { return std::isnan(t) ? std::isnan(got) : bits(got) == bits(t); });
}

int count_wrong(const lanes::Operation& operation, int n_lanes, const Truths& truths, const Arguments& from) {
  double out[2 * n_numbers];
  operation.apply(from.a, from.b, from.c, out);
  int n_wrong = 0;
  for (int l = 0; l < n_numbers; ++l) {
    n_wrong += !is_one_of(out[l], truths.lower(from, n_lanes, l));
    n_wrong += truths.upper && !is_one_of(out[n_numbers + l], truths.upper(from, n_lanes, l));
  }
  return n_wrong;
}

int count_wrong(const lanes::Operation& operation, int n_lanes, const Truths& truths) {
  int n_wrong = 0;
  for (const Arguments& from : arguments()) n_wrong += count_wrong(operation, n_lanes, truths, from);
  return n_wrong;
}

std::map<std::string, lanes::InstructionSet> instruction_sets() {
  std::map<std::string, lanes::InstructionSet> found = {{"scalar", lanes::scalar_operations()}};
#if MIXLAB_X86
  if (__builtin_cpu_supports("fma")) found["fused"] = lanes::fused_operations();
  if (supported(Isa::avx2)) found["avx2"] = lanes::avx2_operations();
  if (supported(Isa::avx512)) found["avx512"] = lanes::avx512_operations();
#else
  if (supported(Isa::fused)) found["fused"] = lanes::fused_operations();
#endif
  return found;
}

const lanes::Operation& scalar_operation(std::string_view name) {
  const auto all = lanes::scalar_operations().operations;
  return *std::find_if(all.begin(), all.end(), [&](const auto& operation) { return operation.name == name; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(engine)
BOOST_AUTO_TEST_SUITE(lanes_kernels)

BOOST_AUTO_TEST_CASE(operations_of_every_instruction_set) {
  const auto truths = all_truths();
  for (const auto& [name, isa] : instruction_sets())
    for (const lanes::Operation& operation : isa.operations) BOOST_TEST_CONTEXT(operation.name << " in " << name) {
        if (operation.name == "log_above_one") continue;  // below
        BOOST_REQUIRE(truths.contains(operation.name));
        BOOST_TEST(count_wrong(operation, isa.n_lanes, truths.at(operation.name)) == 0);
      }
}

BOOST_AUTO_TEST_CASE(logarithms_have_the_same_bits_in_every_instruction_set) {
  const lanes::Operation& scalar = scalar_operation("log_above_one");
  for (const auto& [name, isa] : instruction_sets())
    for (const lanes::Operation& operation : isa.operations) {
      if (operation.name != scalar.name) continue;
      for (const Arguments& from : arguments()) {
        double got[2 * n_numbers], truth[2 * n_numbers];
        operation.apply(from.a, from.b, from.c, got);
        scalar.apply(from.a, from.b, from.c, truth);
        for (int l = 0; l < n_numbers; ++l) BOOST_TEST(is_one_of(got[l], {truth[l]}), name << " " << from.a[l]);
      }
    }
}

BOOST_AUTO_TEST_CASE(wrong_operations_are_found) {
  using D = double;
  const std::map<std::string_view, Truths> wrong = {
      {"max", per_lane([](D a, D b, D) { return larger(b, a); })},  // a where one of them is not a number
      {"min", per_lane([](D a, D b, D) { return std::fmin(a, b); })},
      {"<", per_lane([](D a, D b, D) { return !(a >= b); })},
      {"fma", per_lane([](D a, D b, D c) { return a * b + c; })},
      {"sqrt", per_lane([](D a, D, D) { return std::sqrt(std::abs(a)); })},
      {"all", comparisons_of_registers([](int n_less, int n_lanes) { return n_less >= n_lanes - 1; })},
  };
  for (const auto& [name, truths] : wrong)
    BOOST_TEST(count_wrong(scalar_operation(name), lanes::scalar_operations().n_lanes, truths) > 0, name);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
