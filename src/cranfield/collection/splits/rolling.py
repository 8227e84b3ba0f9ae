"""The rolling split: windows of test ratings that follow one another on one timeline."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import inf
from typing import Literal

import numpy as np

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import InfeasibleSplit, OptionError
from cranfield.base.options import option, parameter
from cranfield.base.seeds import Seeds
from cranfield.collection.group_order import required_times
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Division, Splitter
from cranfield.collection.splits.repeats import MOST_FOLDS
from cranfield.collection.splits.timeline import cut_near, length, same_time
from cranfield.collection.tables.columns import Times

_LENGTH = "a number like the timestamps, or one with a unit, as 30d, 12h or 2w"


@dataclass(frozen=True)
class _Window:
    """Training from ``since`` to before ``start``, test from there to before ``end``."""

    since: float
    start: float
    end: float


@option("split", "rolling")
@dataclass(frozen=True, kw_only=True)
class Rolling(Splitter):
    """Windows of test ratings on one timeline; training is what came before each.

    Without a horizon, the last half of the ratings by time, ⌊|R|/2⌋ of them, is cut into w
    windows of the same number of ratings, as nearly as whole points in time allow. With
    horizon h and step s, window j = 1, …, w has the ratings at

        t_j ≤ t < t_j + h,   t_j = t_max + 1 − h − (w − j)·s

    so that the last one ends with the last rating. Windows overlap if s < h. Every window is
    a fold; what comes after a window is unused in it. Each user's values are averaged over
    the windows that the user enters. Nothing in training is later than the test, so that
    there is no leakage. Reported: the t_j as window_j_start. Ji, Sun, Zhang & Li 2023.
    """

    windows: int = parameter(
        3, f"Number w of windows, from 1 to {MOST_FOLDS:,}.", at_least=1, at_most=MOST_FOLDS
    )
    horizon: int | float | str | None = parameter(
        None, f"Length h of a window in time: {_LENGTH}; none for equal numbers of ratings."
    )
    step: int | float | str | None = parameter(
        None, "Time s from the start of a window to that of the next, likewise; none for horizon."
    )
    train: Literal["all", "window"] = parameter(
        "all",
        "What a window trains on: all ratings before it; or a window before it that moves along, "
        "with as many ratings as the first one trains on, given a horizon with as much time.",
    )

    def __post_init__(self) -> None:
        for name in ("horizon", "step"):
            if (given := getattr(self, name)) is not None:
                length("rolling", name, given)
        if self.step is not None and self.horizon is None:
            raise OptionError(
                "rolling: a step needs a horizon, as in rolling(horizon=30d, step=7d)."
            )

    def split(self, ratings: Ratings, seeds: Seeds) -> Division:
        """Test is what came within each window."""
        times = required_times(ratings, "rolling")
        windows = list(self._by_count(times) if self.horizon is None else self._by_time(times))
        tests = tuple((times >= each.start) & (times < each.end) for each in windows)
        for number, (window, test) in enumerate(zip(windows, tests, strict=True), start=1):
            self._refuse_empty(number, window, bool(test.any()))
        trains = ((times >= each.since) & (times < each.start) for each in windows)
        unused = tuple(~(test | train) for test, train in zip(tests, trains, strict=True))
        facts = {f"window_{n}_start": each.start for n, each in enumerate(windows, start=1)}
        return Division(ratings, tests, facts, unused)

    def _by_count(self, times: Times) -> Iterator[_Window]:
        """Windows of equal numbers of ratings in the last half."""
        ordered, count = np.sort(times), self.windows
        half = len(ordered) // 2
        first = len(ordered) - half
        wanted = [first + (2 * half * number + count) // (2 * count) for number in range(count)]
        cuts = [cut_near(ordered, place) for place in wanted]
        starts = [cut for cut in cuts if cut is not None]
        if len(starts) < count:
            raise same_time("rolling", ordered)
        if any(one >= other for one, other in pairwise(starts)):
            raise InfeasibleSplit(
                "rolling",
                f"the {half:,} ratings of the last half have too few different times to be cut "
                f"into {count:,} windows",
                "Choose fewer windows",
            )
        ends = [*(int(ordered[start]) for start in starts[1:]), inf]
        for start, end in zip(starts, ends, strict=True):
            since = int(ordered[start - starts[0]]) if self.train == "window" else -inf
            yield _Window(since, int(ordered[start]), end)

    def _by_time(self, times: Times) -> Iterator[_Window]:
        """Windows of equal lengths, of which the last ends with the last rating."""
        earliest, end = int(times.min()), int(times.max()) + 1
        horizon = length("rolling", "horizon", self.horizon or 0)
        step = horizon if self.step is None else length("rolling", "step", self.step)
        starts = [end - horizon - (self.windows - number) * step for number in self._numbers]
        if starts[0] <= earliest:
            raise InfeasibleSplit(
                "rolling",
                f"the first window begins at {starts[0]:.0f} and the ratings only at {earliest}, "
                "so there is nothing to train on",
                "Choose fewer windows, or a shorter horizon or step",
            )
        for start in starts:
            since = start - (starts[0] - earliest) if self.train == "window" else -inf
            yield _Window(since, start, start + horizon)

    @property
    def _numbers(self) -> range:
        return range(1, self.windows + 1)

    def _refuse_empty(self, number: int, window: _Window, has_ratings: bool) -> None:
        if not has_ratings:
            raise InfeasibleSplit(
                "rolling",
                f"window {number}, from {window.start:.0f} to before {window.end:.0f}, has no "
                "rating",
                "Choose a longer horizon, or fewer windows",
            )
