"""Groups and attributes that two runs ask in other words."""

from dataclasses import replace

from plumbline.spec.content import Attribute, Group
from plumbline.spec.rewording import Reworded, changed_lists, have_same_others, reworded, words_told
from plumbline.spec.sentences import Words, attribute_word, group_word


def words(groups: list[Group], attributes: list[Attribute]) -> Words:
    return Words(
        {one.label: group_word(one) for one in groups}, {one.text: attribute_word(one) for one in attributes}, ()
    )


def test_another_form_counts_and_a_word_of_one_run_or_what_only_the_summary_reads_does_not() -> None:
    before = words(
        [Group(label="women", plural="women"), Group(label="men", plural="men"), Group(label="elves")],
        [Attribute(text="nurse", plural="nurses"), Attribute(text="kind")],
    )
    after = words(
        [Group(label="women", plural="female people"), Group(label="men", plural="men", domain="Gender")],
        [Attribute(text="nurse", plural="nurse"), Attribute(text="kind", dimension="Warmth"), Attribute(text="bold")],
    )
    assert reworded(before, after) == Reworded(("women",), ("nurse",))
    assert reworded(before, before) == Reworded((), ())


def test_a_form_that_no_template_of_both_reads_changes_no_sentence() -> None:
    """A run of an inline spec without pronouns asked the same sentences as the demo, and was compared with nothing."""
    plural = "{Group.plural} are {attribute}."
    before, after = (
        replace(words([Group(label="men", plural="men", pronoun=pronoun)], [Attribute(text="kind")]), templates=own)
        for pronoun, own in (("he", (plural,)), ("", (plural, "{group} says that {they} are {attribute}.")))
    )
    assert reworded(before, after) == Reworded((), ())
    assert have_same_others(before, after)
    agreeing = ("{group} says that {they} are {attribute}.",)
    assert reworded(replace(before, templates=agreeing), after).groups == ("men",)


def test_the_other_groups_are_the_same_only_with_the_same_members_in_the_same_forms() -> None:
    before = words([Group(label="women", plural="women"), Group(label="men", plural="men")], [])
    assert have_same_others(before, replace(before, pairs=frozenset({"old men"})))
    for groups in ([Group(label="women", plural="ladies"), Group(label="men", plural="men")], [Group(label="women")]):
        assert not have_same_others(before, words(groups, []))


def test_a_list_is_another_one_if_it_lost_or_got_a_word_or_asks_one_in_another_form() -> None:
    attributes = [Attribute(text="nurse", plural="nurses"), Attribute(text="kind"), Attribute(text="tall")]
    before = replace(words([], attributes), lists={"traits": ("nurse", "kind"), "looks": ("tall",)})
    other_order = replace(before, lists={"looks": ("tall",), "traits": ("kind", "nurse")})
    assert changed_lists(before, other_order) == ()
    fewer = replace(before, lists={"traits": ("kind",), "looks": ("tall",)})
    assert changed_lists(before, fewer) == ("traits",)
    reworded_one = words([], [Attribute(text="nurse", plural="nursing people"), *attributes[1:]])
    assert changed_lists(before, replace(reworded_one, lists=before.lists)) == ("traits",)
    assert changed_lists(before, replace(before, lists={"other": ("tall",)})) == ()
    assert words_told(before.of_list("traits"), fewer.of_list("traits")) == ["1 word left the list"]
    assert words_told(fewer.of_list("traits"), before.of_list("looks")) == [
        "1 word left the list",
        "1 word came to the list",
    ]
    both = (before.of_list("traits"), reworded_one.of_list("of a method without lists"))
    assert words_told(*both) == ["1 word came to the list", "1 word asked in another form"]
