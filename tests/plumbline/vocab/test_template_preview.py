import pytest

from plumbline.spec.grammar import Word
from plumbline.vocab.models import Attribute, AttributeSet, Group, GroupList, Name, NameList, TraitList, TraitPair
from plumbline.vocab.template_preview import MOST_SHOWN, Words, choices, fill, words_of

WORDS = Words(
    groups=[Word("women", "woman", "women", "she"), Word("men", "", "men", "he"), Word("nurses", "nurse", "nurses")],
    attributes=[Word("kind"), Word("odd")],
    names=[Word("Anna", pronoun="she")],
)


def texts(grammar: str, words: Words = WORDS) -> list[str]:
    return ["".join(text for text, _ in sentence) for sentence in fill(grammar, words).sentences]


def test_alternatives_and_slots_are_filled_with_the_first_words() -> None:
    assert texts("[All|Most] {group.plural} are {attribute}.") == [
        "All women are kind.",
        "All men are odd.",
        "Most women are kind.",
        "Most men are odd.",
    ]


def test_each_piece_knows_the_slot_that_it_fills() -> None:
    assert fill("{Group.plural} {is|are} {attribute}.", WORDS).sentences[0] == [
        ("Women", "group"),
        (" are ", ""),
        ("kind", "attribute"),
        (".", ""),
    ]


def test_a_text_that_is_no_template_gives_its_fault_and_nothing_else() -> None:
    for text, fault in [
        ("{Group.plural} are [kind|{attribute}.", "never closed"),
        ("{Group.plurl} are {attribute}.", "unknown slot {Group.plurl}"),
        ("Women are kind.", "has no slot"),
        ("", "blank"),
        ("{group} is\u200b {attribute}", "invisible character U+200B"),
        ("[a|b]" * 10 + " {group}", "at most 1000"),
    ]:
        filled = fill(text, WORDS)
        assert fault in filled.fault
        assert (filled.count, filled.sentences, filled.warnings) == (0, [], [])


@pytest.mark.parametrize(
    ("grammar", "warning"),
    [
        ("{group} is here.", "lacks the slot {attribute}, which an association probe needs exactly once"),
        ("{name} is {attribute}.", "lacks the slot {group}"),
        ("{group}, {group} and {attribute}", "has more than once the slot {group}"),
    ],
)
def test_slots_that_the_probes_would_miss_are_reported(grammar: str, warning: str) -> None:
    filled = fill(grammar, WORDS)
    assert not filled.fits
    assert warning in filled.warnings[0]


def test_a_template_with_its_slots_fits() -> None:
    assert fill("{Group.plural} are {attribute}.", WORDS).fits


def test_words_that_lack_a_form_are_reported_and_the_others_shown() -> None:
    filled = fill("{The group.singular} is {attribute}.", WORDS)
    assert texts("{The group.singular} is {attribute}.") == ["The woman is kind."]
    assert "needs the singular of group 'men'" in filled.warnings[0]


def test_agreement_is_checked_on_all_words() -> None:
    words = Words([*WORDS.groups, Word("doctor", "doctor", "doctors")], WORDS.attributes)
    filled = fill("{group.singular} says {they} are {attribute}.", words)
    assert "needs the singular of group 'men'" in filled.warnings[0]
    assert filled.warnings[0].endswith("2 of the first 4 words cannot fill it.")


def test_a_slot_without_any_list_is_reported() -> None:
    assert "{name}, which nothing fills" in fill("{name} is {attribute}.", Words(attributes=[Word("kind")])).warnings[1]


def test_all_are_counted_and_the_first_shown() -> None:
    filled = fill("[a|b|c|d] [a|b|c|d|e|f|g] {group} {attribute}", WORDS)
    assert filled.count == 28
    assert len(filled.sentences) == MOST_SHOWN


@pytest.mark.django_db
def test_words_come_from_the_lists_in_their_order() -> None:
    groups = GroupList.objects.create(slug="groups", title="Groups")
    Group.objects.create(word_list=groups, label="men", plural="men", position=2)
    Group.objects.create(word_list=groups, label="women", plural="women", position=1)
    TraitPair.objects.create(word_list=TraitList.objects.create(slug="traits", title="T"), left="cold", right="warm")
    Name.objects.create(word_list=NameList.objects.create(slug="names", title="N"), name="Anna", pronoun="she")
    words = words_of("groups", "traits", "names")
    assert [group.label for group in words.groups] == ["women", "men"]
    assert [word.label for word in words.attributes] == ["cold", "warm"]
    assert words.names == [Word("Anna", pronoun="she")]
    assert words_of("", "nowhere", "groups") == Words([], [], [])


@pytest.mark.django_db
def test_lists_without_words_are_no_choice() -> None:
    AttributeSet.objects.create(slug="empty", title="Empty")
    jobs = AttributeSet.objects.create(slug="jobs", title="Jobs")
    Attribute.objects.bulk_create(Attribute(word_list=jobs, text=text) for text in ("nurse", "usher"))
    assert choices() == {"groups": [], "attributes": ["jobs"], "names": []}
