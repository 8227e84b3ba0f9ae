"""Sections of a report on one evaluated design: summary, comparisons, users, coverage."""

from __future__ import annotations

from math import isnan

from cranfield.base.errors import counted
from cranfield.scoring.breakdown import Breakdown
from cranfield.view.charts.pair_plots import p_value_plot, pair_plots
from cranfield.view.charts.pareto_plots import pareto_plot
from cranfield.view.charts.run_plots import coverage_plot, value_plots
from cranfield.view.charts.user_plots import difference_plot, distribution_plots
from cranfield.view.markup import Markup, element, joined
from cranfield.view.numbers import UNKNOWN, fixed, interval, p_value, share, signed
from cranfield.view.page.parts import (
    Section,
    figure,
    folded,
    notes,
    paragraph,
    small_figures,
    table,
)
from cranfield.view.pairs import higher_first, in_order, users_text
from cranfield.view.prose import correction_name, p_heading, taken_as_random, test_name
from cranfield.view.report_content import EvaluationContent
from cranfield.view.tables.breakdowns import breakdown_rows, gap_note, spread_note, spread_rows
from cranfield.view.tables.comparisons import beaten_marks, marks, marks_note
from cranfield.view.tables.paper import PaperTable
from cranfield.view.tables.summaries import RANDOM, counts_line, interval_of
from cranfield.view.tables.users import is_warning, users_line

_PAIRS = 18
"""Pairs that are shown at once; the rest is read on demand."""


def run_sections(content: EvaluationContent) -> list[Section]:
    """What one evaluated design found, from the summary to coverage."""
    sections = [
        Section("summary", "Summary", _summary(content)),
        Section("users", "Users", _users(content)),
    ]
    if content.comparison is not None:
        sections.insert(1, Section("comparisons", "Comparisons", _comparisons(content)))
    if (trade_offs := pareto_plot(content)) is not None:
        title = "Trade-offs between accuracy, exposure and coverage"
        sections.append(Section("trade-offs", title, figure(trade_offs)))
    curve = p_value_plot(content)
    if curve is not None:
        sections.append(Section("p-value-curves", "p-value curves", figure(curve)))
    if any(not isnan(row.user_coverage) for row in content.summary.rows):
        plot = coverage_plot(content)
        full = paragraph("Every system has a full list for every user.")
        sections.append(Section("coverages", "Coverage", figure(plot) if plot else full))
    return sections


def _summary(content: EvaluationContent) -> Markup:
    known = dict(zip(content.scores.systems, marks(len(content.scores.systems)), strict=True))
    layout = content.layout
    rows = [_summary_row(content, system, known[system]) for system in content.systems]
    rows += [("", *row) for row in layout.failed_rows()]
    chance = layout.random_place == "row"
    if chance:
        rows.append(("", RANDOM, *layout.random_row(fixed), *("" for _ in layout.fact_headings)))
    made = table(
        ("", "system", *layout.headings, *layout.fact_headings),
        rows,
        caption=f"What each system reached, best by {layout.headings[0]} first",
        words=(0, 1),
        last="chance" if chance else "",
    )
    compared = content.comparison.notes if content.comparison else ()
    raised = f" {marks_note(content.comparison)}" if content.comparison else ""
    counts = counts_line(
        content.summary, unknown_random=content.unknown_random, label=content.label
    )
    latex = element("pre", paper_table(content).latex(), tabindex="0")
    return joined(
        users_paragraph(content),
        made,
        paragraph(counts.replace("* marks", "Bold marks"), raised),
        notes([note for note in content.notes if note not in compared]),
        _beyond(content),
        *(_groups(content, breakdown) for breakdown in content.breakdowns),
        folded("All figures", _all_figures(content)),
        small_figures(value_plots(content)),
        folded("This table in LaTeX", latex),
    )


def users_paragraph(content: EvaluationContent) -> Markup:
    """Which test users enter; nothing where that is not known."""
    if content.users is None:
        return Markup("")
    kind = "warning" if is_warning(content.users) else None
    return paragraph(users_line(content.users), kind=kind)


def paper_table(content: EvaluationContent, title: str = "", **more: bool) -> PaperTable:
    """The same table for a paper."""
    return PaperTable(
        summary=content.summary,
        title=title,
        comparison=content.comparison,
        lists=content.lists,
        users=content.users,
        unmarked=content.unmarked,
        unknown_random=content.unknown_random,
        label=content.label,
        failed=content.failed,
        **more,
    )


def _groups(content: EvaluationContent, breakdown: Breakdown) -> Markup:
    headings, rows = breakdown_rows(breakdown, content.label)
    note = gap_note(breakdown, content.label)
    caption = f"Values by {breakdown.name}{f'. {note}' if note else ''}"
    names, spreads = spread_rows(breakdown, content.label)
    apart = table(names, spreads, caption=spread_note(breakdown), words=(0, 1, 3, 4))
    return joined(table(headings, rows, caption=caption), apart if spreads else Markup(""))


def _beyond(content: EvaluationContent) -> Markup:
    """What lists are like beyond accuracy; nothing where nothing is known."""
    names = list(next(iter(content.lists.values()), {}))
    if not names:
        return Markup("")
    rows = [
        (system, *(fixed(content.lists[system][name]) for name in names))
        for system in content.systems
        if system in content.lists
    ]
    headings = ("system", *map(content.label, names))
    return table(headings, rows, caption="What the lists are like beyond accuracy")


def _summary_row(content: EvaluationContent, system: str, mark: str) -> tuple[str, ...]:
    values = [_value(content, system, metric) for metric in content.metrics]
    return (mark, system, *values, *map(share, content.layout.facts(system)))


def _value(content: EvaluationContent, system: str, metric: str) -> Markup:
    """A value, bold if the best, with the marks of systems that it is significantly above."""
    shown = fixed(content.summary.row(system, metric).value)
    parts: list[str] = [element("b", shown) if content.layout.is_marked(system, metric) else shown]
    if content.comparison is not None and metric in content.comparison.metrics:
        beaten = beaten_marks(content.comparison, metric, system)
        parts += [element("sup", beaten)] if beaten else []
    return joined(*parts, content.layout.beside(system, metric, fixed))


def _all_figures(content: EvaluationContent) -> Markup:
    rows = [
        (
            row.system, content.label(row.metric), fixed(row.value),
            interval(*interval_of(content.summary, row)), fixed(row.full),
            fixed(row.forgiving), fixed(row.random), fixed(row.adjusted, 3),
            f"{row.users:,}", f"{row.evaluated:,} of {row.topics:,}", f"{row.undefined:,}",
        )
        for metric in content.metrics
        for row in [content.summary.row(system, metric) for system in content.systems]
    ]  # fmt: skip
    headings = (
        "system", "metric", "value", "95 % interval", "full average", "covered users only",
        "random ranking", "adjusted for chance", "users", "topics evaluated", "undefined",
    )  # fmt: skip
    return table(headings, rows, caption="All figures of the summary", words=(0, 1))


def _comparisons(content: EvaluationContent) -> Markup:
    comparison = content.comparison
    assert comparison is not None
    choice = comparison.choice
    family = "each metric" if choice.family == "metric" else "all metrics"
    over = "" if str(choice.correction) == "none" else f" over the pairs of {family}"
    units = choice.random.replace("-", " ")
    said = paragraph(
        f"p-values: {test_name(choice.test)} over {units}, {correction_name(choice.correction)}"
        f"{over}. A difference is significant if p < {choice.alpha:g}. Differences are higher "
        f"minus lower, with 95 % intervals over {units}. {taken_as_random(choice)}"
    )
    rows = _pair_rows(content)
    heading = p_heading(choice)
    first = _pair_table(rows[:_PAIRS], "Every pair of systems by every metric", heading)
    rest = rows[_PAIRS:]
    parts = [users_paragraph(content), said, first, notes(comparison.notes)]
    if rest:
        more = counted(len(rest), "more pair")
        parts.append(folded(more, _pair_table(rest, "The other pairs", heading)))
    return joined(*parts, small_figures(pair_plots(content)))


def _pair_rows(content: EvaluationContent) -> list[tuple[str, ...]]:
    assert content.comparison is not None
    return [
        (
            f"{pair.first} {_sign(pair.difference)} {pair.second}",
            content.label(pair.metric),
            signed(pair.difference),
            interval(pair.low, pair.high, signed),
            p_value(pair.adjusted),
            "significant" if pair.significant else "may be chance",
            signed(pair.effect, 3),
            users_text(pair, " / "),
        )
        for pair in map(higher_first, in_order(content.comparison.pairs, content.kinds))
    ]


def _sign(difference: float) -> str:
    """How the first of a pair stands to the second; a dash where that is not known."""
    return UNKNOWN if isnan(difference) else ">" if difference else "="


def _pair_table(rows: list[tuple[str, ...]], caption: str, p_name: str) -> Markup:
    headings = (
        "pair", "metric", "difference", "95 % interval", p_name, "reading", "effect d_z",
        "users + / = / −",
    )  # fmt: skip
    return table(headings, rows, caption=caption, words=(0, 1, 5))


def _users(content: EvaluationContent) -> Markup:
    said = paragraph(
        "A mean hides how users differ. Each strip shows where the scores of users lie."
    )
    between = difference_plot(content)
    first = figure(between) if between else Markup("")
    return joined(said, small_figures(distribution_plots(content)), first)
