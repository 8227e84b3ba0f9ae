"""Fact: what results say about one thing that reviewers ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Literal

from cranfield.base.dataclass import dataclass
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.results.files import base_of
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults

State = Literal["answered", "partly", "missing"]
"""How far something is answered."""


@dataclass(frozen=True)
class Fact:
    """What is known about one thing, and what to do where that is not enough."""

    state: State
    text: str
    advice: str = ""


def answered(text: str) -> Fact:
    """All that can be asked is known."""
    return Fact("answered", text)


def partly(text: str, advice: str) -> Fact:
    """Something is known, and something is to be done."""
    return Fact("partly", text, advice)


def missing(text: str, advice: str) -> Fact:
    """Nothing is known that would answer it."""
    return Fact("missing", text, advice)


@dataclass(frozen=True)
class Reviewed:
    """Results as a reviewer reads them: those of a run, or of a study and its base.

    ``beside`` are other data sets of the same study, whose results these are not.
    """

    results: Results | StudyResults
    beside: tuple[str, ...] = ()

    @property
    def base(self) -> Results:
        """The results themselves, or those of a study's base."""
        return base_of(self.results)

    @property
    def experiment(self) -> Experiment:
        """The decisions, without systems that failed."""
        return self.base.evaluated

    @property
    def study(self) -> Study | None:
        """What was varied, if anything was."""
        return self.results.study if isinstance(self.results, StudyResults) else None

    @cached_property
    def record(self) -> Mapping[str, Any]:
        """What ``results.json`` holds of the base."""
        return self.base.to_dict()


def capital(text: str) -> str:
    """The same text with a capital letter."""
    return f"{text[:1].upper()}{text[1:]}"


Answer = Callable[[Reviewed], Fact]
"""What looks for a fact in results."""
