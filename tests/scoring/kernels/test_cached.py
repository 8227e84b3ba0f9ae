"""Whether kernels are cached: seen in the folder that the compiler keeps them in."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from cranfield.base.options import parse
from cranfield.scoring.kernels import relevance
from cranfield.scoring.kernels.cached import are_cached
from cranfield.scoring.measurement.measure import measure
from hit_cases import Ranking, hits_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in place of the compiler's."""
    kernel = SimpleNamespace(
        stats=SimpleNamespace(cache_path=str(tmp_path)), __name__="score_relevance"
    )
    monkeypatch.setattr(relevance, "score_relevance", kernel)
    return tmp_path


def test_the_compiler_leaves_what_is_looked_for() -> None:
    measure(hits_of([Ranking((5.0,))]), [parse("metric", "P@1")])
    assert are_cached()


def test_only_the_kernel_itself_counts(folder: Path) -> None:
    (folder / "relevance.write_counts-120.py311.nbi").touch()
    assert not are_cached()
    (folder / "relevance.score_relevance-32.py311.nbi").touch()
    assert are_cached()


@pytest.mark.parametrize(
    "kernel", [SimpleNamespace(stats=SimpleNamespace(cache_path=None)), lambda: None]
)
def test_where_nothing_can_be_kept_nothing_is_lacking(
    kernel: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relevance, "score_relevance", kernel)
    assert are_cached()
