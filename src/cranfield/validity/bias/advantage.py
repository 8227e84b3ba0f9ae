"""Advantage: how much of a system's lead is left once a bias is neutralised."""

from __future__ import annotations

from math import isnan, nan
from typing import Literal

from cranfield.base.dataclass import dataclass
from cranfield.validity.phrases import percent, written_p

Fate = Literal["undefined", "none", "lost", "reversed", "shrunk", "unchanged", "grown"]
"""What becomes of a lead: it cannot be computed or tested; it was not significant before; it
is not significant after; the other system leads; it is smaller; as large, within one percent;
larger."""

_SAME = 0.005
"""Shares of a lead that would be shown as 0 % are as good as none."""


@dataclass(frozen=True, kw_only=True)
class Advantage:
    r"""The lead of one system over another under a biased protocol, and under a neutral one.

        lead = a(first) − a(second),   a(s) = (value(s) − random) / (best − random)

    a(s) is how far a system gets from what a random ranking of the same targets is to
    score to what the best ranking scores; so leads under protocols whose values have
    different ranges can be compared. What disappears is 1 − lead after/lead before.
    ``p_before`` and ``p_after`` are the p-values of the difference under each protocol: a
    lead that is not significant before is no lead, and its share is undefined.
    """

    first: str
    second: str
    before: float
    after: float
    p_before: float
    p_after: float
    alpha: float = 0.05

    @property
    def lost(self) -> float:
        """The share of the lead that disappears: above 1 if it is reversed, below 0 if it grows.

        Undefined where there is no significant lead to lose.
        """
        return float("nan") if self.fate in ("undefined", "none") else 1 - self.after / self.before

    @property
    def fate(self) -> Fate:
        """What becomes of the lead."""
        if any(map(isnan, (self.before, self.after, self.p_before, self.p_after))):
            return "undefined"
        if not (self.before > 0 and self.p_before < self.alpha):
            return "none"
        if not self.p_after < self.alpha:
            return "lost"
        if self.after < 0:
            return "reversed"
        share = 1 - self.after / self.before
        if abs(share) < _SAME:
            return "unchanged"
        return "shrunk" if share > 0 else "grown"

    def sentence(self, biased: str, neutral: str) -> str:
        """What becomes of the lead, in words; protocols are named by their short names.

        >>> Advantage(
        ...     first="MF", second="kNN", before=0.2, after=0.05, p_before=0.001, p_after=0.001
        ... ).sentence("AR", "UAR")
        "Under AR, 75 % of MF's advantage over kNN disappears once item popularity is neutralised \
(UAR)."
        """
        whose = f"{self.first}'s advantage over {self.second}"
        neutral_way = f"once item popularity is neutralised ({neutral})"
        left = self.after / self.before if self.fate not in ("undefined", "none") else nan
        none = f"{self.first} and {self.second} do not differ significantly"
        none += f" ({written_p(self.p_before)})"
        if not self.before > 0:
            none = f"{self.first} has no lead over {self.second}"
        sentences: dict[Fate, str] = {
            "undefined": f"{whose} is undefined or untested under {biased} or {neutral}.",
            "none": f"Under {biased}, {none}: there is no advantage that popularity could explain.",
            "lost": f"Under {biased}, {whose} is significant; {neutral_way}, it is no longer "
            f"significant ({written_p(self.p_after)}).",
            "reversed": f"Under {biased}, {whose} is reversed {neutral_way}.",
            "unchanged": f"Under {biased}, {whose} stays as it is {neutral_way}.",
            "grown": f"Under {biased}, {whose} grows by {percent(left - 1)} {neutral_way}.",
            "shrunk": f"Under {biased}, {percent(1 - left)} of {whose} disappears {neutral_way}.",
        }
        return sentences[self.fate]
