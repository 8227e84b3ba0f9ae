"""The glossary: defined once, found in text, linked from pages and commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cranfield.base.errors import UnknownTerm
from cranfield.view.glossary import find_term, glossary, terms_in
from cranfield.view.markup import Markup, element
from cranfield.view.page.parts import Section
from cranfield.view.page.report import render_report
from cranfield.view.page.terms import link_terms, with_glossary
from cranfield.workbench.cli.main import COMMANDS, main
from page_reader import read_page
from report_cases import HOSTILE, made_report

DOCS = Path(__file__).parents[2] / "docs"


def test_every_term_has_a_name_a_definition_and_a_place_of_its_own() -> None:
    anchors = [term.anchor for term in glossary()]
    assert len(set(anchors)) == len(anchors) > 60
    spellings = [spelling for term in glossary() for spelling in term.spellings]
    assert len(set(spellings)) == len(spellings)
    for term in glossary():
        assert re.fullmatch("[a-z][a-z0-9-]+", term.anchor)
        assert term.text.endswith(".")
        assert len(term.text) <= 230
        assert (DOCS / term.see).is_file(), term.see


def test_terms_are_found_as_whole_words_the_longest_first() -> None:
    text = "Test ratings, then ratings and P@10; split.k"
    found = [(match[0], term.name) for match, term in terms_in(text)]
    assert found == [("Test ratings", "test ratings"), ("ratings", "rating"), ("split", "split")]
    assert [term.name for _, term in terms_in("untargeted Popularity(k=2)")] == []


@pytest.mark.parametrize("asked", ["topic", "Topics", "1R", "one relevant", "τ", "d_z", "UAR"])
def test_a_term_is_found_by_any_of_its_forms(asked: str) -> None:
    assert find_term(asked) in glossary()


def test_an_unknown_term_is_refused_with_the_near_one() -> None:
    with pytest.raises(UnknownTerm, match='Did you mean "topic"'):
        find_term("topix")


def test_a_command_in_a_definition_is_shown_as_code() -> None:
    *_, terms = with_glossary([Section("a", "A", Markup("<p>A metric</p>"))])
    assert "<code>cranfield options metric</code> lists all" in terms.body
    assert "`" not in terms.body
    assert "`" not in link_terms(Markup("<p>A metric</p>"))


def test_the_first_mention_in_a_section_is_a_link_and_data_are_none() -> None:
    body = Markup(
        '<p>Each topic has targets; a topic</p><td>topic</td><th scope="row">topic</th>'
        '<th scope="col">coverage</th><pre>seed</pre><svg><text>gain</text></svg><p>gain</p>'
    )
    made = link_terms(body)
    assert re.findall(r">(\w+)</a>", made) == ["topic", "targets", "coverage", "gain"]
    assert re.sub("</?a[^>]*>", "", made) == body


def test_what_stands_within_an_element_of_its_kind_stays_as_it_is() -> None:
    inner = element("td", "split")
    body = Markup(f"<td>{inner}topic</td><p>topic</p>")
    assert re.findall(r">(\w+)</a>", link_terms(body)) == ["topic"]
    assert link_terms(body).endswith("</a></p>")


def test_a_page_defines_the_terms_that_it_uses_and_no_others() -> None:
    sections = with_glossary([Section("one", "One", element("p", "a topic"))])
    assert [section.name for section in sections] == ["one", "glossary"]
    assert sections[1].body.count("<dt ") == 1
    assert [each.name for each in with_glossary([Section("one", "One", Markup("<p>x</p>"))])] == [
        "one"
    ]


@pytest.mark.parametrize("study", [True, False])
def test_every_link_of_a_report_to_a_term_has_its_definition(study: bool) -> None:
    read = read_page(render_report(made_report(study=study)))
    ids = {each.attributes["id"] for each in read.elements if "id" in each.attributes}
    links = [a for a in read.all("a") if a.attributes.get("class") == "term"]
    assert len(links) > 10
    for link in links:
        assert link.attributes["href"].removeprefix("#") in ids
        assert link.attributes["title"].endswith(".")


def test_terms_in_hostile_names_add_no_markup() -> None:
    names = tuple(f"{name} topic" for name in HOSTILE)
    page = render_report(made_report(HOSTILE, title=names[0], verdict=names[1], evidence=names))
    plain = read_page(render_report(made_report()))
    assert len(read_page(page).all("script")) == len(plain.all("script"))


def test_the_command_lists_all_terms_and_explains_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["glossary"]) == 0
    listed = capsys.readouterr().out
    assert all(f"\n{term.name} " in listed for term in glossary())
    assert main(["glossary", "base", "design"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"base design: {find_term('base design').text}\n")
    assert "See also: design" in said
    assert main(["glossary", "nonsense-word"]) == 1
    assert "`cranfield glossary` lists all." in capsys.readouterr().err


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "glossary"])
def test_the_help_of_a_command_names_the_terms_that_it_uses(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    said, _, terms = capsys.readouterr().out.partition("`cranfield glossary TERM` explains: ")
    names = {term.name for _, term in terms_in(said)}
    assert set(" ".join(terms.split()).rstrip(".").split(", ")) - {""} == names
