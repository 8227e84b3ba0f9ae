"""The script that holds Cranfield to the tools of the field has every tool and every test."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
IN_THE_FAST_SUITE = {
    "implicit", "ir_measures", "pytrec_eval", "scipy", "sklearn", "quoted_figures",
}  # fmt: skip
"""Tools that the tests of this project need anyway, and figures for which no tool is needed."""


@pytest.fixture(scope="module")
def parity() -> ModuleType:
    loader = SourceFileLoader("parity_script", str(ROOT / ".ci" / "parity"))
    spec = spec_from_loader("parity_script", loader)
    assert spec is not None
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        patch.setitem(sys.modules, "parity_script", module)
        loader.exec_module(module)
    return module


def test_every_file_of_tests_has_a_tool(parity: ModuleType) -> None:
    files = {path.stem.removeprefix("test_") for path in (ROOT / "tests/parity").glob("test_*.py")}
    named = [name for tool in parity.TOOLS.values() for name in tool.tests]
    assert sorted(named) == sorted(files - IN_THE_FAST_SUITE)
    assert files >= IN_THE_FAST_SUITE


def test_continuous_integration_tries_the_quick_ones(parity: ModuleType) -> None:
    assert "\nmake parity\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "PARITY := --quick" in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [name for name, tool in parity.TOOLS.items() if tool.quick]


@pytest.mark.parametrize(
    ("said", "passed"),
    [
        (".....\n5 passed in 72.66s (0:01:12)\n", True),
        ("5 passed, 2 warnings in 1.00s\n", True),
        ("s\nSKIPPED [1] tests/x.py: ranx is not installed\n1 skipped in 0.10s\n", False),
        ("4 passed, 1 skipped in 1.00s", False),
        ("no tests ran in 0.01s", False),
        ("", False),
    ],
)
def test_a_skipped_test_has_not_passed(parity: ModuleType, said: str, passed: bool) -> None:
    assert parity.all_passed(said) is passed


def test_what_failed_is_told_with_its_command(parity: ModuleType) -> None:
    command = [sys.executable, "-c", "import sys; print('why'); sys.exit({})"]
    failed, said = parity.said_by_failure([*command[:2], command[2].format(0)])
    assert (failed, said) == ("", "why\n")
    failed, said = parity.said_by_failure([*command[:2], command[2].format(3)])
    assert failed.startswith(sys.executable)
    assert failed.endswith("why\n")


def test_a_tool_for_later_pythons_is_not_tried(
    parity: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = parity.Tool(("nonsense",), ("nonsense",), lowest=(4, 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(parity.TOOLS, "later", later)
        assert parity.attempt("later", tmp_path)
    assert capsys.readouterr().out == "── later: not tried, it wants Python 4.0 or later\n"
    assert not list(tmp_path.iterdir())


def test_an_unknown_tool_is_refused(
    parity: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["parity", "nonsense"])
    with pytest.raises(SystemExit):
        parity.main()
    assert "nonsense: known are ranx, Surprise" in capsys.readouterr().err
