"""Answers of designs: as readers see them, as they are compared, and as a column."""

from __future__ import annotations

import json
from typing import Any

import polars as pl

from cranfield.collection.target_choice import parse_targets


def shown_answer(factor: str, answer: Any) -> Any:
    """An answer as readers see it; the same targets are always spelled the same."""
    if factor == "targets" and isinstance(answer, str):
        return str(parse_targets(answer))
    if answer is None or isinstance(answer, bool):
        return "none" if answer is None else str(answer).lower()
    if isinstance(answer, int | float | str):
        return answer
    if isinstance(answer, list | tuple):
        return ", ".join(map(str, answer)) or "none"
    return json.dumps(answer, default=str)


def same_answer(value: Any, answer: Any) -> bool:
    """Whether two answers read the same, or are the same number."""
    return str(value) == str(answer) or _numbers_equal(value, answer)


def _numbers_equal(value: Any, answer: Any) -> bool:
    try:
        return float(value) == float(answer)
    except (TypeError, ValueError):
        return False


def answer_column(answers: list[Any]) -> pl.Series:
    """Numbers where all answers are; else text."""
    given = [each for each in answers if each is not None]
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in given)
    kind, made = (pl.Float64, float) if given and numbers else (pl.String, str)
    return pl.Series([None if each is None else made(each) for each in answers], dtype=kind)
