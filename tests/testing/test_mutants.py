"""A wrong option is caught by its law, which names the option and the case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from cranfield.base.options import contract, option, parameter, parse
from cranfield.collection.target_choice import TargetChoice
from cranfield.testing import EVERY, BrokenLaw, check_metric, laws_of
from law_cases import CASES
from testing import mutants_of_data as data
from testing import mutants_of_rankings as rankings


def choice(nonrelevant: Any) -> TargetChoice:
    candidates = parse("candidates", "all-items(without_head=0.4)")
    return TargetChoice(candidates, parse("relevant", "one-relevant"), nonrelevant)


def label(mutant: Any) -> str:
    """The kind of fault, the same in every process."""
    wrong = getattr(mutant, "nonrelevant", mutant)
    return f"{type(wrong).__name__} {getattr(wrong, 'fault', '')}".strip()


CAUGHT: list[tuple[str, Any, str]] = [
    ("metric", rankings.IgnoresTheCutOff(), "what_is_below_the_cut_off_does_not_matter"),
    ("metric", rankings.IgnoresTheCutOff(), "what_cannot_stand_within_the_cut_off_does_not_matter"),
    ("metric", rankings.ExceedsItsBounds(), "scores_stay_within_the_declared_bounds"),
    ("metric", rankings.PrefersWorseItems(), "a_better_swap_never_lowers_the_score"),
    ("metric", rankings.IsZeroWithoutJudgments(), "a_topic_without_judged_items_is_undefined"),
    ("metric", rankings.CountsTheTargets(), "unjudged_targets_outside_the_list_change_no_score"),
    ("metric", rankings.WritesIntoTheTopic(), "a_topic_is_left_as_it_is"),
    ("metric", rankings.CountsItsCalls(), "other_labels_for_users_change_no_score"),
    ("metric", rankings.CountsItsCalls(), "other_labels_for_items_change_no_score"),
    ("metric", rankings.CountsItsCalls(), "many_topics_are_scored_as_the_definition_says"),
    ("metric", rankings.ExpectsTooMuch(), "an_expectation_without_ties_is_the_score"),
    ("metric", rankings.Right(), "an_expectation_is_the_mean_over_all_orders_of_ties"),
    ("metric", rankings.Right(), "a_random_ranking_scores_what_is_expected_of_it"),
    ("gain", rankings.FallingGain(), "gains_are_not_negative_and_never_fall"),
    ("gain", rankings.NegativeGain(), "gains_are_not_negative_and_never_fall"),
    ("gain", rankings.RelativeGain(), "each_rating_has_a_gain_of_its_own"),
    ("gain", rankings.ThresholdGain(), "a_threshold_that_is_not_read_changes_no_gain"),
    ("gain", rankings.SortingGain(), "ratings_are_left_as_they_are"),
    ("run-metric", rankings.LongLists(), "what_is_below_the_cut_off_does_not_matter"),
    ("run-metric", rankings.FirstUser(), "other_labels_for_users_and_items_change_no_value"),
    ("run-metric", rankings.ItemCodes(), "other_labels_for_users_and_items_change_no_value"),
    ("run-metric", rankings.BelowItsBounds(), "values_stay_within_the_declared_bounds"),
    ("run-metric", rankings.LooksAtPredictions(), "predictions_do_not_matter"),
    ("run-metric", rankings.NeedsButDoesNotAsk(), "what_is_needed_is_asked_for"),
    ("aggregation", rankings.FirstTopicCountsTwice(), "the_order_of_topics_changes_no_value"),
    ("aggregation", rankings.FirstSystemIsTheBase(), "the_order_of_systems_changes_no_value"),
    ("aggregation", rankings.ComparesUnasked(), "other_systems_change_no_value"),
    ("aggregation", rankings.ComparesWithOthersThanItNames(), "other_systems_change_no_value"),
    ("aggregation", rankings.SharesOfTwo(), "a_mean_of_equal_scores_is_that_score"),
    ("aggregation", rankings.IsNoNumber(), "a_value_is_a_number_or_undefined"),
    ("judged_by", data.JudgesByTraining(), "what_judges_is_known_and_outside_training"),
    ("judged_by", data.JudgesUnderOtherIds(), "what_judges_is_known_and_outside_training"),
    ("judged_by", data.JudgesAtRandom(), "the_same_ratings_judge_again"),
    ("source", data.ReadsOthersEachTime(), "a_source_reads_the_same_again"),
    ("source", data.HasAnUnratedUser(), "a_source_holds_no_id_without_a_rating"),
    ("source", data.IsOutOfOrder(), "a_source_gives_ratings_in_order"),
    ("filter", data.ShortMask(), "every_rating_stays_or_goes"),
    ("filter", data.KeepsNothing(), "ordinary_ratings_are_filtered"),
    ("filter", data.UnseededFilter(), "the_same_seed_keeps_the_same_ratings"),
    ("filter", data.UnseededFilter(), "the_order_of_rows_changes_nothing"),
    ("filter", data.FiltersByName(), "other_ids_in_the_same_order_change_nothing"),
    ("split", data.LosesARating(), "no_rating_is_lost_or_doubled"),
    ("split", data.ChangesARating(), "no_rating_is_lost_or_doubled"),
    ("split", data.LosesARating(), "events_are_divided_and_then_counted"),
    ("split", data.RefusesEverything(), "ordinary_ratings_are_split"),
    ("split", data.UnseededSplit(), "the_same_seed_gives_the_same_split"),
    ("split", data.UnseededSplit(), "the_order_of_rows_changes_nothing"),
    ("split", data.SplitsByName(), "other_ids_in_the_same_order_change_nothing"),
    ("split", data.MaskOfNumbers(), "each_fold_says_of_each_rating_whether_it_is_test"),
    ("split", data.TestsWhatIsUnused(), "each_fold_says_of_each_rating_whether_it_is_test"),
    ("targets", choice(data.EverythingIsNonrelevant()), "targets_hold_no_training_item"),
    ("targets", choice(data.EverythingIsNonrelevant()), "no_other_target_is_relevant"),
    ("targets", choice(data.UnseededTargets()), "the_same_seed_gives_the_same_targets"),
    ("targets", choice(data.UnseededTargets()), "the_number_of_threads_changes_no_target"),
    ("targets", choice(data.TargetsByPlace()), "the_targets_of_a_user_do_not_depend_on_others"),
    ("targets", choice(data.TargetsOutsideCandidates()), "targets_are_candidates"),
    ("targets", choice(data.TargetsByName()), "other_ids_in_the_same_order_change_no_target"),
    ("propensity", data.Estimates("above one"), "propensities_are_chances"),
    ("propensity", data.Estimates("zero"), "propensities_are_chances"),
    ("propensity", data.Estimates("unseeded"), "the_same_training_gives_the_same_propensities"),
    ("propensity", data.Estimates("batch"), "a_pair_has_a_propensity_of_its_own"),
    ("estimator", data.Weighs("rising"), "weights_are_finite_and_never_rise_with_propensity"),
    ("estimator", data.Weighs("double"), "what_is_certain_counts_once"),
    ("recommender", data.Predicts("batch"), "a_row_depends_on_its_own_user_alone"),
    ("recommender", data.Predicts("rows"), "every_user_has_a_prediction_for_every_item"),
    ("recommender", data.Predicts("infinite"), "every_user_has_a_prediction_for_every_item"),
    ("recommender", data.Predicts("seed"), "the_same_seed_gives_the_same_predictions"),
    ("recommender", data.Predicts("calls"), "the_same_seed_gives_the_same_predictions"),
    ("recommender", data.Predicts("seed"), "the_order_of_rows_changes_no_bit"),
    ("recommender", data.Predicts("threads"), "the_number_of_threads_changes_no_bit"),
    ("recommender", data.Predicts("names"), "other_ids_in_the_same_order_change_no_bit"),
    ("recommender", data.Predicts("writes"), "training_is_left_as_it_is"),
    ("recommender", data.Predicts("nobody"), "a_batch_of_no_users_gives_no_rows"),
    ("recommender", data.Predicts("single"), "a_single_rating_is_no_error"),
    ("recommender", data.Stored(), "what_was_stored_predicts_the_same"),
    ("recommender", data.Predicts(), "training_without_ratings_is_refused_in_words"),
    ("test", data.Tests("above one"), "p_values_are_probabilities"),
    ("test", data.Tests("zero"), "systems_that_never_differ_have_a_p_value_of_one"),
    ("test", data.Tests("blind"), "a_clear_difference_is_found_with_its_direction"),
    ("test", data.Tests("one-sided"), "swapped_systems_have_the_same_p_value"),
    ("test", data.Tests("first user"), "the_order_of_users_and_of_systems_does_not_matter"),
    ("test", data.Tests("unseeded"), "the_same_seed_gives_the_same_bits"),
    ("test", data.Tests("threads"), "the_same_seed_gives_the_same_bits"),
    ("test", data.Tests(), "the_level_is_not_exceeded"),
    ("test", data.Tests("zero"), "two_users_are_enough_for_a_p_value"),
    ("correction", data.Corrects("below"), "adjusted_values_lie_between_p_and_one"),
    ("correction", data.Corrects("order"), "adjusted_values_keep_the_order"),
    ("correction", data.Corrects("place"), "the_order_of_comparisons_does_not_matter"),
    ("correction", data.Corrects("single"), "a_single_comparison_needs_no_correction"),
    ("correction", data.Corrects("writes"), "raw_values_are_left_as_they_are"),
    ("criterion", data.Judges("unfounded"), "without_evidence_a_criterion_says_what_it_needs"),
    ("sample-correction", rankings.Estimates("undefined"), "every_topic_has_an_estimate"),
    ("sample-correction", rankings.Estimates("place"), "the_order_of_topics_does_not_matter"),
    ("sample-correction", rankings.Estimates("pooled"), "a_topic_by_itself_has_the_same_estimate"),
    ("sample-correction", rankings.Estimates("writes"), "sampled_ranks_are_left_as_they_are"),
    ("criterion", data.Judges("unseeded"), "the_same_evidence_gives_the_same_verdict"),
    ("criterion", data.Judges("empty"), "a_verdict_has_words_and_figures"),
    ("criterion", data.Judges("worded"), "tables_and_columns_are_named_by_identifiers"),
    ("criterion", data.Judges("across"), "tables_and_columns_are_named_by_identifiers"),
]


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize(
    ("decision", "mutant", "name"),
    CAUGHT,
    ids=[f"{label(wrong)}-{name}" for _, wrong, name in CAUGHT],
)
def test_a_wrong_option_is_caught_by_its_law(decision: str, mutant: Any, name: str) -> None:
    law = next(each for each in laws_of(decision) if each.name == name)
    with pytest.raises(BrokenLaw) as caught:
        law.check(mutant, shrink=False)
    assert (caught.value.option, caught.value.law) == (mutant, law)
    assert f'{mutant} breaks the law "{law}"' in str(caught.value)
    assert set(caught.value.case) == set(law.cases)


def test_every_law_catches_a_mutant() -> None:
    caught = {(decision, name) for decision, _, name in CAUGHT}
    decisions = {decision for decision, _ in caught}
    stated = {(decision, law.name) for decision in decisions for law in laws_of(decision)}
    # A kernel is no part of a metric from outside, so that none can break this law.
    assert stated - caught == {("metric", "the_number_of_threads_changes_no_bit")}


@pytest.mark.long
def test_the_smallest_case_is_small() -> None:
    with pytest.raises(BrokenLaw) as caught:
        check_metric(rankings.IgnoresTheCutOff(cutoff=1))
    assert caught.value.law.name == "what_is_below_the_cut_off_does_not_matter"
    assert "Ranking(ratings=(None, 5.0), unranked=(), others=0, ties=(), items=(0,))" in str(
        caught.value
    )


@pytest.mark.long
def test_one_wrong_option_is_found_among_many() -> None:
    law = next(each for each in laws_of("metric") if "bounds" in each.name)
    wrong = rankings.ExceedsItsBounds()
    with pytest.raises(BrokenLaw, match="ExceedsItsBounds"):
        law.check(*CASES["metric"], wrong, *CASES["metric"][:3])


class TestWrongDeclarations:
    """Faults of an option as such: its spelling, its parameters, its equality."""

    @staticmethod
    def broken(made: Any) -> set[str]:
        names = set()
        for law in laws_of(EVERY):
            try:
                law.check(made)
            except BrokenLaw:
                names.add(law.name)
        return names

    def test_each_is_caught_by_its_law(self) -> None:
        @contract("mutant")
        class Mutant:
            """An option with a fault."""

        @option("mutant", "right")
        @dataclass(frozen=True, kw_only=True)
        class Right(Mutant):
            """Nothing is wrong."""

            size: int = parameter(1, "How large.", at_least=1)

        @option("mutant", "silent")
        @dataclass(frozen=True, kw_only=True)
        class Silent(Mutant):
            """A parameter without a word."""

            size: int = parameter(1, at_least=1)

        @option("mutant", "unlike")
        @dataclass(frozen=True, kw_only=True, eq=False)
        class Unlike(Mutant):
            """Never equal to another."""

        @option("mutant", "anything")
        @dataclass(frozen=True, kw_only=True)
        class Anything(Mutant):
            """Takes whatever comes."""

            size: object = parameter(1, "Anything.")

        @option("mutant", "shouting")
        @dataclass(frozen=True, kw_only=True)
        class Shouting(Mutant):
            """Spelled in its own way."""

        Shouting.__str__ = lambda self: "SHOUT"  # type: ignore[method-assign]
        readable = {"the_spelling_reads_back", "the_table_reads_back"}
        assert self.broken(Right()) == set()
        assert self.broken(Silent()) == {"an_option_says_what_it_is"}
        assert self.broken(Unlike()) == {*readable, "equal_options_have_equal_hashes"}
        assert self.broken(Anything()) == {"a_wrong_parameter_is_refused"}
        assert "the_spelling_reads_back" in self.broken(Shouting())
