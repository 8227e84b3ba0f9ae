"""Errata to valcarce2018 and valcarce2020, each from published figures or the formula.

What the pages call contradicted by the authors' own figures is asked of these again. The fault
of rec_eval on real data is in test_rec_eval_fault.py, that of DP in test_meta_evaluation.py.
"""

from __future__ import annotations

import json
import os
from math import exp, log
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from cranfield.scoring.rec_eval import rec_eval_scores
from cranfield.validity.meta.published_tables import read_table
from cranfield.workbench import inventory
from cranfield.workbench.reproduction.authors import authors_frames
from cranfield.workbench.reproduction.reproduction import Claim, Reproduction, find_reproductions
from cranfield.workbench.reproduction.running import with_tables
from cranfield.workbench.reproduction.states import CONTRADICTED, supports_of
from cranfield.workbench.results.frames import ask

PUBLISHED = os.environ.get("CRANFIELD_PUBLISHED")
FOLDER = Path(PUBLISHED or ".") / "valcarce2018"
RECORDS = Path(__file__).parents[2] / "docs/reproduction"
PAPERS = ("valcarce2018", "valcarce2020")

needs_files = pytest.mark.skipif(PUBLISHED is None, reason="$CRANFIELD_PUBLISHED is not set")


def contradicted(paper: str) -> list[tuple[Reproduction, Claim]]:
    """The claims that a page calls contradicted by the authors' own figures."""
    text = (RECORDS / f"{paper}.json").read_text(encoding="utf-8")
    states = {
        (item["name"], claim["says"]): claim["state"]
        for item in json.loads(text)["items"]
        for claim in item["claims"]
    }
    found = [(made, claim) for made in find_reproductions(paper) for claim in made.claims]
    return [each for each in found if states.get((each[0].name, each[1].says)) == CONTRADICTED]


ERRATA = [each for paper in PAPERS for each in contradicted(paper)]


@needs_files
@pytest.mark.parametrize(
    ("made", "claim"), ERRATA, ids=[f"{made.name}: {claim.says[:40]}" for made, claim in ERRATA]
)
def test_the_authors_own_figures_contradict_the_claim(made: Reproduction, claim: Claim) -> None:
    inventory.load()
    frames = with_tables(authors_frames(made), made)
    found = supports_of(ask(frames, claim.authors or claim.test), "authors")
    assert sum(each.held for each in found) < sum(each.tested for each in found)


@needs_files
def test_more_than_5_percent_of_the_top_100_are_relevant_alone() -> None:
    """valcarce2020 §6.3.1 has 5 % of the top 100 judged, relevant or not, on MovieLens 1M."""
    table = read_table(FOLDER / "ml-1m_metrics_by_popularity.csv")
    relevant = table.filter(pl.col("Percentage") == 1)["P_100"].mean()
    assert relevant == pytest.approx(0.074, abs=0.0005)


def geometric_mean(scores: list[float], metric: str) -> float:
    """exp of the mean logarithm of what rec_eval 10.6 takes a score for."""
    return float(np.exp(np.log(rec_eval_scores(np.array(scores), metric)).mean()))


@pytest.mark.parametrize("metric", ["F1@100", "RR@100"])
def test_rec_eval_finds_a_system_without_any_hit_perfect(metric: str) -> None:
    assert geometric_mean([0.0, 0.0, 0.0], metric) == 1.0
    assert geometric_mean([0.0, 0.0, 0.2], metric) == pytest.approx(0.2 ** (1 / 3))


@pytest.mark.parametrize("metric", ["P@100", "Recall@100", "AP@100", "nDCG@100", "ERR@100"])
def test_its_other_geometric_means_take_a_user_without_a_hit_for_the_floor(metric: str) -> None:
    assert geometric_mean([0.0, 0.5], metric) == pytest.approx(exp((log(1e-5) + log(0.5)) / 2))


def printed(panel: str) -> dict[str, float]:
    """DP as Table 3 of valcarce2020 prints it."""
    [made] = find_reproductions("valcarce2020", "Table 3")
    return {row["metric"]: row["paper"] for row in made.published if row["panel"] == panel}


def test_bpref_is_more_discriminative_than_map_in_the_printed_table_of_beeradvocate() -> None:
    """§6.2 calls it less discriminative than MAP and nDCG."""
    assert printed("BeerAdvocate")["Bpref"] < printed("BeerAdvocate")["AP"]


@needs_files
def test_the_two_papers_disagree_on_which_metrics_discriminate() -> None:
    """On MovieLens 1M F1 is the last of nine in valcarce2020, and before five by the p-values
    that its authors published with valcarce2018, of the same systems on one split."""
    table = read_table(FOLDER / "ml-1m_pvalues.csv")
    columns = (
        "set_P",
        "set_recall",
        "set_F",
        "map",
        "ndcg",
        "recip_rank",
        "err",
        "bpref",
        "infAP2",
    )
    before = {name: float(table[name].sum()) for name in columns}
    assert sum(each > before["set_F"] for each in before.values()) >= 5
    now = printed("MovieLens 1M")
    assert max(now, key=lambda name: now[name]) == "F1"
