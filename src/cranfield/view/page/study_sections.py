"""Sections of a report on a study: does the conclusion hold, and what does it depend on?"""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.base.errors import counted
from cranfield.validity.study.designs import Designs
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

_PAIRS = 12
"""Pairs that are shown at once."""
_FLOWS = 4
"""Decisions whose ranks are drawn: those that explain most."""


def study_sections(designs: Designs, conclusion: StudyFindings) -> list[Section]:
    """What all designs of a study say, from the curve to the explorer."""
    return [
        Section("designs-tried", "Does the conclusion hold?", _curve(designs, conclusion)),
        Section("what-decides", "What does it depend on?", _importance(conclusion)),
        Section("ranks", "How ranks move", _ranks(designs, conclusion)),
        explorer_section(designs),
    ]


def study_plots(designs: Designs, conclusion: StudyFindings) -> list[Plot]:
    """All charts of a study."""
    pair = conclusion.pair.first, conclusion.pair.second
    return [
        tally_plot(conclusion.pair, designs.systems),
        specification_plot(designs, pair),
        p_curve_plot(designs, conclusion.pair),
        importance_plot(conclusion.importance),
        *_rank_plots(designs, conclusion),
    ]


def _rank_plots(designs: Designs, conclusion: StudyFindings) -> list[Plot]:
    moved = conclusion.movement.importance if len(designs.systems) > 2 else conclusion.importance
    first = tuple(row.decision for row in moved.decisions[:_FLOWS])
    spread = [tau_plot(conclusion.movement)] if len(designs.systems) > 2 else []
    return [*flow_plots(designs, first), rank_plot(conclusion.movement), *spread]


def _curve(designs: Designs, conclusion: StudyFindings) -> Markup:
    pair = conclusion.pair
    return joined(
        figure(tally_plot(pair, designs.systems)),
        _multiplicity(conclusion),
        figure(specification_plot(designs, (pair.first, pair.second))),
        _pairs(conclusion.pairs) if len(conclusion.pairs) > 1 else Markup(""),
        figure(p_curve_plot(designs, pair)),
    )


def _multiplicity(conclusion: StudyFindings) -> Markup:
    """How many designs were tried, and what a joint test of all of them gives."""
    pair = conclusion.pair
    tried = (
        f"{counted(conclusion.designs, 'design was', 'designs were')} tried. With no difference at "
        f"all, about {conclusion.alpha * conclusion.designs:,.0f} would be significant by chance "
        f"at α = {conclusion.alpha:g}. "
    )
    if pair.joint_p is None:
        return paragraph(tried, "No joint test of “no difference in any design” was run.")
    number = (pair.surviving_wins or 0) + (pair.surviving_losses or 0)
    surviving = counted(number, "design stays", "designs stay")
    return paragraph(
        tried,
        f"The joint permutation test of “no difference in any design” gives "
        f"{p_phrase(pair.joint_p)}; {surviving} significant after adjusting for all designs.",
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
        "pair", "first wins", "significantly", "second wins", "significantly", "ties",
        "median effect d_z", "joint p",
    )  # fmt: skip
    rows = [
        (
            f"{pair.first} − {pair.second}",
            *(f"{n:,}" for n in (pair.wins, pair.significant_wins, pair.losses)),
            f"{pair.significant_losses:,}",
            f"{pair.ties:,}",
            signed(pair.median_effect, 3),
            p_value(pair.joint_p),
        )
        for pair in pairs
    ]
    return table(headings, rows, caption=caption)


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
    return joined(said, figure(importance_plot(found)), named, notes(flips))


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
