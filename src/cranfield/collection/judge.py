"""Judge: whose ratings say what is relevant."""

from __future__ import annotations

from typing import ClassVar, Protocol

from cranfield.base.options import contract
from cranfield.collection.ratings import Ratings


@contract("judged_by")
class Judge(Protocol):
    """Which ratings the rankings are judged by (decision A2)."""

    in_words: ClassVar[str] = ""
    """What judges in place of the test ratings; empty where these do."""
    simulated: ClassVar[bool] = False
    """Whether only data with a known truth can be judged so."""

    def ratings(self, data: object, train: Ratings, test: Ratings) -> Ratings:
        """The ratings that judge, under the ids of training; ``data`` is the source of all."""
        ...

    def notes(self, train: Ratings) -> tuple[str, ...]:
        """What a reader should know of what judges; mostly nothing."""
        return ()


def judges_by_test(judge: Judge) -> bool:
    """Whether the test ratings judge, and nothing in place of them."""
    return not judge.in_words
