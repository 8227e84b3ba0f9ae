"""Writes the numbers of the paper as LaTeX commands, from the figures that the docs are made of.

python paper/figures.py FILE

The paper itself holds no number that was measured: what changes in the docs changes here too.
"""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

from cranfield import __version__
from cranfield.base import options
from cranfield.workbench import inventory
from cranfield.workbench.definition.definition import every_decision
from cranfield.workbench.reproduction.states import STATES

DOCS = Path(__file__).resolve().parents[1] / "docs"
_STATES = ("Hold", "Draws", "Fault", "Contradicted", "TheirsOnly", "Explained", "Fail", "Untested")
_RANGE = r"(−?[\d.]+ to −?[\d.]+)"


def figures() -> dict[str, str]:
    """Every number of the paper, by the name of its command."""
    inventory.load()
    return {
        "version": re.match(r"[\d.]+\d", __version__)[0],  # type: ignore[index]
        **_inventory(),
        **_claims(),
        **_fault(),
        **_power(),
        **_truth(),
        **_speed(),
    }


def _inventory() -> dict[str, str]:
    kinds = {name: len(options.options(name)) for name in inventory.decisions()}
    return {
        "decisions": str(len(every_decision())),
        "metrics": str(kinds["metric"] + kinds["run-metric"]),
        "recommenders": str(kinds["recommender"]),
        "splits": str(kinds["split"]),
        "tests": str(kinds["test"]),
    }


def _claims() -> dict[str, str]:
    pages = runpy.run_path(str(DOCS / "reproduction.py"))
    papers = pages["read_records"]()
    records = [record for some in papers.values() for record in some]
    states = pages["states_of"](records)
    counts = Counter(states)
    found = {
        f"claims{name}": str(counts[state]) for name, state in zip(_STATES, STATES, strict=True)
    }
    return {
        "items": str(len(records)),
        "claims": str(len(states)),
        "claimsTested": str(len(states) - counts[STATES[-1]]),
        **found,
    }


def _fault() -> dict[str, str]:
    """What the fault of rec_eval does to the agreement of F1 with other metrics."""
    worth = json.loads((DOCS / "reproduction" / "worth.json").read_text(encoding="utf-8"))
    text = " ".join(worth["valcarce2020"]["points"])
    pattern = (
        rf"{_RANGE} on Book-Crossing and {_RANGE} on MovieLens 1M; .*?it is {_RANGE} and {_RANGE}"
    )
    found = re.search(pattern, text)
    if not found:
        sys.exit("paper: worth.json no longer has the figures of the fault of rec_eval")
    names = ("faultBooks", "faultFilms", "soundBooks", "soundFilms")
    return {name: _math(value) for name, value in zip(names, found.groups(), strict=True)}


def _power() -> dict[str, str]:
    """How unstable discriminative power is on the files of its authors."""
    worth = json.loads((DOCS / "reproduction" / "worth.json").read_text(encoding="utf-8"))
    text = " ".join(worth["valcarce2018"]["points"])
    top = re.search(r"the 3 highest of 210 p-values make up (\d+ to \d+) %", text)
    places = r"(\d+) % of the cases on MovieLens 1M, (\d+) % on LibraryThing and (\d+) % on Beer"
    first = re.search(places, text)
    if not top or not first:
        sys.exit("paper: worth.json no longer has the figures of discriminative power")
    names = ("dpTop", "dpFilms", "dpBooks", "dpBeers")
    return dict(zip(names, (top[1], *first.groups()), strict=True))


def _math(text: str) -> str:
    """A range of numbers with signs as LaTeX sets them."""
    return re.sub(r"−?[\d.]+\d", lambda found: f"${found[0].replace('−', '-')}$", text)


def _truth() -> dict[str, str]:
    """How well designs find the true order of systems: means of τ by data."""
    cells = json.loads((DOCS / "corrections.json").read_text(encoding="utf-8"))
    names = {"plain": "Plain", "1R": "One", "UAR": "Uniform", "condensed": "Condensed"}
    found = {}
    for part, label in {"cm100k": "Music", "jester": "Jokes", "simulated": "Worlds"}.items():
        some = cells[part] if isinstance(cells[part], list) else [cells[part]]
        for design, name in names.items():
            taus = [_tau(each, design) for each in some]
            found[f"tau{name}{label}"] = f"${mean(taus):.2f}$"
    return found


def _tau(cell: dict[str, Any], design: str) -> float:
    return float(next(row["mean_tau"] for row in cell["designs"] if row["design"] == design))


def _speed() -> dict[str, str]:
    """How many times as long other tools take for the same metrics, data in memory."""
    text = (DOCS / "4-scoring.md").read_text(encoding="utf-8")
    names = {"pytrec_eval": "slowerTrec", "ranx": "slowerRanx", "RecTools": "slowerRectools"}
    found = {}
    for tool, name in names.items():
        row = re.search(rf"^\| {tool} \| \d+ \| \d+ \| (\d+) \|$", text, re.MULTILINE)
        if not row:
            sys.exit(f"paper: 4-scoring.md has no row for {tool}")
        found[name] = row[1]
    return found


def commands() -> str:
    """The file that the paper reads."""
    lines = [f"\\newcommand{{\\{name}}}{{{value}}}" for name, value in figures().items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(commands(), encoding="utf-8")
