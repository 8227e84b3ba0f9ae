"""Options in prose: what a paper says in place of their spelling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cranfield.base.checking.ranges import Choice, Range
from cranfield.base.checking.spelling import write_value
from cranfield.base.decisions import default_of
from cranfield.base.options import is_option, parameters, typed_name, written
from cranfield.significance.comparison_choice import ComparisonChoice
from cranfield.significance.pigeonhole import TAKEN_AS_RANDOM
from cranfield.view.phrases import PHRASES, SETTINGS, Phrase


def phrase(option: Any) -> str:
    """What a paper says of an option; one without a phrase is named with its parameters.

    >>> import cranfield.collection.splits
    >>> from cranfield.base.options import parse
    >>> phrase(parse("split", "per-user"))
    'at random, with 20 % of the ratings of each user in test'
    """
    if not is_option(option):
        return str(option)
    made = PHRASES.get(option.decision, {}).get(option.option_name)
    return with_parameters(option) if made is None else _filled(made, option)


def _filled(made: Phrase, option: Any) -> str:
    given = {written(each.name): getattr(option, each.name) for each in parameters(type(option))}
    return made.format(**given) if isinstance(made, str) else made(given)


def with_parameters(option: Any) -> str:
    """An option by name, with its parameters in words.

    >>> import cranfield.recommendation.recommenders
    >>> from cranfield.base.options import parse
    >>> with_parameters(parse("recommender", "user-kNN(k=9)"))
    'user-kNN (k = 9, min overlap = 1, ..., not inverted, not normalised)'
    """
    inside = ", ".join(parameter_words(option))
    name = typed_name(option) if is_option(option) else str(option)
    return f"{name} ({inside})" if inside else name


def parameter_words(option: Any) -> list[str]:
    """The parameters of an option in words; those without a value go unsaid."""
    if not is_option(option):
        return []
    values = {written(p.name): getattr(option, p.name) for p in parameters(type(option))}
    numbers = [
        f"{name.replace('_', ' ')} {_tuned(value) or f'= {_value(value)}'}"
        for name, value in values.items()
        if value is not None and not isinstance(value, bool)
    ]
    flags = [
        f"{'' if value else 'not '}{name.replace('_', ' ')}"
        for name, value in values.items()
        if isinstance(value, bool)
    ]
    return [*numbers, *flags]


def _tuned(value: Any) -> str:
    """How a parameter is tuned, if it is."""
    if isinstance(value, Range):
        log = " by orders of magnitude" if value.log else ""
        return f"tuned from {_value(value.low)} to {_value(value.high)}{log}"
    if isinstance(value, Choice):
        return f"tuned among {listed([write_value(each) for each in value.values])}"
    return ""


def metric_words(metric: Any) -> str:
    """A metric with its cut-off, and the parameters that are not as usual, but for the gain.

    >>> import cranfield.scoring.metrics
    >>> from cranfield.base.options import parse
    >>> metric_words(parse("metric", "MAP@5")), metric_words(parse("metric", "RBP(p=0.8)"))
    ('MAP@5', 'RBP (p = 0.8)')
    """
    if not is_option(metric):
        return str(metric)
    cutoff = getattr(metric, "cutoff", None)
    own = [
        f"{written(each.name).replace('_', ' ')} = {_value(getattr(metric, each.name))}"
        for each in parameters(type(metric))
        if each.name not in ("cutoff", "gain")
        and (each.required or getattr(metric, each.name) != default_of(type(metric), each.name))
    ]
    name = typed_name(metric) + ("" if cutoff is None else f"@{cutoff}")
    return f"{name} ({', '.join(own)})" if own else name


def listed(words: Sequence[str], *, between: str = ", ") -> str:
    """Words as in a sentence: a, b and c."""
    if len(words) == 1:
        return words[0]
    return f"{between.join(words[:-1])} and {words[-1]}"


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int):
        return f"{value:,}" if value >= 10_000 else str(value)
    if isinstance(value, tuple | list):
        return " / ".join(map(_value, value))
    return with_parameters(value)


def settings_of(test: Any) -> str:
    """The parameters of a paired test in words."""
    if not is_option(test):
        return ""
    made = SETTINGS.get(test.option_name)
    return ", ".join(parameter_words(test)) if made is None else _filled(made, test)


def test_name(test: Any) -> str:
    """A paired test as a paper calls it."""
    return phrase(test)


def correction_name(correction: Any) -> str:
    """A correction for several comparisons as a paper calls it."""
    return phrase(correction)


def taken_as_random(choice: ComparisonChoice) -> str:
    """What a test takes as a random sample, and what as fixed."""
    return TAKEN_AS_RANDOM[choice.random]


def p_heading(choice: ComparisonChoice) -> str:
    """What heads the column of p-values: which they are."""
    name = str(choice.correction)
    return "p" if name == "none" else f"p ({name.capitalize()})"


def p_note(choice: ComparisonChoice) -> str:
    """Where p-values come from, and what the mark of significance means."""
    over = "" if choice.random == "users" else " over users and items"
    return (
        f"p: {test_name(choice.test)}{over}, {correction_name(choice.correction)}. "
        f"* marks p < {choice.alpha:g}. Differences are higher minus lower. Users + / = / − are "
        "those for whom the higher system is better, equal or worse."
    )
