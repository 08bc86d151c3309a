// Sign-chasing noise (noise/chase.h) of a group of trajectories, without a pseudo-inverse per round. Let N be the projector
// onto what no sample has a part in, times a unit of length^2. Lambda + N is regular, and for `sum`, which N does not see,
//   Lambda^+ sum = Z sum   with   Z = (Lambda + N)^{-1}.
// A sample x without a part in N changes Z by Sherman and Morrison's formula; one that has a part there, which befalls a
// trajectory p times at most, makes N smaller and Z anew. Only the sign of <Z sum, x> matters: where rounding, or a Lambda
// that is nearly singular, leaves it in doubt, the lane goes through the pseudo-inverse.
#pragma once

#include "inversion.h"

namespace mixlab::engine::lanes::MIXLAB_LANES {

template <int P>
class Chasing {
 public:
  using V = Vec;

  /// `first`: trajectory of lane 0.
  Chasing(const Tables& tables, std::int64_t first)
      : chase_(*tables.chase), p_(tables.n_spanned), n_places_(std::min(chase_.lag, tables.T) + most_pending) {
    for (int lane = 0; lane < V::width; ++lane) streams_.push_back(tables.noise_stream(first + lane));
    for (auto* matrix : {&Lambda_, &Z_, &N_})
      for (auto& entry : matrix->a) entry = 0.0;
    for (int i = 0; i < P; ++i) sum_[i] = error_[i] = 0.0;
    unit_ = trace_ = rank_ = inverse_trace_ = 0.0;
    lost_ = nowhere();
    x_.resize(static_cast<std::size_t>(n_places_ * P));
    eps_.resize(static_cast<std::size_t>(n_places_));
  }

  /// The noise of the next round, in which x is played.
  V next(const V* x) {
    if (n_played_ >= chase_.lag) absorb(place(n_absorbed_));
    const int drawn = static_cast<int>(n_played_ % n_drawn);
    if (drawn == 0) draw();
    const V eps = chase_.frozen * sign_along(x, coin_[drawn]) + chase_.weight() * xi_[drawn];
    copy<P>(x_.data() + place(n_played_) * P, x);
    eps_[place(n_played_)] = eps;
    ++n_played_;
    return eps;
  }

  /// How far <error, x> may be off, relative to ||error|| ||x||.
  static constexpr double doubt = 1e-6;
  /// Lambda^+ sum, where it is trusted.
  const V* error() const { return error_; }
  Mask trusted() const { return (trace_ * inverse_trace_ <= largest_condition) & !lost_; }

 private:
  static constexpr int most_pending = 16;
  static constexpr int n_drawn = 64;                // rounds
  static constexpr double in_range = 1e-16;         // of ||x||^2: up to this a part in N is rounding
  static constexpr double out_of_range = 1e-10;     // from this on it is none
  static constexpr double largest_condition = 1e8;  // tr Lambda tr Lambda^+
  static_assert(largest_condition * noise::least_eigenvalue < 1);

  std::int64_t place(std::int64_t n) const { return n % n_places_; }

  [[gnu::noinline]] void draw() {
    std::uint64_t words[n_drawn];
    double xi[n_drawn];
    for (int lane = 0; lane < V::width; ++lane) {
      random::Stream& stream = streams_[static_cast<std::size_t>(lane)];
      for (int i = 0; i < n_drawn; ++i) {
        coin_[i].set(lane, random::sign(stream.next()));
        words[i] = stream.next();
      }
      chase_.draw_all({words, n_drawn}, {xi, n_drawn});
      for (int i = 0; i < n_drawn; ++i) xi_[i].set(lane, xi[i]);
    }
  }

  MIXLAB_INLINE V sign_along(const V* x, V coin) {
    const V push = dot<P>(error_, x);
    const V scale2 = doubt * doubt * (dot<P>(error_, error_) * dot<P>(x, x));
    const Mask clear = (push * push > scale2) & (abs(push) > 2 * noise::least_push) & trusted();
    V sign = select(push > 0.0, V(1.0), V(-1.0));
    const Mask untouched = unit_ <= 0.0;
    sign = select(untouched, coin, sign);
    if (const Mask open = !(clear | untouched); __builtin_expect(any(open), 0)) look_closely(open, x, coin, sign);
    return sign;
  }

  [[gnu::noinline]] void look_closely(Mask open, const V* x, V coin, V& sign) {
    catch_up();
    const V asked = select(open, V(1.0), V(0.0));
    for (int lane = 0; lane < V::width; ++lane) {
      if (asked[lane] == 0) continue;
      double Lambda[P * P], sum[P], own_x[P];
      for (int i = 0; i < p_; ++i) {
        sum[i] = sum_[i][lane];
        own_x[i] = x[i][lane];
        for (int j = 0; j < p_; ++j) Lambda[i * p_ + j] = Lambda_.get(i, j)[lane];
      }
      const double push = noise::push_along(Lambda, sum, own_x, p_);
      if (std::abs(push) <= noise::least_push)
        sign.set(lane, coin[lane]);
      else
        sign.set(lane, push > 0 ? 1.0 : -1.0);
    }
  }

  MIXLAB_INLINE void absorb(std::int64_t at) {
    const V* x = x_.data() + at * P;
    const V eps = eps_[at];
    ++n_absorbed_;
    add<P>(sum_, eps, x);
    const V length2 = dot<P>(x, x);
    trace_ = trace_ + length2;
    if (n_absorbed_ - n_in_Lambda_ == most_pending) catch_up();
    widened_ = nowhere();
    if (__builtin_expect(n_ranked_ < V::width, 0)) widen(x, length2);
    V u[P];
    Z_.multiply(x, u);
    const V gain = select(widened_, V(0.0), 1.0 / (1.0 + dot<P>(x, u)));
    add<P>(error_, (eps - dot<P>(x, error_)) * gain, u);
    Z_.subtract(u, gain);
    if (const std::int64_t n = n_absorbed_;
        n % 512 == 0 || (n >= 32 && n < 512 && std::has_single_bit(std::uint64_t(n))))
      renew(everywhere());
  }

  /// Lambda takes in the samples that wait for it.
  [[gnu::noinline]] void catch_up() {
    for (; n_in_Lambda_ < n_absorbed_; ++n_in_Lambda_) Lambda_.add_products(x_.data() + place(n_in_Lambda_) * P, 1);
  }

  /// A sample may have a part in N.
  [[gnu::noinline]] void widen(const V* x, V length2) {
    const Mask begins = (unit_ <= 0.0) & (length2 > 0.0);
    unit_ = select(begins, length2, unit_);
    for (int i = 0; i < p_; ++i) N_.set(i, i, select(begins, unit_, N_.get(i, i)));
    V part[P];
    N_.multiply(x, part);
    const V part2 = dot<P>(part, part), whole2 = unit_ * unit_ * length2;
    widened_ = (part2 >= out_of_range * whole2) & (rank_ < static_cast<double>(p_)) & (length2 > 0.0);
    lost_ = lost_ | ((part2 > in_range * whole2) & !widened_);
    if (!any(widened_)) return;
    N_.subtract(part, select(widened_, unit_ / part2, V(0.0)));
    rank_ = rank_ + select(widened_, V(1.0), V(0.0));
    const Mask full = rank_ >= static_cast<double>(p_);
    for (auto& entry : N_.a) entry = select(full, V(0.0), entry);
    n_ranked_ = 0;
    for (int lane = 0; lane < V::width; ++lane) n_ranked_ += rank_[lane] == p_;
    renew(widened_);
  }

  /// Z and the error from Lambda, N and the sum.
  [[gnu::noinline]] void renew(Mask mask) {
    catch_up();
    Symmetric<P> Z = Lambda_;
    V pivots[P], error[P], rest[P], step[P], inverse_trace = 0.0;
    Z.add(N_);
    invert<P>(Z, V(0.0), V(std::numeric_limits<double>::min()), p_, pivots);
    Z.multiply(sum_, error);
    Lambda_.multiply(error, rest);
    for (int i = 0; i < P; ++i) rest[i] = sum_[i] - rest[i];
    Z.multiply(rest, step);
    for (int i = 0; i < p_; ++i) inverse_trace = inverse_trace + Z.get(i, i);
    inverse_trace_ = select(mask, inverse_trace, inverse_trace_);  // and 1/unit more for each direction of N
    for (int i = 0; i < P; ++i) error_[i] = select(mask, error[i] + step[i], error_[i]);
    for (int i = 0; i < Symmetric<P>::size; ++i) Z_.a[i] = select(mask, Z.a[i], Z_.a[i]);
  }

  noise::Chase chase_;
  int p_;
  std::int64_t n_places_;  ///< in the ring of samples
  std::int64_t n_played_ = 0, n_absorbed_ = 0, n_in_Lambda_ = 0;
  int n_ranked_ = 0;  ///< lanes whose N is 0
  std::vector<random::Stream> streams_;
  std::vector<V> x_, eps_;
  V coin_[n_drawn], xi_[n_drawn];
  Symmetric<P> Lambda_, Z_, N_;
  V sum_[P], error_[P];
  V unit_;                    ///< of N; 0 before the first sample
  V trace_;                   ///< of Lambda
  V inverse_trace_;           ///< of Z when it was made anew, since when it fell
  V rank_;                    ///< of Lambda
  Mask widened_ = nowhere();  ///< by the last sample: Z has it already
  Mask lost_;                 ///< where the rank is in doubt, for ever
};

}  // namespace mixlab::engine::lanes::MIXLAB_LANES
