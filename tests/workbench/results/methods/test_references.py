"""References: every method that is cited is in the BibTeX, and that is well formed."""

from __future__ import annotations

import re

import pytest

from cranfield.base.options import options
from cranfield.collection.datasets import DATA_SETS
from cranfield.significance.equivalence import read_rope
from cranfield.workbench import inventory
from cranfield.workbench.execution.experiment.experiments import execute
from cranfield.workbench.results.methods.methods import methods_of
from cranfield.workbench.results.methods.references import (
    _KEYS,
    REPEATING,
    cite,
    cited,
    entries,
    field_of,
    keys_of,
    references_of,
    rope_keys,
)
from experiment_cases import experiment_of

inventory.load()


def test_every_key_has_an_entry_and_every_entry_a_use() -> None:
    used = {key for keys in _KEYS.values() for each in keys.values() for key in each.split()}
    used |= {known.reference for known in DATA_SETS.values()} | {
        "harris2020",
        "virtanen2020",
        "owen2012",
        *REPEATING,
    }
    used |= {*rope_keys(read_rope("5 %")), *rope_keys(read_rope(0.01))}
    assert used <= set(entries())
    assert set(entries()) - used <= {"bellogin2017", "romano2005", "valcarce2018"}


def test_every_key_belongs_to_an_option() -> None:
    for decision, keys in _KEYS.items():
        assert set(keys) <= set(options(decision)), decision


@pytest.mark.parametrize("name", DATA_SETS)
def test_every_data_set_has_one_reference_that_its_citation_names(name: str) -> None:
    source = options("source")["dataset"](set_=name)
    [key] = keys_of(source)
    author = field_of(key, "author").partition(",")[0]
    assert author in DATA_SETS[name].citation
    assert field_of(key, "year") in DATA_SETS[name].citation


@pytest.mark.parametrize("key", entries())
def test_entries_are_well_formed(key: str) -> None:
    entry = entries()[key]
    assert entry.count("{") == entry.count("}")
    assert field_of(key, "title")
    assert re.fullmatch(r"(18|19|20)\d\d", field_of(key, "year"))
    assert re.fullmatch(r"[a-z]+(18|19|20)\d\d[a-z]*", key)
    assert key.rstrip("abcdefghijklmnopqrstuvwxyz").endswith(field_of(key, "year"))


def test_authors_are_cited_as_a_paper_does() -> None:
    assert cite("holm1979") == " (Holm, 1979)"
    assert cite("jarvelin2002", "rendle2009") == (
        " (Järvelin and Kekäläinen, 2002; Rendle et al., 2009)"
    )
    assert cite("harris2020") == " (Harris et al., 2020)"
    assert cite() == cited("a table", None) == ""


def test_all_that_the_methods_cite_is_in_the_bibtex_and_no_more() -> None:
    systems = {"kNN": "user-kNN(k=5)", "LDA": "LDA(topics=2)", "RM": "RM1"}
    made = execute(
        experiment_of(systems=systems, metrics=["ERR@5", "MAP", "Gini@5"], targets="1R, condensed")
    )
    text = methods_of(made)
    bibtex = references_of(made.experiment, True, "1.0")
    found = re.findall(r"^@\w+\{(\w+),", bibtex, re.MULTILINE)
    assert found[-1] == "cranfield"
    assert all(cite(key)[2:-1] in text for key in found[:-1])
    cited_in_text = re.findall(r"[\w.-]+(?: and [\w-]+| et al\.)?, (?:19|20)\d\d", text)
    assert len(set(cited_in_text)) == len(found) - 1
    assert "note = {Version 1.0}" in bibtex


def test_what_is_random_and_what_is_repeated_is_in_the_bibtex() -> None:
    both = experiment_of(comparison={"random": "users-and-items", "rope": 0.01})
    bibtex = references_of(both, True, "1.0", *REPEATING)
    for key in ("owen2012", "schuirmann1987", "satterthwaite1946", "nadeau2003"):
        assert f"{{{key}," in bibtex
    assert "owen2012" not in references_of(experiment_of(), True, "1.0")


def test_bibtex_is_ascii_with_braces_around_accents() -> None:
    made = experiment_of(metrics=["nDCG@5", "BoundOf1R"])
    bibtex = references_of(made, True, "1.0")
    assert bibtex.isascii()
    assert r"J{\"{a}}rvelin, Kalervo" in bibtex
    assert r"Bellog{\'{i}}n, Alejandro" in bibtex
    assert bibtex.count("{") == bibtex.count("}")


def test_a_single_system_needs_no_test() -> None:
    assert "student1908" not in references_of(experiment_of(), False, "1.0")
    assert "student1908" in references_of(experiment_of(), True, "1.0")
