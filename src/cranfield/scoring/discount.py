"""Discount: how much of a reader's attention a rank gets."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.options import contract, option, parameter
from cranfield.collection.items import Floats

Ranks = npt.NDArray[np.integer]
DISCOUNT = "How much of a reader's attention each rank gets."


@contract("discount")
class Discount(Protocol):
    """How much of a reader's attention each rank gets."""

    def of_ranks(self, ranks: Ranks) -> Floats:
        """The attention of each rank, from 1 for the first, never rising down the list."""
        ...


@option("discount", "none", aliases=("equal",))
@dataclass(frozen=True, kw_only=True)
class NoDiscount(Discount):
    """Every rank gets the same attention.

    d(k) = 1
    """

    def of_ranks(self, ranks: Ranks) -> Floats:
        """1 for every rank."""
        return np.ones(len(ranks))


@option("discount", "logarithmic", aliases=("log",))
@dataclass(frozen=True, kw_only=True)
class Logarithmic(Discount):
    """Attention falls by the logarithm of the rank, as in DCG.

        d(k) = 1/log2(k + 1)

    Järvelin & Kekäläinen 2002.
    """

    def of_ranks(self, ranks: Ranks) -> Floats:
        """1 for the first rank, 0.63 for the second, …"""
        return np.asarray(1 / np.log2(ranks + 1.0))


@option("discount", "geometric")
@dataclass(frozen=True, kw_only=True)
class Geometric(Discount):
    """A reader goes on from each rank to the next with the same probability, as in RBP.

        d(k) = p^(k − 1)

    Moffat & Zobel 2008; for exposure Biega et al. 2018.
    """

    p: float = parameter(0.5, "The probability p of going on, below 1.", above=0, below=1)

    def of_ranks(self, ranks: Ranks) -> Floats:
        """1 for the first rank, p for the second, …"""
        return np.asarray(self.p ** (ranks - 1.0))
