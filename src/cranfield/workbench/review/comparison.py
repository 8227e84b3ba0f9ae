"""ResultsComparison: results side by side: what was decided, what came out, and why it differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from cranfield.base.dataclass import dataclass
from cranfield.base.errors import OptionError, TooFew
from cranfield.base.nouns.display import Tabular, Typeset
from cranfield.base.nouns.preview import preview
from cranfield.base.serialisation.json_schema import DIALECT, Schema, described, recorded_schema
from cranfield.base.serialisation.plain import plain
from cranfield.view.nouns.noun_view import ShownTable
from cranfield.view.tables.markdown import markdown_table, markdown_text
from cranfield.workbench.definition.differing import Difference, differences_between
from cranfield.workbench.definition.table import write_table
from cranfield.workbench.results.data_sets import ResultsByDataSet, folders_of
from cranfield.workbench.results.files import base_of
from cranfield.workbench.results.folders import AnyResults
from cranfield.workbench.results.results import Results
from cranfield.workbench.results.study_results import StudyResults, fingerprint_of_designs
from cranfield.workbench.results.verdicts import run_verdict
from cranfield.workbench.review.data_sets_difference import (
    DataSetsDifference,
    difference_over_data,
)
from cranfield.workbench.review.explaining import ResultsPair, common_values, explain, other_values
from cranfield.workbench.review.results_difference import (
    ResultsDifference,
    ValueDifference,
    difference_tables,
)
from cranfield.workbench.review.writing import write_review

FORMAT = 1
_MEANINGS = {
    "format": "The version of this layout.",
    "first": "The results with which the others are compared.",
    "differences": "For each of the others, what differs: decisions, data, versions, values.",
    "over": "How each of the others differs over several data sets.",
}


@dataclass(frozen=True, eq=False, repr=False)
class ResultsComparison(Typeset, Tabular):
    """Several results, each compared with the first.

    Of several data sets, there is a difference for each that both have, and ``over`` says how
    each of the results differs over all of them.
    """

    first: str
    differences: tuple[ResultsDifference, ...]
    over: tuple[DataSetsDifference, ...] = ()

    def __repr__(self) -> str:
        rows = list(self.sentences.items())
        return preview("ResultsComparison", [self.first], rows, limit=200)

    @property
    def by_results(self) -> dict[str, tuple[ResultsDifference, ...]]:
        """For each of the others by name, its differences: one, or one on each data set."""
        names = dict.fromkeys(
            [*(each.name for each in self.over), *(each.name for each in self.differences)]
        )
        return {name: tuple(e for e in self.differences if e.name == name) for name in names}

    @property
    def sentences(self) -> dict[str, str]:
        """For each of the others by name, whether its values differ, and what explains it."""
        over = {each.name: each for each in self.over}
        return {
            name: self._sentence(over.get(name), found) for name, found in self.by_results.items()
        }

    def _sentence(self, over: DataSetsDifference | None, found: Sequence[ResultsDifference]) -> str:
        if over is None:
            return found[0].sentence
        on_each = (f"{each.data_set}: {each.sentence}" for each in found)
        return " ".join([over.sentence(self.first, found), *on_each])

    @property
    def sentence(self) -> str:
        """The sentences of all others; one alone goes without its name."""
        said = self.sentences
        if len(said) == 1:
            return next(iter(said.values()))
        return " ".join(f"{name}: {text}" for name, text in said.items())

    def tables(self, name: str) -> list[ShownTable]:
        """What differs between one of the others and the first."""
        over = [each for each in self.over if each.name == name]
        pooled = [table for each in over for table in each.tables(self.first)]
        return [*pooled, *difference_tables(self.by_results[name], self.first)]

    def to_polars(self) -> pl.DataFrame:
        """A row per value that differs: results, system, metric, first, second, difference.

        Of several data sets, ``data_set`` is which one it is on.
        """
        rows = [
            (each.name, each.data_set, found.system, found.metric, found.first, found.second,
             found.difference)
            for each in self.differences
            for found in each.values
        ]  # fmt: skip
        texts = dict.fromkeys(("results", "data_set", "system", "metric"), pl.String)
        numbers = dict.fromkeys(("first", "second", "difference"), pl.Float64)
        made = pl.DataFrame(rows, schema={**texts, **numbers}, orient="row")
        return made if self.over else made.drop("data_set")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"format": FORMAT, **plain(self)}

    def to_markdown(self) -> str:
        """All of it in Markdown."""
        lines = [f"# {markdown_text(f'Results held against {self.first}')}"]
        for name, sentence in self.sentences.items():
            lines += ["", f"## {markdown_text(name)}", "", markdown_text(sentence)]
            for found in self.tables(name):
                shown = markdown_table(found.headings, found.rows)
                lines += ["", f"### {markdown_text(found.caption)}", "", shown]
        return "\n".join(lines) + "\n"

    def write(self, path: Path | str) -> None:
        """Write it as Markdown, HTML, LaTeX or JSON, by the suffix of the file."""
        write_review(self, path)


def compare(named: Sequence[tuple[str, AnyResults]]) -> ResultsComparison:
    """Hold results against the first of them, each with its name.

    Of several data sets, those of one name are compared. Results that are named twice are
    compared once.
    """
    if len(named) < 2:
        raise TooFew("compare-results", "results", 2, len(named))
    (name, first), *others = named
    differences, over = list[ResultsDifference](), list[DataSetsDifference]()
    for other, second in dict(others).items():
        if isinstance(first, ResultsByDataSet) and isinstance(second, ResultsByDataSet):
            found = difference_over_data(first, other, second)
            over.append(found)
            differences += [_difference(first[e], other, second[e], e) for e in found.both]
        elif isinstance(first, ResultsByDataSet) or isinstance(second, ResultsByDataSet):
            raise _unlike(dict(named))
        else:
            differences.append(_difference(first, other, second))
    return ResultsComparison(name, tuple(differences), tuple(over))


def _unlike(named: Mapping[str, AnyResults]) -> OptionError:
    """What is said where some results are of one data set, and some of several."""
    several = {name: each for name, each in named.items() if isinstance(each, ResultsByDataSet)}
    name, found = next(iter(several.items()))
    single = next(each for each in named if each not in several)
    folders = ", ".join(folders_of(found.by_data_set).values())
    return OptionError(
        f"{single} is of one data set, {name} of several. Give one of its folders: {folders}."
    )


def _difference(
    first: Results | StudyResults,
    name: str,
    second: Results | StudyResults,
    data_set: str | None = None,
) -> ResultsDifference:
    one, two = base_of(first), base_of(second)
    decisions = differences_between(_decisions(first), _decisions(second))
    versions = differences_between(_software(one), _software(two))
    software = [each for each in versions if each.path != "machine"]
    conclusions = tuple(_conclusions(first, second))
    return ResultsDifference(
        name=name,
        decisions=decisions,
        data=differences_between(_data(one), _data(two)),
        versions=versions,
        values=tuple(ValueDifference(*each) for each in other_values(one, two)),
        common=len(common_values(one, two)),
        conclusions=conclusions,
        explanation=explain(ResultsPair(one, two, decisions, software, conclusions)),
        data_set=data_set,
    )


def _decisions(results: Results | StudyResults) -> dict[str, Any]:
    """Every decision but the title, which decides nothing."""
    table = write_table(base_of(results).experiment, without=frozenset({"title"}), complete=True)
    if isinstance(results, StudyResults):
        table["study"] = results.study.to_table()["study"]
    return table


def _software(results: Results) -> dict[str, Any]:
    machine = None if results.machine is None else str(results.machine)
    return {**results.versions, "machine": machine}


def _data(results: Results) -> dict[str, Any]:
    """Sizes, fingerprints, and who enters."""
    data = results.data
    folds = {
        f"fold {number}": {name: fold[name] for name in ("train_ratings", "test_ratings")}
        for number, fold in enumerate(data["folds"], start=1)
    }
    own = {name: data[name] for name in ("users", "items", "size")}
    return {"ratings": data["ratings"], **own, **folds, "users who enter": results.users.users}


def _conclusions(
    first: Results | StudyResults, second: Results | StudyResults
) -> Iterator[Difference]:
    """Verdicts that differ, pairs that are significant in one alone, and designs."""
    yield from differences_between({"verdict": _verdict(first)}, {"verdict": _verdict(second)})
    one, two = (_significant(base_of(each)) for each in (first, second))
    both = [pair for pair in one if pair in two]
    yield from (Difference(pair, one[pair], two[pair]) for pair in both if one[pair] != two[pair])
    if isinstance(first, StudyResults) and isinstance(second, StudyResults):
        found = ({"designs": _designs(each)} for each in (first, second))
        yield from differences_between(*found)


def _designs(results: StudyResults) -> str:
    return f"{len(results.designs):,} designs ({fingerprint_of_designs(results.designs)[:16]})"


def _verdict(results: Results | StudyResults) -> str:
    if isinstance(results, StudyResults):
        return results.conclusion.verdict.sentence
    return run_verdict(results)[0]


def _significant(results: Results) -> Mapping[str, str]:
    """By metric and pair: which system is significantly better, or that neither is."""
    made = results.comparison
    return {
        f"{pair.metric}: {pair.first} and {pair.second}": (
            f"{pair.better} is significantly better" if pair.significant else "not significant"
        )
        for pair in (() if made is None else made.pairs)
    }


def comparison_schema() -> Schema:
    """The JSON Schema of comparisons of results."""
    made = recorded_schema(ResultsComparison)
    made["properties"] = {"format": {"const": FORMAT}, **made["properties"]}
    made["required"] = ["format", *made["required"]]
    title = "Comparison of results of Cranfield"
    return {"$schema": DIALECT, "title": title, **described(made, _MEANINGS)}
