"""Phrases: what a paper says of each option that ships, its parameters in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

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
_WEIGHTS = {
    "train": "training ratings",
    "all": "training and test ratings",
    "test": "test ratings",
    "relevant": "relevant test ratings",
}


def _weighted(given: Parameters) -> str:
    kind = _WEIGHTS.get(given["by"])
    if kind is None:
        return f'weighted by the column "{given["by"].name}" of users'
    return f"weighted by the number of {kind}"


SETTINGS: dict[str, Phrase] = {
    "bootstrap": "{draws:,} draws",
    "permutation": "{draws:,} draws, or all orders of up to {exact_up_to} users",
    "randomised-hsd": "{draws:,} draws",
    "log-t": "of scores plus {epsilon:g}",
    "weighted-t": _weighted,
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


def _rolling(given: Parameters) -> str:
    number, span = given["windows"], given["horizon"]
    windows = "one window" if number == 1 else f"{number} windows"
    how = f"with {windows} of equal numbers of ratings, cut from the last half, as test"
    if span is not None:
        apart = "" if given["step"] is None else f", each {given['step']} after the one before,"
        how = f"with the last {windows} of {span}{apart} as test"
    before = "all ratings" if given["train"] == "all" else "as much as trains the first window"
    return f"on one timeline, {how}, and {before} before each window as training"


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


def _uniform(given: Parameters) -> str:
    folds = f" in each of {given['folds']} folds" if given["folds"] > 1 else ""
    share = f"{_share(given['test_share'])} of all ratings in test, ε = {given['epsilon']:g}"
    return f"so that every target item has the same number of test ratings{folds} ({share})"


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _range(given: Parameters, low: str, high: str) -> str:
    ends = [
        f"{word} {_number(given[name])}"
        for word, name in (("from", low), ("up to", high))
        if given[name] is not None
    ]
    return " ".join(ends) or "of any value"


def _k_core(given: Parameters) -> str:
    users, items = (given[part] or given["k"] for part in ("users", "items"))
    if users == items:
        return f"the {users}-core (at least {users} ratings of every user and item)"
    return f"the core with at least {users} ratings of every user and {items} of every item"


def _head(given: Parameters) -> str:
    """Which of the items are left where the most popular are set apart."""
    share = given["only_head"] or given["without_head"]
    if not share:
        return ""
    many = f"the {_share(share)} that are most popular"
    if given["head_of"] == "ratings":
        many = f"the most popular ones that hold {_share(share)} of the ratings"
    return f", only {many}" if given["only_head"] else f", not {many}"


def _sampled(given: Parameters) -> str:
    kind = "unrated" if given["of"] == "unrated" else "other"
    each = "user" if given["per"] == "user" else "relevant item"
    return f"with a random sample of {given['n']:,} {kind} items per {each}"


def _one_relevant(given: Parameters) -> str:
    parts, every = given.get("m"), given["judged"] == "all"
    among = f", among items of the same of {parts} popularity percentiles" if parts else ""
    judged = ", and all that the user rated in test as judged" if every else ""
    return f"for each relevant item of a user, with no other relevant item{among}{judged}"


def _floored(given: Parameters) -> str:
    said = f"geometric mean (of scores of at least {given['floor']:g}"
    fault = ", those of 0 by F1 and RR counting as 1 by a fault of rec_eval 10.6"
    return f"{said}{fault if given['as'] else ''})"


def _standardised(given: Parameters) -> str:
    reference = given["reference"]
    if isinstance(reference, str):
        return f"mean of scores standardised over the systems of {Path(reference).name}"
    over = "systems" if reference is None else " and ".join(reference)
    return f"mean of scores standardised over {over}"


def _clipped(given: Parameters) -> str:
    return f" of at least {given['clip']:g}" if given["clip"] else ""


def _by_popularity(given: Parameters) -> str:
    if given["gamma"] == "fitted":
        return "a power of the item's training ratings that was fitted to their distribution"
    return f"((n + 1)/(n_max + 1))^{given['gamma']:g} for an item of n training ratings"


PHRASES: dict[str, dict[str, Phrase]] = {
    "estimator": {
        "ips": lambda given: f"weighed by inverse propensities{_clipped(given)}",
        "snips": lambda given: f"weighed by inverse propensities{_clipped(given)}, as a share of "
        "all weights",
        "stratified": "scored within {strata} strata of propensity, which count by their test "
        "ratings",
    },
    "propensity": {
        "popularity": _by_popularity,
        "logistic": "a logistic regression of training ratings on the activity of users and the "
        "popularity of items",
        "poisson-factorisation": "Poisson factorisation of training ratings with {factors} factors",
        "naive-bayes": lambda given: "naive Bayes from the ratings of training and those of "
        f"{Path(given['random']).name}, a random sample",
        "known": "those by which {source} shows ratings",
        "file": lambda given: f"those of {Path(given['path']).name}",
    },
    "test": _TESTS,
    "correction": _CORRECTIONS,
    "aggregation": {
        "mean": "arithmetic mean",
        "weighted-mean": lambda given: f"mean {_weighted(given)}",
        "median": "median",
        "geometric-mean": "geometric mean (with {epsilon:g} added to each score)",
        "floored-geometric-mean": _floored,
        "standardised": _standardised,
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
        "rolling": _rolling,
        "leave-out": _leave_out,
        "k-fold": _k_fold,
        "uniform": _uniform,
        "per-item-train": "with {count} random ratings of each item in training",
        "given": "as the files say",
    },
    "filter": {
        "k-core": _k_core,
        "min-ratings": "{per}s with at least {at_least} ratings",
        "rating-range": lambda given: f"ratings {_range(given, 'at_least', 'at_most')}",
        "time-range": lambda given: f"ratings {_range(given, 'since', 'until')}",
        "sample": lambda given: f"a random {_share(given['share'])} of the ratings",
        "drop-head": lambda given: "all items"
        + _head({"only_head": 0, "without_head": given["share"], "head_of": given["of"]}),
    },
    "candidates": {
        "all-items": lambda given: f"all items{_head(given)}",
        "test-items": lambda given: f"all items with a test rating{_head(given)}",
        "train-items": lambda given: f"all items with a training rating{_head(given)}",
    },
    "relevant": {
        "all-relevant": "for each user",
        "one-relevant": _one_relevant,
        "percentiles": _one_relevant,
    },
    "nonrelevant": {
        "all-nonrelevant": "",
        "judged-only": "condensed to the items that the user rated in test",
        "listed": "limited to the items that {file} lists for the user",
        "sampled": _sampled,
        "judged-and-sampled": "with the items that the user rated in test and a random sample of "
        "{n:,} unrated items per user",
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
