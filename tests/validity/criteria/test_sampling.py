"""How far sampled targets are from all targets, in value and in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import stats

import cranfield.validity.criteria  # noqa: F401  (makes the options known)
from cranfield.base.errors import CranfieldError, MissingFacts, OptionError, TooFew
from cranfield.base.options import parse
from cranfield.scoring.sampling.sampled_ranks import SampledRanks
from cranfield.validity.assessment import Assessment
from cranfield.validity.criterion import Evidence
from sample_cases import KRICHENE, hits_of_samples


def evidence(true: dict[str, list[int]], targets: int, *metrics: str, seed: int = 0) -> Evidence:
    """Systems with true ranks among so many targets."""
    hits = {}
    for name, ranks in true.items():
        size = len(ranks)
        every = SampledRanks(np.array(ranks), np.full(size, targets - 1), np.full(size, targets))
        hits[name] = replace(hits_of_samples(every), population=None)
    return Evidence(hits=hits, metrics=tuple(parse("metric", each) for each in metrics), seed=seed)


def skewed(topics: int = 300, targets: int = 200) -> dict[str, list[int]]:
    """Systems that differ: one is often first and often last, others are in between."""
    rng = np.random.default_rng(5)
    extreme = np.where(rng.random(topics) < 0.3, 1, rng.integers(100, targets, topics))
    steady = rng.integers(8, 30, topics)
    return {
        "extreme": extreme.tolist(),
        "steady": steady.tolist(),
        "random": rng.integers(1, targets + 1, topics).tolist(),
    }


def assess(spelling: str, given: Evidence) -> Assessment:
    found: Assessment = parse("criterion", spelling).assess(given)
    return found


def rows(found: Assessment, **wanted: object) -> pl.DataFrame:
    return found.tables["agreement"].filter(**wanted)


FEW = "sampling(sizes=[5, 50], draws=4, corrections=[bias-variance, cls])"


def test_small_samples_turn_the_order_and_corrections_turn_it_back() -> None:
    found = assess(FEW, evidence(skewed(), 200, "RR"))
    plain = rows(found, correction="none", n=5)
    assert plain["tau"][0] < 1
    assert plain["swapped"][0] > 0
    for chosen in ("bias-variance", "cls"):
        better = rows(found, correction=chosen, n=5)
        assert better["distance"][0] < plain["distance"][0] / 2
    assert rows(found, correction="cls", n=50)["tau"][0] == 1


def test_all_targets_are_the_full_ranking() -> None:
    found = assess(FEW, evidence(skewed(), 200, "RR", "Recall@5"))
    last = rows(found, n=199)
    assert len(last) == 2 * 3
    assert last["distance"].to_list() == pytest.approx([0] * 6, abs=1e-12)
    assert last["tau"].to_list() == [1] * 6
    assert (last["swapped"] == 0).all()
    assert (last["verdicts"] == 0).all()


def test_distances_are_those_of_the_values() -> None:
    found = assess(FEW, evidence(skewed(), 200, "RR"))
    values = found.details["values"].filter(correction="none", n=5)
    for name, ranks in skewed().items():
        row = values.filter(system=name)
        assert row["full"][0] == pytest.approx(np.mean(1 / np.array(ranks)))
    means = values["value"].to_numpy(), values["full"].to_numpy()
    tau = stats.kendalltau(*means).statistic
    assert rows(found, correction="none", n=5)["tau"][0] == pytest.approx(tau, abs=0.4)
    distance = rows(found, correction="none", n=5)["distance"][0]
    assert distance == pytest.approx(np.abs(means[0] - means[1]).mean())  # all too high here
    assert (values["spread"] > 0).all()


def test_enough_is_the_size_from_which_on_no_pair_is_missed() -> None:
    found = assess(FEW, evidence(skewed(), 200, "RR"))
    enough = dict(found.tables["enough"].select("correction", "n").iter_rows())
    assert enough == {"none": 50, "bias-variance": 50, "cls": 50}
    for chosen, size in enough.items():
        assert (rows(found, correction=chosen).filter(pl.col("n") >= size)["swapped"] == 0).all()
    assert "significantly" in found.reading
    assert "RR" in found.reading


def test_samples_in_which_everything_is_found_are_not_enough() -> None:
    """Of 5 targets all are in the top 10: systems are equal that are not."""
    given = evidence(skewed(), 200, "Recall@10")
    found = assess("sampling(sizes=[4, 190], draws=2, corrections=[])", given)
    assert (rows(found, n=4)["swapped"] == 0).all()
    assert found.tables["enough"]["n"].to_list() == [190]


def test_equal_systems_are_never_turned() -> None:
    same = [3, 7, 1, 20, 15, 9]
    found = assess(FEW, evidence({"a": same, "b": same}, 200, "RR"))
    assert (found.tables["enough"]["n"] == 5).all()
    assert (rows(found)["swapped"] == 0).all()


def test_the_case_of_krichene_and_rendle() -> None:
    """A is best in samples of 99 and C among all 10,000, by AP: the order is turned."""
    true = {name: list(ranks) * 20 for name, ranks in KRICHENE.items()}
    found = assess("sampling(sizes=[99], draws=3, corrections=[])", evidence(true, 10_000, "AP"))
    values = found.details["values"].filter(n=99)
    best = values.sort("value", descending=True)["system"][0]
    assert best == "A"
    assert values.sort("full", descending=True)["system"][0] == "C"
    assert rows(found, n=99)["swapped"][0] >= 1 / 3


def test_sizes_beyond_all_targets_are_all_targets() -> None:
    found = assess(
        "sampling(sizes=[500, 20], draws=1, corrections=[])", evidence(skewed(), 200, "RR")
    )
    assert rows(found)["n"].to_list() == [20, 199]
    alone = assess("sampling(sizes=[500], corrections=[])", evidence(skewed(), 200, "RR"))
    assert rows(alone)["n"].to_list() == [199]
    assert "0.000" in alone.reading


def test_seeds_decide_what_is_drawn() -> None:
    one, same, other = (
        assess(FEW, evidence(skewed(), 200, "RR", seed=seed)).to_dict() for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_charts_show_value_and_order_by_size() -> None:
    found = assess(FEW, evidence(skewed(), 200, "RR", "nDCG@5"))
    assert len(found.charts) == 4
    chart = found.charts[0]
    assert "RR" in chart.title
    assert [line.name for line in chart.lines] == ["none", "bias-variance", "cls"]  # type: ignore[union-attr]
    assert chart.lines[0].x == (5, 50, 199)  # type: ignore[union-attr]


def test_other_metrics_are_named_and_left_out() -> None:
    given = evidence(skewed(), 200, "RR", "Bpref", "RR(correction=mle)", "P(unjudged=relevant)@5")
    found = assess(FEW, given)
    assert rows(found)["metric"].unique().to_list() == ["RR"]
    assert "Bpref, P(unjudged=relevant)@5" in found.notes[0]
    with pytest.raises(OptionError, match="sampling: Bpref is no function of the rank"):
        assess(FEW, evidence(skewed(), 200, "Bpref"))


def test_what_is_missing_is_said() -> None:
    with pytest.raises(MissingFacts, match="runs and judgments"):
        assess(FEW, Evidence())
    with pytest.raises(TooFew, match="sampling needs at least 2 systems"):
        assess(FEW, evidence({"a": [1, 2]}, 9, "RR"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("sizes=[]", "at least one"),
        ("sizes=[0]", "sizes"),
        ("draws=0", "draws"),
        ("alpha=1", "alpha"),
        ("corrections=[clss]", "cls"),
    ],
)
def test_wrong_parameters_are_refused(given: str, words: str) -> None:
    with pytest.raises(CranfieldError, match=words):
        parse("criterion", f"sampling({given})")
