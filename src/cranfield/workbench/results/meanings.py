"""What the keys of ``results.json`` mean."""

from __future__ import annotations

from collections.abc import Mapping

Meanings = Mapping[str, str]

_FORMAT = "The version of this layout."
_TITLE = "The title of the definition."
_PLAN = "The plan that was made before, and what was changed since."
_COSTS = "What each stage and system took: seconds by the clock and of processors, peak memory."
_VERSIONS = "The versions of Python, Cranfield and the libraries that computed it."
_NOTES = "What else a reader should know, a sentence each."

RESULTS: Meanings = {
    "format": _FORMAT,
    "title": _TITLE,
    "systems": "What each system reached, by system, then by metric.",
    "decisions": "The answer to every decision, defaults included.",
    "judgments": "The fingerprint of the judgments.",
    "unknown_random": "Why the value of a random ranking is not known; empty if it is.",
    "users": "How many test users and ratings there are, how many enter, and why others do not.",
    "notes": _NOTES,
    "seed": "The seed of all random choices.",
    "comparison": "The tested differences between systems; null for a single system.",
    "assessments": "What criteria say of the metrics, and the biases that were looked for.",
    "data": "Sizes and fingerprints of the ratings and of the parts of each fold.",
    "targets": "The fingerprint of the targets of each fold.",
    "scores": "The fingerprint of the scores of all users, which are in `scores.parquet`.",
    "versions": _VERSIONS,
    "seconds": "Seconds by the clock, by stage.",
    "costs": _COSTS,
    "machine": "The computer, its processors and memory, and the threads that were used.",
    "by": "Values in groups of users or items, by grouping: a row for each system and metric.",
    "group_spreads": "How far apart groups are, by grouping: a row for each system and metric.",
    "models": "Where models of other libraries come from, by system.",
    "plan": _PLAN,
    "workers": "The processes that shared the work: host, process id, tasks, seconds.",
    "tuning": "The trials of each tuned system on each fold, and which was chosen.",
}
STUDY: Meanings = {
    "format": _FORMAT,
    "title": _TITLE,
    "study": "What is varied, and how designs are tested jointly.",
    "verdict": "The verdict in words.",
    "conclusion": "How far the conclusion holds: verdict, pairs, importance of decisions, flips.",
    "repeats": "Differences over repeated splits and fits; null if nothing was repeated.",
    "designs": "The fingerprint of all designs, which are in `designs.parquet`.",
    "design_facts": "What is known of designs beside their table, such as the joint test.",
    "base": "The results of the definition itself, with nothing varied.",
    "versions": _VERSIONS,
    "costs": _COSTS,
    "plan": _PLAN,
    "tuning": "The trials of tuned systems, by the designs that share them.",
}
DATA_SETS: Meanings = {
    "format": _FORMAT,
    "title": _TITLE,
    "data_sets": "The folder with the results of each data set, by name.",
    "traits": "Measurements of each data set, such as its density.",
    "findings": "What holds over all data sets: pooled differences, tests of ranks, agreement.",
    "plan": _PLAN,
}
ROW: Meanings = {
    "value": "The value of the table, by the chosen aggregation and coverage.",
    "mean": "The arithmetic mean over the topics that enter.",
    "full": "The value if users without a list count as 0.",
    "forgiving": "The value if users without a list are left out.",
    "standard_error": "The standard error of the mean, over users.",
    "low": "The lower end of the 95 % interval (Student's t over users).",
    "high": "The upper end of that interval.",
    "topics": "How many topics there are.",
    "evaluated": "How many topics enter the value.",
    "users": "How many users have a topic that enters.",
    "covered": "How many topics have a list.",
    "undefined": "How many topics have no score, as the metric is not defined for them.",
    "left_out": "How many topics do not enter.",
    "random": "The value of a random ranking of the same targets.",
    "random_estimated": "Whether `random` was estimated by drawing rankings.",
    "random_error": "The standard error of `random`, if it was estimated.",
    "best": "The highest value that a ranking of the same targets can reach.",
    "adjusted": "(value - random) / (best - random).",
    "depth": "The depth down to which lists are described.",
    "user_coverage": "The share of users with a list.",
    "coverage": "Coverage@depth: the share of positions that lists fill.",
    "tied": "The share of positions whose item has the same prediction as its neighbour.",
    "unjudged": "The share of positions whose item is not judged.",
}
COMPARISON: Meanings = {
    "values": "The values that are compared, by metric, then by system.",
    "pairs": "All that is known of each pair of systems by each metric.",
    "decisions": "The test, the correction and the other decisions of the comparison.",
    "notes": _NOTES,
}
ASSESSMENT: Meanings = {
    "criterion": "The criterion, as it is spelled.",
    "reading": "What the figures mean, in a sentence.",
    "decisions": "How the verdict was reached.",
    "tables": "The figures to read, by table: a row each.",
    "details": "The figures to compute with, by table: a row each.",
    "charts": "The charts of the report, with what they draw.",
    "notes": _NOTES,
    "words": "What readers see in place of identifiers of tables and columns.",
    "across": "For a long table, the column whose values readers see side by side.",
}
PLAN: Meanings = {
    "fingerprint": "The fingerprint of the plan.",
    "followed": "Whether nothing was changed.",
    "changes": "Each change: its kind and place, what was planned, what was done.",
    "by_data_set": "The same for each data set that was planned and used.",
}
