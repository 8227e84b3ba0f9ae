"""The verdict on a single run: one sentence, and what bears it out."""

from __future__ import annotations

from collections.abc import Collection
from math import isnan

from cranfield.significance.comparison import Comparison
from cranfield.significance.pair import Pair
from cranfield.view.numbers import interval, p_phrase, signed
from cranfield.view.pairs import in_order
from cranfield.workbench.results.results import Results

_SCOPE = "This is one design: a study would show whether other decisions reverse it."


def run_verdict(results: Results) -> tuple[str, tuple[str, ...]]:
    """Who is best by the first metric, against whom that is significant, and the evidence."""
    metric, names = results.scores.metrics[0], results.scores.systems
    name, comma, gain = results.label(metric).partition(", ")
    shown = f"{name} ({gain})" if comma else name
    made = results.comparison
    if made is None:
        value = results.summary.row(names[0], metric).value
        reached = f"reaches {value:.4f}" if not isnan(value) else "has no value"
        return f"{names[0]} {reached} by {shown}. There is nothing to compare it with.", ()
    values = {name: results.summary.row(name, metric).value for name in names}
    known = [name for name in names if not isnan(values[name])]
    if not known:
        return f"No system has a value by {shown}.", ()
    best = max(known, key=lambda name: values[name])
    level = [name for name in known if values[name] == values[best]]
    others = [name for name in names if name not in level and _tested(made, best, name)]
    sentence = _standing(best, level, others, made.beaten(metric, best), shown)
    return f"{sentence} {_SCOPE}", _evidence(results, made, best)


def _tested(made: Comparison, one: str, other: str) -> bool:
    """Whether two systems were compared: with a baseline, most were not."""
    return any({pair.first, pair.second} == {one, other} for pair in made.pairs)


def _standing(
    best: str, level: list[str], others: list[str], beaten: Collection[str], metric: str
) -> str:
    """Who is best, and above whom significantly."""
    leads = f"{best} has the highest {metric}"
    if len(level) > 1:
        leads = f"{_listed(level, 'and')} have the same {metric}, the highest"
        above = f" {best} is significantly above {_listed(list(beaten), 'and')}." if beaten else ""
        return f"{leads}.{above}"
    if len(beaten) == len(others):
        whom = others[0] if len(others) == 1 else f"all {len(others)} others"
        return f"{leads}, significantly above {whom}."
    if not beaten:
        return f"{leads}, but it is significantly above no other system."
    unbeaten = [name for name in others if name not in beaten]
    told = _listed(list(beaten), "and")
    return f"{leads}. It is significantly above {told}, but not above {_listed(unbeaten, 'or')}."


def _evidence(results: Results, made: Comparison, best: str) -> tuple[str, ...]:
    pairs = [pair for pair in made.pairs if best in (pair.first, pair.second)]
    name = str(made.choice.correction)
    how = "" if name == "none" else f" ({name.capitalize()})"
    return tuple(
        f"{results.label(pair.metric)}: {_sentence(pair, best)}{how}, {pair.users:,} users."
        for pair in in_order(pairs, results.kinds)
    )


def _sentence(pair: Pair, best: str) -> str:
    sign = 1 if pair.first == best else -1
    other = pair.second if sign == 1 else pair.first
    low, high = sorted((sign * pair.low, sign * pair.high))
    return (
        f"{best} − {other} = {signed(sign * pair.difference)}, 95 % interval "
        f"{interval(low, high, signed)}, {p_phrase(pair.adjusted)}"
    )


def _listed(words: list[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
