"""A design is recommended by what is true of simulated collections like the user's own."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import CranfieldError
from cranfield.base.files import json_text
from cranfield.base.options import parse
from cranfield.collection.statistics.statistics import describe
from cranfield.validity.assessment import Assessment, HeatMap
from cranfield.workbench import inventory
from cranfield.workbench.bias.case import reachable_share
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.truth.corrections import DESIGN, EPSILON, corrections
from cranfield.workbench.truth.recommendation import (
    DEPENDENCES,
    _reading,
    design_study,
    worlds_like,
)

inventory.load()

DATA = "simulated(users=60, items=50, ratings=900)"
SYSTEMS = {"kNN": "user-kNN(k=9)", "Popularity": "Popularity", "Random": "Random"}
WORDS = ["--system", "kNN=user-kNN(k=9)", "--system", "Popularity", "--system", "Random",
         "--worlds", "1", "--metric", "P@5", "--store", "none"]  # fmt: skip


@cache
def made() -> Assessment:
    return cf.recommend_design(DATA, systems=SYSTEMS, worlds=1, metric="P@5")


def test_two_sentences_name_a_design_and_how_sure_that_is() -> None:
    said = made().reading
    best = made().tables["designs"].row(0, named=True)
    assert said.startswith(f"For data like yours, trust {best[DESIGN]}")
    assert f"mean τ of {best['mean_tau']:.2f}" in said
    assert re.search(r"That is (sure|likely|not sure): it is the nearest to the truth in", said)
    assert len(re.findall(r"\.(?: |$)", said)) == 2


def test_designs_come_by_their_mean_agreement_over_all_collections() -> None:
    found = made()
    every, designs = found.details["designs_by_world"], found.tables["designs"]
    assert designs["repetitions"].to_list() == [len(DEPENDENCES)] * len(designs)
    for row in designs.drop_nulls("mean_tau").rows(named=True):
        own = every.filter(pl.col(DESIGN) == row[DESIGN])["tau"].drop_nans()
        assert row["mean_tau"] == pytest.approx(own.mean())
        assert row["tau_low"] <= row["mean_tau"] + 1e-9
        assert row["tau_high"] >= row["mean_tau"] - 1e-9
    known = designs["mean_tau"].drop_nulls()
    assert known.is_sorted(descending=True)
    assert designs["nearest"].sum() == pytest.approx(1)


def test_the_table_by_dependence_has_the_means_of_its_worlds() -> None:
    found = made()
    every = found.details["designs_by_world"]
    for row in found.tables["by_dependence"].rows(named=True):
        own = every.filter(
            (pl.col(DESIGN) == row[DESIGN]) & (pl.col("dependence") == row["dependence"])
        )["tau"].drop_nans()
        wanted = own.mean()
        assert row["value"] == pytest.approx(np.nan if wanted is None else wanted, nan_ok=True)
    assert isinstance(found.charts[0], HeatMap)


def test_worlds_look_like_the_data_whatever_their_dependence() -> None:
    real = describe(cf.read(DATA), 4)
    worlds = worlds_like(real, 2, seed=3)
    assert len(worlds.sources) == 2 * len(DEPENDENCES)
    assert {level for _, level in worlds.sources.values()} == set(DEPENDENCES)
    for source, level in worlds.sources.values():
        like = describe(source.read(), 4)
        assert source.mnar == level
        assert (like.users, like.items, like.ratings) == (real.users, real.items, real.ratings)
        assert like.per_item.gini == pytest.approx(real.per_item.gini, abs=0.08)


def test_every_world_and_every_design_is_tried_once() -> None:
    worlds = worlds_like(describe(cf.read(DATA), 4), 1)
    study = design_study(worlds, SYSTEMS, parse("metric", "P@5"))
    designs = Universe(study).designs
    seen = {tuple(str(each.answers["case"]).split(" @ ")) for each in designs}
    assert len(seen) == len(designs)
    assert {world for _, world in seen} == set(worlds.sources)
    assert len({design for design, _ in seen}) * len(worlds.sources) == len(seen)


def test_the_designs_are_those_of_the_papers() -> None:
    some = cf.read(DATA)
    found = corrections([some], parse("metric", "P@5"))
    assert [*found][:8] == ["plain", "AR", "UAR", "AR −10% head", "1R", "U1R", "P1R", "condensed"]
    assert found["U1R"]["split"] == found["UAR"]["split"]
    uniform = parse("split", found["UAR"]["split"])
    assert uniform.test_share <= reachable_share(some, EPSILON)
    cf.split(some, uniform)  # can be reached
    assert [*found][8:] == ["IPS", "SNIPS", "stratified"]


def test_the_verb_and_the_command_agree(tmp_path: Path) -> None:
    written = tmp_path / "found.json"
    assert main(["recommend-design", DATA, *WORDS, "--json", str(written)]) == 0
    (part,) = json.loads(written.read_text())["parts"]
    wanted = json.loads(json_text(made().to_dict()))
    assert part.pop("criterion") == f"recommended design: {DATA}"
    assert wanted.pop("criterion") == "recommended design"
    assert part == wanted


@pytest.mark.long
def test_several_data_are_looked_at_one_by_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.csv"
    cf.write_ratings(cf.read(DATA), file)
    drawn = tmp_path / "found.svg"
    assert main(["recommend-design", DATA, str(file), *WORDS, "--plot", str(drawn)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("For data like yours, trust") == 2
    assert f"== recommended design: {file} ==" in shown
    assert "<svg" in drawn.read_text()


def test_tables_and_ratings_in_memory_are_data_too() -> None:
    table = cf.recommend_design(cf.read(DATA).to_polars(), systems=SYSTEMS, worlds=1, metric="P@5")
    assert table.reading == made().reading
    assert table.decisions["ratings"] == made().decisions["ratings"]


@pytest.mark.long
def test_another_seed_simulates_other_collections() -> None:
    other = cf.recommend_design(DATA, systems=SYSTEMS, worlds=1, metric="P@5", seed=5)
    assert other.decisions["worlds"] != made().decisions["worlds"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"worlds": 0}, "worlds"),
        ({"worlds": True}, "worlds"),
        ({"metric": "PP@5"}, "no metric is called"),
        ({"systems": {"a": "Popularity"}}, "systems"),
        ({"systems": {"a": "Popularty", "b": "Random"}}, 'Did you mean "Popularity"'),
        ({"data": "nowhere.csv"}, "nowhere.csv"),
        ({"relevance": "x"}, 'relevance: "x" is not a number'),
        ({"relevance": float("nan")}, "relevance"),
        ({"relevance": 9}, "no rating is so high; the highest is 5"),
        ({"seed": -1}, "seed"),
        ({"data": "simulated(users=5, items=40, ratings=90)"}, "at least 10 users; here 5"),
        ({"data": "simulated(users=90, items=7, ratings=300)"}, "at least 10 items; here 7"),
    ],
)
def test_what_is_wrong_is_refused_by_name(changes: dict[str, Any], said: str) -> None:
    given = {"data": DATA, "systems": SYSTEMS, "worlds": 1, "metric": "P@5", **changes}
    with pytest.raises(CranfieldError, match=said):
        cf.recommend_design(given.pop("data"), **given)


def row(design: str, tau: float | None, nearest: float) -> dict[str, Any]:
    return {
        DESIGN: design, "mean_tau": tau, "tau_low": tau, "tau_high": tau, "right_winner": 0.5,
        "nearest": nearest,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row("AR", 0.9, 0.96), row("1R", 0.5, 0.04)], "That is sure: it is the nearest"),
        ([row("AR", 0.9, 0.8), row("1R", 0.5, 0.2)], "That is likely: it is the nearest"),
        ([row("AR", 0.9, 0.4), row("1R", 0.8, 0.6)], "not sure: it is .* next is 1R .0.80.[.]"),
        ([row("AR", 0.9, 0.5), row("1R", 0.9, 0.5)], "trust AR .or 1R, as good.*That is sure"),
        ([row("AR", None, 0.0)], "No design orders the systems at all"),
        ([row("AR", 0.9, 1.0)], r"draws of these collections\.$"),
    ],
)
def test_the_words_follow_the_share_of_draws(rows: list[dict[str, Any]], said: str) -> None:
    schema = {"mean_tau": pl.Float64, "tau_low": pl.Float64, "tau_high": pl.Float64}
    text = _reading(pl.DataFrame(rows, schema_overrides=schema), 4, "P@10")
    assert re.search(said, text)
    assert "2 of 4" in text or "at all" in text
