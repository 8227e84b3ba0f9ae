"""``cranfield schema``: the JSON Schema of definitions, results or reproductions."""

from __future__ import annotations

import argparse

from cranfield.base.files import json_text
from cranfield.view.tables import terminal as tables
from cranfield.workbench.definition.schema import definition_schema
from cranfield.workbench.plan.data_sets import any_plan_schema
from cranfield.workbench.reproduction.records import reproduction_schema
from cranfield.workbench.results.schema import results_schema
from cranfield.workbench.review.checklist import checklist_schema
from cranfield.workbench.review.comparison import comparison_schema

SCHEMAS = {
    "definition": definition_schema,
    "plan": any_plan_schema,
    "results": results_schema,
    "reproduction": reproduction_schema,
    "checklist": checklist_schema,
    "compare-results": comparison_schema,
}


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "of",
        choices=tuple(SCHEMAS),
        metavar="SCHEMA",
        help=f"which schema to print: {', '.join(SCHEMAS)}",
    )


def run(arguments: argparse.Namespace) -> None:
    """Print the schema."""
    tables.show(json_text(SCHEMAS[arguments.of]()).rstrip())
