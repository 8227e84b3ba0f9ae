"""Reproductions: how claims are judged, panels chosen, and all of it written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import cranfield
from cranfield.base.errors import OptionError
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.reproduction import planning, reproduction, running
from cranfield.workbench.reproduction.files import item_of, work_key, write_reproduced
from cranfield.workbench.reproduction.planning import plan_reproduction
from cranfield.workbench.reproduction.records import frame_of
from cranfield.workbench.reproduction.reproducing import (
    Reproduced,
    Shown,
    judge_claim,
    reproduce,
    split_shown,
)
from cranfield.workbench.reproduction.reproduction import (
    Claim,
    Fault,
    Panel,
    Reproduction,
    Show,
    find_reproductions,
    fold_item,
    names,
    read_reproduction,
    run_alike,
)
from cranfield.workbench.reproduction.running import Figures, choose_panel, source_of
from cranfield.workbench.reproduction.states import (
    CONTRADICTED,
    EXPLAINED,
    FAILS,
    HOLDS,
    THEIRS_ONLY,
    UNTESTED,
    WITH_FAULT,
    Support,
    Verdict,
)
from cranfield.workbench.store.store import Store
from experiment_cases import TABLE

CLAIM = Claim("More is more.", "SELECT panel, value, value > 1 AS holds FROM figures")


def figures(*rows: tuple[str, float | None]) -> dict[str, pl.DataFrame]:
    return {"figures": pl.DataFrame(rows, schema=["panel", "value"], orient="row")}


def judged(frames: dict[str, pl.DataFrame], stand_ins: tuple[str, ...] = ()) -> Verdict:
    return judge_claim(CLAIM, [Figures(frames, {}, stand_ins)]).verdict


@pytest.mark.parametrize(
    ("values", "state", "held", "tested"),
    [
        ([2.0, 3.0], HOLDS, 2, 2),
        ([2.0, 1.0, 3.0], FAILS, 2, 3),
        ([1.0, 0.0], FAILS, 0, 2),
        ([2.0, None], HOLDS, 1, 1),
        ([None], UNTESTED, 0, 0),
    ],
)
def test_a_claim_is_judged_by_its_rows(
    values: list[float | None], state: str, held: int, tested: int
) -> None:
    rows = figures(*(("ours", value) for value in values))
    made = judge_claim(CLAIM, [Figures(rows)])
    ours = made.verdict.total("paper")
    assert (made.verdict.state, ours.held, ours.tested) == (state, held, tested)
    assert len(made.figures) == len(values)


def test_data_that_stand_in_for_the_papers_do_not_count() -> None:
    frames = figures(("ours", 2.0), ("other", 0.0), ("other", 5.0))
    made = judged(frames, ("other",))
    assert made.state == HOLDS
    assert made.said() == "holds on ours; on the stand-in other 1 of 2"
    assert judged(figures(("other", 2.0)), ("other",)).state == UNTESTED


def test_rows_that_name_no_data_are_of_the_only_data_set() -> None:
    claim = Claim("More.", "SELECT value, value > 1 AS holds FROM figures")
    drawn = Figures(figures(("A", 2.0)), {"A": "a.csv", "B": "b.csv"}, ("B",))
    assert judge_claim(claim, [drawn]).verdict.said() == "holds on A"


def test_a_claim_may_hold_in_some_draws_only() -> None:
    draws = [Figures(figures(("ours", value))) for value in (0.0, 2.0, 5.0)]
    some = judge_claim(CLAIM, draws).verdict
    assert some.state == "holds in 2 of 3 draws"
    assert some.said() == "in 2 of 3 draws; in the first, does not hold on ours"
    every = judge_claim(CLAIM, draws[1:]).verdict
    assert (every.state, every.said()) == (HOLDS, "in 2 of 2 draws on ours")
    assert judge_claim(CLAIM, [draws[0], draws[0]]).verdict.state == FAILS


def test_a_claim_may_hold_with_a_fault_only() -> None:
    ours, faulty = Figures(figures(("ours", 0.0))), Figures(figures(("ours", 2.0)))
    made = judge_claim(CLAIM, [ours], [faulty]).verdict
    assert made.state == WITH_FAULT
    assert made.said("T 1.0") == "does not hold on ours; with the fault of T 1.0 1 of 1"
    assert judge_claim(CLAIM, [faulty], [ours]).verdict.state == HOLDS
    stand_in = Figures(figures(("ours", 2.0)), {}, ("ours",))
    assert judge_claim(CLAIM, [ours], [stand_in]).verdict.state == FAILS


def test_the_authors_figures_contradict_a_claim_or_decide_it_alone() -> None:
    ours = Figures(figures(("ours", 2.0)))
    theirs = figures(("A", 2.0), ("B", 0.0))
    made = judge_claim(CLAIM, [ours], theirs=theirs).verdict
    assert made.state == CONTRADICTED
    assert made.said() == "holds on ours; on the authors' figures A 1 of 1, B 0 of 1"
    nothing = Figures(figures(("ours", None)))
    assert judge_claim(CLAIM, [nothing], theirs=figures(("A", 2.0))).verdict.state == HOLDS
    against = Figures(figures(("ours", 0.0)))
    assert judge_claim(CLAIM, [against], theirs=figures(("A", 2.0))).verdict.state == THEIRS_ONLY
    other = {"others": pl.DataFrame({"value": [0.0]})}
    assert judge_claim(CLAIM, [ours], theirs=other).verdict.state == HOLDS  # it is not asked


def test_figures_of_another_paper_are_named_and_reasons_are_known() -> None:
    against = Figures(figures(("A", 0.0)))
    named = replace(CLAIM, authors_of="other2018")
    verdict = judge_claim(named, [against], theirs=figures(("A", 2.0))).verdict
    assert verdict.said().endswith("on the authors' figures of other2018 A 1 of 1")
    explained = judge_claim(replace(CLAIM, reason="Too little.", note="Seen."), [against])
    assert explained.verdict.state == EXPLAINED
    assert explained.to_dict("tool")["note"] == "Too little. Seen."


def test_printed_numbers_are_asked_a_question_of_their_own() -> None:
    claim = Claim(CLAIM.says, CLAIM.test, "SELECT p, p < 1 AS holds FROM published")
    frames = {**figures(("ours", 2.0)), "published": pl.DataFrame({"p": [0.5, 3.0]})}
    made = judge_claim(claim, [Figures(frames)]).verdict
    assert made.state == CONTRADICTED
    assert made.said() == "holds on ours; on the authors' figures 1 of 2"


def made_of(**changes: Any) -> Reproduction:
    given: dict[str, Any] = {
        "paper": "someone1999",
        "item": "Table 1",
        "title": "What is popular",
        "definition": {**TABLE, "metrics": ["P@5"]},
        "panels": (Panel("", {}),),
        "small": {"relevance": 3},
        "shows": (Show("Values | all", "SELECT system, value FROM figures ORDER BY system"),),
        "claims": (Claim("Nobody is above 1.", "SELECT value, value <= 1 AS holds FROM figures"),),
        "published": ({"system": "kNN", "value": 0.25},),
    }
    return Reproduction(**{**given, **changes})


def test_positive_ratings_and_the_split_can_be_asked_for() -> None:
    positives = Show("Positive", "SELECT SUM(ratings) AS liked FROM positives")
    tested = Show("Split", "SELECT SUM(ratings) AS ratings, SUM(tested) AS tested FROM split")
    made = reproduce(made_of(shows=(positives, tested), small={}), Store(None))
    ratings = cranfield.read("simulated(size=tiny)")
    experiment = read_table(made.reproduction.definition)
    parts = cranfield.split(ratings, experiment.split, seed=experiment.seed)
    liked, split = (each.rows.row(0) for each in made.shown)
    assert liked == (int((ratings.values >= experiment.relevance).sum()),)
    assert split == (len(ratings), len(parts.test))


def test_the_popularity_of_all_data_of_a_study_can_be_asked_for() -> None:
    show = Show(
        "Top",
        """
        SELECT "data.alpha" AS alpha, MAX(ratings) AS top, SUM(ratings) AS ratings
        FROM popularity_by_data GROUP BY "data.alpha" ORDER BY alpha
    """,
    )
    source = "power-law(users=30, items=20, ratings=200)"
    study = {"draws": 0, "vary": {"data.alpha": [0.0, 1.5], "metric": ["P", "Recall"]}}
    definition = {**TABLE, "data": source, "metrics": ["P@5"], "study": study}
    claim = Claim("Nobody is above 1.", "SELECT value, value <= 1 AS holds FROM figures")
    made = reproduce(made_of(definition=definition, shows=(show,), claims=(claim,)), Store(None))
    flat, steep = made.shown[0].rows.rows()
    assert flat == (0.0, 10, 200)
    assert steep[1] > 10
    assert steep[2] == 200


def test_a_small_edition_takes_its_own_answers() -> None:
    made = reproduce(made_of(), Store(None), small=True)
    assert made.small
    assert made.data == {"": "simulated(size=tiny)"}
    [shown] = made.shown
    assert shown.rows["system"].to_list() == ["Popularity", "Random", "kNN"]
    [judgment] = made.judgments
    assert judgment.verdict.state == HOLDS
    assert judgment.verdict.total("paper").tested == 3
    assert json.loads(json.dumps(made.to_dict()))["claims"][0]["supports"][0]["held"] == 3


def test_a_stand_in_takes_the_place_of_data_that_are_not_at_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(running, "is_at_hand", lambda source: source != "absent")
    panel = Panel("Paper", {"data": "absent"}, {"data": "simulated(size=tiny)"}, "Simulated")
    other = Panel("Other", {"data": {"source": "simulated(size=tiny)"}, "relevance": 3})
    chosen = [choose_panel(each, made_of(), small=False) for each in (panel, other)]
    assert chosen[0] == ("Simulated", {"data": "simulated(size=tiny)"}, True)
    assert chosen[1] == ("Other", dict(other.answers), False)
    assert source_of(chosen[1][1], made_of()) == "simulated(size=tiny)"


def test_lines_of_several_panels_have_a_picture_each() -> None:
    rows = pl.DataFrame({"x": [1, 1], "y": [2, 3], "s": ["a", "a"], "panel": ["P", "Q"]})
    show = Show("Curves", "", "lines", "x", "y")
    found = split_shown(show, rows)
    assert [each.show.title for each in found] == ["Curves, P", "Curves, Q"]
    assert all("panel" not in each.rows.columns for each in found)
    assert [each.show.title for each in split_shown(Show("T", ""), rows)] == ["T"]


def test_what_was_made_is_written_whole(tmp_path: Path) -> None:
    made = reproduce(made_of(differs="It  differs\nin a word."), Store(None), small=True)
    write_reproduced([made.to_dict()], tmp_path / "out")
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert written == ["reproduction.html", "reproduction.json", "reproduction.md"]
    text = (tmp_path / "out" / "reproduction.md").read_text()
    assert text.startswith("1 claim of 1 table or figure: 1 holds.\n")
    assert "| someone1999, Table 1 | Nobody is above 1. | holds | holds |" in text
    assert "\nIt differs in a word.\n" in text
    record = json.loads((tmp_path / "out" / "reproduction.json").read_text())
    shown = record["items"][0]["shows"][0]
    assert shown["rows"][0]["system"] == "Popularity"
    assert shown["labels"]["system"] == "system"
    assert frame_of(shown, "rows").equals(made.shown[0].rows)


def test_an_item_names_its_data_and_stand_ins() -> None:
    shown = (Shown(Show("T", ""), pl.DataFrame({"value": [1.0]})),)
    made = Reproduced(made_of(), shown, (), {"A": "ml-1m", "B": "x.csv"}, ("B",), False, 1.0, 2.0)
    item = item_of(made.to_dict())
    assert item.name == "someone1999-table-1"
    assert item.data == "A: ml-1m, B: x.csv"
    assert item.notes == ("B: the paper's data are not available.",)


def test_items_are_in_the_order_of_the_papers() -> None:
    found = names()
    assert found == sorted(found, key=reproduction._in_order)
    assert found.index("bellogin2017-figure-5") + 1 == found.index("bellogin2017-figure-5-right")
    kinds = [name for name in found if name.startswith("canamares2020")]
    assert kinds[0] == "canamares2020-table-1"
    assert kinds.index("canamares2020-figure-1") > kinds.index("canamares2020-table-4")


def test_the_thesis_is_run_as_the_article_is() -> None:
    """Figures 4.1 to 4.7 are Figures 2 to 8 of bellogin2017, apart from what is said of them."""
    every = {each.name: each for each in find_reproductions()}
    thesis = [each for each in every.values() if each.paper == "bellogin2012"]
    assert len(thesis) == 9
    for each in thesis:
        number, _, side = each.item.removeprefix("Figure 4.").partition(" ")
        name = f"bellogin2017-figure-{int(number) + 1}{'-right' if side else ''}"
        article = every[name]
        assert each.definition == article.definition
        assert (each.shows, each.claims) == (article.shows, article.claims)
        assert "§4." in each.title


def test_what_is_run_alike_in_another_paper_is_found() -> None:
    [figure] = find_reproductions("bellogin2017", "Figure 4")
    [other] = run_alike(figure)
    assert other.name == "bellogin2012-figure-4.3"
    assert run_alike(other) == [figure]
    assert run_alike(replace(figure, later={})) == []


def test_order_does_not_depend_on_the_file_system() -> None:
    some = ["p-figure-5-right", "p-figure-10", "p-figure-5", "p-table-2", "a-figure-1"]
    for given in (some, some[::-1]):
        assert sorted(given, key=reproduction._in_order) == [
            "a-figure-1", "p-table-2", "p-figure-5", "p-figure-5-right", "p-figure-10",
        ]  # fmt: skip


def test_what_files_share_is_below_what_they_say_themselves() -> None:
    for name in names():
        made = read_reproduction(name)
        assert made.name == name
        assert fold_item(made.item) == name.partition("-")[2]
        assert "reproduction" not in made.definition


@pytest.mark.parametrize("item", ["Table 2", "table2", "tab2", "TABLE-2", "tab 2"])
def test_an_item_is_found_however_it_is_called(item: str) -> None:
    [found] = find_reproductions("Canamares2020", item)
    assert found.item == "Table 2"


def test_a_near_name_is_offered() -> None:
    with pytest.raises(OptionError, match=r'Did you mean "canamares2020"\? There are bellogin2012'):
        find_reproductions("canamares2000")
    with pytest.raises(OptionError, match=r'has no "Table 22".*Did you mean "Table 2"'):
        find_reproductions("canamares2020", "Table 22")


def test_a_folder_that_cannot_be_written_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any, **__: Any) -> None:
        raise AssertionError("it was begun")

    monkeypatch.setattr("cranfield.workbench.cli.reproduce.reproduce", never)
    (tmp_path / "file").write_text("in the way")
    assert main(["reproduce", "canamares2020", "Table 2", "--out", str(tmp_path / "file")]) == 1
    assert "a file of that name is in the way" in capsys.readouterr().err


def test_draws_are_of_seeds_that_follow_each_other() -> None:
    published = ({"system": "Random", "P": 0.5},)
    show = Show(
        "Values",
        """SELECT figures.system, figures.value, published.P AS value_printed
        FROM figures LEFT JOIN published ON published.system = figures.system""",
    )
    made = reproduce(made_of(published=published, shows=(show,)), Store(None), seeds=3)
    first = running.first_seed(made.reproduction)
    assert made.seeds == (first, first + 1, first + 2)
    assert made.judgments[0].verdict.draws == 3
    values = [
        reproduce(
            made_of(
                shows=(show,), published=published,
                definition={**made.reproduction.definition, "seed": seed},
            ),
            Store(None),
        ).shown[0].rows.filter(pl.col("system") == "Random")["value"][0]
        for seed in made.seeds
    ]  # fmt: skip
    among = made.shown[-1].rows.row(0, named=True)
    assert (among["system"], among["figure"], among["printed"]) == ("Random", "value", 0.5)
    assert (among["least"], among["most"]) == (min(values), max(values))
    assert (among["draws_below"], among["draws"]) == (sum(v < 0.5 for v in values), 3)


def test_a_panel_with_a_seed_of_its_own_has_later_draws_of_that() -> None:
    made = made_of()
    first = running.first_seed(made)
    assert first == read_table(made.definition).seed
    assert running.answers_of_draw({}, made, 0) == {}
    assert running.answers_of_draw({}, made, 2) == {"seed": first + 2}
    assert running.answers_of_draw({"seed": 7}, made, 2) == {"seed": 9}


def test_draws_after_the_first_may_have_fewer_designs() -> None:
    show = Show("Designs", "SELECT metric FROM figures GROUP BY metric")
    study = {"draws": 0, "vary": {"metric": ["P", "Recall"]}}
    made = made_of(
        definition={**TABLE, "metrics": ["P@5"], "study": study}, shows=(show,), small={},
        later={"study.vary.metric": ["P", "Success"]},
    )  # fmt: skip
    edition = running.Edition(Store(None))
    metrics = [
        running.run_figures(made, edition, {}, draw).frames["figures"]["metric"].unique().sort()
        for draw in range(2)
    ]
    assert [each.to_list() for each in metrics] == [["P", "Recall"], ["P", "Success"]]
    assert plan_reproduction(made, seeds=3).designs == 6
    small = running.answers_of_draw({}, made, 1, small=True)
    assert "study.vary.metric" not in small


def test_fewer_designs_are_said_where_they_are_defined() -> None:
    told = " ".join(read_reproduction("bellogin2017-figure-5").differs.split())
    fewer = "have fewer designs: data.alpha is 0.0, 2.0."
    assert told.endswith(f"To save time the draws after the first {fewer}")
    assert "fewer designs" not in read_reproduction("canamares2020-table-2").differs


def test_what_stands_in_is_run_in_the_first_draw_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "is_at_hand", lambda source: source != "absent")
    monkeypatch.setattr(planning, "is_at_hand", lambda source: source != "absent")
    panel = Panel("Paper", {"data": "absent"}, {"data": "simulated(size=tiny)"}, "Simulated")
    made = made_of(panels=(Panel("Own", {}), panel), shows=())
    edition = running.Edition(Store(None))
    first, later = (
        running.run_figures(made, edition, {}, draw, stand_ins=not draw) for draw in range(2)
    )
    assert (list(first.data), first.stand_ins) == (["Own", "Simulated"], ("Simulated",))
    assert (list(later.data), later.stand_ins) == (["Own"], ())
    every = reproduce(made, Store(None), seeds=3)
    assert (every.stand_ins, len(every.seeds)) == (("Simulated",), 3)
    assert every.judgments[0].verdict.draws == 3
    planned = plan_reproduction(made, seeds=3)
    source = "simulated(size=tiny)"
    assert planned.data == (source, f"{source} (stand-in)")
    assert planned.designs == 4
    claim = Claim("Nobody is above 1.", "SELECT panel, value <= 1 AS holds FROM figures")
    alone = reproduce(made_of(panels=(panel,), shows=(), claims=(claim,)), Store(None), seeds=3)
    assert (alone.judgments[0].verdict.state, len(alone.seeds)) == (UNTESTED, 1)


def test_a_fault_is_tried_beside_the_right_figures() -> None:
    claim = Claim("All is perfect.", "SELECT value, value = 1 AS holds FROM figures")
    fault = Fault("T", "T counts all as perfect.", {"metrics": ["P(unjudged=relevant)@5"]})
    plain = reproduce(made_of(claims=(claim,)), Store(None))
    made = reproduce(made_of(claims=(claim,), fault=fault), Store(None))
    assert plain.judgments[0].figures.equals(made.judgments[0].figures)
    assert plain.shown[0].rows.equals(made.shown[0].rows)
    tried = made.judgments[0].verdict.total("fault")
    assert tried.tested == 3
    assert tried.held >= plain.judgments[0].verdict.total("paper").held
    assert made.to_dict()["fault"] == "T counts all as perfect."


def test_metrics_are_called_as_the_questions_do() -> None:
    show = Show("Values", "SELECT DISTINCT metric FROM figures")
    made = made_of(called={"P@5": "precision"}, shows=(show,))
    assert reproduce(made, Store(None)).shown[0].rows["metric"].to_list() == ["precision"]
    wide = pl.DataFrame({"metric": ["P@5"], "other": ["AP@5"], "P@5": [1.0]})
    found = running.called({"wide": wide}, {"P@5": "P"})["wide"]
    assert found.columns == ["metric", "other", "P"]
    assert found.row(0) == ("P", "AP@5", 1.0)


@pytest.mark.skipif(pl.__version__.startswith("1."), reason="`reproduce` needs Polars 2")
def test_what_was_made_before_is_not_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["reproduce", "canamares2020", "Table 2", "--small", "--store", "none"]
    out = ["--out", str(tmp_path / "out")]
    assert main([*command, *out]) == 0
    first = capsys.readouterr().out
    assert "1 of 1: canamares2020, Table 2: kNN and MF in the initial settings" in first
    calls: list[Any] = []
    monkeypatch.setattr(
        "cranfield.workbench.cli.reproduce.reproduce", lambda *a, **_: calls.append(a)
    )
    assert main([*command, *out]) == 0
    assert capsys.readouterr().out == first
    assert not calls
    place = tmp_path / "out" / "items" / "canamares2020-table-2.json"
    place.write_text("{half", encoding="utf-8")
    with pytest.raises(AttributeError):  # it is made again, by what makes nothing here
        main([*command, *out])
    assert len(calls) == 1


@pytest.mark.parametrize("bound", [1, 0])
def test_reasons_of_claims_that_do_not_hold_are_printed(
    bound: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    test = f"SELECT value, value <= {bound} AS holds FROM figures"
    claim = Claim("Nobody is above it.", test, reason="They are good.", note="Two were tried.")
    monkeypatch.setattr(
        "cranfield.workbench.cli.reproduce.find_reproductions",
        lambda *_: [made_of(claims=(claim,))],
    )
    assert main(["reproduce", "--store", "none"]) == 0
    printed = capsys.readouterr().out
    assert ("\n    They are good. Two were tried.\n" in printed) == (bound == 0)
    assert main(["reproduce", "--store", "none", "--small"]) == 0
    assert "They are good." not in capsys.readouterr().out  # what is said of the paper's data


def test_other_seeds_are_other_work() -> None:
    made = read_reproduction("canamares2020-table-2")
    keys = {work_key(made, small=True, seeds=seeds) for seeds in (1, 2)}
    changed = replace(made, title="Another")
    assert len({*keys, work_key(changed, small=True, seeds=1)}) == 3
    assert work_key(made, small=True, seeds=1) in keys


@pytest.mark.parametrize("seeds", ["0", "-1", "1001"])
def test_a_number_of_seeds_that_cannot_be_is_refused(
    seeds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", "canamares2020", "Table 2", "--seeds", seeds]) == 1
    told = capsys.readouterr().err
    assert f"reproduce, seeds: {seeds} is not a number from 1 to 1000." in told


def test_systems_decide_a_claim_without_which_it_would_be_otherwise() -> None:
    best = Claim(
        "Some system is above 0.05.",
        "SELECT MAX(value) AS best, MAX(value) > 0.05 AS holds FROM figures",
    )
    every = Claim("Nobody is above 1.", "SELECT value, value <= 1 AS holds FROM figures")
    systems = {**TABLE["systems"], "two": "Random", "three": "Random"}
    made = made_of(
        definition={**TABLE, "metrics": ["P@5"], "systems": systems}, claims=(best, every),
        shows=(Show("Values", "SELECT system, value FROM figures"),), small={},
    )  # fmt: skip
    values = dict(reproduce(made, Store(None)).shown[0].rows.rows())
    first, second = sorted(values.values(), reverse=True)[:2]
    bound = (first + second) / 2
    asked = replace(best, test=best.test.replace("0.05", f"{bound}"))
    [leader] = [name for name, value in values.items() if value == first]
    found = reproduce(replace(made, claims=(asked, every)), Store(None), leave_out=True)
    decided, free = (each.verdict for each in found.judgments)
    assert (decided.decisive, free.decisive) == ((leader,), ())
    assert f"ours say the opposite without {leader}" in decided.said()
    plain = reproduce(replace(made, claims=(asked,)), Store(None))
    assert plain.judgments[0].verdict.decisive == ()
    note = "Claims are judged again without each of the 5 systems in turn, and name those without "
    note += "which the answer would be the opposite."
    assert found.left_out == tuple(systems)
    assert item_of(found.to_dict()).notes[-1] == note
    assert plain.left_out == ()
    assert note not in item_of(plain.to_dict()).notes


def test_several_systems_decide_each_alone() -> None:
    made = Verdict(supports=(Support("authors", "A", 1, 1),), authors_decisive=("x", "y"))
    told = "on the authors' figures A 1 of 1; theirs say the opposite without any one of x, y"
    assert made.said() == told


def test_no_system_is_left_out_of_a_pair() -> None:
    assert running.systems_of(read_reproduction("canamares2020-figure-2"), small=True) == []
    assert "SLIM" in running.systems_of(read_reproduction("valcarce2018-figure-5"), small=False)
