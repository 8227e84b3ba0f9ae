"""Studies without any difference: how often the verdict calls one a finding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom

from cranfield.base.ids import Ids
from cranfield.base.options import parse
from cranfield.collection.topics import Topics
from cranfield.scoring.scores import Scores
from cranfield.scoring.summary import SummaryChoice, summarise
from cranfield.significance.samples.pairing import pair_users
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.findings import StudyFindings, conclude
from cranfield.validity.study.pair_outcomes import pair_of_interest
from cranfield.workbench.execution.study.contributions import Contributions
from design_cases import crossed
from experiment_cases import study_of

SYSTEMS = {"a": "Random", "b": "Popularity", "c": "user-kNN", "d": "EASE"}
METRICS = ("P@10", "AP", "RR")
FINDINGS = ("established everywhere", "established, with exceptions", "depends on the design")


def null_scores(stream: np.random.Generator, users: int, *, skewed: bool = False) -> Scores:
    """Scores of four systems whose scores on a user could be swapped; metrics are alike.

    With ``skewed`` users, some have many topics (1R), else each has one.
    """
    counts = stream.geometric(0.15, users) if skewed else np.ones(users, dtype=np.int64)
    owners = np.repeat(np.arange(users, dtype=np.int32), counts)
    ease = stream.exponential(size=users)[owners]
    taste = stream.standard_normal((4, 1, users))[:, :, owners]
    noise = stream.standard_normal((4, len(METRICS), len(owners)))
    values = 1 / (1 + np.exp(1 - ease - taste - 0.5 * noise))
    return Scores(
        Topics(owners, np.arange(len(owners), dtype=np.int32) if skewed else None),
        Ids(pl.Series([f"u{number:04}" for number in range(users)])),
        tuple(SYSTEMS),
        METRICS,
        values,
        np.ones((4, len(owners)), dtype=bool),
    )


def null_study(scores: Scores, aggregations: tuple[str, ...], draws: int) -> StudyFindings:
    """A study of all metrics and some aggregations; the pair is the base's two best."""
    table = crossed({"metric": list(METRICS), "aggregation": list(aggregations)})
    choices = [SummaryChoice(aggregation=parse("aggregation", each)) for each in aggregations]
    whole = [summarise(scores, choice) for choice in choices]
    samples = [pair_users(scores, choice, (name,)) for name in METRICS for choice in choices]
    values = np.array(
        [[made.row(name, metric).value for name in SYSTEMS] for metric in METRICS for made in whole]
    )
    unknown = np.full((len(table), 6), np.nan)
    made = Designs(table, tuple(SYSTEMS), values, unknown, unknown, np.full(len(table), 99), base=0)
    study = study_of({"vary": {"cutoff": [3]}, "draws": draws}, systems=SYSTEMS)
    pair = pair_of_interest(made)
    found = Contributions(study, pair, len(table))
    for design, sampled in enumerate(samples):
        found.add(design, values[design], scores.by_metrics(sampled.metrics), sampled)
    at = made.pairs.index((min(found.pair), max(found.pair)))
    joint = found.test([made.pairs[at]])
    assert joint is not None
    adjusted = unknown.copy()
    adjusted[:, at] = joint.adjusted
    p_values = np.where(np.arange(6) == at, joint.p_value, np.nan)
    return conclude(replace(made, adjusted=adjusted, joint=p_values), pair, joint)


def called_findings(studies: int, users: int, aggregations: tuple[str, ...], **given: Any) -> int:
    stream = np.random.default_rng(users + len(aggregations))
    found = [null_study(null_scores(stream, users, **given), aggregations, 199).verdict.badge
             for _ in range(studies)]  # fmt: skip
    assert set(found) <= {*FINDINGS, "not established"}
    return sum(badge in FINDINGS for badge in found)


def most(studies: int) -> int:
    """The findings that a level of 5 % exceeds once in a thousand times."""
    return int(binom.ppf(0.999, studies, 0.05))


@pytest.mark.long
def test_a_study_without_any_difference_is_seldom_called_a_finding() -> None:
    assert called_findings(60, 30, ("mean",)) <= most(60)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("aggregations", "skewed"),
    [
        (("mean",), False),
        (("mean",), True),
        (("mean", "median"), False),
        (("mean", "geometric-mean"), True),
    ],
)
def test_a_null_study_is_called_a_finding_in_five_of_a_hundred(
    aggregations: tuple[str, ...], skewed: bool
) -> None:
    assert called_findings(500, 40, aggregations, skewed=skewed) <= most(500)


def test_a_difference_that_exists_is_found() -> None:
    scores = null_scores(np.random.default_rng(1), 60)
    values = scores.values.copy()
    values[2] = np.minimum(values[2] + 0.3, 1)
    better = Scores(scores.topics, scores.user_ids, scores.systems, METRICS, values, scores.covered)
    found = null_study(better, ("mean", "median"), 199)
    assert found.verdict.badge == "established everywhere"
    assert found.verdict.sentence == f"c beats {found.pair.second} in all 6 designs."
