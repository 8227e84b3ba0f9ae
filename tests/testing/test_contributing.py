"""The extension that CONTRIBUTING.md shows works as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
SOURCE = Path(__file__).parents[2] / "src"
FILE = re.compile(r"`([\w./]+\.(?:py|toml))`:\n\n```\w+\n(.*?)```", flags=re.DOTALL)
FILES = dict(FILE.findall(PAGE))


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python where the extension is installed, in a process of its own."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(SOURCE)])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page, and what an installer writes down of their project."""
    folder = tmp_path_factory.mktemp("extension")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "my_extension" / "__init__.py").touch()
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    (points,) = project["entry-points"].values()
    (group,) = project["entry-points"]
    info = folder / f"my_extension-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    lines = "".join(f"{name} = {module}\n" for name, module in points.items())
    (info / "entry_points.txt").write_text(f"[{group}]\n{lines}")
    return folder


def test_the_page_shows_three_options_their_project_and_their_test() -> None:
    assert set(FILES) == {
        "my_extension/patience.py",
        "my_extension/damped_mean.py",
        "my_extension/cold_users.py",
        "pyproject.toml",
        "tests/test_laws.py",
    }


@pytest.mark.long
@pytest.mark.parametrize(
    ("decision", "spelling"),
    [
        ("metric", "Patience(h=3)@10"),
        ("recommender", "DampedMean(damping=2)"),
        ("split", "cold-users(test_share=0.5)"),
    ],
)
def test_an_option_from_outside_is_found_by_name(
    installed: Path, decision: str, spelling: str
) -> None:
    code = (
        "from cranfield.workbench import inventory; from cranfield.base.options import parse;"
        f"inventory.load({decision!r}); print(parse({decision!r}, {spelling.lower()!r}))"
    )
    done = run(installed, "-c", code)
    assert (done.stdout.strip(), done.returncode) == (spelling, 0), done.stderr


@pytest.mark.slow
def test_the_options_from_outside_obey_the_laws(installed: Path) -> None:
    done = run(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "tests")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


def test_the_patience_by_hand(installed: Path) -> None:
    code = (
        "from my_extension.patience import Patience;"
        "from cranfield.recommendation.ranking.hits import topic_hits;"
        "print(Patience(h=2, cutoff=5).of_topic(topic_hits([1, 3, 6], [5, 5, 5])))"
    )
    done = run(installed, "-c", code)
    assert float(done.stdout) == pytest.approx(2**0 + 2 ** (-2 / 2)), done.stderr
