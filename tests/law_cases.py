"""Every option that ships, with its parameters varied, to be held to the laws.

An option without a spelling here is checked as its declaration makes it up, so that a new
member is checked on arrival.
"""

from __future__ import annotations

from typing import Any

from cranfield.base.options import decisions, options, parse
from cranfield.testing import examples_of
from cranfield.workbench import inventory
from hit_cases import OF_LISTS
from hit_cases import SPELLINGS as METRICS

inventory.load()

DECISIONS = [
    decision
    for decision in decisions()
    if any(cls.__module__.startswith("cranfield.") for cls in options(decision).values())
]
"""The decisions of the project, whatever other tests have declared."""

SPELLINGS: dict[str, list[str]] = {
    "metric": [*METRICS, *OF_LISTS],
    "source": [
        "simulated(size=tiny)",
        "simulated(size=tiny, mnar=0, skew=0, seed=5)",
        "power-law(users=60, items=40, ratings=400)",
        'block(source="simulated(users=40, items=20, ratings=700)", density=0.5, items=3)',
    ],
    "judged_by": [
        "test",
        "truth",
        'random(file="simulated(size=tiny, mnar=0, skew=0)")',
        'random(file="simulated(users=60, items=70, ratings=900)", unknown=drop)',
    ],
    "filter": [
        "min-ratings(at_least=2)",
        "min-ratings(per=item, at_least=3)",
        "k-core",
        "k-core(k=2)",
        "k-core(users=3, items=1)",
        "drop-head",
        "drop-head(share=0.5)",
        "drop-head(share=0.5, of=ratings)",
        "sample",
        "sample(share=0.9)",
        "rating-range(at_least=3)",
        "rating-range(at_least=2, at_most=4)",
        "time-range(since=5)",
        "time-range(since=1970-01-01, until=100)",
    ],
    "split": [
        "random",
        "random(test_share=0.5)",
        "random(repeats=3)",
        "random-exact",
        "random-exact(test_share=0.5, repeats=2)",
        "per-user(test_share=0.5)",
        "per-user(test_share=0.5, repeats=2)",
        "k-fold(folds=2)",
        "k-fold",
        "k-fold(folds=3, per=user)",
        "k-fold(folds=2, repeats=2)",
        "leave-out",
        "leave-out(repeats=2)",
        "leave-out(count=2, pick=latest)",
        "per-item-train(count=1)",
        "per-item-train(count=3)",
        "per-item-train(count=1, repeats=2)",
        "uniform",
        "uniform(test_share=0.05, epsilon=0.5)",
        "uniform(test_share=0.05, epsilon=0.5, folds=3)",
        "uniform(test_share=0.05, epsilon=0.5, folds=2, repeats=2)",
        "rolling",
        "rolling(windows=2, train=window)",
        "rolling(horizon=3)",
        "rolling(windows=2, horizon=2, step=1, train=window)",
        "temporal",
        "temporal(test_share=0.5)",
        "temporal(at=100)",
        'temporal(at="1970-01-01T00:00:09")',
        "temporal-per-user",
        "temporal-per-user(test_share=0.5)",
    ],
    "candidates": [
        *("all-items", "all-items(without_head=0.3)"),
        *("test-items", "test-items(without_head=0.2)", "train-items"),
        *("test-items(only_head=0.5)", "train-items(without_head=0.4, head_of=ratings)"),
    ],
    "relevant": ["percentiles(m=2)"],
    "nonrelevant": ["sampled(n=3)", "sampled(n=30, per=relevant)", "sampled(n=3, of=unrated)"],
    "propensity": [
        *("popularity", "popularity(gamma=0.5)", "popularity(gamma=fitted)"),
        *("logistic", "logistic(ridge=0.1)"),
        "poisson-factorisation(factors=2, iterations=5)",
        'naive-bayes(random="simulated(size=tiny)")',
        'known(source="simulated(size=tiny)")',
    ],
    "estimator": ["ips", "ips(clip=0.1)", "snips", "snips(clip=0.5, over=targets)", "stratified"],
    "recommender": [
        "SLIM(l1=0.5, l2=5)",
        "EASE(regularisation=10)",
        "HT",
        "HT(steps=4, most_items=12)",
        "SVD(factors=5, epochs=200)",
        "PureSVD(factors=3)",
        "BPRMF(factors=6, epochs=40)",
        "WRMF(factors=4, regularisation=1)",
        "MF(factors=4)",
        "LDA(topics=3, burn_in=10, sweeps=10)",
        "PLSA(topics=3, iterations=20)",
        "user-kNN(k=3)",
        "user-kNN(k=10, min_overlap=5, binarised=true, threshold=4, exponent=2)",
        "user-kNN(shrinkage=2, alpha=0.25, length_exponent=1, inverted=true)",
        "item-kNN(k=3)",
        "item-kNN(k=3, shrinkage=2, alpha=0.25, length_exponent=0.5, inverted=true)",
        "P3alpha(k=3)",
        "RP3beta",
        "RP3beta(k=3, alpha=0.5, normalised=true, binarised=false)",
        "RW(k=3)",
        "RSV(k=3)",
        "CHI2(k=3)",
        "KLD(k=3)",
        "LM-WSR-UB(k=3)",
        "LM-WSR-IB(k=3)",
        "LM-WSR-IB(smoothing=absolute-discounting(delta=0.25))",
        "NNCosNgbr-UB(k=3)",
        "NNCosNgbr-IB(k=3)",
        "NNCosNgbr-IB(shrinkage=7, damping=3)",
        "RM1(k=3)",
        "RM1(smoothing=additive(gamma=0.5))",
        "RM2(k=3)",
        "RM2(smoothing=dirichlet(mu=3), prior=collection)",
        "UIR-Item(lambda=0.7)",
        "oracle(source=simulated(size=tiny))",
    ],
    "gain": ["table(gains={1: 0, 2: 0, 3: 0.5, 4: 1, 5: 1})"],
    "run-metric": [
        *("CatalogueCoverage@2", "MeanPopularity@2", "EPC@2", "EFD@2", "Gini@2", "ILD@2"),
        *("UnratedShare@2", "CondensedDepth@2", "EPC(discount=logarithmic, relevant=true)"),
        *("PopularityCorrelation@1", "PopularityCorrelation(by=ranks)", "ILD", "Gini"),
    ],
    "aggregation": [
        *("URisk(baseline=s0)", "URisk(baseline=s1, alpha=0)", "TRisk(baseline=s0)", "GeoRisk"),
        *("weighted-mean", "weighted-mean(by=relevant)", "geometric-mean(epsilon=1)"),
        *("weighted-mean(by=train)", "weighted-mean(by=all)", "weighted-mean(by=column(weight))"),
        *("standardised", "standardised(reference=[s0, s1])", "standardised(reference=[s1, s2])"),
        *("floored-geometric-mean", "floored-geometric-mean(as=rec_eval)"),
    ],
    "test": [
        *("permutation(draws=500)", "permutation(draws=500, exact_up_to=9)"),
        *("bootstrap(draws=500)", "randomised-hsd(draws=500)", "weighted-t(by=relevant)"),
        *("weighted-t", "weighted-t(by=train)", "weighted-t(by=column(weight))"),
    ],
    "criterion": [
        "correlation(agreement=tau-ap)",
        "correlation",
        "robustness(sizes=[1, 0.5, 0.1], samples=3)",
        "robustness(sizes=[1, 0.5, 0.1], samples=3, popular_by=train, of=all-items, nested=false)",
        "robustness(scenarios=[ratings-by-user], sizes=[1, 0.5], samples=3, undefined=zero)",
        "stability(samples=20)",
        "stability(fuzziness=[0, 0.5], samples=5, share=0.2)",
        "thinned-discriminative-power(sizes=[1, 0.5], samples=2)",
        "thinned-DP(scenarios=[items, users], sizes=[0.5], samples=2, nested=false, of=all-items)",
    ],
}
"""By decision; an option that is spelled here is checked in these forms only."""

NOT_MADE_UP = {"given", "file", "dataset", "subset", "listed"}
"""They read files; their own tests hold them to what they promise."""


def _all(decision: str) -> list[Any]:
    spelled = [parse(decision, text) for text in SPELLINGS.get(decision, [])]
    named = {made.option_name for made in spelled}
    others = (made for name, made in examples_of(decision).items() if name not in named)
    return [*spelled, *(each for made in others for each in made)]


CASES: dict[str, list[Any]] = {decision: _all(decision) for decision in DECISIONS}
"""What is held to the laws of its decision."""

MADE_UP: list[Any] = [
    each for decision in DECISIONS for made in examples_of(decision).values() for each in made
]
"""Every parameter of every option at other values, for the laws of every option."""


def not_covered() -> set[str]:
    """The options that no case is of."""
    known = {cls: name for decision in DECISIONS for name, cls in options(decision).items()}
    covered = {type(made) for cases in CASES.values() for made in cases}
    return {name for cls, name in known.items() if cls not in covered}
