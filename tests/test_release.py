"""What a release publishes: one version, the same libraries everywhere, files tools can read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

import cranfield

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
RECIPE = yaml.safe_load((ROOT / "conda/recipe.yaml").read_text("utf-8"))
WORKFLOWS = {
    path.stem: yaml.safe_load(path.read_text("utf-8"))
    for path in sorted((ROOT / ".github/workflows").glob("*.yml"))
}
RELEASE = re.match(r"\d+\.\d+\.\d+", cranfield.__version__)[0]  # type: ignore[index]


def commands(workflow: str) -> list[str]:
    """All that a workflow runs."""
    jobs = WORKFLOWS[workflow]["jobs"].values()
    return [step["run"] for job in jobs for step in job["steps"] if "run" in step]


def test_the_version_stands_in_one_place() -> None:
    assert "version" in PROJECT["dynamic"]
    assert "version" not in PROJECT
    assert CITATION["version"] == RELEASE
    assert RECIPE["context"]["version"] == RELEASE


def test_the_recipe_needs_what_the_package_needs() -> None:
    needed = {each.replace(">=", " >=") for each in PROJECT["dependencies"]}
    python = f"python {PROJECT['requires-python']}"
    assert set(RECIPE["requirements"]["run"]) == {python, *needed}


def test_the_authors_are_the_same_everywhere() -> None:
    (author,) = PROJECT["authors"]
    assert [author] == CITATION["authors"]


def test_every_python_that_is_promised_is_tested() -> None:
    promised = {
        each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", each)
    }
    tested = set(WORKFLOWS["ci"]["jobs"]["tests"]["strategy"]["matrix"]["python"])
    assert promised <= tested


def test_hosted_checks_run_the_same_script_and_targets_as_ours() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    run = commands("ci")
    assert "bash .ci/run" in run
    for command in [*run, *commands("release")]:
        for target in re.findall(r"\bmake ([a-z-]+)", command):
            assert target in targets, command


def test_every_extra_is_explained_where_newcomers_look() -> None:
    text = (ROOT / "docs/start.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    explained = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert set(PROJECT["optional-dependencies"]) <= explained


def test_the_changelog_has_the_release_that_is_prepared() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    first = re.search(r"^## (\S+)", text, re.MULTILINE)
    assert first
    assert first[1] == RELEASE


def test_a_release_names_the_address_of_its_repository() -> None:
    (build,) = (
        step
        for step in WORKFLOWS["release"]["jobs"]["build"]["steps"]
        if "make dist" in step.get("run", "")
    )
    assert "CRANFIELD_URL" in build["env"]


def test_only_the_job_that_publishes_may_prove_who_it_is() -> None:
    jobs = WORKFLOWS["release"]["jobs"]
    assert WORKFLOWS["release"]["permissions"] == {"contents": "read"}
    assert [name for name, job in jobs.items() if "permissions" in job] == ["publish"]
    assert not re.search("password|secrets", json.dumps(WORKFLOWS["release"]))


def test_forms_for_issues_ask_for_something() -> None:
    for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text("utf-8"))
        if path.stem != "config":
            assert {"name", "description", "body"} <= set(form), path
            assert all(each["attributes"]["label"] for each in form["body"]), path


@pytest.mark.slow
def test_source_and_wheel_hold_what_they_should(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "build", "-q", "--outdir", tmp_path, ROOT],
        check=False, capture_output=True, text=True,
        env={**os.environ, "CRANFIELD_URL": "https://example.org/cranfield/"},
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (wheel,), (source,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
        (metadata,) = (name for name in names if name.endswith("METADATA"))
        text = opened.read(metadata).decode()
    package = {name for name in names if name.startswith("cranfield/")}
    tracked = subprocess.run(
        ["git", "ls-files", "src/cranfield"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert package == {name.removeprefix("src/") for name in tracked}
    assert {name.split("/")[0] for name in names - package} == {metadata.split("/")[0]}
    assert "Project-URL: Source, https://example.org/cranfield\n" in text
    assert 'src="https://example.org/cranfield/raw/main/docs/report.png"' in text
    assert "](https://example.org/cranfield/blob/main/docs/start.md)" in text
    assert not re.search(r"\]\((?!https:)", text)
    with tarfile.open(source) as opened_source:
        held = {name.partition("/")[2] for name in opened_source.getnames()}
    assert {"pyproject.toml", "release.py", "README.md", "CITATION.cff", "LICENSE"} <= held
    checked = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", wheel, source],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout + checked.stderr
