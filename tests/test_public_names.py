"""What `import cranfield` offers: few names, all real, all documented, loaded late."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import cranfield

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", cranfield.__all__)
def test_every_public_name_exists_and_is_documented(name: str) -> None:
    assert getattr(cranfield, name).__doc__


def test_there_are_at_most_sixty_public_names() -> None:
    """One for each command and each noun that one gives; what is more belongs under a noun."""
    assert len(cranfield.__all__) <= 60


def test_all_that_a_verb_returns_has_a_public_name() -> None:
    for name in cranfield.__all__:
        verb = getattr(cranfield, name)
        if isinstance(verb, type) or not callable(verb):
            continue
        returned = verb.__annotations__.get("return", "None")
        for word in set(re.findall(r"[A-Z]\w+", returned)) - {"None"}:
            assert word in cranfield.__all__, f"{name} returns {word}"


def test_dir_lists_what_is_public() -> None:
    assert set(cranfield.__all__) <= set(dir(cranfield))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = cranfield.nonsense


@pytest.mark.parametrize("statement", ["import cranfield", "import cranfield.workbench.cli.main"])
def test_heavy_libraries_load_only_when_used(statement: str) -> None:
    heavy = "{'numpy', 'polars', 'numba', 'scipy', 'rich', 'sklearn', 'implicit', 'pandas', 'ray'"
    heavy += ", 'fsspec', 's3fs'}"
    code = f"{statement}; import sys; print(sorted(set(sys.modules) & {heavy}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_extra_all_has_every_other_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert extras["all"] == [f"cranfield[{','.join(each for each in extras if each != 'all')}]"]
