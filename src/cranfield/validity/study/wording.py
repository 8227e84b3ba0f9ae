"""Wording: decisions and their answers in plain English, as they stand after "with"."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.base.checking.spelling import Spelled, read_spelling, split_list, write_value
from cranfield.base.errors import BadSpelling
from cranfield.validity.phrases import joined
from cranfield.validity.study.designs import Answer

_NAMES = {
    "data": ("the data set", "data sets"),
    "filters": ("the filters", "filters"),
    "train_filters": ("the filters of training", "filters of training"),
    "test_filters": ("the filters of test", "filters of test"),
    "split": ("the split", "splits"),
    "split.test_share": ("the test share", "test shares"),
    "split.folds": ("the number of folds", "numbers of folds"),
    "split.count": ("the number of ratings held out", "numbers of ratings held out"),
    "split.epsilon": ("the ε of the split", "values of ε"),
    "relevance": ("the relevance threshold", "relevance thresholds"),
    "judged_share": ("the share of test ratings that is known", "shares of known test ratings"),
    "judged_by": ("what judges the rankings", "judges"),
    "least_train": (
        "the least number of training ratings per user", "least numbers of training ratings"
    ),
    "topics": ("which users enter", "choices of users"),
    "unscored": ("the treatment of items without a prediction", "treatments of such items"),
    "targets": ("the target items", "target items"),
    "ties": ("the treatment of ties", "treatments of ties"),
    "duplicates": ("the treatment of items listed twice", "treatments of items listed twice"),
    "training_items": ("the treatment of training items", "treatments of training items"),
    "unknown_items": ("the treatment of unknown items", "treatments of unknown items"),
    "depth": ("the depth of lists", "depths of lists"),
    "metric": ("the metric", "metrics"),
    "metrics": ("the metric", "metrics"),
    "cutoff": ("the cut-off", "cut-offs"),
    "gain": ("the gain", "gains"),
    "undefined": ("the treatment of undefined scores", "treatments of undefined scores"),
    "aggregation": ("the aggregation", "aggregations"),
    "coverage": ("the treatment of uncovered users", "treatments of uncovered users"),
    "comparison.test": ("the significance test", "tests"),
    "tuning.budget": ("the tuning budget", "tuning budgets"),
    "tuning.metric": ("the metric that systems are tuned by", "metrics that systems are tuned by"),
    "tuning.validation": ("the validation split", "validation splits"),
    "tuning.search": ("the search for parameters", "searches for parameters"),
    "tuning.refit": ("what tuned systems learn from", "parts that tuned systems learn from"),
    "seed": ("the seed", "seeds"),
}  # fmt: skip
"""What a decision is called, and its answers in the plural."""

_MEASURES = {
    "split.test_share": "a test share of {}",
    "split.folds": "{} fold{s}",
    "split.count": "{} rating{s} held out",
    "split.epsilon": "an ε of {}",
    "relevance": "a relevance threshold of {}",
    "judged_share": "a share of known test ratings of {}",
    "least_train": "a minimum per user of {} training rating{s}",
    "cutoff": "a cut-off of {}",
    "depth": "lists cut at {} item{s}",
    "tuning.budget": "a tuning budget of {} trial{s}",
    "seed": "a seed of {}",
}
"""How a number is worded; "at least 0.6" and the like take its place; {s} is the plural."""

_WORDS = {
    "judged_by": {"test": "test ratings as judges", "truth": "the simulated truth as judge"},
    "topics": {
        "all": "all users",
        "judged": "only users who have test ratings",
        "relevant": "only users who have relevant test ratings",
        "run": "only users for whom a run has a list",
    },
    "duplicates": {
        "refuse": "items listed twice refused",
        "first": "items listed twice at their best place",
    },
    "training_items": {
        "keep": "training items kept in the lists",
        "drop": "training items dropped from the lists",
        "refuse": "training items refused",
    },
    "unknown_items": {
        "keep": "unknown items kept in the lists",
        "drop": "unknown items dropped from the lists",
        "refuse": "unknown items refused",
    },
    "unscored": {
        "drop": "items without a prediction left out",
        "random": "items without a prediction appended at random",
        "popularity": "items without a prediction appended by popularity",
        "average-rating": "items without a prediction appended by average rating",
        "minimum": "items without a prediction appended, all tied",
        "merged(by=popularity)": "items without a prediction merged by popularity",
        "merged(by=average-rating)": "items without a prediction merged by average rating",
    },
    "ties": {
        "item-id": "ties broken by item id",
        "random": "ties broken at random",
        "optimistic": "ties broken in favour of the system",
        "pessimistic": "ties broken against the system",
        "trec_eval": "ties broken as by trec_eval",
        "expected": "scores averaged over the orders of ties",
    },
    "undefined": {
        "left-out": "users with undefined scores left out",
        "zero": "undefined scores counted as 0",
    },
    "tuning.refit": {
        "train-and-validation": "tuned systems fitted to training and validation",
        "train": "tuned systems fitted without the validation ratings",
    },
    "coverage": {
        "full": "uncovered users scored 0",
        "forgiving": "uncovered users left out for each system",
        "common": "only users whom every system covers",
    },
}

_GAINS = {"binary": "binary gain", "rating": "ratings as gain"}

_MEANS = {
    "mean": "the arithmetic mean",
    "median": "the median",
    "geometric-mean": "the geometric mean",
    "floored-geometric-mean": "the floored geometric mean",
    "standardised": "the mean of standardised scores",
}

_WEIGHTS = {
    "train": "training ratings",
    "all": "all ratings",
    "test": "test ratings",
    "relevant": "relevant test ratings",
}

_SPLITS = {
    "random": "a random split",
    "random-exact": "a random split of exact share",
    "per-user": "a random split per user",
    "k-fold": "a k-fold split",
    "leave-out": "a leave-out split",
    "per-item-train": "a split with equal training per item",
    "rolling": "a rolling split",
    "temporal": "a temporal split",
    "temporal-per-user": "a temporal split per user",
    "uniform": "a split uniform over items",
    "given": "a given split",
}


_OPTIONS = {"gain": (_GAINS, "{} gain"), "aggregation": (_MEANS, "{}"), "split": (_SPLITS, "")}
"""Words for options by name, and for those without words of their own; none if empty."""


def decision_words(decision: str) -> str:
    """What a decision is called.

    >>> decision_words("cutoff"), decision_words("systems.kNN.neighbours")
    ('the cut-off', 'systems.kNN.neighbours')
    """
    return _NAMES.get(decision, (decision, ""))[0]


def answer_words(decision: str, answer: Answer) -> str:
    """One answer of a decision.

    >>> answer_words("targets", "all-items, all-relevant, judged-only")
    'condensed rankings'
    >>> answer_words("systems.kNN.neighbours", 50.0)
    'systems.kNN.neighbours = 50'
    """
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        return _measured(decision, write_value(answer))
    text = str(answer)
    known = _WORDS.get(decision, {}).get(text) or _option_words(decision, text)
    return known or f"{decision} = {write_value(answer)}"


def range_words(decision: str, answers: Sequence[float], chosen: tuple[float, float]) -> str:
    """A range of a numeric decision, ends included, among all its answers.

    >>> range_words("split.test_share", [0.2, 0.4, 0.6, 0.8], (0.6, 0.8))
    'a test share of at least 0.6'
    >>> range_words("cutoff", [5, 10, 20, 50], (10, 20))
    'a cut-off of 10 to 20'
    """
    low, high = (write_value(end) for end in chosen)
    if chosen[0] == chosen[1]:
        return _measured(decision, low)
    if chosen[1] == max(answers):
        return _measured(decision, f"at least {low}", "≥ " + low)
    if chosen[0] == min(answers):
        return _measured(decision, f"at most {high}", "≤ " + high)
    return _measured(decision, f"{low} to {high}")


def set_words(decision: str, chosen: Sequence[Answer], others: Sequence[Answer]) -> str:
    """Several answers of a decision; all but a few are described by those few.

    >>> set_words("metric", ["P", "RR"], ["AP", "nDCG"])
    'P or RR'
    >>> set_words("metric", ["P", "RR", "AP"], ["nDCG"])
    'metrics other than nDCG'
    """
    if len(chosen) > 2 and len(others) < len(chosen) and decision in _NAMES:
        words = [answer_words(decision, answer) for answer in others]
        listed = joined([each.removeprefix(f"{decision} = ") for each in words], "and")
        return f"{_NAMES[decision][1]} other than {listed}"
    return joined([answer_words(decision, answer) for answer in chosen], "or")


def _measured(decision: str, number: str, sign: str = "") -> str:
    form = _MEASURES.get(decision)
    plural = "" if number.removeprefix("at least ").removeprefix("at most ") == "1" else "s"
    return form.format(number, s=plural) if form else f"{decision} {sign or '= ' + number}"


def _option_words(decision: str, text: str) -> str | None:
    """An option by its spelling; None where it is not spelled or not known."""
    if decision in ("metric", "metrics"):
        return text
    try:
        spelled = [read_spelling(part) for part in split_list(text)]
    except BadSpelling:
        return None
    if decision == "targets":
        return _targets({part.name: part for part in spelled})
    if len(spelled) != 1 or decision not in _OPTIONS:
        return None
    [one] = spelled
    if (decision, one.name) == ("aggregation", "weighted-mean"):
        weight = _parameter(one, "by", "test")
        column = weight.removeprefix("column(").removesuffix(")")
        return f"the mean weighted by {_WEIGHTS.get(weight, column)}"
    words, others = _OPTIONS[decision]
    named = words.get(one.name, others.format(one.name))
    return _with_parameters(named, one) if named else None


def _with_parameters(words: str, spelled: Spelled) -> str:
    """Words and, in brackets, the parameters that were given."""
    given = [*map(write_value, spelled.positional)]
    given += [f"{name} = {write_value(value)}" for name, value in spelled.named.items()]
    return f"{words} ({', '.join(given)})" if given else words


def _targets(names: dict[str, Spelled]) -> str | None:
    """The three choices that make targets: candidates, relevant and non-relevant items."""
    known = {"all-items", "test-items", "all-relevant", "one-relevant", "percentiles",
             "all-nonrelevant", "judged-only", "sampled"}  # fmt: skip
    return _kind_of_rankings(names) + _pool(names) if names.keys() <= known else None


def _kind_of_rankings(names: dict[str, Spelled]) -> str:
    single = "one-relevant" in names or "percentiles" in names
    if "sampled" in names:
        number = _parameter(names["sampled"], "n", 100)
        others = f"{number} sampled non-relevant item{'' if number == '1' else 's'}"
        kind = f"rankings {'of one relevant and' if single else 'with'} {others}"
        per_item = _parameter(names["sampled"], "per", "user") == "relevant"
        kind += " drawn for each relevant item" if per_item else ""
    else:
        kind = "condensed rankings" if "judged-only" in names else "full rankings"
        kind += " of one relevant item each" if single else ""
    if "percentiles" in names:
        number = _parameter(names["percentiles"], "m", 10)
        kind += f" within {number} popularity percentile{'' if number == '1' else 's'}"
    return kind


def _parameter(spelled: Spelled, name: str, default: object) -> str:
    """A parameter of an option, which may stand first without its name."""
    return write_value((*spelled.positional, spelled.named.get(name, default))[0])


def _pool(names: dict[str, Spelled]) -> str:
    head = [
        part.named["without_head"]
        for part in names.values()
        if part.named.get("without_head") not in (None, 0, 0.0)
    ]
    pool = " among test items" if "test-items" in names else ""
    return pool + (f" without the most popular {_percent(head[0])} of items" if head else "")


def _percent(share: object) -> str:
    return f"{100 * share:.3g} %" if isinstance(share, int | float) else str(share)
