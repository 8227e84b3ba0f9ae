"""Every noun that users see shows itself: in a few lines, as HTML, as a chart, as a table."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import cranfield as cf
from cranfield.base.errors import OptionError, UnknownParameter
from cranfield.collection.judgments import judge
from cranfield.collection.ratings import Ratings
from cranfield.collection.split import Split
from cranfield.recommendation.runs.run import Run
from cranfield.validity.assessment import Assessment
from cranfield.view.page.report import charts_of, render_report
from cranfield.workbench.results.evaluation import Evaluation
from cranfield.workbench.results.files import report_content
from cranfield.workbench.results.results import Results
from latex_reader import rows_of
from noun_cases import HOSTILE, every_noun, hostile_ratings
from page_reader import PageReader, read_page

NOUNS = (
    "Ratings", "Split", "Judgments", "Statistics", "Run", "Ranked", "Scores", "Summary",
    "Evaluation", "Comparison", "Assessment", "Results", "StudyResults", "Experiment", "Study",
)  # fmt: skip
DEFINITIONS = ("Experiment", "Study")
WITHOUT_LATEX = ("Ratings", "Judgments", "Run", "Ranked", "Scores")
"""Long tables, which no paper prints."""

nouns = cache(every_noun)


def noun(name: str) -> Any:
    return nouns()[name]


def html(name: str) -> str:
    made: str = noun(name)._repr_html_()
    return made


@pytest.mark.parametrize("name", NOUNS)
def test_text_is_short_and_steers_no_terminal(name: str) -> None:
    for shown in (repr(noun(name)), str(noun(name))):
        assert shown.lower().startswith(name.lower())  # a split is spelled as an answer
        assert len(shown.splitlines()) <= 10
        assert len(shown) < 2500
        assert all(letter.isprintable() for letter in shown if letter != "\n")
        assert "array(" not in shown


@pytest.mark.parametrize("name", NOUNS)
def test_html_is_whole_self_contained_and_small(name: str) -> None:
    text = html(name)
    page = read_page(text)
    assert page.elements[0].attributes["class"] == "cranfield"
    assert page.all("table")
    assert {"script", "link", "img", "iframe", "object"}.isdisjoint(e.name for e in page.elements)
    assert not any(key.startswith("on") or key in ("src", "href") for key in _attributes(page))
    assert "url(" not in text
    assert "@import" not in text
    assert len(text) < 60_000


def _attributes(page: PageReader) -> set[str]:
    return {key for element in page.elements for key in element.attributes}


@pytest.mark.parametrize("name", sorted(set(NOUNS) - {"Statistics", "Split"}))
def test_hostile_names_are_shown_as_text(name: str) -> None:
    page = read_page(html(name))
    shown = "".join(e.text for e in page.elements if e.name in ("p", "td", "th", "svg", "li"))
    assert "<script>alert('1')</script>" in shown
    assert "\x1b" not in html(name)


@pytest.mark.parametrize("name", NOUNS)
def test_the_style_reaches_nothing_else_and_suits_light_and_dark(name: str) -> None:
    [style] = read_page(html(name)).all("style")
    rules = [part for part in style.text.split("}") if part.strip()]
    for rule in rules:
        selectors = rule.partition("{")[0].split(",")
        assert all(each.strip().startswith(".cranfield") for each in selectors), rule
    assert "background: none" in style.text
    assert "color: black" not in style.text
    assert "#fff" not in style.text


@pytest.mark.parametrize("name", sorted(set(NOUNS) - set(DEFINITIONS)))
def test_charts_are_figures_and_each_is_found_by_its_name(name: str) -> None:
    from cranfield.view.charts.figure import ChartFigure

    figure = noun(name).plot()
    assert isinstance(figure, ChartFigure)
    assert figure.axes
    assert figure._repr_png_().startswith(b"\x89PNG"), "a notebook shows it as a picture"
    with pytest.raises(UnknownParameter, match="nonsense") as refused:
        noun(name).plot("nonsense")
    assert "ratings" in str(refused.value) or len(str(refused.value)) > 20


def test_the_charts_of_results_are_those_of_the_report() -> None:
    for name in ("Results", "StudyResults"):
        made = noun(name)
        charts = charts_of(report_content(made))
        for chart, plot in charts.items():
            assert made.plot(chart).get_suptitle().startswith(plot.title[:5].replace("$", r"\$"))
        assert made.plot().get_suptitle() == made.plot(next(iter(charts))).get_suptitle()


@pytest.mark.parametrize("name", NOUNS)
def test_a_report_is_a_page_that_needs_nothing_else(name: str, tmp_path: Path) -> None:
    noun(name).report(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    page = read_page(text.partition("<!doctype html>")[2])
    assert page.all("h1")
    assert page.all("table")
    links = [e.attributes["href"] for e in page.elements if "href" in e.attributes]
    assert all(each.startswith(("#", "data:")) for each in links)
    names = {e.attributes["id"] for e in page.elements if "id" in e.attributes}
    assert {each[1:] for each in links if each.startswith("#")} <= names
    assert "<script>alert" not in text


def test_the_report_of_results_is_the_one_that_is_written_with_them(tmp_path: Path) -> None:
    for name in ("Results", "StudyResults"):
        noun(name).report(tmp_path / "page.html")
        assert (tmp_path / "page.html").read_text() == render_report(report_content(noun(name)))


@pytest.mark.parametrize("name", sorted(set(NOUNS) - set(DEFINITIONS)))
def test_tables_of_polars_and_pandas_agree(name: str) -> None:
    table, other = noun(name).to_polars(), noun(name).to_pandas()
    assert isinstance(table, pl.DataFrame)
    assert (len(table), table.columns) == (len(other), list(other.columns))
    for column in table.columns:
        if table[column].dtype.is_float():
            one = table[column].fill_null(np.nan).to_numpy()
            assert np.array_equal(one, other[column].to_numpy(), equal_nan=True)


def test_a_table_of_an_assessment_is_named_alike_in_polars_and_pandas() -> None:
    made: Assessment = noun("Assessment")
    for name in {**made.tables, **made.details}:
        table, other = made.to_polars(name), made.to_pandas(name)
        assert (len(table), table.columns) == (len(other), list(other.columns))
    for method in (made.to_polars, made.to_pandas):
        with pytest.raises(UnknownParameter, match="nonsense"):
            method("nonsense")


@pytest.mark.parametrize("name", sorted(set(NOUNS) - set(DEFINITIONS)))
def test_columns_are_identifiers(name: str) -> None:
    assert all(re.fullmatch("[a-z][a-z0-9_]*", each) for each in noun(name).to_polars().columns)


@pytest.mark.parametrize("name", sorted(set(NOUNS) - set(WITHOUT_LATEX)))
def test_latex_is_a_table_that_prints(name: str) -> None:
    made = noun(name).to_latex()
    assert r"\toprule" in made
    assert len(rows_of(made)) > 1
    assert "\x1b" not in made


@pytest.mark.parametrize("name", WITHOUT_LATEX)
def test_long_tables_have_no_latex(name: str) -> None:
    assert not hasattr(noun(name), "to_latex")


@pytest.mark.parametrize("name", ["Results", "Evaluation", "Summary", "Scores"])
def test_html_shows_the_values_of_the_summary(name: str) -> None:
    results = noun("Results")
    page = read_page(html(name))
    cells = {e.text for e in page.all("td")}
    assert f"{results.summary.row('kNN', 'nDCG@5').value:.4f}" in cells


def test_results_show_their_verdict_and_the_best_first() -> None:
    page = read_page(html("Results"))
    [verdict] = [e.text for e in page.all("p") if e.attributes.get("class") == "verdict"]
    assert "has the highest nDCG@5" in verdict
    rows = page.rows("What each system reached")
    values = [float(row[1]) for row in rows[1:] if row[0] != "a random ranking"]
    assert values == sorted(values, reverse=True)


def test_an_evaluation_has_the_values_of_whole_runs_in_its_table() -> None:
    made: Evaluation = noun("Evaluation")
    table = made.to_polars()
    assert len(table) == 3 * 3
    gini = table.filter(pl.col("metric") == "Gini@5", pl.col("system") == "kNN")
    assert gini["value"].to_list() == [made.lists["kNN"]["Gini@5"]]
    assert table.head(6).equals(made.summary.to_polars())


def test_a_split_is_a_table_of_ratings_with_their_parts() -> None:
    made: Split = noun("Split")
    table = made.to_polars()
    fold = made.folds[0]
    assert fold.validation is not None
    for part, ratings in (
        ("train", fold.train), ("test", fold.test), ("validation", fold.validation),
    ):  # fmt: skip
        of_part = table.filter(pl.col("part") == part).drop("fold", "part")
        assert of_part.equals(ratings.to_polars())
    assert table["fold"].unique().to_list() == [1]


def test_judgments_say_which_ratings_are_relevant() -> None:
    table = noun("Judgments").to_polars()
    assert (table["relevant"] == (table["rating"] >= 4)).all()


def test_a_run_is_a_table_by_codes_and_one_by_ids() -> None:
    ratings, run = hostile_ratings(), noun("Run")
    assert isinstance(run, Run)
    by_code, by_id = run.to_polars(), run.table(ratings.user_ids, ratings.item_ids)
    assert by_code["rank"].equals(by_id["rank"])
    assert ratings.item_ids.take(by_code["item_code"].to_numpy()).to_list() == (
        by_id["item_id"].to_list()
    )
    assert noun("Ranked").to_polars().equals(by_code)


def test_an_assessment_gives_any_of_its_tables() -> None:
    made = noun("Assessment")
    for name, table in {**made.tables, **made.details}.items():
        assert made.to_polars(name).equals(table, null_equal=True)
    with pytest.raises(UnknownParameter, match="nonsense"):
        made.to_polars("nonsense")


def test_statistics_are_one_row_of_numbers_under_identifiers() -> None:
    table = noun("Statistics").to_polars()
    assert len(table) == 1
    assert all(name.isidentifier() for name in table.columns)
    assert table["density"].item() == noun("Statistics").density


def test_nothing_is_drawn_where_there_is_nothing() -> None:
    empty = Ratings.from_triples([1], [7], [3.0]).take(np.zeros(0, dtype=np.int64))
    for each in (empty, judge(empty, relevance=4)):
        assert read_page(each._repr_html_()).all("table")
        with pytest.raises(OptionError, match="nothing to draw"):
            each.plot()


def test_long_tables_are_cut_in_notebooks_and_say_so() -> None:
    rng = np.random.default_rng(1)
    users, items = np.divmod(rng.permutation(10_000), 100)
    ratings = Ratings.from_triples(users, items, rng.integers(1, 6, 10_000).astype(float))
    text = ratings._repr_html_()
    assert len(text) < 30_000
    assert "the first 10 of 10,000 rows" in text


def test_results_of_python_keep_what_users_hold() -> None:
    made = noun("Results")
    assert isinstance(made, Results)
    row = made.summary.row("kNN", "P@5")
    assert row in made.summary.rows
    assert {"value", "random", "adjusted", "evaluated"} <= set(vars(row))
    assert made.scores.metrics == ("nDCG@5", "P@5")
    assert made.comparison is not None
    held = {"first", "second", "metric", "difference", "p_value"}
    assert held <= set(made.comparison.to_polars().columns)


def test_the_hostile_name_is_one() -> None:
    assert HOSTILE in noun("Results").scores.systems


def test_the_page_on_notebooks_says_what_each_noun_has() -> None:
    page = (Path(__file__).parents[2] / "docs" / "8-workbench.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.partition("| object |")[2].partition("\n\n")[0].splitlines()[2:]
    ]
    said = {
        "ratings, judgments": ("Ratings", "Judgments"), "split": ("Split",),
        "statistics": ("Statistics",), "run, ranking": ("Run", "Ranked"), "scores": ("Scores",),
        "summary, evaluation, results": ("Summary", "Evaluation", "Results"),
        "comparison": ("Comparison",), "assessment": ("Assessment",),
        "results of a study": ("StudyResults",), "results on several data sets": (),
        "experiment, study": ("Experiment", "Study"), "plan": (), "checklist": (),
        "comparison of results": (),
    }  # fmt: skip
    assert [row[0] for row in rows] == list(said)
    assert {name for names in said.values() for name in names} == set(NOUNS)
    for first, *cells in rows:
        for name in said[first]:
            for method, cell in zip(
                ("to_pandas", "to_latex", "plot", "report"), cells, strict=True
            ):
                assert hasattr(noun(name), method) is (cell != "–"), (name, method)


def test_an_evaluation_shows_values_of_single_users_and_of_whole_runs() -> None:
    test = {"user": [1, 1, 2], "item": [7, 8, 7], "rating": [5, 2, 5]}
    runs = {"A": {1: [7, 8], 2: [8, 7]}, "B": {1: [8, 7], 2: [7]}}
    decided: Any = {"relevance": 4, "catalogue": [7, 8, 9]}

    def captions(metrics: list[str]) -> list[str]:
        made = cf.evaluate(test, runs, metrics, **decided)
        page = read_page(made._repr_html_())
        cells = [each.text for each in page.all("td")]
        for system in runs:
            for metric in made.lists[system]:
                assert f"{made.lists[system][metric]:.4f}" in cells
        return [each.text for each in page.all("caption")]

    assert captions(["nDCG@3", "Gini@3", "CatalogueCoverage@3"])[1:] == ["Whole runs"]
    assert captions(["Gini@3"]) == ["Whole runs"]
    assert len(captions(["nDCG@3"])) == 1
