"""How much of lists is judged and how deep, against the metrics of single topics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield.scoring.metrics
import cranfield.scoring.run_metrics  # noqa: F401  (makes the options known)
from cranfield.base.options import parse
from cranfield.collection.items import facts_of_items
from cranfield.collection.judgments import judge
from cranfield.collection.target_choice import parse_targets
from cranfield.collection.test_collection import TestCollection
from cranfield.collection.topics import UserChoice, choose_users
from cranfield.recommendation.ranking.choice import RankingChoice
from cranfield.recommendation.ranking.rank import rank
from cranfield.scoring.measurement.measure import measure
from cranfield.scoring.run_metric import RunFacts, is_judged, is_relevant
from ranking_cases import Fixed, cases
from suites import tries


@settings(deadline=None, max_examples=tries(12))
@given(case=cases(), n=st.integers(1, 6))
def test_values_of_a_run_are_the_means_over_its_topics(case, n):  # type: ignore[no-untyped-def]
    train, test, relevance, table = case
    judgments = judge(test, relevance, (1, 5))
    users = choose_users(train, judgments, UserChoice(least_train=0, topics="all"))
    targets = parse_targets("all-items").choose(users, TestCollection(train, judgments))
    ranked = rank(Fixed(table), [targets], RankingChoice(depth=50))[0]
    facts = RunFacts(facts_of_items(train), judgments)
    for of_run, of_topic in (("UnratedShare", "Unrated"), ("CondensedDepth", "CondensedDepth")):
        by_topic = measure(ranked.hits, [parse("metric", f"{of_topic}@{n}")])[0]
        known = by_topic[~np.isnan(by_topic)]
        chosen: Any = parse("run-metric", f"{of_run}@{n}")
        wanted = known.mean() if len(known) else np.nan
        assert chosen.of_run(ranked.run, facts) == pytest.approx(wanted, nan_ok=True)
    hits = ranked.hits
    assert is_judged(ranked.run, judgments).sum() == np.count_nonzero(hits.ranks)
    good = (hits.ranks > 0) & (hits.ratings >= relevance)
    assert is_relevant(ranked.run, judgments).sum() == np.count_nonzero(good)
