"""Reports as files to open in a browser."""

from __future__ import annotations

from pathlib import Path

from browser import Page
from cranfield.validity.study.designs import Designs
from cranfield.view.page.report import render_report
from report_cases import ANSWERS, HOSTILE, made_designs, made_report


def write_pages(folder: Path) -> dict[str, Path]:
    """A study, a run, one with hostile names, and a study of thousands of designs."""
    made = {
        "study": made_report(),
        "run": made_report(study=False),
        "hostile": made_report(HOSTILE, title=HOSTILE[0], verdict=HOSTILE[1], evidence=HOSTILE),
        "large": made_report(designs=many_designs()),
    }
    for name, content in made.items():
        (folder / f"{name}.html").write_text(render_report(content), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


def many_designs() -> Designs:
    """Some 5,000 designs."""
    more = {
        "split.test_share": tuple(share / 20 for share in range(1, 11)),
        "cutoff": tuple(float(cutoff) for cutoff in range(5, 55, 5)),
        "coverage": ("full", "forgiving", "common"),
        "aggregation": ("mean", "median", "geometric"),
    }
    return made_designs(answers={**ANSWERS, **more}, leave_out=0)


def choose(page: Page, **answers: str) -> None:
    """Choose answers in the explorer of a made-up study."""
    for name, answer in answers.items():
        place = list(ANSWERS).index(name.replace("test_share", "split.test_share"))
        page.choose(f"#choice-{place}", answer)
