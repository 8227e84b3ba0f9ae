"""Studies: which designs there are, and what is wrong with a study's table."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from cranfield.base.errors import BadExperiment, CranfieldError
from cranfield.workbench.definition.definition import read_definition
from cranfield.workbench.definition.files import toml_text
from cranfield.workbench.definition.study.designs import Universe
from cranfield.workbench.definition.study.study import Study, read_study
from experiment_cases import file_of, study_of, table_of

Row = tuple[Any, ...]


def rows_of(study: dict[str, Any], **changes: Any) -> list[Row]:
    return Universe(study_of(study, **changes)).decisions().rows()


def base_of(study: dict[str, Any], **changes: Any) -> int | None:
    return Universe(study_of(study, **changes)).base


def test_crossed_designs_are_all_combinations_in_order() -> None:
    study = {"vary": {"cutoff": [5, 10], "relevance": [3, 4, 5]}}
    assert rows_of(study) == [
        (cutoff, relevance) for cutoff in (5.0, 10.0) for relevance in (3.0, 4.0, 5.0)
    ]
    assert base_of(study) == 1


def test_one_at_a_time_is_the_base_and_every_step_away_from_it() -> None:
    study = {
        "way": "one-at-a-time",
        "vary": {"cutoff": [5, 10], "relevance": [3, 4, 5], "coverage": ["full", "common"]},
    }
    assert rows_of(study) == [
        (5.0, 4.0, "full"),
        (10.0, 4.0, "full"),
        (5.0, 3.0, "full"),
        (5.0, 5.0, "full"),
        (5.0, 4.0, "common"),
    ]
    assert base_of(study) == 0


def test_one_at_a_time_the_base_need_not_be_among_the_answers() -> None:
    study = {"way": "one-at-a-time", "vary": {"cutoff": [7], "aggregation": ["median"]}}
    assert rows_of(study) == [(5.0, "mean"), (7.0, "mean"), (5.0, "median")]


def test_a_base_beside_the_answers_is_not_among_the_designs() -> None:
    assert base_of({"vary": {"cutoff": [7, 9]}}) is None


def test_a_share_of_the_designs_is_drawn_from_the_seed() -> None:
    vary = {"cutoff": list(range(1, 21)), "relevance": [3, 4]}
    every = rows_of({"vary": vary})
    some = rows_of({"vary": vary, "share": 0.25})
    assert len(some) == round(0.25 * 40)
    assert some == [row for row in every if row in some], "in the order of all"
    assert some == rows_of({"vary": vary, "share": 0.25})
    assert some != rows_of({"vary": vary, "share": 0.25}, seed=1)
    assert set(some) < set(rows_of({"vary": vary, "share": 0.5}))
    assert len(rows_of({"vary": vary, "share": 0.001})) == 1


def test_what_does_not_apply_to_a_metric_is_null_and_counts_once() -> None:
    study = {
        "vary": {
            "metric": ["nDCG", "P", "AUC", "RBP(p=0.8)"],
            "cutoff": [5, 10],
            "gain": ["binary", "exponential"],
        }
    }
    assert rows_of(study) == [
        ("nDCG", 5.0, "binary"),
        ("nDCG", 5.0, "exponential"),
        ("nDCG", 10.0, "binary"),
        ("nDCG", 10.0, "exponential"),
        ("P", 5.0, None),
        ("P", 10.0, None),
        ("AUC", None, None),
        ("RBP(p=0.8)", 5.0, "binary"),
        ("RBP(p=0.8)", 5.0, "exponential"),
        ("RBP(p=0.8)", 10.0, "binary"),
        ("RBP(p=0.8)", 10.0, "exponential"),
    ]


def test_parameters_of_the_metric_are_varied_by_name() -> None:
    rows = rows_of({"vary": {"metric": ["RBP(p=0.5)", "P"], "metric.p": [0.8, 0.9]}})
    assert rows == [("RBP(p=0.5)", 0.8), ("RBP(p=0.5)", 0.9), ("P", None)]


def test_the_metric_of_a_design_keeps_the_cutoff_and_nothing_else_of_the_base() -> None:
    study = study_of({"vary": {"metric": ["P", "RR@3"]}}, metrics=["nDCG(gain=exponential)@7"])
    assert [str(each.metric) for each in Universe(study).designs] == ["P@7", "RR@3"]


def test_one_at_a_time_the_metric_of_the_base_keeps_its_parameters() -> None:
    study = study_of(
        {"way": "one-at-a-time", "vary": {"metric": ["P", "RBP(p=0.9)"], "cutoff": [3, 9]}},
        metrics=["RBP(p=0.8, gain=exponential)@9", "P@2"],
    )
    universe = Universe(study)
    metrics = [str(each.metric) for each in universe.designs]
    base = "RBP(p=0.8, gain=exponential)"
    assert metrics == [f"{base}@9", "P@9", "RBP(p=0.9)@9", f"{base}@3"]
    assert universe.decisions().rows()[0] == (base, 9.0)
    assert universe.base == 0


@pytest.mark.parametrize("way", ["crossed", "one-at-a-time"])
@pytest.mark.parametrize("nothing", ["none", None])
def test_none_is_an_answer_too(way: str, nothing: str | None) -> None:
    """As text in TOML, which has no other way to say it."""
    study = study_of(
        {"way": way, "vary": {"cutoff": [nothing, 5], "systems.kNN.threshold": [nothing, 4]}},
        metrics=["nDCG"],
    )
    universe = Universe(study)
    assert universe.decisions().rows()[:1] == [("none", "none")]
    assert universe.base == 0
    assert {str(each.metric) for each in universe.designs} == {"nDCG", "nDCG@5"}
    assert len(universe.designs) == (4 if way == "crossed" else 3)
    again = Universe(read_study(tomllib.loads(toml_text(study.to_table()))))
    assert again.decisions().equals(universe.decisions())


def test_equal_designs_count_once() -> None:
    vary = {"split": ["per-user", "per-user(test_share=0.2)", "per-user(test_share=0.4)"]}
    assert rows_of({"vary": vary}) == [("per-user",), ("per-user(test_share=0.4)",)]
    assert rows_of({"vary": {"targets": ["TI", "test-items", "test-items, all-relevant"]}}) == [
        ("test-items, all-relevant, all-nonrelevant",)
    ]


PROTOCOLS = {
    "AR": {"targets": "test-items"},
    "1R": {"targets": "1R, sampled(n=9)", "metric": "RR", "least_train": 2},
    "nested": {"split": {"test_share": 0.3}, "comparison": {"test": "sign"}},
}


def test_answers_given_together_are_taken_together() -> None:
    study = study_of({"together": {"protocol": PROTOCOLS}, "vary": {"cutoff": [3, 5]}})
    designs = {
        (each.answers["protocol"], each.answers["cutoff"]): each for each in Universe(study).designs
    }
    assert list(designs) == [(name, cutoff) for cutoff in (3, 5) for name in PROTOCOLS]
    one = designs["1R", 3]
    assert str(one.metric) == "RR@3"
    assert one.experiment.least_train == 2
    assert str(one.experiment.targets) == "all-items, one-relevant, sampled(n=9)"
    nested = designs["nested", 5].experiment
    assert str(nested.split) == "per-user(test_share=0.3)"
    assert str(nested.comparison.test) == "sign"


def test_one_at_a_time_the_named_answer_that_is_the_base_is_found() -> None:
    study = {"way": "one-at-a-time", "together": {"protocol": PROTOCOLS}}
    assert rows_of(study, targets="TI")[0] == ("AR",)
    assert rows_of(study)[0] == ("base",)


def test_designs_with_the_same_rankings_share_a_cell() -> None:
    study = study_of(
        {
            "vary": {
                "aggregation": ["mean", "median"],
                "coverage": ["full", "common"],
                "undefined": ["left-out", "zero"],
                "comparison.test": ["permutation", "sign"],
                "cutoff": [3, 5],
                "relevance": [3, 4],
            }
        }
    )
    designs = Universe(study).designs
    assert len(designs) == 2**6
    assert len({each.cell for each in designs}) == 2
    assert len({each.experiment for each in designs}) == 2**6


def test_systems_are_varied_by_their_parameters() -> None:
    study = study_of({"vary": {"systems": {"kNN": {"k": [2, 5]}}, "systems.Random": ["Random"]}})
    designs = Universe(study).designs
    assert [str(each.experiment.systems["kNN"]) for each in designs] == [
        "user-kNN(k=2)",
        "user-kNN(k=5)",
    ]
    assert all(each.experiment.names == study.base.names for each in designs)


def test_a_study_written_as_toml_is_read_again_as_the_same(tmp_path: Path) -> None:
    study = study_of(
        {
            "way": "crossed",
            "share": 0.5,
            "pair": ["kNN", "Random"],
            "draws": 50,
            "vary": {"topics": ["all", "judged"], "cutoff": [3, 5]},
            "together": {"protocol": PROTOCOLS},
        }
    )
    again = read_study(tomllib.loads(toml_text(study.to_table())))
    assert again == study
    path = tmp_path / "study.toml"
    path.write_text(toml_text(study.to_table()))
    found = read_definition(path)
    assert isinstance(found, Study)
    assert found.base == study.base
    assert found.vary == study.vary


def test_answers_of_a_study_are_overridden(tmp_path: Path) -> None:
    path = file_of(tmp_path, study={"vary": {"cutoff": [3, 5]}, "draws": 10})
    found = read_definition(path, ["study.vary.cutoff=[1, 2, 3]", "study.draws=0", "seed=4"])
    assert isinstance(found, Study)
    assert found.vary == {"cutoff": (1, 2, 3)}
    assert found.draws == 0
    assert found.base.seed == 4


def test_all_problems_of_a_study_and_its_experiment_are_told_at_once() -> None:
    table = table_of(
        relevance="x",
        study={
            "way": "random", "share": 2, "draws": -1, "pair": ["kNN", "who"], "varied": 1,
            "vary": {"cutoff": [], "split": {"test_share": 0.3}, "metrics": [["P@5"]]},
            "together": {"cutoff": {"a": {"cutoff": 5}}},
        },
    )  # fmt: skip
    with pytest.raises(BadExperiment) as caught:
        read_study(table, "study.toml")
    assert [path for path, _ in caught.value.problems] == [
        "relevance", "study.vary.cutoff", "study.vary.split.test_share", "study.together.cutoff",
        "study.vary.metrics", "study.way", "study.share", "study.draws", "study.varied",
    ]  # fmt: skip
    assert all(line.startswith("study.toml, ") for line in str(caught.value).splitlines())


@pytest.mark.parametrize(
    ("study", "message"),
    [
        (5, "study: 5 is not a table"),
        ({}, "study.vary: it must give at least one decision several answers"),
        ({"vary": {}}, "study.vary: it must give"),
        ({"vary": 5}, "study.vary: 5 is not a list"),
        ({"vary": {"seed": 5}}, "study.vary.seed: 5 is not a list"),
        ({"vary": {"seed": []}}, "study.vary.seed: it needs at least one answer"),
        ({"vary": {"seed": [1]}, "vari": 1}, 'study.vari: .*Did you mean "vary"'),
        (
            {"vary": {"seed": [1]}, "way": "x"},
            'study.way: "x" is not one of crossed, one-at-a-time',
        ),
        ({"vary": {"seed": [1]}, "share": 0}, "study.share: 0 is not a number above 0"),
        ({"vary": {"seed": [1]}, "share": True}, "study.share: true is not a number"),
        ({"vary": {"seed": [1]}, "share": 0.5, "way": "one-at-a-time"}, "for crossed designs"),
        ({"vary": {"seed": [1]}, "draws": 1.5}, "study.draws: 1.5 is not a whole number"),
        ({"vary": {"seed": [1]}, "pair": ["kNN"]}, "study.pair: .*is not a list of 2"),
        ({"vary": {"seed": [1]}, "pair": ["kNN", "kNN"]}, 'study.pair: "kNN" is given twice'),
        ({"vary": {"seed": [1]}, "pair": "kNN"}, r'study.pair: "kNN" is not a list of 2'),
        ({"together": 5}, "study.together: it is not a table of named answers"),
        ({"together": {"p": 5}}, "study.together: it is not a table of named answers"),
        ({"together": {"p": {}}}, "study.together: it is not a table of named answers"),
        ({"together": {"p": {"A": 5}}}, "study.together: it is not a table of named answers"),
        ({"vary": {"systems": [{}]}}, "study.vary.systems: all designs compare the same systems"),
        ({"vary": {"systems": {"kN": ["MF"]}}}, 'no system "kN". Did you mean "kNN"'),
        ({"together": {"p": {"A": {"runs.x": "y"}}}}, 'study.together.p.A.runs.x: .*system "x"'),
        ({"vary": {"metrics": [["P@5"]]}}, "study.vary.metrics: a design has one metric"),
        ({"vary": {"title": ["a"]}}, "study.vary.title: it decides nothing"),
        ({"vary": {"comparison.alpha": [0.1]}}, "vary comparison.test"),
    ],
)
def test_what_is_wrong_with_a_study_is_said(study: Any, message: str) -> None:
    with pytest.raises(BadExperiment, match=message):
        read_study({**table_of(), "study": study})


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ({"sed": [1]}, 'sed: experiment has no decision "sed". Did you mean "seed"'),
        ({"split.test_share": [0.2, 1.5]}, "split.test_share: 1.5 is not a number above 0"),
        ({"split.shar": [0.2]}, 'per-user has no parameter "shar"'),
        ({"topics": ["some"]}, 'topics: "some" is not one of'),
        ({"seed.x": [1]}, "seed: it has no part x"),
        ({"metric": ["nDGC"]}, 'no metric is called "nDGC". Did you mean "nDCG"'),
        ({"metric": ["RBP"]}, "RBP needs p"),
        ({"metric": ["RBP(0.8)"]}, "name its parameters"),
        ({"cutoff": [0]}, "cutoff: 0 is not a whole number"),
        ({"gain": ["x"]}, 'no gain is called "x"'),
        ({"systems.kNN.k": [0]}, "systems.kNN.k: 0 is not a whole number"),
        ({"study": [1]}, 'study: experiment has no decision "study"'),
        ({"targets": ["everything"]}, 'no choice of targets is called "everything"'),
    ],
)
def test_a_wrong_answer_is_told_before_anything_is_made(vary: dict[str, Any], message: str) -> None:
    study = study_of({"vary": vary})
    with pytest.raises(CranfieldError, match=message):
        _ = Universe(study).designs


def test_weights_of_answers_multiply_over_decisions() -> None:
    study = study_of(
        {
            "vary": {"cutoff": [5, 10], "split": {"test_share": [0.2, 0.4]}},
            "weights": {"cutoff": [2, 1], "split": {"test_share": [1, 3]}},
        }
    )
    weights = Universe(study).weights()
    assert weights is not None
    assert weights.tolist() == [2 * 1, 2 * 3, 1 * 1, 1 * 3]
    assert read_study(study.to_table()) == study
    assert Universe(study_of({"vary": {"cutoff": [5, 10]}})).weights() is None


def test_answers_of_the_base_and_decisions_that_do_not_apply_weigh_1() -> None:
    study = study_of(
        {
            "way": "one-at-a-time",
            "vary": {"cutoff": [10, 20], "gain": ["binary"]},
            "weights": {"cutoff": [2, 3]},
        }
    )
    weights = Universe(study).weights()
    assert weights is not None
    assert [row[0] for row in Universe(study).decisions().rows()] == [5.0, 10.0, 20.0, 5.0]
    assert weights.tolist() == [1, 2, 3, 1]


@pytest.mark.parametrize(
    ("weights", "place", "told"),
    [
        ({"cutof": [1, 2]}, "cutof", 'the study does not vary it. Did you mean "cutoff"?'),
        ({"cutoff": [1]}, "cutoff", "1 weight was given for 2 answers."),
        ({"cutoff": [-1, 2]}, "cutoff", "weights are not negative, and one is above 0."),
        ({"cutoff": [0, 0]}, "cutoff", "weights are not negative, and one is above 0."),
        ({"cutoff": 2}, "cutoff", "2 is not a list."),
        ({"cutoff": ["much", 2]}, "cutoff[0]", '"much" is not a number.'),
    ],
)
def test_wrong_weights_are_refused(weights: dict[str, Any], place: str, told: str) -> None:
    with pytest.raises(BadExperiment) as refused:
        study_of({"vary": {"cutoff": [5, 10]}, "weights": weights})
    assert (f"study.weights.{place}", told) in refused.value.problems


def test_the_family_of_the_joint_test_is_one_of_two() -> None:
    assert study_of({"vary": {"cutoff": [5]}}).joint_family == "pair"
    assert (
        study_of({"vary": {"cutoff": [5]}, "joint_family": "all-pairs"}).joint_family == "all-pairs"
    )
    with pytest.raises(BadExperiment, match="joint_family"):
        study_of({"vary": {"cutoff": [5]}, "joint_family": "pairs"})


def test_an_answer_may_weigh_nothing_as_long_as_another_counts() -> None:
    study = study_of({"vary": {"cutoff": [5, 10]}, "weights": {"cutoff": [0, 1]}})
    weights = Universe(study).weights()
    assert weights is not None
    assert weights.tolist() == [0, 1]
    for wrong in ([0, 0], [-1, 1]):
        with pytest.raises(BadExperiment, match="weights are not negative, and one is above 0"):
            study_of({"vary": {"cutoff": [5, 10]}, "weights": {"cutoff": wrong}})


def test_the_text_of_a_study_has_its_title_if_there_is_one() -> None:
    vary = {"vary": {"cutoff": [5, 10]}}
    assert "My study" in repr(study_of(vary, title="My study"))
    assert "None" not in repr(study_of(vary))


@pytest.mark.parametrize(
    "together", [{"protocol": {"AR": {"cutoff": 5}, "1R": 3}}, {"protocol": {"AR": "test-items"}}]
)
def test_answers_given_together_are_tables_every_one(together: dict[str, Any]) -> None:
    with pytest.raises(BadExperiment, match="it is not a table of named answers"):
        study_of({"together": together})


def test_designs_are_assessed_only_if_there_is_a_criterion() -> None:
    asked = {"vary": {"relevance": [3, 4]}, "assessed": "designs"}
    with pytest.raises(BadExperiment, match="assess"):
        study_of(asked)
    assert study_of(asked, assess=["correlation"]).assessed == "designs"


@pytest.mark.parametrize("place", ["vary", "together.effort"])
def test_budgets_that_are_varied_are_numbers_of_trials(place: str) -> None:
    """How many trials fit into seconds differs from run to run."""

    def study(*budgets: int | str) -> Study:
        sets = {f"of {each}": {"tuning.budget": each} for each in budgets}
        varied = {"tuning.budget": list(budgets)} if place == "vary" else {}
        together = {"effort": sets} if place != "vary" else {}
        return study_of({"vary": varied, "together": together}, systems={"kNN": "user-kNN(k=tune)"})

    assert len(Universe(study(3, 6)).designs) == 2
    with pytest.raises(BadExperiment, match="give numbers of trials") as refused:
        study(3, "30 s")
    assert f"{place}" in str(refused.value)
