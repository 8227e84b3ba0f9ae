"""The precision to expect of rankings that know nothing of the user, before any is made."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.ids import Codes
from cranfield.collection.target import Targets
from cranfield.scoring.scores import Counts, Floats


@dataclass(frozen=True, eq=False)
class TargetCounts:
    """How many targets there are, and where the relevant ones stand in one order of all items.

    For each topic t: ``relevant[t]`` targets are relevant, and ``drawn[t]`` of
    ``eligible[t]`` non-relevant items are targets too. For each relevant target, a row:
    ``owners`` its topic, ``above`` the eligible items and ``relevant_above`` the other relevant
    targets of the topic that the order puts above it.
    """

    relevant: Counts
    eligible: Counts
    drawn: Counts
    owners: Counts
    above: Counts
    relevant_above: Counts

    @cached_property
    def sizes(self) -> Counts:
        """|T_u|: the number of targets of each topic."""
        return np.asarray(self.relevant + self.drawn)


def count_targets(targets: Targets, order: Codes) -> TargetCounts:
    """Count the targets of every topic by an order of all items, the first ranked first."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    relevant, eligible = np.zeros((2, len(targets.topics)), dtype=np.int64)
    rows = []
    for topics in _alike(targets):
        items = targets.eligible.of_topic(targets.topics, topics.start)
        places = np.sort(place[items])
        for topic in range(topics.start, topics.stop):
            wanted = np.sort(place[targets.relevant_of(topic)])
            relevant[topic], eligible[topic] = len(wanted), len(items)
            relevant_above = np.arange(len(wanted))
            rows.append(
                (np.full(len(wanted), topic), np.searchsorted(places, wanted), relevant_above)
            )
    pools = targets.pools
    drawn = eligible if pools is None else pools.items.lengths[pools.of_topic]
    owners, above, relevant_above = (
        np.concatenate([row[part] for row in rows]) if rows else np.zeros(0, dtype=np.int64)
        for part in range(3)
    )
    return TargetCounts(relevant, eligible, np.asarray(drawn), owners, above, relevant_above)


def _alike(targets: Targets) -> Iterator[slice]:
    """Runs of topics with the same eligible items: those of a user, and of a segment if any."""
    topics = targets.topics
    changed = np.diff(topics.users) != 0
    if topics.segments is not None:
        changed |= np.diff(topics.segments) != 0
    starts = [0, *(np.flatnonzero(changed) + 1).tolist(), len(topics)]
    yield from (slice(a, b) for a, b in pairwise(starts) if a < b)


def relevance_ratio(counts: TargetCounts) -> Floats:
    r"""The share of relevant items among the targets of each topic.

        ρ_u = |T_u ∩ PR_test(u)| / |T_u|

    Its mean over topics is the precision of a random ranking, and of every ranking that
    is not cut: no precision means anything without it. bellogin2017 §4.2. In 1R it is
    1/|T_u^r|. Undefined without targets.
    """
    ratios = np.full(len(counts.sizes), np.nan)
    np.divide(counts.relevant, counts.sizes, out=ratios, where=counts.sizes > 0)
    return ratios


def random_precision(counts: TargetCounts, cutoff: int) -> Floats:
    r"""The expected P@n of a random ranking of each topic's targets.

        E[P@n] = ρ_u · min(n, |T_u|)/n

    That is ρ_u where there are n targets (bellogin2017 eq. 4 and 5). Undefined without a
    relevant target, as precision is.
    """
    seen = np.minimum(cutoff, counts.sizes) / cutoff
    return np.where(counts.relevant > 0, relevance_ratio(counts) * seen, np.nan)


def random_error(
    counts: TargetCounts, weights: Floats, groups: npt.NDArray[np.int64], cutoff: int
) -> float:
    r"""The standard error of the mean P@n of a random ranking, topics counting by weight.

        Var = Σ_u w_u² · h·ρ_u(1 − ρ_u)·(|T_u| − h)/(|T_u| − 1) / n²,  h = min(n, |T_u|)   in AR
        Var = Σ_u w_u² · (R_u·p(1 − p) + R_u(R_u − 1)·c) / n²                              in 1R
        p = h/t,  c = h(h + 1)/(t(t + 1)) − p²

    Hits in AR are hypergeometric. In 1R the R_u rankings of a user share N_u and its
    order, so that two relevant items are in the top n together more often than by chance:
    of t(t + 1) places of two items among t − 1 others, h(h + 1) have both at rank h or
    above by themselves. ``groups`` are the runs of topics that share N_u
    (`Targets.groups`); topics of a group weigh alike.
    """
    starts, topics = groups[:-1], np.diff(groups)
    sizes = np.maximum(counts.sizes[starts], 1).astype(np.float64)
    share = np.divide(counts.relevant[starts], sizes)
    seen = np.minimum(cutoff, sizes)
    together = seen * share * (1 - share) * (sizes - seen) / np.maximum(sizes - 1, 1)
    chance = seen / sizes
    covariance = seen * (seen + 1) / (sizes * (sizes + 1)) - chance**2
    apart = topics * (chance * (1 - chance) + (topics - 1) * covariance)
    alone = counts.relevant[starts] == 1
    variances = np.where(alone, apart, together)
    return float(np.sqrt(weights[starts] ** 2 @ variances) / cutoff)


def ranked_precision(counts: TargetCounts, cutoff: int) -> Floats:
    r"""The expected P@n of one order for everybody, over all draws of N_u.

        E[P@n(T_u)] = 1/n · Σ_{r ∈ T_u ∩ PR_test(u)} P(1 + b_r + H_r ≤ n)

    b_r are the relevant targets above r, and H_r the items above r among N_u: of a_r
    eligible items above r out of E_u in all, so many as are among |N_u| drawn without
    replacement (hypergeometric). If all eligible items are targets (AN), H_r = a_r and
    this is the precision itself. Undefined without a relevant target.
    """
    from scipy.stats import hypergeom

    of = counts.owners
    eligible, drawn = counts.eligible[of], counts.drawn[of]
    places_left = cutoff - 1 - counts.relevant_above
    chance = (counts.above <= places_left).astype(np.float64)
    sampled = drawn < eligible
    chance[sampled] = hypergeom.cdf(
        places_left[sampled], eligible[sampled], counts.above[sampled], drawn[sampled]
    )
    sums = np.bincount(of, weights=chance, minlength=len(counts.relevant)) / cutoff
    return np.where(counts.relevant > 0, sums, np.nan)


@dataclass(frozen=True, eq=False)
class CollectionExpectation:
    r"""What precision to expect from the collection alone, before a split is drawn.

    ``positives[k]`` is E|PR_test(i_k)| of the candidate that a non-personalised ranking
    puts at place k: σ·|PR(i)| by a random split with test share σ, and
    |R_test(i)|·|PR(i)|/|R(i)| where the number of test ratings is set (uniform split).
    ``trained[k]`` is the share of users who have it in training, and for whom it is no
    target. ``users`` enter the average; ``size`` is t, with 1/t = avg_u 1/|T_u|.
    bellogin2017 §4.1, §5.1, §6.2.
    """

    positives: Floats
    trained: Floats
    users: int
    size: float

    @property
    def random(self) -> float:
        r"""Expected precision of a random recommender in AR: σ·|PR|/(t·|U|) = σδ (eq. 4)."""
        return float(self.positives.sum()) / (self.size * self.users)

    @property
    def random_one_relevant(self) -> float:
        """Expected precision of a random recommender in 1R: 1/t (eq. 5)."""
        return 1 / self.size

    def ranked(self, cutoff: int, *, of_paper: bool = False) -> float:
        r"""Expected P@n of the ranking in AR.

            E[P@n] = 1/(n·|U|) · Σ_j E|PR_test(i_j)| · P(H_j < n)

        H_j counts the targets of a user that stand above place j. ``of_paper`` takes the
        targets as t items drawn from C at random: H_j is hypergeometric, and this is
        eq. 3, |C|/(n·t·|U|) · Σ_{k≤n} avg_u E|PR_test(i_k^u)|, where i_k^u stands at
        place j with the probability C(j−1, k−1)·C(|C|−j, t−k)/C(|C|, t). But popular
        items are targets of fewer users, since more have them in training: by default
        each item above is a target with a probability of its own, in proportion to
        1 − ``trained`` (Poisson binomial), which is nearer the truth in dense data.
        """
        return self._seen(cutoff, of_paper) / (cutoff * self.users)

    def ranked_one_relevant(self, cutoff: int, *, of_paper: bool = False) -> float:
        r"""Expected P@n of the ranking in 1R.

            E[1RP@n] = 1/(n·Σ_j E|PR_test(i_j)|) · Σ_j E|PR_test(i_j)| · P(H_j < n)

        H_j is as in `ranked`. It lies between the bounds that bellogin2017 §5.1 derives
        from eq. 2 and 3.
        """
        total = float(self.positives.sum())
        return self._seen(cutoff, of_paper) / (cutoff * total) if total else float("nan")

    def _seen(self, cutoff: int, of_paper: bool) -> float:
        """The relevant test ratings expected in the top n, all users together."""
        reached = self._drawn_alike(cutoff) if of_paper else self._present(cutoff)
        return float(self.positives @ reached)

    def _drawn_alike(self, cutoff: int) -> Floats:
        """P(H_j < n) where the targets besides i_j are t − 1 of C, all alike."""
        from scipy.stats import hypergeom

        items = len(self.positives)
        others = min(max(round(self.size), 1), items) - 1
        # a single candidate has no others to draw from; SciPy wants one all the same
        reached = hypergeom.cdf(cutoff - 1, max(items - 1, 1), np.arange(items), others)
        return np.asarray(reached, dtype=np.float64)

    def _present(self, cutoff: int) -> Floats:
        """P(H_j < n) where each item is a target by its own chance."""
        return np.array([above.sum() for above in self._counts_above(cutoff)])

    def fewer_above(self, most: int) -> Floats:
        """P(H_j < h) for each place j and h = 0, …, most, each item by its own chance."""
        cumulated = np.zeros((len(self.positives), most + 1))
        for place, above in enumerate(self._counts_above(most)):
            np.cumsum(above, out=cumulated[place, 1:])
        return cumulated

    def _counts_above(self, most: int) -> Iterator[Floats]:
        """P(H_j = 0), …, P(H_j = most − 1), place after place; overwritten by the next."""
        present = 1 - self.trained
        expected = float(present.sum())
        present = present * min((self.size - 1) / expected, 1.0) if expected else present
        above = np.zeros(most)
        above[0] = 1.0
        for chance in present:
            yield above
            above[1:] = above[1:] * (1 - chance) + above[:-1] * chance
            above[0] *= 1 - chance


def mean_size(sizes: npt.NDArray[np.int64]) -> float:
    """The "average" target set size t of bellogin2017 Table 2: 1/t = avg_u 1/|T_u|.

    >>> mean_size(np.array([2, 6]))  # 1 / ((1/2 + 1/6) / 2)
    3.0
    """
    known = sizes[sizes > 0]
    return float(1 / np.mean(1 / known)) if len(known) else float("nan")
