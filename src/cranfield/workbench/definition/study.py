"""Study: an Experiment in which some decisions are given several answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from cranfield.base.errors import BadExperiment, shown
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.paths import inner_path
from cranfield.workbench.definition.reading import found_beside, read_table
from cranfield.workbench.definition.study_problems import paths_of, problems_of
from cranfield.workbench.definition.table import write_table

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
    ``home`` is the folder in which files are looked for first, ``where`` the file that
    messages speak of.
    """

    base: Experiment
    vary: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    together: Mapping[str, Mapping[str, Answers]] = field(default_factory=dict)
    way: Way = "crossed"
    share: float = 1.0
    pair: tuple[str, str] | None = None
    draws: int = 10_000
    home: Path | None = None
    where: str = field(default="study", compare=False)

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


def read_study(table: Mapping[str, Any], where: str = "study", home: Path | None = None) -> Study:
    """The study that a table defines: an experiment, and under ``study`` what is varied."""
    asked = table.get("study", {})
    given = dict(asked) if isinstance(asked, Mapping) else {}
    problems = list[tuple[str, str]]()
    base: Experiment | None = None
    try:
        base = read_table({key: v for key, v in table.items() if key != "study"}, where, home)
    except BadExperiment as error:
        problems += error.problems
    if not isinstance(asked, Mapping):
        problems.append(("study", f"{shown(asked)} is not a table."))
    vary = _flattened(given.get("vary", {}), "", problems)
    problems += problems_of(given, vary, None if base is None else base.names)
    if base is None or problems:
        raise BadExperiment(where, problems)
    pair = given.get("pair")
    return Study(
        base=base,
        vary={path: tuple(_found(path, each, home) for each in vary[path]) for path in vary},
        together=_opened(given.get("together", {}), home),
        way=given.get("way", "crossed"),
        share=float(given.get("share", 1.0)),
        pair=None if pair is None else (pair[0], pair[1]),
        draws=given.get("draws", 10_000),
        home=home,
        where=where,
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
        inner = inner_path(path, key)
        if isinstance(value, list | tuple):
            if not value:
                problems.append((f"study.vary.{inner}", "it needs at least one answer."))
            found[inner] = tuple(value)
        else:
            found |= _flattened(value, inner, problems)
    return found


def _opened(
    together: Mapping[str, Mapping[str, Answers]], home: Path | None
) -> dict[str, dict[str, Answers]]:
    """SystemSpec answers by path; ``split.test_share = 0.1`` is a table in a table here too."""
    return {
        name: {
            answer: {path: _found(path, value, home) for path, value in paths_of(sets)}
            for answer, sets in answers.items()
        }
        for name, answers in together.items()
    }


def _found(path: str, answer: Any, home: Path | None) -> Any:
    """An answer that names a file beside the study's by where it is, as that of the base."""
    if not path.startswith(("data", "runs.")):
        return answer
    if isinstance(answer, Mapping) and isinstance(answer.get("source"), str):
        return {**answer, "source": found_beside(home, answer["source"])}
    return found_beside(home, answer) if isinstance(answer, str) else answer
