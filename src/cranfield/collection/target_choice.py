"""TargetChoice: the three choices that make a target set, as one decision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cranfield.base import options
from cranfield.base.errors import BadParameter, EmptyInput, OptionError, UnknownOption
from cranfield.base.seeds import Seeds
from cranfield.base.spelling import read_spelling, split_list
from cranfield.collection.judgments import Judgments
from cranfield.collection.ratings import Ratings
from cranfield.collection.target import (
    Candidates,
    Eligible,
    Known,
    Mask,
    Nonrelevant,
    Relevant,
    Targets,
)
from cranfield.collection.topics import Topics

_PARTS = ("candidates", "relevant", "nonrelevant")
_DEFAULTS = {
    "candidates": "all-items",
    "relevant": "all-relevant",
    "nonrelevant": "all-nonrelevant",
}


@dataclass(frozen=True)
class TargetChoice:
    """Which items are ranked: candidates, relevant and non-relevant, chosen independently."""

    candidates: Candidates
    relevant: Relevant
    nonrelevant: Nonrelevant

    def __str__(self) -> str:
        return ", ".join(str(getattr(self, part)) for part in _PARTS)

    def choose(self, users: Topics, train: Ratings, judgments: Judgments, seed: int = 0) -> Targets:
        """The targets of every topic; they depend on data, choices and seed alone."""
        known = Known(train, judgments)
        candidates = self.candidates.choose(known)
        topics = self.relevant.choose(users, known, candidates)
        eligible = Eligible(known, candidates, self.segments_of(known, candidates))
        pools = self.nonrelevant.choose(topics, eligible, Seeds(seed).child("targets"))
        return Targets(str(self), topics, eligible, pools)

    def segments_of(self, known: Known, candidates: Mask) -> npt.NDArray[np.int32] | None:
        """The popularity segment of each item, where the choice divides items into some."""
        segments = getattr(self.relevant, "segments", None)
        return None if segments is None else np.asarray(segments(known, candidates))


def some_topics(targets: Targets) -> Targets:
    """The same targets, which have at least one topic: else there is nothing to rank."""
    if not len(targets.topics):
        raise EmptyInput(f"targets {targets.name}", "relevant test ratings of candidates")
    return targets


def parse_targets(text: str) -> TargetChoice:
    """The choice that a list of options spells; what is not said is all.

    >>> str(parse_targets("TI, 1R, sampled(n=99)"))
    'test-items, one-relevant, sampled(n=99)'
    """
    chosen: dict[str, object] = {}
    for word in split_list(text):
        part = _part_of(word)
        if part in chosen:
            raise OptionError(f'targets, {word}: "{chosen[part]}" answers the same question.')
        chosen[part] = options.parse(part, word)
    for part, default in _DEFAULTS.items():
        chosen.setdefault(part, options.parse(part, default))
    return TargetChoice(**chosen)  # type: ignore[arg-type]


def _part_of(word: str) -> str:
    """The decision that a word answers."""
    if not word:
        raise BadParameter("targets", "list", word, "the name of an option")
    name = read_spelling(word).name
    for part in _PARTS:
        try:
            options.find(part, name)
        except UnknownOption:
            continue
        return part
    known = [option for part in _PARTS for option in options.options(part)]
    raise UnknownOption("targets", name, known, parts=_PARTS)
