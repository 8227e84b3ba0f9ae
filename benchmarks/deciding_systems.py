"""Which systems decide how robust metrics look: valcarce2020, Figures 3 and 8.

    python benchmarks/deciding_systems.py STORE [--samples 10] [--trials LOG]

On the 80/20 split of MovieLens 1M behind our figures of valcarce2018, whose fits are in STORE
after `cranfield reproduce valcarce2018 --store STORE`. Thins the test set once with our 21
systems and with others near the authors' published figures (explore_published.py), then
orders metrics by the area under τ for several sets of systems: ours, and ours with those that the
authors' figures speak for. With a log of trials, which tune_published.py writes, also ours as each
of its metrics would have tuned them. Of each set all are asked, all but one, and random 14. The
claims asked are those that our systems do not bear out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tune_published import METRICS as CHOSEN_BY
from tune_published import OTHERS, read_log

from cranfield.base.options import parse
from cranfield.scoring.scores import Floats
from cranfield.validity.criteria.robustness import SIZES
from cranfield.validity.meta.rank_agreement import tau_b
from cranfield.validity.meta.self_agreement import area, mean_of_known
from cranfield.validity.meta.thinned_systems import ThinnedSystems
from cranfield.validity.meta.thinning import DETERMINED, Scenario
from cranfield.workbench import inventory
from cranfield.workbench.definition.reading import read_table
from cranfield.workbench.execution.assessing import locate_systems
from cranfield.workbench.execution.opening import open_pipeline
from cranfield.workbench.reproduction.reproduction import find_reproductions
from cranfield.workbench.store.store import Store

METRICS = (
    "P@100", "Recall@100", "F1@100", "AP@100", "nDCG(ideal=full)@100", "RR@100",
    "ERR(top=user)@100", "Bpref@100", "InfAP@100",
)  # fmt: skip
NAMES = tuple(metric.partition("@")[0].partition("(")[0] for metric in METRICS)
NEARER = {
    "SVD": "SVD(factors=10, epochs=10)",
    "HT": "HT(steps=7)",
    "CHI2": "CHI2(k=100, gamma=1000.0)",
    "RM1": "RM1(k=50, smoothing=jelinek-mercer(lambda=0.1))",
    "NNCosNgbr-UB": "NNCosNgbr-UB(k=5, shrinkage=0.0, among=rated)",
    "NNCosNgbr-IB": "NNCosNgbr-IB(k=10, shrinkage=0.0, normalised=true)",
}
"""Settings whose figures are nearest to the authors' (explore_published.py)."""
OURS, THEIRS = "our 21", "nearer to the authors'"
SUBSETS, OF = 500, 14
SEED = 1

Areas = dict[str, float]
Alternatives = Mapping[str, Mapping[str, str]]
"""By what they are called: settings of some systems in place of ours."""


def our_systems() -> dict[str, str]:
    """Our 21 systems."""
    [made] = find_reproductions("valcarce2018", "Figure 6")
    return dict(made.definition["systems"])


def tuned_by(log: Path) -> dict[str, dict[str, str]]:
    """By metric of the log: the best setting of each system, the first one if several are."""
    trials = list(read_log(log).values())
    found: dict[str, dict[str, str]] = {}
    for metric in (*CHOSEN_BY, *OTHERS):
        best = sorted(trials, key=lambda trial: -trial.figures[metric])
        for trial in best:
            name = trial.setting.partition("(")[0]
            found.setdefault(metric, {}).setdefault(name, trial.setting)
    return found


def others_of(alternatives: Alternatives) -> dict[str, str]:
    """The settings of alternatives that are not ours, each under a name of its own."""
    ours = our_systems()
    return {
        called(name, spelled): spelled
        for some in alternatives.values()
        for name, spelled in some.items()
        if spelled != ours[name]
    }


def called(name: str, spelled: str) -> str:
    """The name of another setting of a system."""
    return f"{name}: {spelled}"


def thinnable(store: Path, others: Mapping[str, str]) -> ThinnedSystems:
    """All systems on the split of valcarce2018, ready to be thinned."""
    [made] = find_reproductions("valcarce2018", "Figure 6")
    kept = ("data", "relevance", "split", "targets", "seed")
    table = {name: made.definition[name] for name in kept}
    systems = {**our_systems(), **others}
    experiment = read_table({**table, "systems": systems, "metrics": ["P@100"]}, "study")
    with open_pipeline(Store(store)) as pipeline:
        found = locate_systems(experiment, pipeline)
    assert found.hits is not None
    plain = {name: replace(each, lists=None) for name, each in found.hits.items()}
    metrics = tuple(parse("metric", text) for text in METRICS)
    return ThinnedSystems(plain, metrics, epsilon=1e-5, undefined="zero", nested=False)


def values_of(thinned: ThinnedSystems, scenario: Scenario, samples: int) -> Floats:
    """Arithmetic means: samples × sizes × metrics × systems."""
    times = 1 if scenario in DETERMINED else samples
    made = [thinned.sample(scenario, sample, SIZES, SEED)[0][:, 0] for sample in range(times)]
    return np.array(made)


def areas_of(thinned: ThinnedSystems, values: Floats, systems: Sequence[str]) -> Areas:
    """The area under τ of each metric, for some of the systems."""
    places = [thinned.systems.index(name) for name in systems]
    whole = thinned.whole[0][:, places]
    curves = mean_of_known(tau_b(values[..., places], whole))
    return {name: area(SIZES, curve) for name, curve in zip(NAMES, curves.T, strict=True)}


def first(areas: Areas, names: Sequence[str], places: int) -> bool:
    """Whether some metrics are among the first places."""
    order = sorted(areas, key=lambda name: -areas[name])
    return set(names) <= set(order[:places])


CLAIMS: Mapping[Scenario, Mapping[str, Callable[[Areas], bool]]] = {
    "large-users": {
        "RR and ERR are the first two": lambda a: first(a, ("RR", "ERR"), 2),
        "P, F1, nDCG are behind RR and ERR": lambda a: (
            max(a[m] for m in ("P", "F1", "nDCG")) < min(a["RR"], a["ERR"])
        ),
    },
    "ratings": {
        "P, F1, nDCG are the first three": lambda a: first(a, ("P", "F1", "nDCG"), 3),
        "AP is ahead of Bpref": lambda a: a["AP"] > a["Bpref"],
        "AP is ahead of InfAP": lambda a: a["AP"] > a["InfAP"],
        "Bpref is within 0.02 of AP": lambda a: abs(a["AP"] - a["Bpref"]) <= 0.02,
    },
}


def told(areas: Areas) -> str:
    """The metrics from the most robust to the least."""
    return ", ".join(f"{name} {areas[name]:.3f}" for name in sorted(areas, key=lambda n: -areas[n]))


def report(
    thinned: ThinnedSystems, scenario: Scenario, samples: int, alternatives: Alternatives
) -> None:
    """Print what every set of systems says."""
    values = values_of(thinned, scenario, samples)
    ours = list(our_systems())
    named = {OURS: ours, **{title: renamed(some) for title, some in alternatives.items()}}
    made = {title: areas_of(thinned, values, names) for title, names in named.items()}
    print(f"\n{scenario}")
    for title, names in named.items():
        print(f"  {title}, {len(set(names) - set(ours))} others: {told(made[title])}")
    draws = np.random.default_rng(SEED)
    places = [sorted(draws.choice(len(ours), OF, replace=False)) for _ in range(SUBSETS)]
    for title, names in named.items():
        fewer = {
            name: areas_of(thinned, values, [*names[:place], *names[place + 1 :]])
            for place, name in enumerate(ours)
        }
        drawn = [areas_of(thinned, values, [names[place] for place in some]) for some in places]
        print(f"  {title}")
        for claim, holds in CLAIMS[scenario].items():
            known = holds(made[title])
            changed = [name for name, areas in fewer.items() if holds(areas) != known]
            share = sum(map(holds, drawn)) / SUBSETS
            print(f"    {claim}: {known}; of random {OF} {share:.0%}; not so without {changed}")


def renamed(settings: Mapping[str, str]) -> list[str]:
    """Our systems, those with other settings under their own names."""
    return [
        called(name, settings[name]) if settings.get(name, spelled) != spelled else name
        for name, spelled in our_systems().items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path, metavar="STORE")
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--trials", type=Path, metavar="LOG", help="of tune_published.py")
    given = parser.parse_args()
    inventory.load()
    tuned = {} if given.trials is None else tuned_by(given.trials)
    by_metric = {f"tuned by {metric}": settings for metric, settings in tuned.items()}
    alternatives = {THEIRS: NEARER, **by_metric}
    thinned = thinnable(given.store, others_of(alternatives))
    for scenario in CLAIMS:
        report(thinned, scenario, given.samples, alternatives)


if __name__ == "__main__":
    main()
