"""How fast all pairs are tested, against scipy.stats.permutation_test, in one run.

    python benchmarks/significance.py [--users 6040] [--systems 21] [--metrics 9]

SciPy is timed on one pair with fewer draws, in batches as its documentation advises, and
its time is taken to grow with pairs and draws. What counts is the ratio.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np
from scipy import stats

from cranfield.base.seeds import Seeds
from cranfield.base.threads import thread_count
from cranfield.scoring.scores import Floats
from cranfield.significance.paired_test import PairedTest
from cranfield.significance.paired_tests import Bootstrap, Permutation, RandomisedHSD, StudentT
from cranfield.significance.samples.samples import Samples


def make_samples(systems: int, metrics: int, users: int) -> Samples:
    """Scores whose users are easy or hard for all systems, which differ by little."""
    rng = np.random.default_rng(1)
    ease = rng.beta(1, 3, users)
    noise = rng.normal(0, 0.1, (systems, metrics, users))
    lift = np.linspace(0, 0.02, systems)[:, None, None]
    values: Floats = np.round(np.clip(ease + lift + noise, 0, 1), 2).astype(np.float64)
    names = tuple(f"s{number}" for number in range(systems))
    kinds = tuple(f"m{number}" for number in range(metrics))
    return Samples(names, kinds, values, np.ones((metrics, users), dtype=bool))


def seconds(test: PairedTest, samples: Samples) -> float:
    start = time.perf_counter()
    test.compare(samples, Seeds(1))
    return time.perf_counter() - start


def scipy_seconds(samples: Samples, draws: int) -> float:
    """The seconds of one pair with some draws."""
    differences = samples.values[0, 0] - samples.values[1, 0]
    start = time.perf_counter()
    stats.permutation_test(
        (differences,),
        lambda x, axis: np.mean(x, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=draws,
        batch=100,
        rng=np.random.default_rng(1),
    )
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=6040)
    parser.add_argument("--systems", type=int, default=21)
    parser.add_argument("--metrics", type=int, default=9)
    parser.add_argument("--draws", type=int, default=100_000)
    parser.add_argument("--scipy-draws", type=int, default=1000)
    given = parser.parse_args()
    samples = make_samples(given.systems, given.metrics, given.users)
    pairs = len(samples.pairs) * given.metrics
    small = make_samples(3, 1, 30)
    for first in (Permutation(draws=100), Bootstrap(draws=100), RandomisedHSD(draws=100)):
        first.compare(small, Seeds(1))
    print(f"{given.systems} systems, {given.metrics} metrics, {given.users} users: {pairs} pairs")
    print(f"{thread_count()} threads")
    own = seconds(Permutation(draws=given.draws), samples)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"permutation, {given.draws} draws      {own:9.2f} s   peak memory {peak:.2f} GiB")
    others: dict[str, PairedTest] = {
        "t": StudentT(),
        "bootstrap, 10000 draws": Bootstrap(),
        "randomised-hsd, 10000 draws": RandomisedHSD(),
    }
    for name, test in others.items():
        print(f"{name:30}{seconds(test, samples):9.2f} s")
    one = scipy_seconds(samples, given.scipy_draws)
    other = one * pairs * given.draws / given.scipy_draws
    print(f"scipy, one pair, {given.scipy_draws} draws   {one:9.2f} s")
    print(f"scipy, all (extrapolated)     {other:9.0f} s   {other / own:,.0f} times ours")


if __name__ == "__main__":
    main()
