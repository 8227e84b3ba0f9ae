"""Memory: the most that each stage of an experiment holds, by figures that were measured.

`python benchmarks/rating_scale.py FOLDER` measures them: 11 million ratings of 220,000 users.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cranfield.base.checking.ranges import Choice, Range
from cranfield.base.dataclass import dataclass
from cranfield.base.machine.memory import most_bytes, resident_bytes
from cranfield.base.threads import thread_count
from cranfield.significance.resampling import bytes_of_blocks

_CELLS, _KEPT = 2**23, 2**26
"""Numbers that a joint test holds at once in each of three arrays, and those that it keeps."""
_PER_SCORE, _PER_HIT, _PER_PLACE = 16, 24, 12
"""Bytes of a score with its copy, of a judged target with its rank, of an item in a list."""
_PER_SCORE_TESTED = 24
"""Bytes of a score while systems are compared: what it adds to the value, and copies of that."""
_PER_RATING_INDEXED, _PER_RATING_FITTED, _PER_RATING_COMPARED = 17, 42, 24
"""Bytes for each training rating: in indexes of users and items, which stay; while a system is
fitted; while training and judged items are compared."""
_AT_LEAST = 280 << 20
"""What a process needs for libraries and kernels, where it is not told."""
_BATCH, _ARRAYS_OF_ITEMS = 32 << 20, 12
"""Bytes of predictions of a thread at a time, and the arrays of numbers by item that go with
them."""
_WITHOUT_COPIES = {"Popularity", "AverageRating", "MedianRating", "Random", "oracle"}
"""Recommenders that learn without ratings by user and by item of their own."""
_OF_ITEMS = ("item-kNN", "NNCosNgbr-IB", "LM-WSR-IB")
"""Recommenders whose neighbours are items; those of others are users."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """What memory depends on, of one split: ``judged`` targets and ``topics`` of all conditions
    together, and how deep the lists are that are looked at.
    """

    users: int
    items: int
    train: int
    topics: int
    judged: int
    depth: int


def bytes_by_stage(
    sizes: Sizes, systems: Iterable[Any], scores: int, compared: int
) -> dict[str, int]:
    """The most bytes of this process in each stage, the data having been read and split.

    ``scores`` are all that are kept; ``compared`` are the bytes that tests need. To score
    takes a copy of the hits, and those of the last system are still there when the next one is
    fitted and ranked, as are the scores of all before, and when systems are compared.
    """
    base = bytes_now() + _PER_RATING_INDEXED * sizes.train
    chosen = list(systems)
    fitted = max((bytes_of_fit(each, sizes) for each in chosen), default=0)
    model = max((bytes_of_model(each, sizes) for each in chosen), default=0)
    located = sizes.judged * _PER_HIT + sizes.topics * sizes.depth * _PER_PLACE
    batches = thread_count() * (_BATCH + _ARRAYS_OF_ITEMS * 8 * sizes.items)
    ranked = max(_PER_RATING_COMPARED * sizes.train, batches) if chosen else 0
    before = len(chosen) - 1
    earlier = located + scores * _PER_SCORE * before // len(chosen) if before > 0 else 0
    return {
        "reading": bytes_so_far(),
        "fitting": base + fitted + earlier,
        "ranking": base + model + located + ranked + earlier,
        "scoring": base + model + located + sizes.judged * _PER_HIT + scores * _PER_SCORE,
        "comparing": base + located + scores * _PER_SCORE + compared,
    }


def bytes_of_model(system: Any, sizes: Sizes) -> int:
    """Bytes of a fitted system, and of the copies of its factors that it is ranked by."""
    name = getattr(system, "option_name", "")
    if dense := getattr(system, "bytes_of_fit", None):
        return int(dense(sizes.items))
    width = _most(system, "factors", "topics")
    near = sizes.items if name in _OF_ITEMS else sizes.users
    factors = 16 * (sizes.users + sizes.items) * width
    return factors + 12 * near * min(_most(system, "k"), near)


def _most(system: Any, *parameters: str) -> int:
    """The highest value of the first of some parameters that a system has, tuned or not."""
    given = next((getattr(system, each) for each in parameters if hasattr(system, each)), 0)
    if isinstance(given, Range):
        return int(given.high)
    values = given.values if isinstance(given, Choice) else (given,)
    return max((int(each) for each in values if isinstance(each, int | float)), default=0)


def bytes_of_fit(system: Any, sizes: Sizes) -> int:
    """Bytes while a system is fitted."""
    name = getattr(system, "option_name", "")
    if hasattr(system, "bytes_of_fit"):
        return bytes_of_model(system, sizes)
    if name in _WITHOUT_COPIES:
        return 0
    return _PER_RATING_FITTED * sizes.train + bytes_of_model(system, sizes)


def bytes_of_task(system: Any, sizes: Sizes, scores: int) -> int:
    """Bytes of a process that does nothing but fit a system and rank by it; None reads a run."""
    located = sizes.judged * _PER_HIT + sizes.topics * sizes.depth * _PER_PLACE
    own = bytes_of_fit(system, sizes) if system is not None else 0
    ranked = _BATCH + _ARRAYS_OF_ITEMS * 8 * sizes.items
    indexed = _PER_RATING_INDEXED * sizes.train
    return _AT_LEAST + indexed + own + located + ranked + scores * _PER_SCORE


def bytes_of_draws(draws: int, users: int, designs: int) -> int:
    """Bytes of a joint test of designs: signs, contributions and statistics, in blocks."""
    at_once = 3 * min(_CELLS, draws * max(users, designs))
    return 8 * (at_once + min(_KEPT, draws * designs))


def bytes_of_test(draws: int, users: int, values: int) -> int:
    """Bytes of a test of systems: scores of users by so many systems and metrics, and draws."""
    return _PER_SCORE_TESTED * users * values + bytes_of_blocks(draws, users)


def bytes_so_far() -> int:
    """The most memory that this process has had, libraries and data included."""
    return most_bytes() or _AT_LEAST


def bytes_now() -> int:
    """The memory that this process has now; where that is not told, the most it has had."""
    return resident_bytes() or bytes_so_far()
