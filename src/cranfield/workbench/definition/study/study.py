"""Study: an Experiment in which some decisions are given several answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import Table, decisions, parameter
from cranfield.base.errors import (
    BadDecisions,
    BadExperiment,
    CranfieldError,
    counted,
    near,
    shown,
)
from cranfield.base.nouns.display import Typeset
from cranfield.base.nouns.preview import preview
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.paths import inner_path
from cranfield.workbench.definition.reading import read_table, with_files
from cranfield.workbench.definition.study.repeat import Repeat
from cranfield.workbench.definition.study.varied import Problems, paths_of, problems_of
from cranfield.workbench.definition.table import write_table

Way = Literal["crossed", "one-at-a-time"]
"""How answers are combined: every one with every other, or one decision at a time away
from the base, as the papers do it."""

Assessed = Literal["base", "designs"]
"""In which designs the criteria of the base assess its metrics."""

JointFamily = Literal["pair", "all-pairs"]
"""The hypotheses that are tested jointly."""

_BUDGET = "tuning.budget"
_APART = frozenset({"base", "home", "where"})
"""What a study holds besides its decisions."""

Answers = Mapping[str, Any]
"""Paths into an experiment, and an answer for each."""


@decisions("study", listed=True)
@dataclass(frozen=True, kw_only=True, eq=False)
class Study(Typeset):
    """An experiment in which any decisions are given several answers.

    ``vary`` gives each decision, by its path, its answers; ``metric``, ``cutoff``, ``gain``
    and ``metric.PARAMETER`` are those of the metric, of which a design has one.
    ``together`` names answers that set several decisions at once, such as the protocols
    of a paper. ``home`` is the folder in which files are looked for first, ``where`` the
    file that messages name.
    """

    base: Experiment
    vary: Mapping[str, tuple[Any, ...]] = parameter(
        Table(), "The answers to try for each decision that is varied."
    )
    together: Mapping[str, Mapping[str, Answers]] = parameter(
        Table(), "Named answers that set several decisions at once."
    )
    way: Way = parameter(
        "crossed", "How answers are combined.",
        texts={
            "crossed": "every answer with every other",
            "one-at-a-time": "one decision at a time away from the base",
        },
    )  # fmt: skip
    share: float = parameter(
        1.0, "The share of all designs that are tried, drawn at random.", above=0, at_most=1
    )
    pair: tuple[str, str] | None = parameter(
        None, "The two systems that the conclusion is about; by default the base's two best."
    )
    draws: int = parameter(
        10_000, "Draws of the joint test over all designs, 0 for none.", at_least=0
    )
    joint_family: JointFamily = parameter(
        "pair", "What the joint test allows for.",
        texts={
            "pair": "all designs of the pair that the conclusion is about",
            "all-pairs": "all designs of all pairs of systems",
        },
    )  # fmt: skip
    weights: Mapping[str, tuple[float, ...]] = parameter(
        Table(), "Weights of answers in shares of designs, by decision; tests ignore them."
    )
    assessed: Assessed = parameter(
        "base", "Where the criteria of `assess` are applied to the metrics.",
        texts={
            "base": "to the base alone",
            "designs": "to every design as well, by all metrics of the base",
        },
    )  # fmt: skip
    repeat: Repeat | None = parameter(None, "Splits and fits over which the base is repeated.")
    home: Path | None = None
    where: str = "study"

    def __post_init__(self) -> None:
        if problems := list(self._problems()):
            raise BadDecisions("study", problems)

    def _problems(self) -> Iterator[tuple[str, str]]:
        """What is wrong between decisions that are right by themselves."""
        names = self.base.names
        for name in self.pair or ():
            if name not in names:
                known = f"{', '.join(names)}.{near(name, names)}"
                yield "pair", f"{shown(name)} is not one of the systems {known}"
        if self.pair is not None and len(set(self.pair)) == 1:
            yield "pair", f"{shown(self.pair[0])} is given twice. Give two different systems."
        if not self.factors:
            yield "vary", "it must give at least one decision several answers."
        if self.assessed == "designs" and not self.base.assess:
            yield "assessed", 'no criterion is given: add one, as in assess = ["correlation"].'
        yield from self._wrong_weights()
        yield from _timed_budgets(self.vary, self.together)
        if self.way == "one-at-a-time" and self.share != 1:
            yield "share", "it is for crossed designs; one at a time, all are tried."
        if self.repeat is not None:
            yield from self.repeat.problems(self.base)

    def _wrong_weights(self) -> Iterator[tuple[str, str]]:
        for factor, given in self.weights.items():
            answers = self.vary.get(factor, self.together.get(factor))
            place = f"weights.{factor}"
            if answers is None:
                yield place, f"the study does not vary it.{near(factor, self.factors)}"
            elif len(given) != len(answers):
                many = counted(len(given), "weight was", "weights were")
                yield place, f"{many} given for {counted(len(answers), 'answer')}."
            elif min(given) < 0 or not any(given):
                yield place, "weights are not negative, and one is above 0."

    def __repr__(self) -> str:
        answers = [[name, counted(len(given), "answer")] for name, given in self.vary.items()]
        together = [[name, counted(len(given), "answer")] for name, given in self.together.items()]
        title = [self.base.title] if self.base.title else []
        return preview("Study", [*title, f"way: {self.way}"], [*answers, *together], limit=60)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and self.to_table() == other.to_table()

    def __hash__(self) -> int:
        return hash(self.base)

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of what is varied."""
        return (*self.vary, *self.together)

    def to_table(self) -> dict[str, Any]:
        """The study as a table, the way its file would hold it."""
        asked = write_table(self, without=_APART | {"vary", "together", "weights"})
        if self.weights:
            asked["weights"] = {path: list(given) for path, given in self.weights.items()}
        vary = {path: list(answers) for path, answers in self.vary.items()}
        together = {
            name: {answer: dict(sets) for answer, sets in answers.items()}
            for name, answers in self.together.items()
        }
        return {**write_table(self.base), "study": {**asked, "vary": vary, "together": together}}


def _timed_budgets(vary: Answers, together: Mapping[str, Mapping[str, Answers]]) -> Problems:
    """Budgets in seconds that are varied: their trials would differ from run to run."""
    named = [
        (f"together.{name}", sets) for name, each in together.items() for sets in each.values()
    ]
    places = [("vary", vary), *named]
    budgets = [(place, sets[_BUDGET]) for place, sets in places if _BUDGET in sets]
    told = "give numbers of trials: how many fit into seconds differs from run to run."
    return [
        (f"{place}.{_BUDGET}", told)
        for place, given in budgets
        for each in (given if isinstance(given, tuple) else (given,))
        if isinstance(each, str) and "s" in each
    ]


def read_study(
    table: Mapping[str, Any],
    where: str = "study",
    home: Path | None = None,
    base: Experiment | None = None,
) -> Study:
    """The study that a table defines: an experiment, and under ``study`` what is varied.

    The experiment is the ``base``, if it has been read already.
    """
    asked = table.get("study", {})
    given = dict(asked) if isinstance(asked, Mapping) else {}
    problems = list[tuple[str, str]]()
    try:
        asked_base = {key: each for key, each in table.items() if key != "study"}
        base = base or read_table(asked_base, where, home)
    except BadExperiment as error:
        problems += error.problems
    if not isinstance(asked, Mapping):
        problems.append(("study", f"{shown(asked)} is not a table."))
    vary, weights = (
        _flattened(given.pop(name, {}), "", problems, name) for name in ("vary", "weights")
    )
    together = given.pop("together", {})
    problems += problems_of(vary, together, None if base is None else base.names)
    found = {path: tuple(with_files(path, each, home) for each in vary[path]) for path in vary}
    named = {} if problems else _opened(together, home)
    problems += [(f"study.{name}", "a study has no such decision.") for name in _APART & set(given)]
    apart = {"base": base, "home": home, "where": where}
    try:
        made = Study(**{**given, "vary": found, "together": named, "weights": weights, **apart})
    except CranfieldError as error:
        known = ("base", "vary") if problems else ()  # lacking because of those problems
        told = [each for each in error.problems if each[0] not in known]
        problems += [(f"study.{path}", text) for path, text in told]
    if problems:
        raise BadExperiment(where, problems)
    return made


def _flattened(
    table: Any, path: str, problems: list[tuple[str, str]], name: str
) -> dict[str, tuple[Any, ...]]:
    """Lists by path; TOML reads ``split.test_share = […]`` as a table in a table."""
    if not isinstance(table, Mapping):
        problems.append((f"study.{name}{path and '.'}{path}", f"{shown(table)} is not a list."))
        return {}
    found: dict[str, tuple[Any, ...]] = {}
    for key, value in table.items():
        inner = inner_path(path, key)
        if isinstance(value, list | tuple):
            if not value:
                problems.append((f"study.{name}.{inner}", "it needs at least one answer."))
            found[inner] = tuple(value)
        else:
            found |= _flattened(value, inner, problems, name)
    return found


def _opened(
    together: Mapping[str, Mapping[str, Answers]], home: Path | None
) -> dict[str, dict[str, Answers]]:
    """Named answers by path; ``split.test_share = 0.1`` is a table in a table here too."""
    return {
        name: {
            answer: {path: with_files(path, value, home) for path, value in paths_of(sets)}
            for answer, sets in answers.items()
        }
        for name, answers in together.items()
    }
