"""What an evaluation of runs loads: not what only other work needs, so that it starts quickly."""

from __future__ import annotations

import subprocess
import sys

import pytest

NEEDLESS = (
    "collection.propensities",
    "recommendation.adapter",
    "recommendation.foreign",
    "recommendation.ranking.passing",
    "recommendation.ranking.rank",
    "recommendation.recommenders",
    "scoring.sample_corrections",
    "significance.comparison",
    "significance.kernels",
    "validity.assessment",
    "validity.bias",
    "validity.criteria",
    "validity.meta",
    "validity.study",
    "view.charts",
    "view.page",
    "view.tables.paper",
    "workbench.api",
    "workbench.execution.study",
    "workbench.execution.tuner",
    "workbench.execution.workers",
    "workbench.reproduction",
    "workbench.tuning.trials",
    "workbench.review",
    "workbench.verbs",
)
"""Modules and folders of models, tuning, workers, studies, assessments and records."""
MOST = 385
"""Modules of Cranfield, of which each takes about half a millisecond to load."""

SEEN = """
import sys
from cranfield.collection import datasets
from cranfield.workbench.cli.main import main
assert main(sys.argv[1:]) == 0
print("data" in vars(datasets.DATA_SETS), *sorted(sys.modules), sep="\\n", file=sys.stderr)
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Whether the registry of data sets was read, then the modules that were loaded."""
    folder = tmp_path_factory.mktemp("loading")
    (folder / "test.qrels").write_text("u1 0 a 5\nu1 0 b 1\nu2 0 b 4\n")
    (folder / "one.trec").write_text("u1 Q0 a 1 0.9 x\nu1 Q0 b 2 0.8 x\nu2 Q0 b 1 0.7 x\n")
    words = ["evaluate", "--judgments", "test.qrels", "--relevance", "4", "--run", "one.trec"]
    done = subprocess.run(
        [sys.executable, "-c", SEEN, *words, "-m", "nDCG@10", "-m", "P@10"],
        capture_output=True, text=True, check=True, cwd=folder,
    )  # fmt: skip
    return done.stderr.splitlines()


@pytest.mark.long
@pytest.mark.parametrize("name", NEEDLESS)
def test_an_evaluation_does_not_load_what_only_other_work_needs(
    name: str, loaded: list[str]
) -> None:
    place = f"cranfield.{name}"
    assert [each for each in loaded if each == place or each.startswith(f"{place}.")] == []


@pytest.mark.long
def test_an_evaluation_loads_few_modules(loaded: list[str]) -> None:
    assert "cranfield.scoring.metrics.dcg" in loaded
    assert sum(each.startswith("cranfield") for each in loaded) <= MOST


@pytest.mark.long
def test_an_evaluation_of_files_does_not_read_the_registry_of_data_sets(loaded: list[str]) -> None:
    assert loaded[0] == "False"


@pytest.mark.long
def test_an_evaluation_loads_no_heavy_library_that_it_does_not_need(loaded: list[str]) -> None:
    heavy = {"matplotlib", "sklearn", "implicit", "pandas", "ray", "optuna", "torch", "scipy.stats"}
    assert heavy & set(loaded) == set()
