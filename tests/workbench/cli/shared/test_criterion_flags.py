"""Every parameter of every criterion has a flag, and says the same."""

from __future__ import annotations

import argparse
from typing import Any

import pytest

from cranfield.base.options import find, from_table, options, parameters, parse, written
from cranfield.workbench import inventory
from cranfield.workbench.cli.shared.criterion_flags import criterion_flags, criterion_table

inventory.load("criterion")

NAMES = sorted(
    name for name, kind in options("criterion").items() if "cranfield" in kind.__module__
)


def chosen(criterion: str, *flags: str) -> Any:
    parser = argparse.ArgumentParser()
    criterion_flags(parser, criterion)
    arguments = parser.parse_args(flags)
    return from_table("criterion", criterion_table(argparse.Namespace(
        criterion=criterion, **vars(arguments)
    )))  # fmt: skip


@pytest.mark.parametrize("criterion", NAMES)
def test_without_flags_a_criterion_is_as_declared(criterion: str) -> None:
    assert chosen(criterion) == parse("criterion", criterion)


@pytest.mark.parametrize("criterion", NAMES)
def test_every_parameter_has_a_flag_with_its_text_and_default(criterion: str) -> None:
    parser = argparse.ArgumentParser()
    criterion_flags(parser, criterion)
    known = {action.dest: action for action in parser._actions}
    for each in parameters(find("criterion", criterion)):
        action = known[written(each.name)]
        assert action.default is None
        assert each.text.rstrip(".")[1:] in (action.help or "").replace("%%", "%")
    assert parser.format_help()


@pytest.mark.parametrize(
    ("criterion", "flags", "spelling"),
    [
        ("correlation", ["--agreement", "tau-ap"], "correlation(agreement=tau-ap)"),
        ("discriminative-power", ["--alpha", "0.01"], "DP(alpha=0.01)"),
        ("robustness", ["--no-nested"], "robustness(nested=false)"),
        ("robustness", ["--nested"], "robustness"),
        ("robustness", ["--sizes", "1, 50%"], "robustness(sizes=[1, 0.5])"),
        ("robustness", ["--popular-by", "train"], "robustness(popular_by=train)"),
        ("robustness", ["--of", "all-items"], "robustness(of=all-items)"),
        ("robustness", ["--samples", "3", "--undefined", "zero", "--epsilon", "1"],
         "robustness(samples=3, undefined=zero, epsilon=1)"),
        ("robustness", ["--scenario", "users", "--scenario", "ratings-by-user"],
         "robustness(scenarios=[users, ratings-by-user])"),
        ("stability", ["--fuzziness", "0,0.1", "--share", "0.3", "--samples", "9"],
         "stability(fuzziness=[0, 0.1], share=0.3, samples=9)"),
        ("thinned-discriminative-power", ["--alpha", "0.1", "--sizes", "0.5"],
         "thinned-DP(alpha=0.1, sizes=[0.5])"),
    ],
)  # fmt: skip
def test_flags_say_what_spellings_say(criterion: str, flags: list[str], spelling: str) -> None:
    assert chosen(criterion, *flags) == parse("criterion", spelling)


@pytest.mark.parametrize(
    "flags", [["--scenario", "books"], ["--of", "items"], ["--popular-by", "views"]]
)
def test_a_word_that_is_not_listed_is_refused(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        chosen("robustness", *flags)
    assert "invalid choice" in capsys.readouterr().err
