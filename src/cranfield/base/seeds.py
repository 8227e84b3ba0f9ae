"""One seed, many named streams of random numbers.

A stream depends on the seed and on its name alone: not on what was drawn before, on the
number of threads, or on which other parts of an experiment run. Draws are raw 64-bit
words of PCG64, whose stream NumPy keeps stable across versions and platforms.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
"""Constants of SplitMix64 (Steele, Lea & Flood 2014)."""


def uniforms(key: int, counters: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Numbers in (0, 1), one for each counter.

    >>> bool(uniforms(7, [3])[0] == uniforms(7, [1, 2, 3])[2])
    True
    """
    return _to_unit(words(key, counters))


def pair_uniforms(key: int, rows: npt.ArrayLike, columns: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Numbers in (0, 1), one for each pair of a row and a column (rows × columns)."""
    return broadcast_uniforms(key, np.atleast_1d(rows)[:, None], columns)


def broadcast_uniforms(
    key: int, rows: npt.ArrayLike, columns: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    """The numbers of `pair_uniforms` for rows and columns that are broadcast together."""
    return _to_unit(_scrambled(words(key, rows) + _scrambled(words(~key, columns))))


def normals(keys: tuple[int, int], counters: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Standard normal numbers, one for each counter (Box & Muller 1958)."""
    radii = np.sqrt(-2 * np.log(uniforms(keys[0], counters)))
    angles = 2 * np.pi * uniforms(keys[1], counters)
    return np.asarray(radii * np.cos(angles))


def words(key: int, counters: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """One 64-bit word for each counter."""
    steps = (np.atleast_1d(np.asarray(counters)).astype(np.uint64) + np.uint64(1)) * _STEP
    return _scrambled(steps + np.uint64(key & 0xFFFFFFFFFFFFFFFF))


def _scrambled(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finaliser of SplitMix64: every bit of a word moves every bit of the result."""
    words = words ^ (words >> np.uint64(30))
    words *= _FIRST
    words ^= words >> np.uint64(27)
    words *= _SECOND
    words ^= words >> np.uint64(31)
    return words


def _to_unit(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    """The upper 52 bits as a number strictly between 0 and 1."""
    return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52


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
