"""The section of a report on tuning."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from pathlib import Path

import pytest

from cranfield.view.charts.tuning_plots import tuning_plot
from cranfield.view.page.report import charts_of, render_report, write_chart_files
from cranfield.view.tables.tuning import (
    TunedSystem,
    TuningContent,
    tuning_headings,
    tuning_rows,
    tuning_table,
)
from page_reader import read_page
from report_cases import HOSTILE, made_report


def system(name: str, where: str = "fold 1", trials: int = 3) -> TunedSystem:
    values = [0.25, 0.25, 0.5][:trials]
    return TunedSystem(
        name=name,
        where=where,
        chosen="k = 30 (highest tried)",
        trials=trials,
        default=values[0],
        best=values[-1],
        curve=tuple(enumerate(values, start=1)),
    )


def content(*systems: TunedSystem, places: bool = False) -> TuningContent:
    rows = [
        (each.name, each.where, f"{number}", "k = 3", "1", f"{value:.4f}", "0.10", "7")
        for each in systems
        for number, value in each.curve
    ]
    return TuningContent(
        sentence="The parameters of kNN were tuned.",
        metric="nDCG@10",
        systems=systems,
        trials=tuple(rows),
        has_places=places,
    )


def test_the_section_shows_what_was_chosen_and_every_trial() -> None:
    made = replace(made_report(), tuning=content(system("kNN"), system("MF")))
    page = read_page(render_report(made))
    assert page.rows("What was chosen on validation ratings, by nDCG@10")[1:] == [
        ["kNN", "k = 30 (highest tried)", "3", "0.2500", "0.5000", "+0.2500"],
        ["MF", "k = 30 (highest tried)", "3", "0.2500", "0.5000", "+0.2500"],
    ]
    trials = page.rows("All trials, with nDCG@10 on validation ratings")
    assert len(trials) == 1 + 6
    assert trials[3] == ["kNN", "fold 1", "3", "k = 3", "1", "0.5000", "0.10", "7"]
    assert "tuning-curves" in charts_of(made)


def test_no_name_of_the_page_is_taken_twice() -> None:
    text = render_report(replace(made_report(), tuning=content(system("kNN"))))
    names = [each.attributes["id"] for each in read_page(text).elements if "id" in each.attributes]
    assert len(names) == len(set(names))


def test_where_stands_in_the_table_only_if_there_are_several_places() -> None:
    several = content(system("kNN", "fold 1"), system("kNN", "fold 2"), places=True)
    assert tuning_headings(several)[:2] == ("system", "where")
    assert [row[1] for row in tuning_rows(several)] == ["fold 1", "fold 2"]
    assert "where" not in tuning_headings(content(system("kNN")))
    assert "Tuned on validation ratings, by nDCG@10" in tuning_table(several)


def test_a_single_trial_is_no_curve() -> None:
    assert tuning_plot(content(system("kNN", trials=1))) is None
    plot = tuning_plot(content(system("kNN"), system("MF", trials=1)))
    assert plot is not None
    assert [row[0] for row in plot.rows] == ["kNN"] * 3
    assert plot.description == "Trial 1 is the defaults. kNN reaches 0.5000."


def test_a_default_that_failed_is_a_dash() -> None:
    failed = replace(system("kNN"), default=nan, curve=((1, nan), (2, 0.5)))
    assert tuning_rows(content(failed))[0][3:] == ("–", "0.5000", "–")
    assert tuning_plot(content(failed)) is not None


def test_without_tuning_there_is_no_section() -> None:
    assert "How were parameters chosen?" not in render_report(made_report())


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name: str) -> None:
    plain = read_page(render_report(made_report()))
    page = read_page(render_report(replace(made_report(), tuning=content(system(name)))))
    assert len(page.all("script")) == len(plain.all("script"))
    assert not any("onload" in each.attributes for each in page.elements)
    assert page.rows("What was chosen")[1][0] == name


@pytest.mark.long
def test_the_curve_is_written_as_a_chart(tmp_path: Path) -> None:
    made = replace(made_report(), tuning=content(system("kNN")))
    assert "tuning-curves.svg" in {path.name for path in write_chart_files(made, tmp_path, ["svg"])}
