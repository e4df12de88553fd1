import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import MOST_SENTENCES, Word, expand, frame, parse, render, require

WOMEN = {"group": Word("women", "woman", "women", "she"), "attribute": Word("kind")}

# Brackets and braces doubled, as a grammar text must write literal ones.
literals = st.text(st.characters(exclude_characters="[]{}|", exclude_categories=["Cs"]) | st.sampled_from("[]{}"))


def escaped(text: str) -> str:
    return "".join(character * 2 if character in "[]{}" else character for character in text)


def test_alternatives_expand_in_reading_order() -> None:
    assert expand("[All|Most] {group.plural} [are|should be] {attribute}.") == (
        "All {group.plural} are {attribute}.",
        "All {group.plural} should be {attribute}.",
        "Most {group.plural} are {attribute}.",
        "Most {group.plural} should be {attribute}.",
    )


def test_an_alternative_may_be_empty_or_hold_a_slot() -> None:
    assert expand("{Group.plural} are [|very ]{attribute}.") == (
        "{Group.plural} are {attribute}.",
        "{Group.plural} are very {attribute}.",
    )
    assert expand("[{group}|the {group.singular}] is") == ("{group} is", "the {group.singular} is")


def test_the_same_alternative_twice_gives_one_template() -> None:
    assert expand("[All|All] {group}") == ("All {group}",)


def test_a_bar_outside_of_brackets_is_literal() -> None:
    assert render(expand("a|b {group}")[0], WOMEN).text == "a|b women"


def test_doubled_brackets_are_literal_inside_and_outside_of_alternatives() -> None:
    rendered = [render(template, WOMEN).text for template in expand("[[x]] {{y}} [a [[b]]|{{c}}] {group}")]
    assert rendered == ["[x] {y} a [b] women", "[x] {y} {c} women"]


def test_doubled_brackets_are_read_before_single_ones() -> None:
    assert expand("{group} [[[a|b]") == ("{group} [[a", "{group} [[b")


@given(before=literals, after=literals, option=literals)
def test_literal_text_is_never_altered(before: str, after: str, option: str) -> None:
    grammar = f"{escaped(before)}{{group}}{escaped(after)}[: {escaped(option)}|]"
    texts = [render(template, WOMEN).text for template in expand(grammar)]
    assert texts == list(dict.fromkeys([f"{before}women{after}: {option}", f"{before}women{after}"]))


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4, unique=True), min_size=1, max_size=4))
def test_a_grammar_yields_each_combination_once(choices: list[list[str]]) -> None:
    grammar = "{group}" + "".join(f"[{'|'.join(options)}]" for options in choices)
    size = 1
    for options in choices:
        size *= len(options)
    assert len(set(expand(grammar))) == len(expand(grammar)) == size


@pytest.mark.parametrize(
    ("grammar", "fault"),
    [
        ("{groups} are {attribute}.", r"unknown slot \{groups\}; the slots are \{group\}, \{attribute\}"),
        ("{group.dual} are {attribute}.", r"unknown slot \{group.dual\}"),
        ("{GROUP} is {attribute}.", r"unknown slot \{GROUP\}"),
        ("{group.plural } are {attribute}.", r"unknown slot \{group.plural \}"),
        ("{my group} is {attribute}.", r"unknown slot \{my group\}"),
        ("{is|were} {group}", r"unknown slot \{is\|were\}"),
        ("{} {group}", r"unknown slot \{\}"),
        ("{group} is {attribute", r"unpaired '\{'; write '\{\{' for a literal brace"),
        ("group} is", r"unpaired '\}'; write '\}\}' for a literal brace"),
        ("{a {group}} is", r"unpaired '\{'"),
        ("[a|[b|c]] {group}", "alternatives do not nest"),
        ("[All|Most {group}", r"'\[' is never closed; write '\[\['"),
        ("All] {group}", r"'\]' without '\['; write '\]\]'"),
        ("They are kind.", r"has no slot; write for example \{group.plural\}"),
        ("", "has no slot"),
    ],
)
def test_a_malformed_template_is_named_with_its_fault(grammar: str, fault: str) -> None:
    with pytest.raises(SpecError, match=fault) as refused:
        expand(grammar)
    assert repr(grammar) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_fault_inside_of_an_alternative_is_named_with_the_template_that_has_it() -> None:
    with pytest.raises(SpecError, match=r"template 'the \{woman\} \{group\}': unknown slot \{woman\}"):
        expand("[a|the {woman}] {group}")


def test_too_many_sentences_are_refused_before_they_are_made() -> None:
    assert len(expand("[0|1|2|3|4|5|6|7|8|9]" * 3 + "{group}")) == MOST_SENTENCES
    with pytest.raises(SpecError, match="stands for more than 1,000,000,000 sentences; at most 1000"):
        expand("[0|1|2|3|4|5|6|7|8|9]" * 31 + "{group}")


def test_a_probe_requires_each_of_its_slots_exactly_once_and_no_other() -> None:
    require("{Group.plural} {is|are} {attribute} and {they} know.", ("group", "attribute"), "the probe ilps")
    for template, fault in {
        "{group} is here.": r"lacks the slot \{attribute\}, which the probe ilps needs exactly once",
        "{group}, {group}: {attribute}": r"has more than once the slot \{group\}",
        "{group} {name} {attribute}": r"has the slot \{name\}, which the probe ilps does not fill",
    }.items():
        with pytest.raises(SpecError, match=fault):
            require(template, ("group", "attribute"), "the probe ilps")


@pytest.mark.parametrize(
    ("template", "same"),
    [
        ("All {group.plural} are {attribute}.", "{Group.plural} are {attribute}."),
        ("Most of the {group.plural} are {attribute}.", "{Group.plural} are {attribute}."),
        ("These few {group.plural} are {attribute}.", "{group.plural} are {attribute}."),
        ("The {group.singular} is {attribute}.", "{A group.singular} is {attribute}."),
        ("I think that some {group.plural} are {attribute}.", "I think {group.plural} are {attribute}."),
    ],
)
def test_templates_that_differ_in_a_quantifier_only_share_a_frame(template: str, same: str) -> None:
    assert frame(template) == frame(same)


@pytest.mark.parametrize(
    ("template", "other"),
    [
        ("{Group.plural} are {attribute}.", "{Group.plural} should be {attribute}."),
        ("{Group.plural} are {attribute}.", "{Group.singular} are {attribute}."),
        ("I met {group.plural}, all {attribute}.", "I met {group.plural}, {attribute}."),
        ("Ball {group}: {attribute}", "B{group}: {attribute}"),
        ("I think that {group.plural} are {attribute}.", "I know that {group.plural} are {attribute}."),
    ],
)
def test_templates_that_differ_in_more_have_frames_of_their_own(template: str, other: str) -> None:
    assert frame(template) != frame(other)


def test_a_frame_is_a_template_again() -> None:
    assert parse(frame("All {Group.plural} are {a attribute}."))
