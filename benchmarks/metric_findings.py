"""Whether the findings of valcarce2018 and valcarce2020 about metrics hold for our systems.

    python benchmarks/metric_findings.py FOLDER [--samples 50] [--write docs/6-validity.md]

FOLDER has the runs of the 21 systems on the authors' split of MovieLens 1M, see
published_runs.py; those that are missing are made first. Computes discriminative power,
correlation and robustness, holds each finding to these figures, and prints the tables, or
puts them between the marks of a page. The study of robustness must take below 5 minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from metric_figures import CUTOFFS, NAMES, Figures, Values, compute, deep
from published_systems import put, table

OLDER = ("P", "Recall", "AP", "nDCG", "RR", "Bpref", "InfAP")
"""The metrics of valcarce2018; valcarce2020 adds F1 and ERR."""


@dataclass(frozen=True)
class Found:
    """Whether a finding holds here, and the figures that tell."""

    holds: str
    figures: str


@dataclass(frozen=True)
class Finding:
    """What the authors found, where, and how it is looked for here."""

    text: str
    source: str
    look: Callable[[Figures], Found]


def _verdict(kept: Mapping[str, bool]) -> str:
    return "yes" if all(kept.values()) else "in part" if any(kept.values()) else "no"


def _listed(values: Values, names: Iterable[str], digits: int = 3) -> str:
    return ", ".join(f"{name} {values[f'{name}@100']:.{digits}f}" for name in names)


def deeper_is_more_discriminative(found: Figures) -> Found:
    dp = found.power
    kept = {m: dp[f"{m}@100"] < min(dp[f"{m}@5"], dp[f"{m}@10"]) for m in NAMES}
    said = ", ".join(
        f"{'' if kept[m] else 'not '}{m} ({dp[f'{m}@5']:.1f} → {dp[f'{m}@100']:.1f})" for m in NAMES
    )
    return Found(_verdict(kept), f"DP at 5 → 100: {said}")


def ndcg_and_precision_are_most_discriminative(found: Figures) -> Found:
    order = deep(found.power)[::-1]
    kept = {name: name in order[:3] for name in ("nDCG", "P")}
    return Found(_verdict(kept), f"lowest DP: {_listed(found.power, order[:4], 2)}")


def bpref_infap_and_mrr_are_least_discriminative(found: Figures) -> Found:
    order = deep(found.power, OLDER)
    kept = {name: name in order[:3] for name in ("Bpref", "InfAP", "RR")}
    return Found(_verdict(kept), f"highest DP: {_listed(found.power, order[:4], 2)}")


def mrr_orders_systems_unlike_the_others(found: Figures) -> Found:
    means = {
        f"{m}@100": sum(found.alike[f"{m}@100", f"{o}@100"] for o in OLDER if o != m) / 6
        for m in OLDER
    }
    order = deep(means, OLDER)[::-1]
    return Found(_verdict({"RR": order[0] == "RR"}), f"lowest mean τ: {_listed(means, order[:3])}")


def cutoffs_above_20_agree(found: Figures) -> Found:
    pairs = [("nDCG@20", "nDCG@50"), ("nDCG@20", "nDCG@100"), ("nDCG@50", "nDCG@100")]
    taus = {f"{one} and {other[5:]}": found.alike[one, other] for one, other in pairs}
    said = ", ".join(f"{pair} {tau:.3f}" for pair, tau in taus.items())
    return Found(_verdict({pair: tau >= 0.85 for pair, tau in taus.items()}), f"τ: {said}")


def all_stand_half_the_ratings(found: Figures) -> Found:
    least = found.down_to["arithmetic", "ratings"]
    worst = deep(least)[0]
    kept = {name: least[f"{name}@100"] <= 0.5 for name in NAMES}
    return Found(_verdict(kept), f"the worst, {worst}, down to {least[f'{worst}@100']:.0%}")


def precision_f1_and_ndcg_stand_missing_ratings_best(found: Figures) -> Found:
    areas = found.areas["arithmetic", "ratings"]
    order = deep(areas)
    kept = {name: name in order[:3] for name in ("P", "F1", "nDCG")}
    return Found(_verdict(kept), _listed(areas, order[:4]))


def mrr_and_err_stand_missing_ratings_badly(found: Figures) -> Found:
    areas = found.areas["arithmetic", "ratings"]
    order = deep(areas)[::-1]
    return Found(_verdict({m: m in order[:4] for m in ("RR", "ERR")}), _listed(areas, order[:5]))


def missing_items_hurt_more_than_missing_ratings(found: Figures) -> Found:
    ratings, items = (found.areas["arithmetic", leaving] for leaving in ("ratings", "items"))
    kept = {m: items[f"{m}@100"] < ratings[f"{m}@100"] for m in NAMES}
    least = min(NAMES, key=lambda m: ratings[f"{m}@100"] - items[f"{m}@100"])
    ends = ratings[f"{least}@100"], items[f"{least}@100"]
    return Found(_verdict(kept), f"least for {least}: {ends[0]:.3f} → {ends[1]:.3f}")


def precision_stands_missing_popular_items_best(found: Figures) -> Found:
    areas = found.areas["arithmetic", "popular-items"]
    order = deep(areas)
    kept = {"P": order[0] == "P", "RR and ERR": set(order[-2:]) == {"RR", "ERR"}}
    return Found(_verdict(kept), _listed(areas, [*order[:2], *order[-2:]]))


def missing_users_hurt_little(found: Figures) -> Found:
    areas = found.areas["arithmetic", "users"]
    order = deep(areas)
    kept = {name: areas[f"{name}@100"] > 0.9 for name in NAMES}
    return Found(_verdict(kept), _listed(areas, [order[0], order[-1]]))


def mrr_and_err_stand_missing_large_users_best(found: Figures) -> Found:
    areas = found.areas["arithmetic", "large-users"]
    order = deep(areas)
    kept = {m: m in order[:2] for m in ("RR", "ERR")}
    return Found(_verdict(kept), _listed(areas, order))


def precision_f1_and_ndcg_stand_missing_large_users_worse(found: Figures) -> Found:
    areas = found.areas["arithmetic", "large-users"]
    behind = min(areas["RR@100"], areas["ERR@100"])
    kept = {m: areas[f"{m}@100"] < behind for m in ("P", "F1", "nDCG")}
    return Found(_verdict(kept), _listed(areas, ("P", "F1", "nDCG", "RR", "ERR")))


def geometric_means_help(found: Figures, areas: Mapping[tuple[str, str], Values]) -> Found:
    plain, geometric = found.areas["arithmetic", "large-users"], areas["geometric", "large-users"]
    kept = {m: geometric[f"{m}@100"] > plain[f"{m}@100"] for m in ("P", "nDCG")}
    said = [
        f"{m} {plain[f'{m}@100']:.3f} → {geometric[f'{m}@100']:.3f}"
        for m in ("P", "nDCG", "AP", "RR", "ERR")
    ]
    return Found(_verdict(kept), ", ".join(said))


def geometric_f1_and_mrr_are_least_robust(areas: Mapping[tuple[str, str], Values]) -> Found:
    worst = {
        leaving: deep(areas["geometric", leaving])[::-1][:2]
        for leaving in ("ratings", "items", "users")
    }
    kept = {leaving: set(names) == {"F1", "RR"} for leaving, names in worst.items()}
    said = "; ".join(f"{leaving}: {' and '.join(names)}" for leaving, names in worst.items())
    return Found(_verdict(kept), f"least robust to missing {said}")


def deeper_is_more_robust(found: Figures) -> Found:
    kept, said = {}, []
    for leaving in ("ratings", "popular-items"):
        areas = found.areas["arithmetic", leaving]
        depths = [areas[f"nDCG@{n}"] for n in CUTOFFS]
        kept[leaving] = min(depths[3:]) > max(depths[:2])
        said.append(f"missing {leaving}: {', '.join(f'{area:.3f}' for area in depths)}")
    return Found(_verdict(kept), f"nDCG at 5, 10, 20, 50, 100, {'; '.join(said)}")


FINDINGS = (
    Finding("Deeper cut-offs are more discriminative", "2018 §6", deeper_is_more_discriminative),
    Finding(
        "nDCG and P are among the most discriminative (the best three of nine)",
        "2018 §7, 2020 §6.2", ndcg_and_precision_are_most_discriminative,
    ),
    Finding(
        "MRR, Bpref and InfAP are the least discriminative of the seven", "2018 §7",
        bpref_infap_and_mrr_are_least_discriminative,
    ),
    Finding("MRR orders systems least like the others", "2018 §7",
            mrr_orders_systems_unlike_the_others),
    Finding("Cut-offs from 20 on order systems much alike (τ ≥ 0.85)", "2018 §6",
            cutoffs_above_20_agree),
    Finding("With half of the ratings, all metrics keep τ ≥ 0.9", "2020 §6.3.1",
            all_stand_half_the_ratings),
    Finding("P, F1 and nDCG stand missing ratings best", "2020 §6.3.1",
            precision_f1_and_ndcg_stand_missing_ratings_best),
    Finding("MRR and ERR are among the least robust to missing ratings (the last four)",
            "2020 §6.3.1", mrr_and_err_stand_missing_ratings_badly),
    Finding("Deeper cut-offs are more robust (50 and 100 against 5 and 10)", "2018 §6",
            deeper_is_more_robust),
    Finding("Missing items hurt more than missing ratings", "2020 §6.3.2",
            missing_items_hurt_more_than_missing_ratings),
    Finding("P stands missing popular items best, MRR and ERR worst", "2020 §6.3.2",
            precision_stands_missing_popular_items_best),
    Finding("Missing users hurt little (area above 0.9)", "2020 §6.3.3",
            missing_users_hurt_little),
    Finding("MRR and ERR stand missing large users best", "2020 §6.3.3",
            mrr_and_err_stand_missing_large_users_best),
    Finding("P, F1 and nDCG stand missing large users less well than MRR and ERR", "2020 §6.3.3",
            precision_f1_and_ndcg_stand_missing_large_users_worse),
    Finding("Geometric means make P and nDCG more robust to missing large users", "2020 §7.2",
            lambda found: geometric_means_help(found, found.areas)),
    Finding("The same, with ε = 10⁻⁵ as in trec_eval instead of 0.01", "2020 §7.2",
            lambda found: geometric_means_help(found, found.fine)),
    Finding("With geometric means, F1 and MRR are the least robust", "2020 §7.2",
            lambda found: geometric_f1_and_mrr_are_least_robust(found.areas)),
    Finding("The same, with ε = 10⁻⁵ as in trec_eval", "2020 §7.2",
            lambda found: geometric_f1_and_mrr_are_least_robust(found.fine)),
)  # fmt: skip


def power_table(found: Figures) -> str:
    """DP of nine metrics at five cut-offs, and the share of pairs told apart at 100."""
    rows = [
        (name, *(f"{found.power[f'{name}@{n}']:.2f}" for n in CUTOFFS),
         f"{found.shares[f'{name}@100']:.0%}")
        for name in deep(found.power)[::-1]
    ]  # fmt: skip
    return table(rows, ("DP", *(f"@{n}" for n in CUTOFFS), "p < 0.05 at 100"), left=1)


def area_table(found: Figures) -> str:
    """Areas under τ of nine metrics by scenario, with both means."""
    leaving = ("ratings", "items", "popular-items", "users", "large-users")
    rows = [
        (f"{name}@100", *(
            " / ".join(f"{found.areas[mean, each][f'{name}@100']:.3f}".replace("-", "−")
                       for mean in ("arithmetic", "geometric"))
            for each in leaving
        ))
        for name in NAMES
    ]  # fmt: skip
    return f"{table(rows, ('metric', *leaving), left=1)}\n\n{found.took}"


def findings_table(found: Figures) -> str:
    """Every finding, whether it holds here, and the figures."""
    rows = []
    for finding in FINDINGS:
        here = finding.look(found)
        figures = here.figures.replace(" -", " −")
        rows.append((finding.text, finding.source, f"**{here.holds}**", figures))
    return table(rows, ("finding", "valcarce", "here", "figures"), left=4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="a page with the marks")
    given = parser.parse_args()
    found = compute(given.folder, given.samples)
    for mark, make in (
        ("power", power_table), ("areas", area_table), ("findings", findings_table)
    ):  # fmt: skip
        if given.write is None:
            print(make(found), end="\n\n")
        else:
            put(given.write, mark, make(found))


if __name__ == "__main__":
    main()
