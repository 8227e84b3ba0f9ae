"""Options in prose: what a paper says in place of their spelling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cranfield.base.decisions import default_of
from cranfield.base.options import is_option, parameters, typed_name, written
from cranfield.significance.comparison import ComparisonChoice
from cranfield.significance.pigeonhole import TAKEN_AS_RANDOM

Parameters = Mapping[str, Any]
Phrase = str | Callable[[Parameters], str]
"""A text with the parameters in braces, or what makes one of them."""

_TESTS: dict[str, Phrase] = {
    "bootstrap": "paired bootstrap test",
    "permutation": "paired permutation test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "t": "paired t test",
    "weighted-t": "weighted paired t test",
    "log-t": "paired t test on logarithms",
    "tukey-hsd": "Tukey HSD test",
    "randomised-hsd": "randomised Tukey HSD test",
}
_SETTINGS: dict[str, Phrase] = {
    "bootstrap": "{draws:,} draws",
    "permutation": "{draws:,} draws, or all orders of up to {exact_up_to} users",
    "randomised-hsd": "{draws:,} draws",
    "log-t": "of scores plus {epsilon:g}",
    "weighted-t": lambda given: (
        "weighted by the number of "
        + ("relevant " if given["by"] == "relevant" else "")
        + "test ratings"
    ),
    "tukey-hsd": lambda given: f"users {'' if given['blocks'] else 'not '}as blocks",
}
_CORRECTIONS: dict[str, Phrase] = {
    "holm": "Holm correction",
    "bonferroni": "Bonferroni correction",
    "benjamini-hochberg": "Benjamini–Hochberg correction",
    "none": "not corrected",
}


def _share(part: float) -> str:
    """A share as it was decided, with all its digits."""
    return f"{100 * part:.10g} %"


def _temporal(given: Parameters) -> str:
    if given["at"] is not None:
        return f"by time, with all ratings from {given['at']} on in test"
    share = "" if given["test_share"] is None else f" {_share(given['test_share'])} of all"
    return f"by time, with the latest{share} ratings in test"


def _leave_out(given: Parameters) -> str:
    how = "the latest" if given["pick"] == "latest" else "at random"
    some = "rating" if given["count"] == 1 else f"{given['count']} ratings"
    if given["pick"] == "latest":
        return f"by putting {how} {some} of each user into test"
    one = "one rating" if given["count"] == 1 else f"{given['count']} ratings"
    return f"by putting {one} of each user, drawn {how}, into test"


def _k_fold(given: Parameters) -> str:
    each = "" if given["per"] == "rating" else " within each user"
    return f"at random{each} into {given['folds']} folds, each of which was test once"


def _range(given: Parameters, low: str, high: str) -> str:
    ends = [
        f"{word} {_value(given[name])}"
        for word, name in (("from", low), ("up to", high))
        if given[name] is not None
    ]
    return " ".join(ends) or "of any value"


def _k_core(given: Parameters) -> str:
    users, items = (given[part] or given["k"] for part in ("users", "items"))
    if users == items:
        return f"the {users}-core (at least {users} ratings of every user and item)"
    return f"the core with at least {users} ratings of every user and {items} of every item"


def _without_head(given: Parameters) -> str:
    head = given.get("without_head")
    return f" except the {_share(head)} that are most popular" if head else ""


_PHRASES: dict[str, dict[str, Phrase]] = {
    "test": _TESTS,
    "correction": _CORRECTIONS,
    "aggregation": {
        "mean": "arithmetic mean",
        "weighted-mean": lambda given: "mean weighted by the number of "
        + ("relevant " if given["by"] == "relevant" else "")
        + "test ratings",
        "median": "median",
        "geometric-mean": "geometric mean (with {epsilon:g} added to each score)",
        "floored-geometric-mean": "geometric mean (of scores of at least {floor:g})",
        "standardised": "mean of scores standardised over systems",
        "URisk": "URisk against {baseline} (α = {alpha:g})",
        "TRisk": "TRisk against {baseline} (α = {alpha:g})",
        "GeoRisk": "GeoRisk (α = {alpha:g})",
    },
    "split": {
        "random": lambda given: "at random, each rating going to test with probability "
        f"{given['test_share']:g}",
        "random-exact": lambda given: f"at random, with {_share(given['test_share'])} of all "
        "ratings in test",
        "per-user": lambda given: f"at random, with {_share(given['test_share'])} of the ratings "
        "of each user in test",
        "temporal": _temporal,
        "temporal-per-user": lambda given: f"by time, with the latest "
        f"{_share(given['test_share'])} of the ratings of each user in test",
        "leave-out": _leave_out,
        "k-fold": _k_fold,
        "uniform": lambda given: f"so that every target item has the same number of test ratings "
        f"({_share(given['test_share'])} of all ratings in test, ε = {given['epsilon']:g})",
        "per-item-train": "with {count} random ratings of each item in training",
        "given": "as the files say",
    },
    "filter": {
        "k-core": _k_core,
        "min-ratings": "{per}s with at least {at_least} ratings",
        "rating-range": lambda given: f"ratings {_range(given, 'at_least', 'at_most')}",
        "time-range": lambda given: f"ratings {_range(given, 'since', 'until')}",
        "sample": lambda given: f"a random {_share(given['share'])} of the ratings",
        "drop-head": lambda given: f"all items but the {_share(given['share'])} that are most "
        "popular",
    },
    "candidates": {
        "all-items": lambda given: f"all items{_without_head(given)}",
        "test-items": lambda given: f"all items with a test rating{_without_head(given)}",
    },
    "relevant": {
        "all-relevant": "for each user",
        "one-relevant": "for each relevant item of a user, with no other relevant item",
        "percentiles": "for each relevant item of a user, among items of the same of {m} "
        "popularity percentiles",
    },
    "nonrelevant": {
        "all-nonrelevant": "",
        "judged-only": "condensed to the items that the user rated in test",
        "sampled": lambda given: f"with a random sample of {given['n']:,} other items per "
        + ("user" if given["per"] == "user" else "relevant item"),
    },
    "gain": {
        "rating": "the rating itself",
        "relevant-rating": "the rating itself for relevant ratings and 0 for others",
        "above-neutral": lambda given: "how far the rating is above "
        + ("the middle of the scale" if given["neutral"] is None else f"{given['neutral']:g}"),
        "binary": "1 for relevant ratings and 0 for others",
        "exponential": "(2^r − 1)/(2^max − 1) for rating r",
        "stopping": "(2^r − 1)/2^max for rating r",
        "chapelle": "(2^(r−1) − 1)/2^(max−1) for rating r",
        "chapelle-scaled": "(2^(r−1) − 1)/(2^(max−1) − 1) for rating r",
        "table": lambda given: ", ".join(
            f"{gain:g} for {rating:g}" for rating, gain in given["gains"].items()
        ),
    },
}  # fmt: skip


def phrase(option: Any) -> str:
    """What a paper says of an option; one without a phrase is named with its parameters.

    >>> import cranfield.collection.splits
    >>> from cranfield.base.options import parse
    >>> phrase(parse("split", "per-user"))
    'at random, with 20 % of the ratings of each user in test'
    """
    if not is_option(option):
        return str(option)
    made = _PHRASES.get(option.decision, {}).get(option.option_name)
    return with_parameters(option) if made is None else _filled(made, option)


def _filled(made: Phrase, option: Any) -> str:
    given = {written(each.name): getattr(option, each.name) for each in parameters(type(option))}
    return made.format(**given) if isinstance(made, str) else made(given)


def with_parameters(option: Any) -> str:
    """An option by name, with its parameters in words.

    >>> import cranfield.recommendation.recommenders
    >>> from cranfield.base.options import parse
    >>> with_parameters(parse("recommender", "user-kNN(k=9)"))
    'user-kNN (k = 9, min overlap = 1, exponent = 1, not binarised)'
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
        f"{name.replace('_', ' ')} = {_value(value)}"
        for name, value in values.items()
        if value is not None and not isinstance(value, bool)
    ]
    flags = [
        f"{'' if value else 'not '}{name.replace('_', ' ')}"
        for name, value in values.items()
        if isinstance(value, bool)
    ]
    return [*numbers, *flags]


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
    made = _SETTINGS.get(test.option_name)
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
