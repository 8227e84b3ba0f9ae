"""Smoothing: how the model of a profile is mixed with that of the whole collection."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from cranfield.base.dataclass import dataclass
from cranfield.base.options import contract, option, parameter
from cranfield.collection.tables.columns import Floats
from cranfield.recommendation.kernels.neighbours import Rows


@dataclass(frozen=True, eq=False)
class Models:
    """Smoothed models of profiles: p(i|v) = seen_vi + share_v·background_i.

    ``seen`` has one value for each rating of the profiles, 0 for what v did not rate;
    ``share`` is what profile v leaves to the collection; ``background`` sums to 1.
    """

    seen: Floats
    share: Floats
    background: Floats


@contract("smoothing", tunable=True)
class Smoothing(Protocol):
    """How the language model of a user or item is smoothed with that of the collection."""

    def smooth(self, profiles: Rows, columns: int) -> Models:
        """The smoothed model of every profile."""
        ...


@dataclass(frozen=True, eq=False)
class _Masses:
    """Sums of ratings, by profile and by item."""

    owners: npt.NDArray[np.intp]
    profiles: Floats
    background: Floats

    @classmethod
    def of(cls, profiles: Rows, columns: int) -> _Masses:
        offsets, codes, values = profiles
        owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        masses: Floats = np.zeros(len(offsets) - 1)
        np.add.at(masses, owners, values)
        collection = np.bincount(codes, values, minlength=columns)
        return cls(owners, masses, collection / values.sum())


def _divided(numerators: Floats, masses: Floats) -> Floats:
    """Quotients; 0 for a profile without ratings, whose model nobody asks for."""
    return np.divide(numerators, masses, out=np.zeros(len(masses)), where=masses > 0)


@option("smoothing", "jelinek-mercer", aliases=("jm",))
@dataclass(frozen=True, kw_only=True)
class JelinekMercer(Smoothing):
    """A fixed share of every model comes from the collection.

        p(i|v) = (1 − λ)·r_vi/Σ_j r_vj + λ·p(i|C)

    Jelinek & Mercer 1980; for recommendation Parapar et al. 2013.
    """

    lambda_: float = parameter(
        0.5, "The collection's share λ, from 1e-6.", at_least=1e-6, below=1, tune="0.1..0.999"
    )

    def smooth(self, profiles: Rows, columns: int) -> Models:
        """The smoothed model of every profile."""
        masses = _Masses.of(profiles, columns)
        seen = (1 - self.lambda_) * profiles[2] / masses.profiles[masses.owners]
        return Models(seen, np.full(len(masses.profiles), self.lambda_), masses.background)


@option("smoothing", "dirichlet")
@dataclass(frozen=True, kw_only=True)
class Dirichlet(Smoothing):
    """Every profile gets the same mass of ratings from the collection.

        p(i|v) = (r_vi + μ·p(i|C)) / (Σ_j r_vj + μ)

    Short profiles lean on the collection more. Zhai & Lafferty 2004.
    """

    mu: float = parameter(
        1000.0, "The mass μ, in rating units, from 1e-6.", at_least=1e-6, tune="10..10000, log"
    )

    def smooth(self, profiles: Rows, columns: int) -> Models:
        """The smoothed model of every profile."""
        masses = _Masses.of(profiles, columns)
        seen = profiles[2] / (masses.profiles[masses.owners] + self.mu)
        return Models(seen, self.mu / (masses.profiles + self.mu), masses.background)


@option("smoothing", "absolute-discounting", aliases=("ad",))
@dataclass(frozen=True, kw_only=True)
class AbsoluteDiscounting(Smoothing):
    """The same mass is taken from every rating and given to the collection.

        p(i|v) = (max(r_vi − δ, 0) + m_v·p(i|C)) / Σ_j r_vj,  m_v = Σ_j min(r_vj, δ)

    m_v = δ·|I_v| where no rating is below δ. Zhai & Lafferty 2004.
    """

    delta: float = parameter(
        0.5,
        "The mass δ taken from a rating, in rating units, from 1e-6.",
        at_least=1e-6,
        tune="0.05..0.95",
    )

    def smooth(self, profiles: Rows, columns: int) -> Models:
        """The smoothed model of every profile."""
        masses = _Masses.of(profiles, columns)
        taken = np.minimum(profiles[2], self.delta)
        given: Floats = np.zeros(len(masses.profiles))
        np.add.at(given, masses.owners, taken)
        seen = (profiles[2] - taken) / masses.profiles[masses.owners]
        return Models(seen, _divided(given, masses.profiles), masses.background)


@option("smoothing", "additive")
@dataclass(frozen=True, kw_only=True)
class Additive(Smoothing):
    """The same mass is added to every item of every profile.

        p(i|v) = (r_vi + γ) / (Σ_j r_vj + γ·n)

    n is the number of items with a rating; no item is favoured, as a background that
    follows the collection would favour the popular ones. Valcarce et al. 2016.
    """

    gamma: float = parameter(
        0.01, "The mass γ added, in rating units, from 1e-6.", at_least=1e-6, tune="0.001..1.0, log"
    )

    def smooth(self, profiles: Rows, columns: int) -> Models:
        """The smoothed model of every profile."""
        masses = _Masses.of(profiles, columns)
        rated = masses.background > 0
        added = self.gamma * np.count_nonzero(rated)
        seen = profiles[2] / (masses.profiles[masses.owners] + added)
        return Models(seen, added / (masses.profiles + added), rated / np.count_nonzero(rated))
