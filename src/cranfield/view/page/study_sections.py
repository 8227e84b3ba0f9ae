"""Sections of a report on a study: does the conclusion hold, and what does it depend on?"""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.base.errors import counted
from cranfield.validity.study.designs import Designs
from cranfield.validity.study.evidence import effectless
from cranfield.validity.study.findings import StudyFindings
from cranfield.validity.study.pair_outcomes import PairCounts
from cranfield.view.charts.movement_plots import flow_plots, rank_plot, tau_plot
from cranfield.view.charts.plot import Plot
from cranfield.view.charts.specification_plots import specification_plot
from cranfield.view.charts.study_plots import (
    importance_plot,
    p_curve_plot,
    tally_plot,
)
from cranfield.view.markup import Markup, element, joined
from cranfield.view.numbers import fixed, p_phrase, p_value, share, signed
from cranfield.view.page.explorer import explorer_section
from cranfield.view.page.parts import (
    Section,
    figure,
    folded,
    notes,
    paragraph,
    small_figures,
    table,
)
from cranfield.view.tables.verdicts import verdict_rows

_PAIRS = 12
"""Pairs that are shown at once."""
_FLOWS = 4
"""Decisions whose ranks are drawn: those that explain most."""


_SILENT = ("not established", "not tested", "undefined")
"""Badges of which neither conditions nor shares are shown."""


def study_verdict(designs: Designs, conclusion: StudyFindings) -> Markup:
    """The badge, the sentences, their bar and numbers; the evidence behind a fold."""
    verdict, pair = conclusion.verdict, conclusion.pair
    headings, *rows = verdict_rows(conclusion)
    return joined(
        paragraph(f"{verdict.badge[0].upper()}{verdict.badge[1:]}", kind="badge"),
        paragraph(verdict.sentence, kind="verdict"),
        figure(tally_plot(pair, designs.systems)),
        table(headings, rows, caption=f"{pair.first} and {pair.second} in numbers"),
        folded("The evidence", notes(verdict.evidence), kind="evidence"),
    )


def study_sections(designs: Designs, conclusion: StudyFindings) -> list[Section]:
    """What all designs of a study say, from the curve to the explorer; each design once."""
    distinct = designs.distinct()
    found = [Section("designs-tried", "Does the conclusion hold?", _curve(designs, conclusion))]
    if conclusion.verdict.badge not in _SILENT:
        found.append(Section("what-decides", "What does it depend on?", _importance(conclusion)))
    return [
        *found,
        Section("ranks", "How ranks move", _ranks(distinct, conclusion)),
        explorer_section(designs, (conclusion.pair.first, conclusion.pair.second)),
    ]


def study_plots(designs: Designs, conclusion: StudyFindings) -> list[Plot]:
    """All charts of a study."""
    pair, distinct = (conclusion.pair.first, conclusion.pair.second), designs.distinct()
    silent = conclusion.verdict.badge in _SILENT
    return [
        tally_plot(conclusion.pair, designs.systems),
        specification_plot(distinct, pair),
        p_curve_plot(distinct, conclusion.pair),
        *([] if silent else [importance_plot(conclusion.importance, conclusion.uncertainty)]),
        *_rank_plots(distinct, conclusion),
    ]


def _rank_plots(designs: Designs, conclusion: StudyFindings) -> list[Plot]:
    moved = conclusion.movement.importance if len(designs.systems) > 2 else conclusion.importance
    first = tuple(row.decision for row in moved.decisions[:_FLOWS])
    spread = [tau_plot(conclusion.movement)] if len(designs.systems) > 2 else []
    return [*flow_plots(designs, first), rank_plot(conclusion.movement), *spread]


def _curve(designs: Designs, conclusion: StudyFindings) -> Markup:
    pair, distinct = conclusion.pair, designs.distinct()
    return joined(
        _multiplicity(conclusion),
        notes(tuple(effectless(designs))),
        figure(specification_plot(distinct, (pair.first, pair.second))),
        _pairs(conclusion.pairs) if len(conclusion.pairs) > 1 else Markup(""),
        figure(p_curve_plot(distinct, pair)),
    )


def _multiplicity(conclusion: StudyFindings) -> Markup:
    """How many designs were tried, and what a joint test of all of them gives."""
    pair, tried = conclusion.pair, conclusion.tried
    once = f", {conclusion.designs:,} of them distinct" if conclusion.designs < tried else ""
    opening = f"{counted(tried, 'design was', 'designs were')} tried{once}. "
    if pair.joint_p is None:
        return paragraph(opening, "They were not tested jointly.")
    return paragraph(
        opening,
        f"The joint test of “no difference in any design” gives {p_phrase(pair.joint_p)}. Each "
        f"user’s scores were swapped in all designs at once, so that the designs keep their "
        f"dependence. Designs are a choice, not a sample.",
    )


def _pairs(pairs: tuple[PairCounts, ...]) -> Markup:
    """All pairs; of very many, those with the most reversals come first, the rest on demand."""
    if len(pairs) <= _PAIRS:
        return _pairs_table(pairs, "Every pair of systems over all designs")
    ranked = sorted(pairs, key=lambda pair: (not pair.flips_sign, -min(pair.wins, pair.losses)))
    caption = f"The pairs that designs disagree on most; each of {len(pairs):,} pairs was compared"
    first = _pairs_table(ranked[:_PAIRS], caption)
    rest = _pairs_table(ranked[_PAIRS:], "The other pairs over all designs")
    return joined(first, folded(counted(len(pairs) - _PAIRS, "more pair"), rest))


def _pairs_table(pairs: Sequence[PairCounts], caption: str) -> Markup:
    headings = (
        "pair", "first wins (by itself)", "established", "second wins (by itself)",
        "established", "ties", "median d_z", "joint p",
    )  # fmt: skip
    rows = [
        (
            f"{pair.first} − {pair.second}",
            f"{pair.wins:,} ({pair.significant_wins:,})",
            _joint_count(pair, pair.established_wins),
            f"{pair.losses:,} ({pair.significant_losses:,})",
            _joint_count(pair, pair.established_losses),
            f"{pair.ties:,}",
            signed(pair.median_effect, 3),
            p_value(pair.joint_p),
        )
        for pair in pairs
    ]
    return table(headings, rows, caption=caption)


def _joint_count(pair: PairCounts, number: int) -> str:
    """How many wins are established; a dash for a pair outside the joint test."""
    return "–" if pair.joint_p is None else f"{number:,}"


def _importance(conclusion: StudyFindings) -> Markup:
    found = conclusion.importance
    flips = [f"{flip.words}." for flip in conclusion.flips]
    more = f" Their interactions explain {share(found.interacting or 0)} more."
    said = paragraph(
        f"The decisions by themselves explain {share(found.explained)} of the variation of the "
        f"standardised difference between {conclusion.pair.first} and {conclusion.pair.second}.",
        more if found.interacting else "",
    )
    named = element("h3", "Designs with a different conclusion") if flips else Markup("")
    return joined(said, figure(importance_plot(found, conclusion.uncertainty)), named, notes(flips))


def _ranks(designs: Designs, conclusion: StudyFindings) -> Markup:
    moved = conclusion.movement
    against = "the base design" if moved.reference == "base" else "the order by mean rank"
    verb = "orders" if moved.same_order == 1 else "order"
    said = (
        f"{moved.same_order:,} of {counted(conclusion.designs, 'design')} {verb} the systems as "
        f"{against} does; Kendall’s τ with it is {fixed(moved.median_tau, 2)} in the "
        f"median and {fixed(moved.lowest_tau, 2)} at the lowest."
    )
    plots = _rank_plots(designs, conclusion)
    return joined(paragraph(said), small_figures(plots))
