"""Which systems decide how robust metrics look: valcarce2020, Figures 3 and 8.

    python benchmarks/deciding_systems.py STORE [--samples 10]

On the 80/20 split of MovieLens 1M behind our figures of valcarce2018, whose fits are in STORE
after `cranfield reproduce valcarce2018 --store STORE`. Thins the test set once with our 21
systems and with others near the authors' published figures (explore_published.py), then
orders metrics by the area under τ for several sets of systems: ours; ours with those that the
authors' figures speak for; without each system; and random 14 of 21. The claims asked are
those that our systems do not bear out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

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


def systems_of() -> dict[str, str]:
    """Our systems, and those nearer to the authors' figures under other names."""
    [made] = find_reproductions("valcarce2018", "Figure 6")
    nearer = {f"{name}, nearer": spelled for name, spelled in NEARER.items()}
    return {**made.definition["systems"], **nearer}


def thinnable(store: Path) -> ThinnedSystems:
    """All systems on the split of valcarce2018, ready to be thinned."""
    [made] = find_reproductions("valcarce2018", "Figure 6")
    kept = ("data", "relevance", "split", "targets", "seed")
    table = {name: made.definition[name] for name in kept}
    experiment = read_table({**table, "systems": systems_of(), "metrics": ["P@100"]}, "study")
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


def report(thinned: ThinnedSystems, scenario: Scenario, samples: int) -> None:
    """Print what every set of systems says."""
    values = values_of(thinned, scenario, samples)
    ours = [name for name in thinned.systems if not name.endswith(", nearer")]
    nearer = [f"{name}, nearer" if name in NEARER else name for name in ours]
    sets = {OURS: ours, THEIRS: nearer}
    sets |= {f"without {name}": [each for each in ours if each != name] for name in ours}
    made = {name: areas_of(thinned, values, some) for name, some in sets.items()}
    print(f"\n{scenario}", *(f"  {name}: {told(made[name])}" for name in (OURS, THEIRS)), sep="\n")
    draws = np.random.default_rng(SEED)
    some = [draws.choice(len(ours), OF, replace=False) for _ in range(SUBSETS)]
    drawn = [areas_of(thinned, values, [ours[k] for k in sorted(each)]) for each in some]
    for claim, holds in CLAIMS[scenario].items():
        changed = [name for name in sets if holds(made[name]) != holds(made[OURS])]
        share = sum(map(holds, drawn)) / SUBSETS
        print(f"  {claim}: {holds(made[OURS])}; of random {OF} {share:.0%}; not so: {changed}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", type=Path, metavar="STORE")
    parser.add_argument("--samples", type=int, default=10)
    given = parser.parse_args()
    inventory.load()
    thinned = thinnable(given.store)
    for scenario in CLAIMS:
        report(thinned, scenario, given.samples)


if __name__ == "__main__":
    main()
