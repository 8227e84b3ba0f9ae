"""Claims of the papers on made-up figures: every test looks at something, and can fail."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

from cranfield.workbench import inventory
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.definition.study.study import read_study
from cranfield.workbench.reproduction.reproduction import (
    Reproduction,
    names,
    read_reproduction,
)
from cranfield.workbench.reproduction.running import (
    answered,
    answers_of_draw,
    called,
    is_answerable,
    with_tables,
)
from cranfield.workbench.results.frames import Frames, ask, join_panels

FIRST, LATER = 0, 1
TRIES = 200
"""Made-up figures, among which each test that can fail does so at least once."""
_NAMED = re.compile(r"(\w+) AS \(")
"""What a question names itself, with WITH."""


def made_up(made: Reproduction, draw: int, rng: np.random.Generator) -> Frames:
    """Tables of a study as a run of the whole edition would give them, with figures by chance."""
    panels = {}
    for panel in made.panels:
        table = answered(made, answers_of_draw(panel.answers, made, draw))
        panels[panel.name] = _tables(table, rng)
    return with_tables(called(join_panels(panels), made.called), made)


def _tables(table: dict[str, Any], rng: np.random.Generator) -> Frames:
    inventory.load()
    decisions, systems = Universe(read_study(table)).decisions(), list(table["systems"])
    values = pl.DataFrame({name: rng.random(len(decisions)) for name in systems})
    wide = decisions.hstack(values)
    long = wide.with_columns(topics=pl.lit(1000)).unpivot(
        on=systems,
        index=[*decisions.columns, "topics"],
        variable_name="system",
        value_name="value",
    )
    pairs = [
        decisions.with_columns(
            first=pl.lit(first), second=pl.lit(second), p=pl.Series(rng.random(len(decisions)) ** 4)
        )
        for first, second in combinations(systems, 2)
    ]
    return {"designs": wide, "figures": long, "pairs": pl.concat(pairs)}


def decided(made: Reproduction, draw: int, seed: int) -> dict[str, pl.Series]:
    """What each claim that the designs of a study decide says of made-up figures."""
    frames, none = made_up(made, draw, np.random.default_rng(seed)), pl.DataFrame()
    return {
        claim.says: ask(frames, claim.test)["holds"].drop_nulls()
        for claim in made.claims
        if is_answerable(claim.test, frames | dict.fromkeys(_NAMED.findall(claim.test), none))
    }


STUDIES = [
    name
    for name in names()
    if "study" in read_reproduction(name).definition and not name.startswith("bellogin2012")
]
"""Those of bellogin2012 are those of bellogin2017."""


@pytest.mark.parametrize("draw", [FIRST, LATER])
@pytest.mark.parametrize("name", STUDIES)
def test_every_claim_looks_at_some_figures_of_every_draw(name: str, draw: int) -> None:
    """Later draws may have fewer designs, and the small edition has others."""
    found = decided(read_reproduction(name), draw, 0)
    assert found
    assert [says for says, holds in found.items() if not len(holds)] == []


@pytest.mark.parametrize("name", STUDIES)
def test_every_claim_can_fail(name: str) -> None:
    made = read_reproduction(name)
    never = set(decided(made, FIRST, 0))
    for seed in range(TRIES):
        never -= {says for says, holds in decided(made, FIRST, seed).items() if not holds.all()}
        if not never:
            return
    assert not never
