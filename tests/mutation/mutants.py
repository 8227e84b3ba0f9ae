"""Mutants: small changes of the source that a test should notice, drawn by seed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

AREAS = (
    "scoring", "significance", "validity/study", "workbench/definition", "workbench/execution",
)  # fmt: skip
"""Folders of src/cranfield that are mutated, with as many mutants each."""

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_Node = TypeVar("_Node", bound=ast.AST)


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    path: str
    lines: tuple[int, int]
    """First and last line of the statement, without the body that it may have."""
    in_function: bool
    """Whether the statement is run when a function is called, rather than on import."""
    before: str
    """The line as it is."""
    after: str
    """The line as changed."""
    text: str
    """The file as changed."""

    @property
    def name(self) -> str:
        """What tells it apart: the file and the change. Line numbers move too often."""
        return f"{self.path}: {self.before} → {self.after}"


@dataclass(frozen=True)
class _Place:
    """Where a node stands: its innermost statement, and whether that is in a function."""

    statement: ast.stmt
    in_function: bool


def drawn(root: Path, number: int, seed: int) -> list[Mutant]:
    """So many mutants, as many from each area, none twice.

    Those whose digest is lowest: other lines may change, and files may move, without changing
    what is drawn.
    """
    share, rest = divmod(number, len(AREAS))
    found: list[Mutant] = []
    for place, area in enumerate(AREAS):
        known = {mutant.name: mutant for mutant in mutants_in(root, area)}.values()
        found += sorted(known, key=lambda each: _digest(each, seed))[: share + (place < rest)]
    return found


def _digest(mutant: Mutant, seed: int) -> str:
    """What decides whether a mutant is drawn: the seed, the file's name and the change."""
    said = f"{seed} {Path(mutant.path).name} {mutant.before} {mutant.after}"
    return sha256(said.encode()).hexdigest()


def mutants_in(root: Path, area: str) -> Iterator[Mutant]:
    """All mutants of a folder of src/cranfield."""
    for file in sorted((root / "src/cranfield" / area).rglob("*.py")):
        yield from mutants_of(str(file.relative_to(root)), file.read_text(encoding="utf-8"))


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """All mutants of a file, from top to bottom."""
    for node, place in _nodes(ast.parse(text), None):
        for target, new in _changes(node):
            changed = _replaced(text, target, new)
            lines = (place.statement.lineno, _last_line(place.statement))
            before, after = (_line(each, target.lineno) for each in (text, changed))
            yield Mutant(path, lines, place.in_function, before, after, changed)


def _nodes(node: ast.AST, place: _Place | None) -> Iterator[tuple[ast.AST, _Place]]:
    """Every node that may be mutated, and where it stands."""
    if isinstance(node, ast.stmt):
        place = _Place(node, place is not None and place.in_function)
    if place is not None:
        yield node, place
    for field, value in ast.iter_fields(node):
        within = place
        if isinstance(node, ast.FunctionDef) and field == "body":
            within = _Place(node, in_function=True)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _skipped(node, field, child):
                yield from _nodes(child, within)


def _skipped(node: ast.AST, field: str, child: ast.AST) -> bool:
    """Whether a child is a type, a text, a declaration, or a check of our own promises."""
    if field in {"annotation", "returns", "decorator_list", "bases"}:
        return True
    if field == "keywords" and isinstance(node, ast.ClassDef):
        return True
    if isinstance(child, ast.Assign):
        names = [target.id for target in child.targets if isinstance(target, ast.Name)]
        return "__all__" in names or (bool(names) and names[0].istitle() and _is_type(child.value))
    if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
        return True
    return isinstance(child, ast.JoinedStr | ast.Assert)


def _is_type(value: ast.expr) -> bool:
    """Whether an expression is a type: a union, or one with parameters."""
    union = isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr)
    return union or isinstance(value, ast.Subscript)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What may be written in place of a node, or of one right below it."""
    if isinstance(node, ast.expr):
        for other in _other_values(node):
            yield node, f"({ast.unparse(other)})"
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield from _negated(node.test)
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield from _negated(test)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node, "pass"
    if isinstance(node, ast.AugAssign) and type(node.op) in _OPERATORS:
        yield node, ast.unparse(_with(node, op=_OPERATORS[type(node.op)]()))
    if isinstance(node, ast.Break | ast.Continue):
        yield node, "continue" if isinstance(node, ast.Break) else "break"


def _negated(test: ast.expr) -> Iterator[tuple[ast.expr, str]]:
    """The opposite of a condition, unless another mutant is that already."""
    known = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    if isinstance(test, ast.Compare):
        exact = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
        known = len(test.ops) == 1 and isinstance(test.ops[0], exact)
    if not known:
        yield test, f"(not ({ast.unparse(test)}))"


def _other_values(node: ast.expr) -> Iterator[ast.expr]:
    """Expressions that differ in one operator, one number, or one function's name."""
    match node:
        case ast.Compare():
            for at, op in enumerate(node.ops):
                changed = [*node.ops[:at], _COMPARISONS[type(op)](), *node.ops[at + 1 :]]
                yield _with(node, ops=changed)
        case ast.BinOp() if type(node.op) in _OPERATORS and not _joins_texts(node):
            yield _with(node, op=_OPERATORS[type(node.op)]())
        case ast.BoolOp():
            yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int() | float()):
            yield ast.Constant(node.value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS:
            yield _with(node, func=ast.Name(_FUNCTIONS[name]))


def _joins_texts(node: ast.BinOp) -> bool:
    """Whether an operand is a text or None, so that no other operator would run."""
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | None))
        for side in (node.left, node.right)
    )


def _with(node: _Node, **fields: object) -> _Node:
    """A copy with other fields."""
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _replaced(text: str, node: ast.expr | ast.stmt, new: str) -> str:
    """The file with one node written anew. Python counts columns in bytes of UTF-8."""
    lines = text.encode().splitlines(keepends=True)
    last = node.end_lineno or node.lineno
    head = b"".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
    tail = lines[last - 1][node.end_col_offset :] + b"".join(lines[last:])
    return (head + new.encode() + tail).decode()


def _last_line(statement: ast.stmt) -> int:
    """Where a statement ends, or its head if it has a body."""
    body = getattr(statement, "body", None)
    end = statement.end_lineno or statement.lineno
    return max(statement.lineno, body[0].lineno - 1) if body else end


def _line(text: str, number: int) -> str:
    """One line, short enough for a list."""
    line = text.splitlines()[number - 1].strip()
    return line if len(line) <= 120 else f"{line[:119]}…"
