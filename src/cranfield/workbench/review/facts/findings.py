"""Facts about findings: metrics, averages, tests, effect sizes, and how far they hold."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from cranfield.base.errors import counted
from cranfield.base.options import is_option
from cranfield.view.numbers import percent
from cranfield.view.prose import listed, metric_words
from cranfield.workbench.definition.table import spell_completely
from cranfield.workbench.plan.changes import PlanCheck
from cranfield.workbench.plan.data_set_changes import PlanCheckOfDataSets
from cranfield.workbench.results.methods.methods import average_sentence, comparison_sentence
from cranfield.workbench.results.methods.methods_metrics import metrics_sentence
from cranfield.workbench.results.study_results import StudyResults
from cranfield.workbench.results.verdicts import run_verdict
from cranfield.workbench.review.fact import Answer, Fact, Reviewed, answered, missing, partly

SIZES = (
    "The report has the difference with its 95 % interval, the standardised difference, the share "
    "of users who are better off, and the probability of practical equivalence"
)
"""What is known of every difference."""
_BEYOND = (
    "UserEPC", "UserEFD", "UserPopularity", "UserILD", "Unrated", "Serendipity", "APLT", "ACLT",
    "AWRF", "Miscalibration",
)  # fmt: skip
"""Metrics of single users that are not about accuracy."""
_ALONE = "There is one system, and nothing to compare."
_COMPARE = "Compare at least two systems."


def metrics(reviewed: Reviewed) -> Fact:
    """Every metric with its cut-off and gain, and what is relevant."""
    return answered(metrics_sentence(reviewed.experiment))


def metric_definitions(reviewed: Reviewed) -> Fact:
    """What every metric is, with all its parameters."""
    asked = reviewed.experiment
    defined = [
        f"{spell_completely(each)}: {_first_line(each)}"
        for each in (*asked.metrics, *asked.run_metrics)
        if is_option(each)
    ]
    return answered(" ".join(["Definitions:", *defined]))


def beyond_accuracy(reviewed: Reviewed) -> Fact:
    """Whether anything but accuracy was looked at."""
    asked = reviewed.experiment
    found = [*asked.run_metrics, *(m for m in asked.metrics if _name(m) in _BEYOND)]
    if found:
        return answered(f"Reported: {listed([metric_words(each) for each in found])}.")
    return missing(
        "Accuracy alone was measured.",
        "Add metrics such as EPC@10, ILD@10, Gini@10 or CatalogueCoverage@10, or say why accuracy "
        "is all that matters.",
    )


def averages(reviewed: Reviewed) -> Fact:
    """How scores of users became the values of tables."""
    return answered(average_sentence(reviewed.experiment))


def significance(reviewed: Reviewed) -> Fact:
    """Which test, over what, with which correction for many comparisons."""
    made = reviewed.base.comparison
    if made is None:
        return missing(_ALONE, _COMPARE)
    words = comparison_sentence(reviewed.base)
    together = len(made.pairs) // (1 if made.choice.family == "all" else len(made.metrics))
    if str(made.choice.correction) == "none" and together > 1:
        return partly(words, 'Correct for all comparisons, as with comparison.correction = "holm".')
    return answered(words)


def effect_sizes(reviewed: Reviewed) -> Fact:
    """How large differences are, with intervals."""
    made = reviewed.base.comparison
    if made is None:
        return missing(_ALONE, _COMPARE)
    known = sum(isfinite(pair.low) and isfinite(pair.high) for pair in made.pairs)
    every = counted(len(made.pairs), "comparison")
    if known < len(made.pairs):
        return partly(f"{SIZES} for {known} of {every}.", "Say why the others have no interval.")
    first = " ".join(run_verdict(reviewed.base)[1][:1])
    return answered(f"{SIZES} for {'all ' if known > 1 else ''}{every}. {first}".strip())


def power(reviewed: Reviewed) -> Fact:
    """What differences so many users could show."""
    made = reviewed.base.comparison
    found = [] if made is None else [p.detectable for p in made.pairs if isfinite(p.detectable)]
    if made is None or not found:
        return missing(
            "No smallest detectable difference is known.",
            "Say how large a difference the users could have shown, as `cranfield plan` does.",
        )
    metric = made.pairs[0].metric
    own = [p.detectable for p in made.pairs if p.metric == metric and isfinite(p.detectable)]
    reach = f"{min(own):.4f}" if len(own) == 1 else f"{min(own):.4f} to {max(own):.4f}"
    return answered(
        f"With a power of {percent(made.choice.power)}, the users would show differences of "
        f"{reach} by {reviewed.base.label(metric)}; the report has those of the other metrics."
    )


def robustness(reviewed: Reviewed) -> Fact:
    """Whether the conclusion holds for other decisions."""
    if isinstance(reviewed.results, StudyResults):
        found = reviewed.results
        designs = counted(len(found.designs), "design")
        return answered(f"{designs} were tried. {found.conclusion.verdict.sentence}")
    return missing(
        "One design was tried.",
        "Vary split, ranked items, metric and cut-off in a study ([study.vary]).",
    )


def repeats(reviewed: Reviewed) -> Fact:
    """Over how many splits and fits the result was repeated."""
    study, folds = reviewed.study, len(reviewed.base.data["folds"])
    seed = f"All random choices come from seed {reviewed.experiment.seed}."
    if study is not None and study.repeat is not None:
        splits = counted(study.repeat.split_seeds, "split")
        fits = counted(study.repeat.fit_seeds, "fit")
        return answered(f"{seed} The base was repeated over {splits}, with {fits} on each.")
    if folds > 1:
        return answered(f"{seed} Values are over {folds} folds.")
    return partly(
        f"{seed} There is one split and one fit of each system.",
        "Repeat the base with other seeds: [study] repeat = { split_seeds = 5, fit_seeds = 3 }.",
    )


def plan(reviewed: Reviewed) -> Fact:
    """Whether the decisions were fixed before any result."""
    return fact_of_plan(reviewed.results.plan)


def fact_of_plan(check: PlanCheck | PlanCheckOfDataSets | None) -> Fact:
    """Whether there was a plan, and what was changed since."""
    if check is None:
        return missing(
            "No plan was given.",
            "Make one before the next run (`cranfield plan`), and register its fingerprint.",
        )
    said = " ".join(check.sentences)
    return answered(said) if check.followed else partly(said, "Give the reason for each change.")


def _first_line(option: object) -> str:
    """What an option is, as its documentation begins."""
    text = (type(option).__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(text.split())


def _name(metric: object) -> str:
    return str(getattr(metric, "option_name", ""))


FINDING_FACTS: Mapping[str, Answer] = {
    "metrics": metrics,
    "metric-definitions": metric_definitions,
    "beyond-accuracy": beyond_accuracy,
    "averages": averages,
    "significance": significance,
    "effect-sizes": effect_sizes,
    "power": power,
    "robustness": robustness,
    "repeats": repeats,
    "plan": plan,
}
