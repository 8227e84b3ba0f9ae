"""Claims held to what the authors published."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau, norm

from cranfield.workbench import inventory
from cranfield.workbench.reproduction.authors import (
    PUBLISHED_VARIABLE,
    authors_frames,
    authors_systems,
)
from cranfield.workbench.reproduction.leaving_out import with_decisive
from cranfield.workbench.reproduction.reproducing import authors_shown, judge_claim
from cranfield.workbench.reproduction.reproduction import (
    AuthorsFiles,
    Reproduction,
    Show,
    find_reproductions,
    read_reproduction,
)
from cranfield.workbench.reproduction.running import (
    Edition,
    Figures,
    is_answerable,
    with_tables,
)
from cranfield.workbench.results.frames import ask
from cranfield.workbench.store.store import Store

inventory.load()
SYSTEMS = ["a", "b", "c", "d"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Made-up files of two data sets."""
    monkeypatch.setenv(PUBLISHED_VARIABLE, str(tmp_path))
    rng = np.random.default_rng(3)
    for name in ("x", "y"):
        pairs = [(one, two) for one in SYSTEMS for two in SYSTEMS if one != two]
        table = pl.DataFrame(pairs, schema=["RunA", "RunB"], orient="row")
        columns = {key: rng.random(len(pairs)) for key in ("P_5", "P_10", "map", "rmse")}
        table.with_columns(**columns).write_parquet(tmp_path / f"{name}_p.parquet")
        rows = [(system, size) for system in SYSTEMS for size in (1.0, 0.9, 0.8, 0.7)]
        values = pl.DataFrame(rows, schema=["Recommender", "Percentage"], orient="row")
        columns = {key: rng.random(len(rows)) for key in ("P_5", "P_10", "map", "rmse")}
        values.with_columns(**columns).write_csv(tmp_path / f"{name}_v.csv")
    return tmp_path


def made_of(*assess: str) -> Reproduction:
    return Reproduction(
        paper="p", item="i", title="t", definition={"assess": list(assess)}, panels=(), small={},
        shows=(), claims=(),
        authors=AuthorsFiles(
            {"P_": "P@", "map": "AP@100"},
            {"X": "x_p.parquet", "Y": "y_p.parquet", "Z": "absent.csv"},
            {"X": "x_v.csv", "Y": "y_v.csv"},
        ),
    )  # fmt: skip


def test_p_values_give_discriminative_power_by_data_set(folder: Path) -> None:
    found = authors_frames(made_of("discriminative-power"))["discriminative_power"]
    assert set(found["panel"]) == {"X", "Y"}  # Z is not there
    assert set(found["metric"]) == {"P@5", "P@10", "AP@100"}
    [dp] = found.filter(panel="X", metric="AP@100")["dp_doubled"]
    assert dp == pytest.approx(pl.read_parquet(folder / "x_p.parquet")["map"].sum())


def test_values_give_agreement_and_robustness_to_popular_items(folder: Path) -> None:
    found = authors_frames(
        made_of("correlation", "robustness(scenarios=[popular-items], sizes=[1, 0.8])")
    )
    table = pl.read_csv(folder / "y_v.csv").sort("Recommender")
    whole, thinned = (table.filter(Percentage=size) for size in (1.0, 0.8))
    expected = kendalltau(whole["P_5"], whole["map"]).statistic
    taus = found["correlation_system_orders"].filter(panel="Y", metric="P@5", other="AP@100")
    assert taus["value"][0] == pytest.approx(expected)
    curve = found["robustness_curves"].filter(panel="Y", metric="P@5", mean="arithmetic", size=0.8)
    assert curve["tau"][0] == pytest.approx(kendalltau(whole["P_5"], thinned["P_5"]).statistic)
    assert "popular-items" in found["robustness_area_wide"].columns
    assert found["robustness_curves"]["size"].min() == 0.8  # 0.7 is not asked for


def test_a_system_can_be_left_out_of_the_files(folder: Path) -> None:
    made = made_of("discriminative-power", "correlation")
    assert authors_systems(made) == SYSTEMS
    found = authors_frames(made, "b")
    table = pl.read_parquet(folder / "x_p.parquet")
    rest = table.filter(pl.col("RunA") != "b", pl.col("RunB") != "b")
    [dp] = found["discriminative_power"].filter(panel="X", metric="AP@100")["dp_doubled"]
    assert dp == pytest.approx(rest["map"].sum())
    values = (
        pl.read_csv(folder / "x_v.csv")
        .filter(Percentage=1.0)
        .filter(~pl.col("Recommender").eq("b"))
    )
    taus = found["correlation_system_orders"].filter(panel="X", metric="P@5", other="P@10")
    assert taus["value"][0] == pytest.approx(kendalltau(values["P_5"], values["P_10"]).statistic)


@pytest.mark.usefixtures("folder")
def test_figures_of_the_authors_are_not_shown_as_ours() -> None:
    question = "SELECT metric, MAX(dp) AS ours, 1.0 AS ours_printed FROM discriminative_power"
    show = Show("DP, ours and as printed", f"{question} GROUP BY metric")
    made = replace(made_of("discriminative-power"), shows=(show,))
    assert made.authors is not None
    [found] = authors_shown(made, authors_frames(made))
    assert found.show.title == "DP, published and as printed, the authors' figures"
    assert found.rows.columns == ["metric", "published", "published_printed"]
    other = replace(made, authors=replace(made.authors, paper="q"))
    [found] = authors_shown(other, authors_frames(other))
    assert found.show.title.endswith(", the authors' figures of q")


def test_other_ways_of_thinning_are_not_in_the_files(folder: Path) -> None:
    assert authors_frames(made_of("robustness(scenarios=[ratings])")) == {}


def test_without_files_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PUBLISHED_VARIABLE, raising=False)
    assert authors_frames(made_of("correlation")) == {}


def test_every_question_of_a_paper_names_tables_that_are_understood() -> None:
    """What is asked is found by the words after FROM and JOIN, so that no table may hide."""
    for each in find_reproductions():
        for question in (*each.tables.values(), *(claim.test for claim in each.claims)):
            assert not is_answerable(question, {})


published = pytest.mark.skipif(
    not __import__("os").environ.get(PUBLISHED_VARIABLE), reason="needs $CRANFIELD_PUBLISHED"
)


@published
@pytest.mark.parametrize(
    ("item", "says", "state"),
    [
        ("figure-1", "There τ is 0.76", "holds"),
        ("table-3", "nDCG and P are the two most", "holds"),
        ("table-3", "Of these two, nDCG is", "contradicted by the authors' own figures"),
        ("figure-4", "Cut-offs of nDCG above 50", "contradicted by the authors' own figures"),
        ("figure-7", "P is the metric that is most", "contradicted by the authors' own figures"),
    ],
)
def test_claims_of_valcarce2018_on_the_authors_figures_alone(
    item: str, says: str, state: str
) -> None:
    made = read_reproduction(f"valcarce2018-{item}")
    theirs = with_tables(authors_frames(made), made)
    nobody = Figures({name: table.clear() for name, table in theirs.items()})
    [claim] = [each for each in made.claims if each.says.startswith(says)]
    verdict = judge_claim(claim, [nobody], theirs=theirs).verdict
    assert not verdict.total("paper").tested
    assert verdict.state == state, verdict.said()


@published
def test_ten_of_the_authors_systems_each_decide_which_metrics_are_most_discriminative() -> None:
    made = read_reproduction("valcarce2018-table-3")
    theirs = with_tables(authors_frames(made), made)
    nobody = Figures({name: table.clear() for name, table in theirs.items()})
    [claim] = [each for each in made.claims if each.says.startswith("nDCG and P are the two")]
    whole = judge_claim(claim, [nobody], theirs=theirs)
    nothing = replace(made, definition={**made.definition, "systems": {}})
    [found] = with_decisive([whole], nothing, Edition(Store(None)), nobody)
    assert whole.verdict.state == "holds"
    assert len(found.verdict.authors_decisive) == 10
    assert {"SLIM", "BPRMF", "WRMF", "PureSVD"} <= set(found.verdict.authors_decisive)


@published
def test_the_authors_judge_more_than_five_percent_of_the_top_100() -> None:
    """Of the top 100 of their systems 7.4 % are relevant, which is a part of what is judged."""
    import os

    path = Path(os.environ[PUBLISHED_VARIABLE], "valcarce2018/ml-1m_metrics_by_popularity.csv")
    whole = pl.read_csv(path).filter(Percentage=1.0)
    made = read_reproduction("valcarce2020-figure-3")
    [row] = made.published
    assert whole["P_100"].mean() == pytest.approx(row["relevant"], abs=0.0005)
    [claim] = [each for each in made.claims if each.authors]
    asked = ask({"published": pl.DataFrame(list(made.published))}, claim.authors)
    assert asked["holds"].to_list() == [False]


def test_the_printed_p_of_table_2_does_not_go_with_the_printed_means() -> None:
    """p = 0.897 of a difference of 0.003 wants a standard error of 0.02, whatever the rounding."""
    made = read_reproduction("canamares2020-table-2")
    rows = {row["metric"]: row for row in made.published if row["panel"] == "MovieLens"}
    for row in rows.values():
        assert row["z"] == pytest.approx(norm.isf(row["p"] / 2), abs=0.0005)
    ndcg, precision = rows["nDCG(gain=binary)@10"], rows["P@10"]
    z = norm.isf(np.array([0.8965, 0.8975]) / 2)  # p is rounded, and so are both means
    smallest = (ndcg["MF"] - ndcg["kNN"] - 0.001) / z.max()
    largest_of_precision = (precision["MF"] - precision["kNN"] + 0.001) / norm.isf(0.0395 / 2)
    assert smallest > 0.015 > 3 * largest_of_precision
    [claim] = [each for each in made.claims if each.authors]
    asked = ask({"published": pl.DataFrame(list(made.published))}, claim.authors)
    assert asked.select("metric", "holds").rows() == [
        ("P@10", True), ("nDCG(gain=binary)@10", False),
    ]  # fmt: skip


def test_what_a_paper_prints_decides_before_files_of_another() -> None:
    """Figure 2 of valcarce2020 is held to its Table 3, Figure 1 to the files of valcarce2018."""
    figures = {
        item: {claim.says: claim for claim in find_reproductions("valcarce2020", item)[0].claims}
        for item in ("Figure 1", "Figure 2", "Table 3")
    }
    assert {claim.authors_of for claim in figures["Figure 1"].values()} == {"valcarce2018"}
    assert all(claim.authors and not claim.authors_of for claim in figures["Figure 2"].values())
    [table] = find_reproductions("valcarce2020", "Table 3")
    [figure] = find_reproductions("valcarce2020", "Figure 2")
    assert table.published == figure.published
    of_2018 = find_reproductions("valcarce2018")
    assert not any(claim.authors_of for made in of_2018 for claim in made.claims)
