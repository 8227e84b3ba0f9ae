"""The verdict on a single run: one sentence, and what bears it out."""

from __future__ import annotations

from math import isnan

from cranfield.significance.comparison import Comparison, Pair
from cranfield.view.numbers import p_value
from cranfield.workbench.results.results import Results


def run_verdict(results: Results) -> tuple[str, tuple[str, ...]]:
    """Who is best by the first metric, against whom that is significant, and the evidence."""
    metric, names = results.scores.metrics[0], results.experiment.names
    made = results.comparison
    if made is None:
        value = results.summary.row(names[0], metric).value
        reached = f"reaches {value:.4f}" if not isnan(value) else "has no value"
        return f"{names[0]} {reached} by {metric}; there is nothing to compare.", ()
    values = {name: results.summary.row(name, metric).value for name in names}
    known = [name for name in names if not isnan(values[name])]
    if not known:
        return f"No system has a value by {metric}.", ()
    best = max(known, key=lambda name: values[name])
    beaten = made.beaten(metric, best)
    others = [name for name in names if name != best]
    level = [name for name in known if values[name] == values[best]]
    if len(level) > 1:
        sentence = f"{_listed(level, 'and')} have the same {metric}, the highest"
        if beaten:
            sentence += f"; {best} scores significantly more than {_listed(list(beaten), 'and')}"
    elif len(beaten) == len(others):
        whom = others[0] if len(others) == 1 else f"all {len(others)} others"
        sentence = f"{best} scores significantly more than {whom} by {metric}"
    elif beaten:
        unbeaten = [name for name in others if name not in beaten]
        sentence = (
            f"{best} has the highest {metric}, significantly more than {len(beaten)} of "
            f"{len(others)} others, but not than {_listed(unbeaten, 'or')}"
        )
    else:
        sentence = f"{best} has the highest {metric}, but significantly more than no other system"
    scope = "in this one design; a study would show whether other decisions reverse it"
    return f"{sentence}, {scope}.", _evidence(made, best)


def _evidence(made: Comparison, best: str) -> tuple[str, ...]:
    pairs = [pair for pair in made.pairs if best in (pair.first, pair.second)]
    return tuple(_sentence(pair, best) for pair in pairs)


def _sentence(pair: Pair, best: str) -> str:
    sign = 1 if pair.first == best else -1
    other = pair.second if sign == 1 else pair.first
    low, high = sorted((sign * pair.low, sign * pair.high))
    return (
        f"{pair.metric}: {best} − {other} = {sign * pair.difference:+.4f}, 95 % interval "
        f"{low:+.4f} to {high:+.4f}, adjusted p {p_value(pair.adjusted)}, {pair.users:,} users."
    )


def _listed(words: list[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
