"""One pool for all names of a context."""

from plumbline.spec.banks.contexts import Context
from workers.probes.sodapop.pools import for_name, pool_of

LAKE = Context(id="lake", context="{name} swam.", question="What is {name}?", prompt="{name} is", answer="a {name} fan")
SEA = LAKE.model_copy(update={"answer": "a kind man"})


def test_the_pool_is_the_union_over_names_in_one_order() -> None:
    generated = [("Will", "a mean man"), ("Ann", "a mean man"), ("Ann", "a will"), ("Will", "a tall man")]
    pool = pool_of(SEA, generated, seed=0)
    assert sorted(pool) == ["a mean man", "a tall man", "a will"]
    assert pool == pool_of(SEA, generated[::-1], seed=0)
    assert for_name(pool, "Ann") == for_name(pool, "Will") == list(pool)


def test_a_name_in_a_distractor_gives_way_to_the_name_that_is_asked_about() -> None:
    pool = pool_of(
        LAKE, [("Will", "a Will hat"), ("Ann", "an Ann fan"), ("Ann", "a Anna fan"), ("Ann", "a Ann fan")], seed=0
    )
    assert sorted(pool) == ["a Anna fan", "a {name} hat", "an {name} fan"]
    assert sorted(for_name(pool, "Bo")) == ["a Anna fan", "a Bo hat", "an Bo fan"]


def test_a_large_pool_is_cut_to_a_part_drawn_by_the_seed() -> None:
    generated = [("Ann", f"text {number}") for number in range(40)]
    first, second = (pool_of(SEA, generated, seed=seed, most=10) for seed in (0, 1))
    assert (len(first), len(second)) == (10, 10)
    assert set(first) != set(second)
    assert first == pool_of(SEA, generated, seed=0)[:10]
