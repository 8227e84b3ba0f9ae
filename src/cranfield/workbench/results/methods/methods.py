"""Methods: how an experiment was done, as a paragraph that an author can paste."""

from __future__ import annotations

from cranfield.base.errors import counted
from cranfield.significance.comparison import Comparison
from cranfield.view.numbers import percent
from cranfield.view.prose import (
    listed,
    phrase,
    settings_of,
    taken_as_random,
)
from cranfield.view.tables.terminal import printable
from cranfield.view.tables.users import users_line
from cranfield.workbench.definition.experiment import Experiment
from cranfield.workbench.definition.study.study import Study
from cranfield.workbench.results.methods.methods_data import data_sentence, split_sentence
from cranfield.workbench.results.methods.methods_metrics import metrics_sentence
from cranfield.workbench.results.methods.methods_systems import failed_sentence, systems_sentence
from cranfield.workbench.results.methods.references import (
    JOINT,
    REPEATING,
    SOFTWARE,
    cite,
    cited,
    random_keys,
    rope_keys,
)
from cranfield.workbench.results.methods.tuning_content import tuning_sentence
from cranfield.workbench.results.results import Results

_UNSCORED = {
    "drop": "Items that a system could not score were left out of its ranking",
    "random": "Items that a system could not score were appended in random order",
    "popularity": "Items that a system could not score were appended by their number of "
    "training ratings",
    "average-rating": "Items that a system could not score were appended by their average "
    "training rating",
    "minimum": "Items that a system could not score were appended, all tied",
    "merged(by=popularity)": "Items that a system could not score were merged with the others at "
    "the quantile of their number of training ratings",
    "merged(by=average-rating)": "Items that a system could not score were merged with the others "
    "at the quantile of their average training rating",
}
_TIES = {
    "item-id": "by item id",
    "random": "at random",
    "optimistic": "in favour of the system",
    "pessimistic": "against the system",
    "trec_eval": "as trec_eval does",
    "expected": "by averaging scores over all orders",
}
_ENTERING = {
    "all": "all users",
    "judged": "the users with a test rating",
    "relevant": "the users with a relevant test rating",
    "run": "the users with a test rating for whom one of the systems has a list",
}
_TRAINING_ITEMS = {
    "keep": "training items kept their places",
    "drop": "training items were removed",
    "refuse": "no list held a training item",
}
_UNKNOWN_ITEMS = {
    "keep": "items unknown to the collection kept their places",
    "drop": "items unknown to the collection were removed",
    "refuse": "no list held an item unknown to the collection",
}
_DUPLICATES = {
    "refuse": "no list held an item twice",
    "first": "an item that was listed twice counted at its best place",
}
_COVERAGE = {
    "full": "users whom a system did not cover scored 0",
    "forgiving": "averages are over the users whom a system covered",
    "common": "averages are over the users whom every system covered",
}


def methods_of(results: Results) -> str:
    """How the experiment was done: data, users, gains, test, seeds, software."""
    experiment, data = results.evaluated, results.data
    sentences = [
        data_sentence(experiment, data),
        split_sentence(experiment, data),
        systems_sentence(results),
        failed_sentence(results),
        tuning_sentence(results),
        users_sentence(experiment, results),
        _runs(experiment),
        targets_sentence(experiment),
        metrics_sentence(experiment),
        average_sentence(experiment),
        comparison_sentence(results),
        software_sentence(experiment, results),
    ]
    return printable(" ".join(each for each in sentences if each))


def methods_of_study(study: Study, base: Results, designs: int) -> str:
    """The same for a study: how its base was done, and what was varied around it."""
    varied = listed(
        [f"{_words(path)} ({counted(len(each), 'answer')})" for path, each in study.vary.items()]
        + [f"{_words(name)} ({', '.join(each)})" for name, each in study.together.items()]
    )
    how = {
        "crossed": "in every combination",
        "one-at-a-time": "one at a time around this base",
    }[study.way]
    share = "" if study.share == 1 else f", of which a random {percent(study.share)} was tried"
    return printable(
        f"{methods_of(base)} To see how far the conclusion depends on these decisions, we varied "
        f"{varied} {how}{share}: {counted(designs, 'design')}, {_tested(study)}."
        f"{_jointly(study)}{_repeated(study)}"
    )


def _jointly(study: Study) -> str:
    """How all designs are tested at once."""
    if not study.draws:
        return ""
    family = "designs" if study.joint_family == "pair" else "designs and pairs of systems"
    return (
        f" A win counts as established if it stays significant allowing for all {family}: each "
        f"user's scores were swapped at random in all designs at once ({study.draws:,} draws), and "
        f"p-values adjusted by the step-down maximum{cite(*JOINT)}."
    )


def _repeated(study: Study) -> str:
    """Over which splits and fits the base was repeated; empty if it was not."""
    if study.repeat is None:
        return ""
    splits = counted(study.repeat.split_seeds, "random split")
    fits = counted(study.repeat.fit_seeds, "fit")
    return (
        f" The base was repeated over {splits} of the ratings with {fits} of each system on each; "
        "what users, splits and fits add to the variance was estimated by moments"
        f"{cite(*REPEATING)}."
    )


def _words(path: str) -> str:
    """The path of a decision as words."""
    return path.replace(".", " ").replace("_", " ")


def _tested(study: Study) -> str:
    """By which test designs are compared."""
    if any(path.startswith("comparison.test") for path in study.factors):
        return "each with its own test"
    test = study.base.comparison.test
    return "each with the test that fits its average" if test is None else f"with a {phrase(test)}"


def users_sentence(experiment: Experiment, results: Results) -> str:
    """Who was ranked for, and how many test users enter."""
    least = experiment.least_train
    if least is None:
        least = int(results.data["folds"][0]["train_ratings"] > 0)
    also = "with" if experiment.topics == "all" else "and"
    rated = f" {also} at least {counted(least, 'training rating')}" if least else ""
    who = f"Rankings are for {_ENTERING[experiment.topics]}{rated}"
    entered = users_line(results.users).removeprefix("Warning: ").removesuffix(".")
    return f"{who}: {entered[0].lower()}{entered[1:]}."


def _runs(experiment: Experiment) -> str:
    """How lists from elsewhere were read; nothing where there are none."""
    if not experiment.runs:
        return ""
    rules = [
        _TRAINING_ITEMS[experiment.training_items],
        _UNKNOWN_ITEMS[experiment.unknown_items],
        _DUPLICATES[experiment.duplicates],
    ]
    return f"In lists from elsewhere, {listed(rules)}."


def targets_sentence(experiment: Experiment) -> str:
    """Which items were ranked, and how ties and items without a prediction were ordered."""
    chosen, more = experiment.targets, phrase(experiment.targets.nonrelevant)
    rated = "including" if experiment.training_items == "keep" else "except"
    depth = experiment.depth
    cut = "" if depth is None else f", and lists were cut at {counted(depth, 'item')}"
    unscored = f" {_UNSCORED[experiment.unscored]}." if experiment.systems else ""
    return (
        f"We ranked {phrase(chosen.candidates)}, {rated} those of the user's training ratings, "
        f"{phrase(chosen.relevant)}{more and ', '}{more}"
        f"{cited(chosen.relevant, chosen.nonrelevant)}. "
        f"Ties were broken {_TIES[experiment.ties]}{cut}.{unscored}"
    )


def average_sentence(experiment: Experiment) -> str:
    """How scores became one value."""
    parts = f", also in groups by {listed(list(map(str, experiment.by)))}" if experiment.by else ""
    chosen = experiment.aggregation
    return (
        f"The value of a system is the {phrase(chosen)}{cited(chosen)} over users{parts}; "
        f"{_COVERAGE[experiment.coverage]}."
    )


def comparison_sentence(results: Results) -> str:
    """How differences were tested; nothing for a single system."""
    if results.comparison is None:
        return ""
    choice, subsets = results.comparison.choice, results.comparison.choice.subsets
    random, region = random_keys(results.evaluated), rope_keys(choice.rope)
    units = f"users and items, with standard errors by the pigeonhole bootstrap{cite(*random)}"
    over = units if random else "users"
    test = f"a two-sided {phrase(choice.test)}{cited(choice.test)} over {over}"
    drawn = f" ({settings})" if (settings := settings_of(choice.test)) else ""
    repeated = (
        f" The test was repeated on {subsets.count:,} random subsets of "
        f"{percent(subsets.share)} of the users."
        if subsets
        else ""
    )
    whose = "" if choice.baseline is None else f" from {choice.baseline}"
    return (
        f"Differences{whose} were tested with {test}{drawn}{_corrected(results.comparison)}, at "
        f"level {choice.alpha:g}.{repeated} {taken_as_random(choice)} Detectable differences are "
        f"for a power of {choice.power:g}; differences of up to {choice.rope} count as none in "
        f"practice{cite(*region)}."
    )


def _corrected(comparison: Comparison) -> str:
    """How p-values were adjusted, and for how many comparisons together."""
    asked, metrics = comparison.choice, len(comparison.metrics)
    pairs = len(comparison.pairs) // metrics
    together = pairs * metrics if asked.family == "all" else pairs
    if together == 1:
        return ""
    whose = "by each metric" if together == pairs and metrics > 1 else "in all"
    how = phrase(asked.correction)
    corrected = how if how.startswith("not") else f"with {how}{cited(asked.correction)}"
    return f", {corrected} for {together} comparisons {whose}"


def software_sentence(experiment: Experiment, results: Results) -> str:
    """Seed, software and versions."""
    used = results.versions
    return (
        f"All random choices come from seed {experiment.seed}. We used Cranfield "
        f"{used['cranfield']} with Python {used['python']}, NumPy {used['numpy']} and SciPy "
        f"{used['scipy']}{cite(*SOFTWARE)}."
    )
