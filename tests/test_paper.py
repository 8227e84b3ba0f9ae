"""The paper holds no measured number of its own: they come from the figures of the docs."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

PAPER = Path(__file__).parents[1] / "paper"
TEXT = (PAPER / "paper.tex").read_text(encoding="utf-8")
FIGURES: dict[str, str] = runpy.run_path(str(PAPER / "figures.py"))["figures"]()


def test_every_figure_of_the_paper_is_computed_and_every_computed_one_is_used() -> None:
    used = {name for name in re.findall(r"\\([A-Za-z]+)", TEXT) if name in FIGURES}
    assert used == set(FIGURES) - {"claimsUntested"}
    tau = set(re.findall(r"\\(tau[A-Z]\w*)", TEXT)) | set(re.findall(r"\\(claims\w*)", TEXT))
    assert tau <= set(FIGURES)


def test_figures_are_those_of_the_summary_of_the_papers() -> None:
    page = (PAPER.parent / "docs" / "8-reproduction.md").read_text(encoding="utf-8")
    assert f"Together {FIGURES['claims']} claims: {FIGURES['claimsHold']} hold" in page
    assert all(re.fullmatch(r"[-$\d., to]+", value) for value in FIGURES.values())


def test_the_text_has_no_decimal_number() -> None:
    body = TEXT.partition("\\begin{document}")[2].partition("\\begin{thebibliography}")[0]
    assert re.findall(r"(?<![\w])\d+\.\d+", body) == ["0.2", "10.6", "2.0"]


def test_what_the_paper_says_of_protocols_is_what_the_table_says() -> None:
    def taus(data: str) -> dict[str, float]:
        found = {name: value.strip("$") for name, value in FIGURES.items() if name.endswith(data)}
        return {name: float(value) for name, value in found.items()}

    music, worlds = taus("Music"), taus("Worlds")
    assert max(worlds, key=worlds.__getitem__) == "tauUniformWorlds"
    assert max(music, key=music.__getitem__) == "tauOneMusic"
    assert min(music, key=music.__getitem__) == "tauUniformMusic"
