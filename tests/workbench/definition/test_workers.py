"""How many processes, or which cluster."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.base.errors import OptionError
from cranfield.workbench.api import run
from cranfield.workbench.cli.main import main
from cranfield.workbench.definition.workers import read_workers
from experiment_cases import table_of


@pytest.mark.parametrize(
    ("given", "wanted"),
    [(None, None), (1, 1), ("3", 3), ("ray", "ray"), ("ray://head:10001", "ray://head:10001")],
)
def test_workers_are_a_number_or_a_cluster(given: Any, wanted: Any) -> None:
    assert read_workers(given) == wanted


@pytest.mark.parametrize(
    "given", [0, -1, "0", "two", "", True, 1.5, "ray://", "ray://head", "dask", "ray://a b:1"]
)
def test_anything_else_is_refused_with_what_would_be_right(given: Any) -> None:
    with pytest.raises(OptionError, match=r"workers: .* is not a whole number of at least 1, ray"):
        read_workers(given)


def test_the_verb_and_the_command_refuse_it_before_any_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(OptionError, match='"two" is not a whole number'):
        run(table_of(), workers="two")
    with pytest.raises(SystemExit):
        main(["run", "absent.toml", "--workers", "two"])
    assert '"two" is not a whole number of at least 1, ray, or ray://' in capsys.readouterr().err
