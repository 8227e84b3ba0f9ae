from __future__ import annotations

import tomllib
from pathlib import Path

import cranfield.recommendation
import cranfield.recommendation.recommenders
from cranfield.base.options import options, parse


def test_recorded_parameters_spell_the_systems_that_they_are_recorded_for() -> None:
    path = Path(cranfield.recommendation.__file__).with_name("published.toml")
    for systems in tomllib.loads(path.read_text(encoding="utf-8")).values():
        assert systems
        for name, spelled in systems.items():
            chosen = parse("recommender", spelled)
            assert chosen.option_name == name
            assert name in options("recommender")
