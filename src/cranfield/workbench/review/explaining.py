"""Explaining: at which stage two results part, and whether a decision that differs acts there.

Data take one road: ratings, parts, judgments, targets, scores, values, tests. Records have a
fingerprint or the figures of each stage. Where two results first differ, a decision that acts
there must differ too; else it is the data, the versions, or something that no record holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import counted
from cranfield.base.options import is_option
from cranfield.view.prose import listed
from cranfield.workbench.definition.differing import Difference
from cranfield.workbench.definition.paths import path_steps
from cranfield.workbench.results.evaluation import values_of
from cranfield.workbench.results.results import Results

Kind = Literal["equal", "decisions", "data", "outside", "versions", "unexplained"]
"""What explains a difference: nothing to explain, decisions that differ, other data under the
same decisions, what was made outside, versions alone, or nothing that is recorded."""

STAGES = {
    "ratings": ("data", "filters", "split", "seed"),
    "parts": ("data", "split", "train_filters", "test_filters", "seed"),
    "judgments": ("judged_share", "judged_by", "relevance", "training_items", "seed"),
    "targets": ("targets", "topics", "least_train", "catalogue", "training_items", "runs", "seed"),
    "scores": (
        "systems", "tuning", "runs", "unscored", "ties", "depth", "duplicates",
        "training_items", "unknown_items", "scale", "item_vectors", "item_labels", "seed",
    ),
    "values": (
        "aggregation", "undefined", "coverage", "user_columns", "systems", "tuning", "runs",
        "catalogue",
        "unscored", "ties", "depth", "duplicates", "training_items", "unknown_items",
        "item_vectors", "item_labels", "seed",
    ),
    "tests": ("comparison", "seed", "systems", "runs", "metrics"),
    "conclusions": ("comparison", "study", "systems", "runs", "metrics"),
}  # fmt: skip
"""The stages of the road, and the decisions that act at each; the values are also those of whole
runs, which may differ where no score of a user does."""

_WORDS = {
    "ratings": "the ratings",
    "parts": "training and test ratings",
    "judgments": "the judgments",
    "targets": "the ranked items",
    "scores": "the scores of users",
    "values": "the averages",
    "tests": "the tests",
    "conclusions": "the conclusions",
}
_EQUAL = "Scores of users, tests and conclusions are equal, too."


@dataclass(frozen=True)
class Explanation:
    """Where two results part, what explains it, and the paths of the decisions that do."""

    kind: Kind
    stage: str
    causes: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class ResultsPair:
    """Two results, and all in which their records differ."""

    first: Results
    second: Results
    decisions: Sequence[Difference]
    versions: Sequence[Difference]
    conclusions: Sequence[Difference]

    def same(self, stage: str) -> bool:
        """Whether the two are equal at a stage, in all that both have."""
        one, two = self.first, self.second
        if stage == "conclusions":
            return not self.conclusions
        found: dict[str, Callable[[], bool]] = {
            "ratings": lambda: one.data["ratings"] == two.data["ratings"],
            "parts": lambda: _parts(one.data) == _parts(two.data),
            "judgments": lambda: one.judgments_fingerprint == two.judgments_fingerprint,
            "targets": lambda: one.targets == two.targets,
            "scores": lambda: not self.rescored,
            "values": lambda: not other_values(one, two),
            "tests": lambda: not other_tests(one, two),
        }
        return found[stage]()

    @cached_property
    def rescored(self) -> list[str]:
        """The systems of both with other scores by a metric of both."""
        return list(dict.fromkeys(system for system, _ in other_scores(self.first, self.second)))

    @cached_property
    def revalued(self) -> list[str]:
        """The systems of both with another value by a metric of both."""
        return list(dict.fromkeys(each[0] for each in other_values(self.first, self.second)))

    def acting(self, stage: str) -> list[str]:
        """The decisions that differ and act at a stage."""
        return [each.path for each in self.decisions if self._acts(each.path, stage)]

    def _acts(self, path: str, stage: str) -> bool:
        head, *rest = path_steps(path)
        if head not in STAGES[stage]:
            return False
        if stage == "ratings":
            return self._makes_ratings(head)
        if head not in ("systems", "runs"):
            return head != "metrics" or stage == "conclusions" or self._together
        own = {"scores": self.rescored, "values": self.revalued}.get(stage, [])
        if rest[0] in own or stage in ("tests", "conclusions"):
            return True
        # Without its own scores, a system has a say only where others depend on it.
        return stage != "scores" and self._depends_on_others

    def _makes_ratings(self, head: str) -> bool:
        """Whether a decision has a say in which ratings there are."""
        asked = self.first.experiment, self.second.experiment
        if head == "split":  # whose parts are the data
            return any(each.data is None for each in asked)
        return head != "seed" or any(each.filters for each in asked)

    @property
    def _together(self) -> bool:
        """Whether the tests by one metric depend on which others there are."""
        return any(each.experiment.comparison.family == "all" for each in (self.first, self.second))

    @property
    def _depends_on_others(self) -> bool:
        """Whether users or values of a system depend on which others there are."""
        asked = (self.first.experiment, self.second.experiment)
        return any(
            each.coverage == "common" or each.topics == "run" or bool(each.aggregation.compares)
            for each in asked
        )


def explain(pair: ResultsPair) -> Explanation:
    """What explains that two results differ."""
    stage = next((each for each in STAGES if not pair.same(each)), None)
    if stage is None:
        return Explanation("equal", "", (), _EQUAL)
    where = f"They part at {_WORDS[stage]}"
    acting = pair.acting(stage)
    unexplained = _unexplained(pair, acting) if stage == "scores" else []
    if not acting or unexplained:
        kind, why = _otherwise(stage, pair, unexplained)
        who = f" of {listed(unexplained)}" if acting else ""
        return Explanation(kind, stage, (), f"{where}{who}, where no decision differs: {why}")
    names = list(STAGES)
    after = names[names.index(stage) + 1 : names.index("tests")]
    later = dict.fromkeys(path for each in after for path in pair.acting(each))
    more = f" {_may([path for path in later if path not in acting])}".rstrip()
    differ = "differs" if len(acting) == 1 else "differ"
    text = f"{where}, where {listed(acting)} {differ}: the decisions explain it.{more}"
    return Explanation("decisions", stage, tuple(acting), text)


def _unexplained(pair: ResultsPair, acting: Sequence[str]) -> list[str]:
    """The systems with other scores of which only decisions on others differ."""
    steps = [path_steps(path) for path in acting]
    if any(head not in ("systems", "runs") for head, *_ in steps):
        return []
    named = {rest[0] for _, *rest in steps}
    return [name for name in pair.rescored if name not in named]


def _may(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    return f"{listed(paths)} {'acts' if len(paths) == 1 else 'act'} later and may add to it."


def _otherwise(stage: str, pair: ResultsPair, systems: Sequence[str]) -> tuple[Kind, str]:
    """What explains a difference that no decision does."""
    if stage == "ratings":
        return "data", "the same answer led to other ratings, so that the data have changed."
    known = pair.first.experiment.systems
    outside = [name for name in systems if not is_option(known.get(name))]
    if outside and len(outside) == len(systems):
        verb = "was" if len(outside) == 1 else "were"
        return "outside", f"{listed(outside)} {verb} made outside Cranfield, and may have changed."
    if pair.versions:
        told = listed([each.path for each in pair.versions])
        return "versions", f"versions differ ({told}) and may explain it; the decisions do not."
    return "unexplained", "nothing that is recorded explains it."


def _parts(data: Any) -> list[tuple[str, str]]:
    return [(fold["train"], fold["test"]) for fold in data["folds"]]


def other_scores(first: Results, second: Results) -> Iterator[tuple[str, str]]:
    """Systems and metrics of both whose scores are not the same, bit for bit."""
    one, two = first.scores, second.scores
    for system in one.systems:
        for metric in one.metrics:
            if system in two.systems and metric in two.metrics:
                pair = one.of(system, metric), two.of(system, metric)
                if not np.array_equal(*pair, equal_nan=True):
                    yield system, metric


Number = tuple[str, str, float | None, float | None]
"""System, metric, and the values of both; None where one is not known."""


def common_values(first: Results, second: Results) -> list[Number]:
    """The values that both have, by system and metric."""
    one, two = values_of(first), values_of(second)
    return [
        (system, metric, cell["value"], two[system][metric]["value"])
        for system, cells in one.items()
        for metric, cell in cells.items()
        if metric in two.get(system, {})
    ]


def other_values(first: Results, second: Results) -> list[Number]:
    """The values that both have and that are not the same."""
    return [each for each in common_values(first, second) if each[2] != each[3]]


def other_tests(first: Results, second: Results) -> list[tuple[str, str, str]]:
    """Metric and systems of the pairs that both tested, with another p-value."""
    one, two = (_tests(each) for each in (first, second))
    return [key for key, found in one.items() if key in two and not _equal(found, two[key])]


def _tests(results: Results) -> dict[tuple[str, str, str], tuple[float, float]]:
    made = results.comparison
    pairs = () if made is None else made.pairs
    return {(p.metric, p.first, p.second): (p.p_value, p.adjusted) for p in pairs}


def _equal(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return np.array_equal(one, other, equal_nan=True)


def counted_numbers(differing: int, every: int) -> str:
    """How many numbers differ, as the start of a sentence."""
    if not every:
        return "They have no number in common."
    if not differing:
        same = f"All {every:,} values that both have are equal"
        return f"{same}." if every > 1 else "The one value that both have is equal."
    return f"{differing:,} of {counted(every, 'value')} that both have differ."
