"""Tuning: how the parameters of systems are chosen, on training data alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from math import isfinite
from typing import Any, Literal

from cranfield.base.checking.spelling import path_step
from cranfield.base.checking.values import all_of
from cranfield.base.dataclass import dataclass
from cranfield.base.decisions import Table, decisions, parameter
from cranfield.base.errors import OptionError, counted, near, shown
from cranfield.collection.split import GivenParts, Splitter
from cranfield.scoring.metric import Metric
from cranfield.workbench.tuning.search import Search
from cranfield.workbench.tuning.searches.random import RandomSearch
from cranfield.workbench.tuning.space import is_open

TRIALS = 20
"""Trials of a system for which no budget is given."""

_SECONDS = re.compile(
    r"([0-9.]+(?:e\+?[0-9]+)?)\s*s(?:econds?)?(?:\s*\(([1-9][0-9]{0,8}) trials?\))?"
)
_TRIALS = re.compile(r"0{0,9}[1-9][0-9]{0,8}")
"""More trials than nine digits tell would never end, and Python reads no number of 5,000."""
_WANTED = 'Give a number of trials such as 20, or seconds such as "600 s"'


@dataclass(frozen=True)
class Seconds:
    """A budget in time: no trial begins once so many seconds have been spent on trials.

    Time is measured once, on the first fold. From then on the number of ``trials`` is known,
    and it alone counts: by it, results are reproduced.

    >>> str(Seconds(600.0)), str(Seconds(600.0, trials=13))
    ('600 s', '600 s (13 trials)')
    """

    seconds: float
    trials: int | None = None

    def __str__(self) -> str:
        known = "" if self.trials is None else f" ({counted(self.trials, 'trial')})"
        return f"{self.seconds:.15g} s{known}"


Budget = int | Seconds
"""How much a system may try: so many settings, the defaults among them, or so many seconds."""

Refit = Literal["train-and-validation", "train"]
"""What a tuned system learns from before it is tested."""


def read_budget(given: Any) -> Budget | Table:
    """A budget for all systems, or a table of budgets by the name of the system."""
    if isinstance(given, Mapping):
        made = {str(name): each for name, each in given.items()}
        paths = ((path_step(name), partial(_one, each)) for name, each in made.items())
        return Table(zip(made, all_of("budget", paths), strict=True))
    return _one(given)


def _one(given: Any) -> Budget:
    if isinstance(given, Seconds):
        return given
    text = shown(given) if isinstance(given, int) else str(given).strip().lower()
    if _TRIALS.fullmatch(text):
        return int(text)
    found = _SECONDS.fullmatch(text)
    if found is not None:
        try:
            seconds = float(found[1])
        except ValueError:
            seconds = 0.0
        if isfinite(seconds) and seconds > 0:
            return Seconds(seconds, None if found[2] is None else int(found[2]))
    raise OptionError(f"{shown(given)} is not a budget. {_WANTED}.")


@decisions("tuning", listed=True)
@dataclass(frozen=True, kw_only=True)
class Tuning:
    """How parameters that are given as ranges are chosen: on a part of the training ratings.

    It is done once for each fold of the data, whatever metric, targets or average the
    systems are compared by afterwards, and never sees a test rating. All systems have the same
    budget unless a table gives them their own. The first trial is the defaults.
    """

    validation: Splitter | None = parameter(
        None, "How validation ratings are cut from training; by default as the test ratings were "
        "cut, or by per-user(test_share=0.2) where these are given or in several folds.",
        none="as-test",
    )  # fmt: skip
    metric: Metric | None = parameter(
        None, "The metric whose mean over users chooses a setting; by default the first one.",
        none="first",
    )  # fmt: skip
    budget: Budget | Mapping[str, Budget] = parameter(
        TRIALS, 'Trials of each system, or seconds such as "600 s"; a table gives systems their '
        "own.", read=read_budget,
    )  # fmt: skip
    search: Search = parameter(RandomSearch(), "How the settings to try are found.")
    refit: Refit = parameter(
        "train-and-validation", "What the chosen setting is fitted to before it is tested.",
        texts={
            "train-and-validation": "all training ratings, validation included",
            "train": "what it was tuned on: training without validation",
        },
    )  # fmt: skip
    seed: int | None = parameter(
        None, "The seed of validation, search and fits; by default that of the experiment.",
        at_least=0, none="none",
    )  # fmt: skip

    def budget_of(self, name: str) -> Budget:
        """What one system may try."""
        if isinstance(self.budget, int | Seconds):
            return self.budget
        return self.budget.get(name, TRIALS)


def trials_of(budget: Budget) -> int | None:
    """How many settings may be tried; None where only seconds limit them."""
    return budget if isinstance(budget, int) else budget.trials


def tuning_of(given: Tuning | None, systems: Mapping[str, Any]) -> Tuning | None:
    """How systems are tuned: as given, or by default where one of them has a range."""
    return Tuning() if given is None and any(map(is_open, systems.values())) else given


def not_tunable(tuning: Tuning | None, systems: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What keeps these systems from being tuned as asked."""
    names = [name for name, each in systems.items() if is_open(each)]
    if tuning is None or not names:
        return
    validation: object = tuning.validation
    if isinstance(validation, GivenParts):
        problem = "validation ratings are cut from training: give a split such as per-user."
        yield "tuning.validation", problem
    if isinstance(tuning.budget, Mapping):
        for name in (each for each in tuning.budget if each not in systems):
            yield "tuning.budget", f"there is no system {shown(name)}.{near(name, names)}"
    timed = [name for name in names if trials_of(tuning.budget_of(name)) is None]
    if tuning.search.needs_trials and timed:
        problem = "it must know how many settings there are: give a number of trials."
        yield "tuning.budget", f"with {tuning.search}, {problem}"
