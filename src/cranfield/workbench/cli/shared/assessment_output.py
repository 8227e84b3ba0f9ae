"""Several assessments that belong together: printed, written as JSON, drawn into one file."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from contextlib import ExitStack

from cranfield.base.files import json_text, writing
from cranfield.validity.assessment import Assessment
from cranfield.view.charts.assessment_plots import chart_format, write_charts
from cranfield.view.tables import terminal as tables
from cranfield.view.tables.assessments import assessment_text


def output_arguments(parser: argparse.ArgumentParser) -> None:
    """Where figures and pictures go."""
    parser.add_argument("--json", metavar="FILE", help="write all figures as JSON")
    parser.add_argument("--plot", metavar="FILE", help="draw into FILE.svg, .html, .png or .pdf")


def output(arguments: argparse.Namespace, assess: Callable[[], Iterable[Assessment]]) -> None:
    """Assess, write all parts, and print them.

    Files that cannot be written are reported before the work begins.
    """
    kind = chart_format(arguments.plot) if arguments.plot else ""
    with ExitStack() as files:
        json = files.enter_context(writing(arguments.json)) if arguments.json else None
        drawing = files.enter_context(writing(arguments.plot)) if arguments.plot else None
        made = list(assess())
        if json:
            whole = {"criterion": arguments.criterion, "parts": [each.to_dict() for each in made]}
            json.write_text(json_text(whole), encoding="utf-8")
        if drawing:
            charts = [chart for each in made for chart in each.charts]
            write_charts(charts, drawing, kind, made[0].reading)
    width = tables.terminal_width()
    for place, each in enumerate(made):
        tables.show(f"{'' if not place else chr(10)}== {each.criterion} ==\n")
        tables.show(assessment_text(each, width=width))
