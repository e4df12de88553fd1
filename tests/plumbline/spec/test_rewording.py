"""Groups and attributes that two runs ask in other words."""

from plumbline.spec.content import Attribute, Group
from plumbline.spec.materials import Materials
from plumbline.spec.rewording import Reworded, reworded


def materials(groups: list[Group], attributes: list[Attribute]) -> Materials:
    return Materials(("{group} are {attribute}.",), tuple(groups), tuple(attributes), ("",) * len(attributes))


def test_another_form_counts_and_a_word_of_one_run_or_what_only_the_summary_reads_does_not() -> None:
    before = materials(
        [Group(label="women", plural="women"), Group(label="men", plural="men"), Group(label="elves")],
        [Attribute(text="nurse", plural="nurses"), Attribute(text="kind")],
    )
    after = materials(
        [Group(label="women", plural="female people"), Group(label="men", plural="men", domain="Gender")],
        [Attribute(text="nurse", plural="nurse"), Attribute(text="kind", dimension="Warmth"), Attribute(text="bold")],
    )
    assert reworded(before, after) == Reworded(("women",), ("nurse",))
    assert reworded(before, before) == Reworded((), ())
