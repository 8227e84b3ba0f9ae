"""The section of a report on tuning: what was tried, what was chosen, what it gained."""

from __future__ import annotations

from cranfield.view.charts.tuning_plots import tuning_plot
from cranfield.view.markup import Markup, joined
from cranfield.view.page.parts import Section, figure, folded, paragraph, table
from cranfield.view.tables.tuning import (
    TRIAL_HEADINGS,
    TuningContent,
    tuning_headings,
    tuning_rows,
)


def tuning_section(content: TuningContent | None) -> list[Section]:
    """How parameters were chosen; nothing where none was."""
    if content is None or not content.systems:
        return []
    chosen = table(
        tuning_headings(content),
        tuning_rows(content),
        caption=f"What was chosen on validation ratings, by {content.metric}",
        words=(0, 1, *([2] if content.has_places else [])),
    )
    plot = tuning_plot(content)
    every = table(
        TRIAL_HEADINGS,
        content.trials,
        caption=f"All trials, with {content.metric} on validation ratings",
        words=(0, 1, 3),
    )
    body = joined(
        paragraph(content.sentence),
        chosen,
        figure(plot) if plot is not None else Markup(""),
        folded(f"All trials ({len(content.trials):,})", every),
    )
    return [Section("tuning", "How were parameters chosen?", body)]
