"""Study: an Experiment in which some decisions are given several answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cranfield.base.error import near, shown
from cranfield.base.errors import BadExperiment
from cranfield.workbench.experiment import Experiment
from cranfield.workbench.experiment_reading import read_table
from cranfield.workbench.experiment_table import write_table

Way = Literal["crossed", "one-at-a-time"]
"""How answers are combined: every one with every other, or one decision at a time away
from the base, as the papers do it."""

Answers = Mapping[str, Any]
"""Paths into an experiment, and an answer for each."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """An experiment in which any decisions are given several answers.

    ``vary`` gives each decision, by its path, its answers; ``metric``, ``cutoff``, ``gain``
    and ``metric.PARAMETER`` are those of the metric, of which a design has one.
    ``together`` names answers that set several decisions at once, such as the protocols
    of a paper. ``share`` is the share of all designs that are tried, drawn at random.
    ``pair`` are the two systems that the conclusion is about; the base's two best unless
    they are given. ``draws`` are those of the joint test over all designs, 0 for none.
    ``table`` is the base as its file or its maker spells it.
    """

    base: Experiment
    vary: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    together: Mapping[str, Mapping[str, Answers]] = field(default_factory=dict)
    way: Way = "crossed"
    share: float = 1.0
    pair: tuple[str, str] | None = None
    draws: int = 10_000
    home: Path | None = None

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of what is varied."""
        return (*self.vary, *self.together)

    def to_table(self) -> dict[str, Any]:
        """The study as a table, the way its file would hold it."""
        return {
            **write_table(self.base),
            "study": {
                "way": self.way,
                "share": self.share,
                "draws": self.draws,
                **({"pair": list(self.pair)} if self.pair else {}),
                "vary": {path: list(answers) for path, answers in self.vary.items()},
                "together": {
                    name: {answer: dict(sets) for answer, sets in answers.items()}
                    for name, answers in self.together.items()
                },
            },
        }


_KNOWN = ("way", "share", "pair", "draws", "vary", "together")


def read_study(table: Mapping[str, Any], where: str = "study", home: Path | None = None) -> Study:
    """The study that a table defines: an experiment, and under ``study`` what is varied."""
    given = dict(table.get("study", {}))
    base = read_table({key: value for key, value in table.items() if key != "study"}, where, home)
    problems = [
        (f"study.{name}", f"a study has nothing of that name.{near(name, _KNOWN)}")
        for name in given
        if name not in _KNOWN
    ]
    vary = _flattened(given.get("vary", {}), "", problems)
    together = given.get("together", {})
    problems += _problems(given, base, together)
    if not vary and not together:
        problems.append(("study.vary", "it must give at least one decision several answers."))
    if problems:
        raise BadExperiment(where, problems)
    pair = given.get("pair")
    return Study(
        base=base,
        vary=vary,
        together=together,
        way=given.get("way", "crossed"),
        share=float(given.get("share", 1.0)),
        pair=None if pair is None else (pair[0], pair[1]),
        draws=given.get("draws", 10_000),
        home=home,
    )


def _flattened(
    table: Any, path: str, problems: list[tuple[str, str]]
) -> dict[str, tuple[Any, ...]]:
    """Answers by path; TOML reads ``split.test_share = […]`` as a table in a table."""
    if not isinstance(table, Mapping):
        problems.append((f"study.vary{path and '.'}{path}", f"{shown(table)} is not a list."))
        return {}
    found: dict[str, tuple[Any, ...]] = {}
    for key, value in table.items():
        inner = f"{path}.{key}" if path else key
        if isinstance(value, list | tuple):
            if not value:
                problems.append((f"study.vary.{inner}", "it needs at least one answer."))
            found[inner] = tuple(value)
        else:
            found |= _flattened(value, inner, problems)
    return found


def _problems(given: Mapping[str, Any], base: Experiment, together: Any) -> list[tuple[str, str]]:
    found = []
    if given.get("way", "crossed") not in ("crossed", "one-at-a-time"):
        found.append(("study.way", f'{shown(given["way"])} is not "crossed" or "one-at-a-time".'))
    share = given.get("share", 1.0)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share <= 1:
        found.append(("study.share", f"{shown(share)} is not a number above 0 and of at most 1."))
    draws = given.get("draws", 0)
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 0:
        found.append(("study.draws", f"{shown(draws)} is not a whole number of at least 0."))
    pair = given.get("pair")
    if pair is not None and (
        not isinstance(pair, list | tuple)
        or len(pair) != 2
        or any(each not in base.names for each in pair)
    ):
        names = ", ".join(base.names)
        found.append(("study.pair", f"{shown(pair)} is not a list of two of: {names}."))
    named = isinstance(together, Mapping) and all(
        isinstance(answers, Mapping) and all(isinstance(sets, Mapping) for sets in answers.values())
        for answers in together.values()
    )
    if not named:
        wanted = 'such as protocol.AR = { targets = "test-items" }'
        found.append(("study.together", f"it is not a table of named answers, {wanted}."))
    return found
