"""One seed, many named streams of random numbers.

A stream depends on the seed and on its name alone: not on what was drawn before, on the
number of threads, or on which other parts of an experiment run. Draws are raw 64-bit
words of PCG64, whose stream NumPy keeps stable across versions and platforms.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Seeds:
    """The root of all randomness of one experiment, or of one named part of it.

    >>> bool((Seeds(1).words("split", size=3) == Seeds(1).words("split", size=3)).all())
    True
    """

    seed: int = 0
    path: tuple[str, ...] = ()

    def child(self, *names: str, **numbers: int) -> Seeds:
        """The seeds of a part, named by words and numbers such as ``fold=2``."""
        numbered = (f"{key}={numbers[key]}" for key in sorted(numbers))
        return Seeds(self.seed, (*self.path, *names, *numbered))

    def sequence(self) -> np.random.SeedSequence:
        """The seed sequence of this part: the seed, spawned by the digest of its name."""
        digest = hashlib.blake2b("\x1f".join(self.path).encode(), digest_size=16).digest()
        key = tuple(int(word) for word in np.frombuffer(digest, dtype="<u4"))
        return np.random.SeedSequence(self.seed, spawn_key=key)

    def stream(self, *names: str, **numbers: int) -> np.random.Generator:
        """A generator for a named part."""
        return np.random.Generator(np.random.PCG64(self.child(*names, **numbers).sequence()))

    def words(self, *names: str, size: int, **numbers: int) -> Words:
        """Raw 64-bit words for a named part: the most portable draws."""
        bits = np.random.PCG64(self.child(*names, **numbers).sequence())
        return np.asarray(bits.random_raw(size), dtype=np.uint64)

    def key(self, *names: str, **numbers: int) -> int:
        """One 64-bit word, from which a kernel draws by counter."""
        return int(self.words(*names, size=1, **numbers)[0])
