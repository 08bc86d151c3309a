#include "peak.h"

#include <algorithm>

#include "clock.h"

#if MIXLAB_X86
#include <immintrin.h>
#endif

namespace mixlab::bench {
namespace {

// Twelve independent chains hide the latency of every processor we know: 2 units x 4 to 5 cycles.
constexpr int n_chains = 12;
constexpr long n_steps = 200000;
constexpr double factor = 0.999999, summand = 1e-9;

volatile double sink;

#if MIXLAB_X86
[[gnu::target("avx512f"), gnu::noinline]] void run_avx512() {
  const __m512d x = _mm512_set1_pd(factor), y = _mm512_set1_pd(summand);
  __m512d chain[n_chains];
  for (auto& c : chain) c = x;
  for (long i = 0; i < n_steps; ++i)
#pragma GCC unroll 12
    for (int c = 0; c < n_chains; ++c) chain[c] = _mm512_fmadd_pd(chain[c], x, y);
  for (const auto& c : chain) sink = sink + c[0];
}

[[gnu::target("avx2,fma"), gnu::noinline]] void run_avx2() {
  const __m256d x = _mm256_set1_pd(factor), y = _mm256_set1_pd(summand);
  __m256d chain[n_chains];
  for (auto& c : chain) c = x;
  for (long i = 0; i < n_steps; ++i)
#pragma GCC unroll 12
    for (int c = 0; c < n_chains; ++c) chain[c] = _mm256_fmadd_pd(chain[c], x, y);
  for (const auto& c : chain) sink = sink + c[0];
}

#endif

/// Without FMA instructions: a product and a sum, in registers of two.
[[gnu::noinline]] void run_portable() {
  using Pair = double __attribute__((vector_size(16)));
  const Pair x = {factor, factor}, y = {summand, summand};
  Pair chain[n_chains];
  for (auto& c : chain) c = x;
  for (long i = 0; i < n_steps; ++i)
#pragma GCC unroll 12
    for (int c = 0; c < n_chains; ++c) chain[c] = chain[c] * x + y;
  for (const auto& c : chain) sink = sink + c[0];
}

}  // namespace

double fma_peak([[maybe_unused]] engine::Isa isa) {
  auto run = run_portable;
  int width = 2;
#if MIXLAB_X86
  if (isa == engine::Isa::avx512) {
    run = run_avx512;
    width = 8;
  } else if (isa == engine::Isa::avx2) {
    run = run_avx2;
    width = 4;
  }
#endif
  double best = 0;
  for (int i = 0; i < 10; ++i) {
    const double start = cpu_seconds();
    run();
    best = std::max(best, 1e-9 * n_steps * n_chains * width / (cpu_seconds() - start));
  }
  return best;
}

}  // namespace mixlab::bench
