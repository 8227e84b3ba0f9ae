"""Writes the pages of the papers from what `cranfield reproduce --out FOLDER` wrote.

python docs/reproduction.py FOLDER…

What pages need of each table or figure is kept in reproduction/PAPER.json, so that those
that no folder has stay as they are, but for what is said of where they differ.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from cranfield.base.errors import counted
from cranfield.view.charts.plot import Plot
from cranfield.view.charts.printed_plots import printed_plot
from cranfield.view.charts.svg import svg
from cranfield.view.page.repeated_notes import named_items, repeated, sentences
from cranfield.view.page.reproductions import counted_states, markdown_table, plots_of, wide
from cranfield.view.tables.markdown import markdown_row
from cranfield.workbench.reproduction.files import NUMBERS, item_of
from cranfield.workbench.reproduction.records import frame_of, labelled_rows
from cranfield.workbench.reproduction.reproduction import find_reproductions, run_alike
from cranfield.workbench.reproduction.states import (
    CONTRADICTED,
    HOLDS,
    IN_DRAWS,
    STATES,
    THEIRS_ONLY,
    WITH_FAULT,
    counted_kind,
    with_reason,
)

DOCS = Path(__file__).parent
FIGURES = DOCS / "reproduction"
SUMMARY = "8-reproduction.md"
STYLE = FIGURES / "charts.css"
HEAD = FIGURES / "summary.txt"
WORTH = FIGURES / "worth.json"
"""What each paper is called, and three things worth knowing of it."""
_ROWS, _POINTS, _WIDTH = 24, 21, 640
_SHORT = (
    "hold", "in some draws", "with a fault", "contradicted", "with their systems",
    "do not hold, reason given", "reason unknown", "not testable",
)  # fmt: skip
_MEASURED = {
    "empty": "processor seconds, empty store", "full": "full store", "memory": "memory, MiB",
}  # fmt: skip
"""What is measured of a whole run, and how its columns are called."""
_REASONS = {
    IN_DRAWS: "The draw of the split decides.",
    WITH_FAULT: "The fault of the tool decides; the settings below describe it.",
    CONTRADICTED: "The authors' own figures do not bear it out.",
    THEIRS_ONLY: "The systems decide: the authors' own are not available, and ours differ.",
}
"""What the state itself says of the reason."""
Record = Mapping[str, Any]


def page_name(paper: str) -> str:
    """The page of a paper."""
    return f"8-reproduction-{paper}.md"


def trimmed(record: Record) -> dict[str, Any]:
    """What a page needs of a record: no figures of claims, no curves of stand-ins, few rows."""
    shows = [show for show in record["shows"] if not show["title"].endswith(_stand_ins(record))]
    return {
        **{key: value for key, value in record.items() if key != "differs"},
        "shows": [_trimmed_show(show) for show in shows],
        "claims": [
            {key: claim[key] for key in ("says", "state", "said")} for claim in record["claims"]
        ],
    }


def _stand_ins(record: Record) -> tuple[str, ...]:
    return tuple(f", {name}" for name in record["stand_ins"])


def _trimmed_show(show: Record) -> dict[str, Any]:
    rows = frame_of(show, "rows")
    if show["kind"] == "lines" and len(rows):
        across = rows.columns[0]
        xs = rows[across].unique(maintain_order=True)
        places = {round(k * (len(xs) - 1) / (_POINTS - 1)) for k in range(_POINTS)}
        chosen = [x for place, x in enumerate(xs) if place in places]
        rows = rows.filter(pl.col(across).is_in(chosen))
    elif len(rows) > 3 * _ROWS:
        rows = rows.gather_every(-(-len(rows) // _ROWS))
    rounded = rows.with_columns(pl.col(pl.Float64).round_sig_figs(4))
    head = {key: show[key] for key in ("title", "kind", "x", "y")}
    return {**head, **labelled_rows(rounded, "rows")}


def whole(record: Record, differs: str = "") -> dict[str, Any]:
    """A trimmed record with all that an item has."""
    claims = [{**claim, "note": "", "labels": {}, "figures": []} for claim in record["claims"]]
    return {**record, "differs": differs, "claims": claims}


def charts_of(record: Record) -> dict[str, Plot]:
    """The charts of a table or figure, by the names of their files."""
    item = item_of(whole(record))
    found = dict(plots_of(item))
    for place, (title, *_, rows) in enumerate(item.shows, start=1):
        name = f"{item.name}-{place}-printed"
        plot = printed_plot(rows, name, title)
        found |= {} if plot is None else {name: plot}
    return found


def drawing(plot: Plot) -> str:
    """A chart as a file of its own."""
    head, _, rest = str(svg(plot, _WIDTH)).partition(">")
    style = f"<style>\n{STYLE.read_text(encoding='utf-8')}</style>"
    return f'{head} xmlns="http://www.w3.org/2000/svg">{style}{rest}\n'


def notes_of(record: Record, differs: str) -> list[str]:
    """What is to be known of a table or figure, sentence by sentence."""
    item = item_of(whole(record, differs))
    data = f"Data: {item.data}."
    return [data, *(sentence for note in item.notes for sentence in sentences(note))]


def section_of(record: Record, notes: Sequence[str]) -> list[str]:
    """The lines of one table or figure: notes, charts, and tables behind folds."""
    item = item_of(whole(record))
    lines = ["", f"## {item.title}"]
    lines += ["", " ".join(notes)] if notes else []
    if len(record["seeds"]) > 1:
        lines += ["", f"Claims are of {len(record['seeds'])} draws, the figures of the first."]
    if record.get("earlier"):
        lines += ["", "These figures are of an earlier run, before the settings named above."]
    charts = charts_of(record)
    lines += [f"\n![{plot.title}](reproduction/{name}.svg)" for name, plot in charts.items()]
    for title, kind, *_, rows in item.shows:
        table = markdown_table(rows if kind == "table" else wide(rows))
        lines += ["", "<details>", f"<summary>{title}</summary>", "", *table, "", "</details>"]
    return lines


def claims_of(records: Sequence[Record]) -> list[str]:
    """Tables of all claims, with what is known of each: those that hold behind a fold."""
    defined = find_reproductions(records[0]["paper"])
    notes = {(each.name, claim.says): claim.told for each in defined for claim in each.claims}
    rows: dict[bool, list[str]] = {True: [], False: []}
    for record in records:
        for claim in record["claims"]:
            reason = _REASONS.get(counted_kind(claim["state"]), "")
            note = notes.get((record["name"], claim["says"]), "") or reason
            said = " ".join(f"{claim['said']}. {note}".split())
            row = markdown_row([record["item"], claim["says"], claim["state"], said])
            rows[claim["state"] == HOLDS].append(row)
    head = ["| item | claim | state | figures, and the reason |", "| :-- | :-- | :-- | :-- |"]
    shown = ["## Claims that do not simply hold", "", *head, *rows[False]] if rows[False] else []
    fold = f"<summary>{counted(len(rows[True]), 'claim that holds', 'claims that hold')}</summary>"
    return [*shown, "", "<details>", fold, "", *head, *rows[True], "", "</details>"]


def states_of(records: Sequence[Record]) -> list[str]:
    """The states of all claims, as they are counted and in their order."""
    found = [counted_kind(claim["state"]) for record in records for claim in record["claims"]]
    return sorted(found, key=STATES.index)


def with_reasons(record: Record) -> dict[str, Any]:
    """The record with the states of claims whose reasons have become known."""
    [made] = find_reproductions(record["paper"], record["item"])
    known = {claim.says for claim in made.claims if claim.reason}
    claims = [
        {**claim, "state": with_reason(claim["state"], claim["says"] in known)}
        for claim in record["claims"]
    ]
    return {**record, "claims": claims}


def costs_of(worth: Record) -> list[str]:
    """What one whole run of a paper took: from an empty store, from a full one, and its memory."""
    known = worth.get("measured", {})
    return [f"{known[name]:,}" if name in known else "–" for name in _MEASURED]


def paper_page(paper: str, records: Sequence[Record], worth: Record) -> str:
    """The page of one paper."""
    differs = {each.name: each.differs for each in find_reproductions(paper)}
    notes = {record["item"]: notes_of(record, differs[record["name"]]) for record in records}
    common = repeated(notes)
    states = states_of(records)
    lines = [f"# {paper}, reproduced", "", f"*{worth['title']}*", ""]
    lines += [f"{counted(len(states), 'claim')}: {counted_states(states)}.", ""]
    points = [f"- {each}" for each in worth["points"]]
    lines += [*worth.get("cost", ()), *points, "", *claims_of(records)]
    lines += ["", *worth.get("explored", ()), "", "## Settings, and where they differ", ""]
    lines += [f"- {sentence} *({named_items(items)})*" for sentence, items in common.items()]
    for record in records:
        own = [sentence for sentence in notes[record["item"]] if sentence not in common]
        lines += section_of(record, own)
    return "\n".join(lines) + "\n"


def table_of_papers(columns: Iterable[str], cells: Mapping[str, Sequence[str]]) -> list[str]:
    """A row of figures for each paper, whose name leads to its page."""
    head = ["paper", *columns]
    rows = [[f"[{paper}]({page_name(paper)})", *figures] for paper, figures in cells.items()]
    return [markdown_row(head), "| :-- |" + " --: |" * (len(head) - 1), *map(markdown_row, rows)]


def summary_page(papers: Mapping[str, Sequence[Record]], worth: Record) -> str:
    """All papers on one screen."""
    counts = {}
    for paper, records in papers.items():
        states = states_of(records)
        numbers = [Counter(states)[state] for state in STATES]
        counts[paper] = list(map(str, [len(records), len(states), *numbers]))
    lines = table_of_papers(["tables and figures", "claims", *_SHORT], counts)
    every = states_of([record for records in papers.values() for record in records])
    lines += ["", f"Together {counted(len(every), 'claim')}: {counted_states(every)}."]
    old = sum(bool(record.get("earlier")) for records in papers.values() for record in records)
    if old:
        lines += [f"Of {old} of the tables and figures our own figures are of an earlier run."]
    costs = {paper: costs_of(worth[paper]) for paper in papers}
    lines += ["", worth["every paper"]["cost"], "", *table_of_papers(_MEASURED.values(), costs)]
    for paper in papers:
        points = [*worth[paper]["points"], *filter(None, worth[paper].get("cost", ()))]
        lines += ["", f"**{paper}**", *(f"- {each}" for each in points)]
    return HEAD.read_text(encoding="utf-8") + "\n" + "\n".join(lines) + "\n"


def pages_of(papers: Mapping[str, Sequence[Record]]) -> dict[str, str]:
    """All pages by name."""
    worth = json.loads(WORTH.read_text(encoding="utf-8"))
    pages = {
        page_name(paper): paper_page(paper, some, worth[paper]) for paper, some in papers.items()
    }
    return {SUMMARY: summary_page(papers, worth), **pages}


def records_text(records: Sequence[Record]) -> str:
    """Records as JSON, each in a line of its own."""
    lines = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in records)
    return '{"items":[\n' + ",\n".join(lines) + "\n]}\n"


def read_records() -> dict[str, list[Record]]:
    """What is kept, by paper."""
    papers = dict.fromkeys(each.paper for each in find_reproductions())
    places = {paper: FIGURES / f"{paper}.json" for paper in papers}
    return {
        paper: json.loads(place.read_text(encoding="utf-8"))["items"]
        for paper, place in places.items()
        if place.exists()
    }


def taken_in(papers: dict[str, list[Record]], record: Record) -> None:
    """Put a record in the place of the one that is kept, in the order of the paper."""
    order = [each.name for each in find_reproductions(record["paper"])]
    kept = papers.setdefault(record["paper"], [])
    others = [each for each in kept if each["name"] != record["name"]]
    kept[:] = sorted([*others, trimmed(record)], key=lambda each: order.index(each["name"]))


def told_again(record: Record) -> list[Record]:
    """The record as that of other papers that have the same experiment, at no cost of its own."""
    [made] = find_reproductions(record["paper"], record["item"])
    kept = {key: value for key, value in record.items() if key != "processor_seconds"}
    return [
        {**kept, "name": each.name, "paper": each.paper, "item": each.item, "title": each.title}
        for each in run_alike(made)
    ]


def main() -> None:
    """Take in what folders have, and write all records, charts and pages."""
    papers = read_records()
    for folder in map(Path, sys.argv[1:]):
        for record in json.loads((folder / NUMBERS).read_text(encoding="utf-8"))["items"]:
            for each in [record, *told_again(record)]:
                taken_in(papers, each)
    for paper, records in papers.items():
        records[:] = map(with_reasons, records)
        (FIGURES / f"{paper}.json").write_text(records_text(records), encoding="utf-8")
    for old in FIGURES.glob("*.svg"):
        old.unlink()
    for record in (record for records in papers.values() for record in records):
        for name, plot in charts_of(record).items():
            (FIGURES / f"{name}.svg").write_text(drawing(plot), encoding="utf-8")
    for name, text in pages_of(papers).items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
