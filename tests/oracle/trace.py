#!/usr/bin/python3
"""Recomputes a trace file round by round and compares. python3 trace.py TRACE.h5

Only the problem (theta_star, arms, the attributes) and the data (action, reward, noise) are taken from the file; the
estimates, distances, radii, the regret and the policy's choices are computed from them as MATHEMATICS.md says.
Prints one line per quantity with its largest deviation |file - here|/max(1, |here|).
Exit code: 0 all within 1e-8, 1 something differs, 2 the file cannot be read.
"""
import sys

import h5py
import numpy as np

import sets

TOLERANCE = 1e-8
ELLIPSOIDS = ("paper", "proof", "tight", "otc", "selfnorm", "oful")


def read(path):
    with h5py.File(path, "r") as f:
        names = [s.decode() if isinstance(s, bytes) else str(s) for s in f["set"][()]]
        data = {k: f[k][()] for k in ("t", "theta_star", "arms", "action", "action_index", "reward", "noise",
                                      "theta_hat", "theta_ridge", "q", "radius2", "regret")}
        attributes = {}
        for k in f.attrs:
            value = np.ravel(f.attrs[k])
            if len(value):
                attributes[k] = value[0].decode() if isinstance(value[0], bytes) else value[0]
    if unknown := sorted({*names} - {*sets.SETS}):
        raise ValueError(f"unknown sets {unknown}")
    return names, data, attributes


def constrained_least_squares(e, U, b, B):
    """Minimum-norm minimiser of theta'Lambda theta/2 - b'theta over ||theta|| <= B (C.1), Lambda = U diag(e) U'.

    theta = (Lambda + mu I)^{-1} b on the range of Lambda, mu = 0 if that is short enough, else mu such that
    ||theta|| = B. mu is in [0, ||b||/B] since ||theta|| <= ||b||/mu; all rounds are bisected at once."""
    c = np.einsum("tij,ti->tj", U, b)                                   # b in the eigenbasis
    regular = e > 1e-11 * e[:, -1:]                                     # eigenvalues ascend; b is in the range
    c, e = np.where(regular, c, 0), np.where(regular, e, 1)

    def norm(mu):
        return np.linalg.norm(c / (e + mu[:, None]), axis=1)

    low, high = np.zeros(len(b)), np.linalg.norm(c, axis=1) / B
    long = norm(low) > B
    for _ in range(200):
        mid = (low + high) / 2
        out = norm(mid) > B
        low, high = np.where(out, mid, low), np.where(out, high, mid)
    mu = np.where(long, (low + high) / 2, 0)
    return np.einsum("tij,tj->ti", U, c / (e + mu[:, None]))


def square(M, v):
    """v' M v for every round."""
    return np.einsum("ti,tij,tj->t", v, M, v)


class Recomputed:
    def __init__(self, data, attributes):
        a = {k: float(attributes[k]) for k in ("d", "lag", "lambda", "B", "sigma", "phi", "delta")}
        a["lambda_selfnorm"] = float(attributes.get("lambda_selfnorm", a["lambda"]))
        self.a, X, Y, self.theta = a, data["action"], data["reward"], data["theta_star"]
        T, self.p = X.shape
        self.eye = np.eye(self.p)
        self.Lambda = np.cumsum(X[:, :, None] * X[:, None, :], axis=0)
        self.b = np.cumsum(X * Y[:, None], axis=0)
        self.e, U = np.linalg.eigh(self.Lambda)
        self.theta_hat = constrained_least_squares(self.e, U, self.b, a["B"])
        self.theta_ridge = self.ridge(a["lambda"])

        arms = np.broadcast_to(data["arms"], (T,) + data["arms"].shape[-2:])  # arms(arm, component) or arms(t, ...)
        best = (arms @ self.theta).max(axis=1)
        self.arms, self.regret = arms, np.cumsum(best - X @ self.theta)

    def lam(self, name):
        return self.a["lambda_selfnorm" if name == "selfnorm" else "lambda"]

    def V(self, name):
        return self.Lambda + self.lam(name) * self.eye

    def ridge(self, lam):
        return np.linalg.solve(self.Lambda + lam * self.eye, self.b[..., None])[..., 0]

    def centre(self, name):
        return self.ridge(self.lam(name)) if name in ("selfnorm", "oful") else self.theta_hat

    def q(self, name):
        error = self.theta - self.centre(name)
        if name in ("theorem1", "excess-loss"):
            q = square(self.Lambda, error)
            if name == "excess-loss":   # 2 (L(theta*) - L(theta_hat)) = ||error||^2 + 2 <error, gradient at theta_hat>
                gradient = np.einsum("tij,tj->ti", self.Lambda, self.theta_hat) - self.b
                q += 2 * np.sum(error * gradient, axis=1)
            return q
        return square(self.V(name), error)

    def radius2(self, name):
        a, lam = self.a, self.lam(name)
        logdet = np.log1p(np.maximum(self.e, 0) / lam).sum(axis=1)
        return np.array([sets.radius2(name, p=self.p, B=a["B"], sigma=a["sigma"], phi=a["phi"], d=a["d"],
                                      delta=a["delta"], lam=lam, t=t, logdet=x) for t, x in enumerate(logdet, 1)])

    def choices(self, name):
        """The arm the policy plays: the arms in turn for `lag` rounds, then the lowest index among the best scores
        <centre, x> + radius ||x|| in the norm of V^{-1}, from the data up to t - lag."""
        T, K, _ = self.arms.shape
        lag = int(self.a["lag"])
        x = self.arms[lag:]
        inverse = np.linalg.inv(self.V(name))[:T - lag]
        width = np.sqrt(np.einsum("tki,tij,tkj->tk", x, inverse, x))
        mean = np.einsum("tki,ti->tk", x, self.centre(name)[:T - lag])
        score = mean + np.sqrt(self.radius2(name)[:T - lag, None]) * width
        best = score.max(axis=1, keepdims=True)
        return np.concatenate([np.arange(min(lag, T)) % K,
                               np.argmax(score >= best - 1e-8 * np.maximum(1, abs(best)), axis=1)])


def main(path):
    try:
        names, data, attributes = read(path)
        here = Recomputed(data, attributes)
    except (OSError, KeyError, ValueError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 2
    T = len(data["reward"])
    rounds = np.arange(1, T + 1)
    policy, policy_set = attributes.get("policy", ""), attributes.get("policy_set", "")

    chosen = np.clip(data["action_index"], 0, here.arms.shape[1] - 1)
    pairs = [("t", data["t"], rounds),
             ("action", data["action"], here.arms[rounds - 1, chosen]),
             ("reward", data["reward"], data["action"] @ data["theta_star"] + data["noise"]),
             ("regret", data["regret"], here.regret),
             ("theta_hat", data["theta_hat"], here.theta_hat),
             ("theta_ridge", data["theta_ridge"], here.theta_ridge)]
    for i, name in enumerate(names):
        pairs += [(f"q[{name}]", data["q"][:, i], here.q(name)),
                  (f"radius2[{name}]", data["radius2"][:, i], here.radius2(name))]
    if policy in ("mixing-linucb", "linucb") and policy_set in ELLIPSOIDS:
        pairs.append(("action_index", data["action_index"], here.choices(policy_set)))
    else:
        print(f"action_index  not checked: policy '{policy}' with set '{policy_set}'")

    failures = []
    for label, stored, computed in pairs:
        if stored.shape != computed.shape:
            print(f"{label}: the file has shape {stored.shape}, expected {computed.shape}")
            return 1
        deviation = (abs(stored - computed) / np.maximum(1, abs(computed))).reshape(T, -1).max(axis=1)
        bad = np.flatnonzero(~(deviation <= TOLERANCE))                 # also catches NaN
        worst = int(np.argmax(np.where(np.isnan(deviation), np.inf, deviation)))
        print(f"{label:20s} {deviation[worst]:9.2e} at t = {worst + 1:<7d} {'DIFFERS' if len(bad) else 'ok'}")
        if len(bad):
            failures.append((bad[0], label, stored[bad[0]], computed[bad[0]]))
    if not failures:
        print(f"all {len(pairs)} quantities agree over {T} rounds")
        return 0
    first, label, stored, computed = min(failures, key=lambda x: x[0])
    print(f"first difference: {label} at t = {first + 1}: file {stored}, here {computed}")
    return 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: trace.py TRACE.h5", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
