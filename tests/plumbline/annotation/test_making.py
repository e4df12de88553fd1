"""Making tasks: the words of each side, shuffled and blind; distractors drawn by a seed, without the name."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from plumbline.annotation.blinding import blind
from plumbline.annotation.models import AnnotationTask
from plumbline.audits.models import Run
from plumbline.methods.sodapop.annotation_tasks import Words, make_mapping, make_rating, pairs_of_groups, words_of_sides
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.vocab.models import TraitList
from tests.plumbline.annotation.discovered import MARKED, MEN, NAMES, PAIRS, WOMEN


def difference(word: str, value: float, p: float, template: str = "party") -> Measure:
    own: dict[str, Any] = {"group_a": "a", "group_b": "b", "attribute": word, "template": template}
    return Measure("relative_difference", "name", 4, 4, value, p_value=p, **own)


def test_a_word_belongs_to_the_side_that_it_misleads_about_more_in_any_context() -> None:
    found = [difference("x", 0.5, 0.01), difference("y", -0.5, 0.01), difference("z", 0.5, 0.05)]
    found += [difference("x", -0.1, 0.01, "work")]
    assert words_of_sides(found, Words((("a", "b"),), 0.05)) == {("a", "b"): ({"x"}, {"x", "y"})}


def test_the_most_words_of_a_side_are_counted_context_by_context() -> None:
    found = [difference(word, value, 0.01) for word, value in (("x", 0.5), ("y", 0.4), ("z", -0.1))]
    found += [difference("w", 0.2, 0.01, "work")]
    assert words_of_sides(found, Words((("a", "b"),), 0.05, most=1)) == {("a", "b"): ({"x", "w"}, {"z"})}


def test_a_mapping_holds_each_word_once_in_a_shuffled_order_and_hides_the_groups(mapping: AnnotationTask) -> None:
    items = list(mapping.items.all())
    words = [one.content["word"] for one in items]
    assert sorted(words) == ["=cmd", "ruthless", "sweet", "violent"] != words
    assert all(list(one.content) == ["word"] for one in items)
    (sweet,) = (one for one in items if one.content["word"] == "sweet")
    assert sweet.origin == {"sides": [[WOMEN, MEN], [WOMEN, MARKED]]}
    assert mapping.poles == ["cold", "warm", "threatening", "benevolent", "powerless", "powerful"]


def test_the_same_seed_shuffles_alike(mapping: AnnotationTask, run: Run, traits: TraitList, maker: User) -> None:
    words = Words(((WOMEN, MEN), (WOMEN, MARKED)), 0.05)
    again, other = (make_mapping(run, "again", words, traits, seed, maker) for seed in (7, 8))
    orders = [list(task.items.values_list("content__word", flat=True)) for task in (mapping, again, other)]
    assert orders[0] == orders[1] != orders[2]


def test_no_word_beyond_chance_is_said(run: Run, traits: TraitList, maker: User) -> None:
    with pytest.raises(InputError, match="choose other groups"):
        make_mapping(run, "none", Words(((WOMEN, MEN),), 0.0001), traits, 0, maker)


def test_the_pairs_of_a_run_are_offered(run: Run) -> None:
    assert pairs_of_groups(run.pk) == sorted(PAIRS)


def test_a_rating_hides_the_name_in_every_text(rating: AnnotationTask) -> None:
    items = list(rating.items.all())
    assert len({(one.origin["context"], one.origin["name"], one.origin["text"]) for one in items}) == 10
    for one in items:
        shown = " ".join(one.content.values())
        assert one.origin["name"] not in shown
        assert "[Name]" in one.content["context"]
        assert one.origin["group"] == NAMES[one.origin["name"]]
    assert rating.chosen == {"wanted": 10, "drawn": 10, "of": 60, "seed": 7}


def test_another_methods_run_has_no_distractors(run: Run, maker: User) -> None:
    run.spec = {
        "name": "x", "probe": "ilps", "model": "path:x", "prior": {"mask": "one"}, "groups": {"inline": ["men"]},
        "attributes": {"inline": ["warm"]}, "templates": {"inline": ["{group} are {attribute}."]},
    }  # fmt: skip
    with pytest.raises(InputError, match="generates no distractors"):
        make_rating(run, "none", 5, 0, maker)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{name} met Ida's friend.", "[Name] met [Name]'s friend."),
        ("Idaho and idaho", "Idaho and idaho"),
        ("IDA? ida!", "[Name]? [Name]!"),
    ],
)
def test_a_name_is_hidden_as_a_whole_word_only(text: str, shown: str) -> None:
    assert blind(text, "Ida") == shown
