"""Trial: one setting, and what came of it; Tuned: all trials of a system, and the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from math import isnan, nan
from typing import Any

from cranfield.base.checking.ranges import Range
from cranfield.base.dataclass import dataclass
from cranfield.base.serialisation.plain import plain, restored
from cranfield.workbench.tuning.space import Over


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What came of one setting on the validation part; of one that failed, NaN and the reason.

    ``number`` counts settings from 1, the defaults. ``share`` is that of the training users
    on whom it was tried, ``seed`` what it was fitted by. ``parameters`` are those that were
    tuned, by path; ``system`` is the whole spelling.
    """

    number: int
    parameters: Mapping[str, Any]
    system: str
    value: float
    seconds: float
    seed: int
    share: float = 1.0
    failed: str = ""


@dataclass(frozen=True, kw_only=True)
class Tuned:
    """The trials of one system on one fold, and which of them was chosen.

    ``asked`` is the spelling with its ranges. One was chosen by the ``metric`` on the
    ``validation`` part that was cut from training. ``budget`` is what was allowed: trials, or
    seconds. ``edges`` are the chosen parameters at an end of their range: lowest or highest.
    """

    name: str
    fold: int
    asked: str
    metric: str
    higher_is_better: bool
    validation: str
    search: str
    budget: str
    trials: tuple[Trial, ...]
    edges: Mapping[str, str] = field(default_factory=dict)

    @property
    def finished(self) -> tuple[Trial, ...]:
        """The trials on all training users that did not fail, of which one is chosen."""
        return tuple(each for each in self.trials if each.share == 1 and not isnan(each.value))

    @property
    def settings(self) -> int:
        """How many settings were tried, on however many users."""
        return len({each.number for each in self.trials})

    @property
    def chosen(self) -> Trial:
        """The best trial, the first of those that are equally good."""
        return max(self.finished, key=lambda each: (self._goodness(each), -each.number))

    @property
    def default(self) -> Trial:
        """The trial of the defaults."""
        return next(each for each in self.trials if each.number == 1 and each.share == 1)

    @property
    def gain(self) -> float:
        """By how much the validation value rose over that of the defaults; NaN if these failed."""
        return self.chosen.value - self.default.value

    def _goodness(self, trial: Trial) -> float:
        return trial.value if self.higher_is_better else -trial.value

    @property
    def curve(self) -> list[tuple[int, float]]:
        """The best value after each number of trials on all users."""
        best, found = nan, []
        better = max if self.higher_is_better else min
        for count, each in enumerate((t for t in self.trials if t.share == 1), start=1):
            known = [value for value in (best, each.value) if not isnan(value)]
            best = better(known, default=nan)
            found.append((count, best))
        return found

    def to_dict(self) -> dict[str, Any]:
        """For JSON, with what follows from the trials."""
        own: dict[str, Any] = plain(self)
        chosen = self.chosen
        more = {"chosen": chosen.number, "system": chosen.system, "gain": _known(self.gain)}
        return {**own, **more}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Tuned:
        """What `to_dict` recorded."""
        own: Tuned = restored(cls, {key: record[key] for key in cls.__dataclass_fields__})
        return own


@dataclass(frozen=True)
class TunedDesigns:
    """The designs of a study that share the trials of all their systems."""

    designs: tuple[int, ...]
    tuned: tuple[Tuned, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON; designs count from 1, as in the table of designs."""
        designs = [place + 1 for place in self.designs]
        return {"designs": designs, "tuned": [each.to_dict() for each in self.tuned]}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> TunedDesigns:
        """What `to_dict` recorded."""
        designs = tuple(number - 1 for number in record["designs"])
        return cls(designs, tuple(map(Tuned.from_dict, record["tuned"])))


def _known(value: float) -> float | None:
    return None if isnan(value) else value


def timed_as(made: Sequence[Tuned], recorded: Sequence[Tuned]) -> tuple[Tuned, ...]:
    """The same trials with the seconds of a record, as no two runs take the same time."""

    def dated(one: Tuned, other: Tuned) -> Tuned:
        pairs = zip(one.trials, other.trials, strict=True)
        return replace(one, trials=tuple(replace(a, seconds=b.seconds) for a, b in pairs))

    shape = [len(each.trials) for each in made]
    if shape != [len(each.trials) for each in recorded]:
        return tuple(made)
    return tuple(map(dated, made, recorded))


def edges_of(chosen: Trial, ranges: Mapping[str, Over]) -> dict[str, str]:
    """The parameters of a trial that are at an end of their range, and at which."""
    return {
        path: end
        for path, over in ranges.items()
        if isinstance(over, Range) and (end := over.end_of(chosen.parameters.get(path)))
    }


def recorded_value(value: Any) -> float | str | bool | None:
    """A value of a parameter as records hold it."""
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
