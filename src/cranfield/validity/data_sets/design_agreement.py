"""Design agreement: in which designs all data sets have the same system ahead."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.scoring.scores import Floats
from cranfield.validity.study.designs import Designs

_SIGN = "sign"
_OWN = ("first_ahead", "second_ahead", "equal", "data_sets")


@dataclass(frozen=True, eq=False, kw_only=True)
class DesignAgreement:
    """In how many designs data sets agree on a pair.

    ``table`` has a row per design: its answers, then on how many data sets the first is
    ahead, the second, neither, and how many there are. Designs that were tried on a single
    data set are left out.
    """

    table: pl.DataFrame

    @property
    def designs(self) -> int:
        """The designs that were tried on several data sets."""
        return len(self.table)

    @property
    def first(self) -> int:
        """The designs in which the first system is ahead on every data set."""
        return int((self.table["first_ahead"] == self.table["data_sets"]).sum())

    @property
    def second(self) -> int:
        """The designs in which the second system is ahead on every data set."""
        return int((self.table["second_ahead"] == self.table["data_sets"]).sum())


def design_agreement(
    found: Mapping[str, Designs], names: tuple[str, str]
) -> DesignAgreement | None:
    """Match designs by their answers, and count the data sets in favour of each system."""
    tables = [_signs(designs, names) for designs in found.values()]
    if len({tuple(each.columns) for each in tables}) != 1:
        return None  # other decisions were varied on some
    together = pl.concat(tables, how="vertical_relaxed")
    factors = [name for name in together.columns if name != _SIGN]
    counted = together.group_by(factors or pl.lit(0).alias(_SIGN + "s"), maintain_order=True).agg(
        (pl.col(_SIGN) > 0).sum().alias("first_ahead"),
        (pl.col(_SIGN) < 0).sum().alias("second_ahead"),
        (pl.col(_SIGN) == 0).sum().alias("equal"),
        pl.len().alias("data_sets"),
    )
    several = counted.filter(pl.col("data_sets") > 1).select(*factors, *_OWN)
    return DesignAgreement(table=several) if len(several) else None


def _signs(designs: Designs, names: tuple[str, str]) -> pl.DataFrame:
    """The answers of each design as text, and which of two systems scores more in it."""
    first, second = (designs.systems.index(name) for name in names)
    values: Floats = designs.values[:, first] - designs.values[:, second]
    signs = pl.Series(_SIGN, np.sign(np.nan_to_num(values)).astype(np.int64))
    answers = [
        pl.Series(column.name, [None if each is None else _spelled(each) for each in column],
                  dtype=pl.String)
        for column in designs.decisions
    ]  # fmt: skip
    return pl.DataFrame([*answers, signs])


def _spelled(answer: object) -> str:
    """An answer as readers know it: whole numbers without a point."""
    return f"{answer:g}" if isinstance(answer, float) else str(answer)
