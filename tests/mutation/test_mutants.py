"""Mutants: what is changed, what is left alone, and the same ones for the same seed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mutation import mutants, survivors


def lines_after(text: str) -> list[str]:
    """What the changed line is in every mutant of a text."""
    return [each.after for each in mutants.mutants_of("a.py", text)]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("x = a < b", ["x = (a <= b)"]),
        ("x = a >= b", ["x = (a > b)"]),
        ("x = a is b", ["x = (a is not b)"]),
        ("x = a not in b", ["x = (a in b)"]),
        ("x = a < b <= c", ["x = (a <= b <= c)", "x = (a < b < c)"]),
        ("x = a + b", ["x = (a - b)"]),
        ("x = a // b", ["x = (a * b)"]),
        ("x = a and b", ["x = (a or b)"]),
        ("x = not a", ["x = (a)"]),
        ("x = -a", ["x = (a)"]),
        ("x = True", ["x = (False)"]),
        ("x = 2", ["x = (3)"]),
        ("x = 0.5", ["x = (1.5)"]),
        ("x = min(a)", ["x = (max(a))"]),
        ("x = any(a)", ["x = (all(a))"]),
        ("x += a", ["x -= a"]),
        ("f(a)", ["pass"]),
        ("x = a if b else c", ["x = a if (not (b)) else c"]),
        ("if a:\n    x = b", ["if (not (a)):"]),
        ("while a:\n    break", ["while (not (a)):", "continue"]),
        ("x = [a for a in b if c]", ["x = [a for a in b if (not (c))]"]),
    ],
)
def test_one_thing_is_changed_in_each_mutant(text: str, after: list[str]) -> None:
    assert lines_after(text) == after


@pytest.mark.parametrize(
    "text",
    [
        '"""Says 1 + 1."""',
        "x: Literal[1]",
        "def f(a: Literal[1]) -> Literal[2]:\n    return a",
        "@f(1)\ndef g() -> None:\n    return",
        "__all__ = ['a'] + [1]",
        "Pair = tuple[int, Literal[2]]",
        "Given = a | b",
        "assert a < 1",
        "if TYPE_CHECKING:\n    x = 1",
        "x = 'a' + b",
        "x = f'{a + 1}'",
    ],
)
def test_types_texts_and_promises_are_left_alone(text: str) -> None:
    assert lines_after(text) == []


def test_an_opposite_is_not_drawn_twice() -> None:
    assert lines_after("if a == b:\n    x = c") == ["if (a != b):"]


def test_columns_are_counted_in_bytes_as_python_does() -> None:
    assert lines_after("x = {'é—': a < b}") == ["x = {'é—': (a <= b)}"]


def test_a_mutant_knows_the_head_of_its_statement_and_whether_a_call_runs_it() -> None:
    text = "X = 1\ndef f(a):\n    if (\n        a < 2\n    ):\n        return a\n"
    found = [(each.lines, each.in_function) for each in mutants.mutants_of("a.py", text)]
    assert found[0] == ((1, 1), False)
    assert set(found[1:]) == {((3, 5), True)}


def test_every_mutant_of_this_file_is_python() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    found = list(mutants.mutants_of("a.py", text))
    assert len(found) > 20
    for each in found:
        assert ast.dump(ast.parse(each.text)) != ast.dump(ast.parse(text))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for area in mutants.AREAS:
        folder = tmp_path / "src/cranfield" / area
        folder.mkdir(parents=True)
        (folder / "some.py").write_text("\n".join(f"a{n} = {n}" for n in range(9)))
    return tmp_path


def test_each_area_has_its_share_of_the_draw(tree: Path) -> None:
    drawn = mutants.drawn(tree, 12, seed=1)
    counts = [sum(f"/{area}/" in each.path for each in drawn) for area in mutants.AREAS]
    assert counts == [3, 3, 2, 2, 2]
    assert len({each.name for each in drawn}) == 12


def test_a_seed_draws_the_same_mutants_again_and_another_seed_others(tree: Path) -> None:
    first, again, other = (
        [each.name for each in mutants.drawn(tree, 15, seed=seed)] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_reasons_are_kept_for_mutants_that_survive_again(tree: Path) -> None:
    drawn = mutants.drawn(tree, 10, seed=1)
    known = survivors.Survivors(1, 10, {drawn[0].name: "equivalent", drawn[1].name: "text"})
    found = survivors.found_survivors(1, drawn, [drawn[2], drawn[0]], known)
    assert found.reasons == {drawn[2].name: "", drawn[0].name: "equivalent"}
    assert found.unexplained == [drawn[2].name]
    assert found.killed_share == pytest.approx(1 - 2 / 10)


def test_a_list_of_survivors_is_read_as_it_was_written() -> None:
    made = survivors.Survivors(7, 20, {'a.py: x = "é\\n" → x = ("")': "text", "b": ""})
    assert survivors.read_survivors(made.to_toml()) == made
    assert "survived = 2\n" in made.to_toml()
