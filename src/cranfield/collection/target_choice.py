"""The choice of targets: which candidates, relevant and non-relevant items are ranked."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cranfield.base import options
from cranfield.base.checking.spelling import read_spelling, split_list
from cranfield.base.dataclass import dataclass
from cranfield.base.errors import BadParameter, EmptyInput, OptionError, UnknownOption
from cranfield.base.ids import Codes
from cranfield.base.seeds import Seeds
from cranfield.collection.target import (
    Candidates,
    Eligible,
    Mask,
    Nonrelevant,
    Relevant,
    Targets,
)
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import Topics, UserChoice, choose_users

_DEFAULTS = {
    "candidates": "all-items", "relevant": "all-relevant", "nonrelevant": "all-nonrelevant",
}  # fmt: skip
_PARTS = tuple(_DEFAULTS)


@dataclass(frozen=True)
class TargetChoice:
    """Which items are ranked: candidates, relevant and non-relevant, chosen independently."""

    candidates: Candidates
    relevant: Relevant
    nonrelevant: Nonrelevant

    def __str__(self) -> str:
        return ", ".join(str(getattr(self, part)) for part in _PARTS)

    def choose(self, users: Topics, collection: TestCollection, seed: int = 0) -> Targets:
        """The targets of every topic; they depend on data, choices and seed alone."""
        limit = getattr(self.nonrelevant, "limit", None)
        collection = collection if limit is None else limit(collection)
        candidates = self.candidates.choose(collection)
        topics = self.relevant.choose(users, collection, candidates)
        eligible = Eligible(collection, candidates, self.segments_of(collection, candidates))
        pools = self.nonrelevant.choose(topics, eligible, Seeds(seed).child("targets"))
        every = self.candidates.needs_catalogue and bool(candidates.all())
        restricted = not every or pools is not None or eligible.segments is not None
        only_relevant = getattr(self.relevant, "judged", "all") == "only-relevant"
        return Targets(str(self), topics, eligible, pools, restricted, only_relevant)

    @property
    def needs_catalogue(self) -> bool:
        """Whether the targets depend on items that nobody judged."""
        return self.candidates.needs_catalogue and self.nonrelevant.needs_catalogue

    def segments_of(
        self, collection: TestCollection, candidates: Mask
    ) -> npt.NDArray[np.int32] | None:
        """The popularity segment of each item, where the choice divides items into some."""
        segments = getattr(self.relevant, "segments", None)
        return None if segments is None else np.asarray(segments(collection, candidates))


def choose_targets(
    collection: TestCollection,
    choice: TargetChoice,
    users: UserChoice | None = None,
    seed: int = 0,
    *,
    listed: Codes | None = None,
) -> Targets:
    """The users who enter and the items that are ranked for them; at least one topic.

    ``listed`` are the users for whom some run has a list, where that decides who enters.
    """
    entering = choose_users(collection.train, collection.judgments, users, listed=listed)
    return require_topics(choice.choose(entering, collection, seed))


def require_topics(targets: Targets) -> Targets:
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
    raise UnknownOption("choice of targets", name, known, parts=_PARTS)
