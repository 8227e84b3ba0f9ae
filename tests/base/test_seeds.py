from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.base.seeds import Seeds


def test_streams_are_the_same_for_ever() -> None:
    """Every recorded split rests on these words; a change of them is a change of results."""
    assert Seeds(0).words(size=2).tolist() == [8499471227780575651, 14672203508082841617]
    assert Seeds(1).words("split", "random", size=2, fold=2).tolist() == [
        90291084260123360,
        8718112855199434868,
    ]
    assert Seeds(2**64).key("topic") == 12358682786342656146
    assert Seeds(7).stream("x").integers(0, 10**6, size=3).tolist() == [345251, 162474, 740785]


def test_a_stream_does_not_depend_on_what_was_drawn_before() -> None:
    seeds = Seeds(5)
    alone = seeds.words("b", size=4)
    seeds.words("a", size=100)
    seeds.stream("b").random(10)
    assert (seeds.words("b", size=4) == alone).all()


def test_a_longer_stream_begins_with_the_shorter_one() -> None:
    assert (Seeds(1).words("a", size=9)[:4] == Seeds(1).words("a", size=4)).all()


def test_streams_of_different_names_and_seeds_differ() -> None:
    seeds = [
        Seeds(0),
        Seeds(1),
        Seeds(0).child("a"),
        Seeds(0).child("a", "b"),
        Seeds(0).child("ab"),
    ]
    seeds += [Seeds(0).child("b", "a"), Seeds(0).child(fold=1), Seeds(0).child(fold=2)]
    seeds += [Seeds(0).child("a", fold=1), Seeds(0).child("a", topic=1)]
    keys = [part.key() for part in seeds]
    assert len(set(keys)) == len(keys)


@given(st.integers(0, 2**70), st.text(max_size=5), st.integers(0, 9))
def test_a_part_of_a_part_is_named_by_its_path(seed: int, name: str, fold: int) -> None:
    step_by_step = Seeds(seed).child(name).child(fold=fold)
    assert step_by_step == Seeds(seed).child(name, fold=fold)
    assert step_by_step.key("x") == Seeds(seed).key(name, f"fold={fold}", "x")


def test_numbers_may_be_named_in_any_order() -> None:
    assert Seeds(3).key(a=1, b=2) == Seeds(3).key(b=2, a=1)
    assert Seeds(3).key(a=1, b=2) != Seeds(3).key(a=2, b=1)


def test_streams_of_neighbouring_names_are_not_related() -> None:
    bits = np.array([np.unpackbits(Seeds(s).words("t", size=64).view(np.uint8)) for s in range(8)])
    agreement = [(bits[i] == bits[j]).mean() for i in range(8) for j in range(i)]
    assert max(abs(share - 0.5) for share in agreement) < 0.05


def test_a_key_is_the_first_word_of_its_stream() -> None:
    assert Seeds(4).key("k", topic=3) == int(Seeds(4).words("k", size=1, topic=3)[0])
    assert Seeds(4).words("k", size=2).dtype == np.uint64
