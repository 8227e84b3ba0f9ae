"""Search: how settings of a system are found that are worth trying."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar, Protocol

from cranfield.base.dataclass import dataclass
from cranfield.base.options import contract
from cranfield.base.seeds import Seeds
from cranfield.workbench.tuning.space import Setting, defaults_of, size_of

_PATIENCE = 200
"""Settings in a row that were all tried before, after which a space counts as exhausted."""


@dataclass(frozen=True)
class Proposal:
    """A setting to be tried; ``number`` counts settings from 1, the defaults.

    ``share`` is the share of the training users on whom it is tried.
    """

    number: int
    setting: Setting
    share: float = 1.0


Proposals = Generator[Sequence[Proposal], Sequence[float], None]
"""Yields what is to be tried next, and is sent what came of each: the higher, the better."""


@contract("search")
class Search(Protocol):
    """How the settings of a system that are tried are found."""

    needs_trials: ClassVar[bool] = False
    """Whether it must know how many settings it may try, and so takes no budget in seconds."""

    def propose(self, option: Any, seeds: Seeds, trials: int | None) -> Proposals:
        """Settings of an option with ranges, the defaults first.

        At most so many ``trials`` are used; None where that is not known before.
        """
        ...


def one_by_one(settings: Iterable[Setting], trials: int | None) -> Proposals:
    """Settings that do not depend on what came of others: all that may be tried at once.

    Without a number of trials, one at a time.
    """
    numbered = enumerate(settings, start=1)
    if trials is None:
        for number, setting in numbered:
            yield [Proposal(number, setting)]
        return
    yield [Proposal(number, setting) for number, setting in islice(numbered, trials)]


def distinct(option: Any, settings: Iterable[Setting]) -> Iterator[Setting]:
    """The defaults, then settings that were not tried before, until all were tried.

    It also ends after many settings in a row that were all tried before.
    """
    first = defaults_of(option)
    yield first
    known, drawn = {first.option}, set[Any]()
    size, repeated = size_of(option), 0
    for setting in settings:
        repeated = 0 if setting.option not in drawn else repeated + 1
        drawn.add(setting.option)
        if setting.option not in known:
            known.add(setting.option)
            yield setting
        if len(drawn) == size or repeated == _PATIENCE:
            return
