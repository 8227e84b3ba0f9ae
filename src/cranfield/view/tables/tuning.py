"""Tuning as a table: what each system reached by default, and after so many trials."""

from __future__ import annotations

from cranfield.base.dataclass import dataclass
from cranfield.view.numbers import fixed, signed
from cranfield.view.tables import terminal

TRIAL_HEADINGS = ("system", "where", "trial", "parameters", "users", "value", "seconds", "seed")
"""The columns of the table of all trials."""


@dataclass(frozen=True, kw_only=True)
class TunedSystem:
    """What is shown of the trials of one system: on a fold, or for some designs.

    ``chosen`` are the parameters of the best trial, ``default`` and ``best`` the values of the
    first and of the best one, ``curve`` the best value by the number of trials.
    """

    name: str
    where: str
    chosen: str
    trials: int
    default: float
    best: float
    curve: tuple[tuple[int, float], ...]


@dataclass(frozen=True, kw_only=True)
class TuningContent:
    """What is shown of tuning: in a sentence, by system, and every trial as a row of a table."""

    sentence: str
    metric: str
    systems: tuple[TunedSystem, ...]
    trials: tuple[tuple[str, ...], ...]
    has_places: bool = False


def tuning_headings(content: TuningContent) -> tuple[str, ...]:
    """The columns of the table; folds or designs only where there are several."""
    where = ("where",) if content.has_places else ()
    return ("system", *where, "chosen", "trials", "default", "best", "gain")


def tuning_rows(content: TuningContent) -> list[tuple[str, ...]]:
    """A row for each system and place; parameters at an end of their range are marked."""
    return [
        (
            each.name,
            *((each.where,) if content.has_places else ()),
            each.chosen,
            f"{each.trials:,}",
            fixed(each.default),
            fixed(each.best),
            signed(each.best - each.default),
        )
        for each in content.systems
    ]


def tuning_table(content: TuningContent, *, width: int | None = None) -> str:
    """The table as text, under what it is about."""
    left = (0, 1, 2) if content.has_places else (0, 1)
    title = f"Tuned on validation ratings, by {content.metric}"
    return terminal.render(
        tuning_rows(content), tuning_headings(content), title=title, left=left, width=width
    )
