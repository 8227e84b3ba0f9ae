"""Discriminative power on thinned test sets, held against testing thinned scores."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest
from scipy.stats import ttest_rel

import cranfield.significance.paired_tests  # noqa: F401  (makes the options known)
from cranfield.base.errors import BadParameter, MissingFacts, TooFew
from cranfield.base.options import parse
from cranfield.base.seeds import Seeds
from cranfield.recommendation.ranking.hits import Hits
from cranfield.recommendation.runs.run import NO_IDS
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.scores import Scores
from cranfield.validity.assessment import Assessment, Chart
from cranfield.validity.criteria.discriminative_power import DiscriminativePower
from cranfield.validity.criteria.thinned_power import ThinnedPower
from cranfield.validity.criterion import Evidence
from cranfield.validity.meta.p_values import p_values_from_scores
from cranfield.validity.meta.thinning import Pairs, thin
from thinning_cases import METRICS, POPULARITY, hits_of_systems

NAMES = tuple(map(str, METRICS))
SMALL = ThinnedPower(sizes=(1.0, 0.5, 0.2), samples=3)


@cache
def made_hits() -> dict[str, Hits]:
    """The hits of three systems, made when a test asks for them."""
    return hits_of_systems(3)


def evidence(hits: dict[str, Hits] | None = None, test: str = "t", seed: int = 0) -> Evidence:
    tested = parse("test", test)
    hits = hits or made_hits()
    return Evidence(hits=hits, metrics=METRICS, popularity=POPULARITY, test=tested, seed=seed)


def curves(made: Assessment) -> pl.DataFrame:
    return made.details["curves"]


def scored(hits: Hits, kept: np.ndarray) -> np.ndarray:
    """The scores of one system on what is left (metrics × topics), lists that lack as 0."""
    left = thin(hits, kept[Pairs.from_hits(hits).find(hits)])
    scores = measure(left, METRICS, popularity=POPULARITY).copy()
    scores[:, left.lengths == 0] *= 0.0
    scores[:, np.diff(left.offsets) == 0] = np.nan
    return scores


@pytest.mark.parametrize("test", ["t", "permutation(draws=200)"])
def test_on_the_full_test_set_it_is_discriminative_power_bit_for_bit(test: str) -> None:
    first = made_hits()["s0"]
    scores = Scores.from_systems(
        first.topics,
        NO_IDS,
        NAMES,
        {name: measure(each, METRICS, popularity=POPULARITY) for name, each in made_hits().items()},
        {name: each.lengths for name, each in made_hits().items()},
    )
    given = p_values_from_scores(scores, parse("test", test), 5)
    wanted = DiscriminativePower().assess(Evidence(p_values=given))
    table = next(iter(wanted.tables.values())).sort("metric")
    made = curves(SMALL.assess(evidence(test=test, seed=5))).filter(pl.col("size") == 1)
    found = made.sort("metric")
    assert found["dp"].to_list() == table["dp"].to_list()
    assert found["share_below_alpha"].to_list() == table["share_below_alpha"].to_list()
    assert found["median_p"].to_list() == table["median_p"].to_list()


def test_smaller_sizes_are_tested_as_scipy_tests_thinned_scores() -> None:
    made = curves(replace(SMALL, samples=2, alpha=0.3).assess(evidence()))
    pairs = Pairs.from_hits(made_hits()["s0"])
    for size in (0.5, 0.2):
        sums, shares = np.zeros((2, len(NAMES))), np.zeros((2, len(NAMES)))
        for sample in range(2):
            kept = pairs.leaving("ratings-by-user", Seeds(0), sample).remaining(size)
            systems = [scored(hits, kept) for hits in made_hits().values()]
            for metric in range(len(NAMES)):
                rows = np.array([each[metric] for each in systems])
                defined = ~np.isnan(rows).any(axis=0)
                p_values = [
                    float(
                        np.nan_to_num(ttest_rel(rows[a, defined], rows[b, defined]).pvalue, nan=1)
                    )
                    for a, b in ((0, 1), (0, 2), (1, 2))
                ]
                sums[sample, metric] = sum(p_values)
                shares[sample, metric] = np.mean([p < 0.3 for p in p_values])
        found = made.filter(pl.col("size") == size)
        assert found["metric"].to_list() == list(NAMES)
        assert found["dp"].to_list() == pytest.approx(sums.mean(axis=0).tolist())
        assert found["share_below_alpha"].to_list() == pytest.approx(shares.mean(axis=0).tolist())
        assert found["dp_spread"].to_list() == pytest.approx(sums.std(axis=0, ddof=1).tolist())


def test_the_seed_alone_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    made = curves(SMALL.assess(evidence(seed=3)))
    for threads in ("1", "3"):
        monkeypatch.setenv("CRANFIELD_THREADS", threads)
        assert curves(SMALL.assess(evidence(seed=3))).equals(made, null_equal=True)
    assert not curves(SMALL.assess(evidence(seed=4))).equals(made, null_equal=True)


def test_tables_have_a_column_for_each_size_and_charts_a_line_for_each_metric() -> None:
    made = replace(SMALL, scenarios=("ratings-by-user", "users")).assess(evidence())
    titles = {name: made.title(name) for name in made.tables}
    assert titles == {
        "dp_by_size": "DP at each size",
        "share_by_size": "share below 0.05 at each size",
    }
    assert made.tables["dp_by_size"].columns == ["scenario", "metric", "size", "value"]
    table = made.shown("dp_by_size").filter(pl.col("scenario") == "users")
    assert table.columns == ["scenario", "metric", "100 %", "50 %", "20 %"]
    whole = curves(made).filter((pl.col("scenario") == "users") & (pl.col("size") == 1))
    assert table["100 %"].to_list() == whole["dp"].to_list()
    chart = made.charts[1]
    assert isinstance(chart, Chart)
    assert chart.y_title == "share below 0.05"
    assert [line.name for line in chart.lines] == list(NAMES)
    assert chart.lines[0].x == (100.0, 50.0, 20.0)
    assert made.reading.startswith("with 20 % of each user's ratings ")
    assert made.reading.count(";") == 1


def test_systems_that_are_far_apart_stay_separated() -> None:
    first = made_hits()["s1"]
    none = np.zeros_like(first.ranks)
    bad = replace(first, ranks=none, first=none, last=none)
    good = replace(first, ranks=_best(first), first=_best(first), last=_best(first))
    asked = ThinnedPower(sizes=(1.0, 0.8), samples=3)
    hits = {"good": good, "bad": bad}
    metrics = tuple(parse("metric", name) for name in ("P@5", "RR"))
    made = asked.assess(Evidence(hits=hits, metrics=metrics, test=parse("test", "t")))
    assert made.reading == (
        "with 80 % of each user's ratings P@5 separates 100 % of pairs at 0.05 "
        "(100 % with 100 %), RR separates 100 % of pairs at 0.05 (100 % with 100 %)."
    )


def _best(hits: Hits) -> np.ndarray:
    """Ranks by which every judged item is listed, in the order of the rows."""
    return np.concatenate([np.arange(1, n + 1) for n in np.diff(hits.offsets)]).astype(np.int32)


def test_samples_without_users_to_compare_have_no_p_values_and_it_is_said() -> None:
    made = ThinnedPower(scenarios=("users",), sizes=(1.0, 0.01), samples=2).assess(evidence())
    small = curves(made).filter(pl.col("size") < 1)
    assert small["dp"].is_nan().all()
    assert (small["undefined"] == 2).all()
    (note,) = made.notes
    assert note == (
        f"users: {2 * len(NAMES)} samples have no p-values by a metric, as too few users can be "
        "compared, and were excluded from its means."
    )
    assert made.reading == "with 1 % of the users too few users are left to test a pair."


def test_what_is_missing_is_said() -> None:
    with pytest.raises(MissingFacts, match="the ranks of the judged items"):
        SMALL.assess(Evidence())
    with pytest.raises(MissingFacts, match="a paired test"):
        SMALL.assess(replace(evidence(), test=None))
    with pytest.raises(TooFew, match="thinned-discriminative-power needs at least 2 systems"):
        SMALL.assess(evidence(hits_of_systems(1)))
    with pytest.raises(MissingFacts, match=r"thinned-discriminative-power\(of=all-items\)"):
        replace(SMALL, of="all-items", scenarios=("items",)).assess(evidence())


@pytest.mark.parametrize(
    "text", ["thinned-DP(alpha=1)", "thinned-DP(sizes=[])", "thinned-DP(samples=0)"]
)
def test_parameters_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(BadParameter):
        parse("criterion", text)
