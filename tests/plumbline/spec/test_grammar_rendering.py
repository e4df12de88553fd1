import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import FORMS, Word, forms_read, render, with_forms

NURSE = Word("nurses", "nurse", "nurses", "they")
SHE = Word("women", "woman", "women", "she")
KIND = Word("kind", "kind")

FILLERS = {
    "{group}": lambda word: word.label,
    "{Group}": lambda word: word.label[0].upper() + word.label[1:],
    "{group.singular}": lambda word: word.singular,
    "{a group.singular}": lambda word: word.singular,
    "{The group.plural}": lambda word: word.plural,
    "{group.plural's}": lambda word: word.plural,
}
words = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1)
pieces = st.tuples(st.text(st.sampled_from("ab c's.,'é\u0301😀\n")), st.sampled_from(list(FILLERS)))


def filled(template: str, group: Word = NURSE, attribute: Word = KIND) -> str:
    return render(template, {"group": group, "attribute": attribute}).text


@given(st.lists(pieces, min_size=1), st.builds(Word, words, words, words), words)
def test_spans_always_cut_out_exactly_the_filler(pieces: list[tuple[str, str]], group: Word, attribute: str) -> None:
    template = "".join(literal + slot for literal, slot in pieces) + " {an attribute}."
    rendered = render(template, {"group": group, "attribute": Word(attribute)})
    cut_out = [(base, rendered.text[start:end]) for base, start, end in rendered.spans]
    assert cut_out == [*(("group", FILLERS[slot](group)) for _, slot in pieces), ("attribute", attribute)]
    edges = [edge for _, *span in rendered.spans for edge in span]
    assert edges == sorted(edges)
    assert [span for base, *span in rendered.spans if base == "group"] == list(map(list, rendered.spans_of("group")))


def test_each_form_is_inserted_unchanged() -> None:
    assert filled("{group}; {group.singular}; {group.plural}; {attribute}") == "nurses; nurse; nurses; kind"


def test_a_capital_slot_raises_the_first_letter_only() -> None:
    assert filled("{Group.plural}", Word("x", "x", "people of Kenya")) == "People of Kenya"
    assert filled("{group}", Word("Dutch")) == "Dutch"
    assert filled("{Group}", Word("éclairs")) == "Éclairs"


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("Asian person", "an"),
        ("African", "an"),
        ("heir", "an"),
        ("hour", "an"),
        ("honest man", "an"),
        ("unemployed person", "an"),
        ("uninsured person", "an"),
        ("unimportant", "an"),
        ("unidentified", "an"),
        ("usher", "an"),
        ("urban planner", "an"),
        ("ugly", "an"),
        ("uncle", "an"),
        ("onerous", "an"),
        ("8-year-old", "an"),
        ("18-year-old", "an"),
        ("European", "a"),
        ("university student", "a"),
        ("unique", "a"),
        ("user", "a"),
        ("usual", "a"),
        ("US citizen", "a"),
        ("utility worker", "a"),
        ("urologist", "a"),
        ("Ukrainian", "a"),
        ("Ugandan", "a"),
        ("Uruguayan", "a"),
        ("one-sided", "a"),
        ("hairdresser", "a"),
        ("woman", "a"),
        ("1-year-old", "a"),
        ("100-year-old", "a"),
    ],
)
def test_the_indefinite_article_follows_the_sound(word: str, article: str) -> None:
    assert filled("{a attribute}", attribute=Word(word)) == f"{article} {word}"
    assert filled("{an attribute}", attribute=Word(word)) == f"{article} {word}"
    assert filled("{A attribute}", attribute=Word(word)) == f"{article.capitalize()} {word}"


def test_the_article_is_outside_of_the_span() -> None:
    rendered = render("{A group.singular} waits.", {"group": Word("Asians", "Asian")})
    assert rendered.text == "An Asian waits."
    assert rendered.spans == (("group", 3, 8),)


def test_the_definite_article_may_have_a_capital() -> None:
    assert filled("{the group} and {The group.singular}") == "the nurses and The nurse"


@pytest.mark.parametrize("base", ["attribute", "target", "feature"])
@pytest.mark.parametrize(
    ("template", "word", "sentence"),
    [
        ("in {the X}", Word("United States", article="the"), "in the United States"),
        ("in {the X}", Word("France"), "in France"),
        ("{The X} wins", Word("United States", article="the"), "The United States wins"),
        ("{The X} wins", Word("tea"), "Tea wins"),
    ],
)
def test_words_of_lists_take_the_article_that_is_curated_with_them(
    base: str, template: str, word: Word, sentence: str
) -> None:
    rendered = render(template.replace("X", base), {base: word})
    assert rendered.text == sentence
    assert [rendered.text[start:end].lower() for _, start, end in rendered.spans] == [word.label.lower()]


@pytest.mark.parametrize(
    ("slot", "group", "possessive"),
    [
        ("{group's}", Word("Anna"), "Anna's"),
        ("{group's}", Word("James"), "James's"),
        ("{group.singular's}", Word("boss", "boss", "bosses"), "boss's"),
        ("{group.plural's}", Word("boss", "boss", "bosses"), "bosses'"),
        ("{group.plural's}", SHE, "women's"),
        ("{The group.plural's}", NURSE, "The nurses'"),
    ],
)
def test_the_possessive_follows_the_number(slot: str, group: Word, possessive: str) -> None:
    assert filled(f"{slot} work", group) == f"{possessive} work"


@pytest.mark.parametrize(
    ("template", "group", "sentence"),
    [
        ("{Group.plural} {is|are} kind", SHE, "Women are kind"),
        ("{The group.singular} {is|are} kind", SHE, "The woman is kind"),
        ("{group} {is|are} kind", SHE, "women are kind"),
        ("{group} {is|are} kind", Word("nurse", "nurse"), "nurse is kind"),
        ("{group} {is|are} kind", Word("Anna", pronoun="she"), "Anna is kind"),
        ("{is|are} {group.plural} kind?", SHE, "are women kind?"),
    ],
)
def test_is_or_are_follows_the_number_of_the_group(template: str, group: Word, sentence: str) -> None:
    assert filled(template, group) == sentence


def test_a_name_is_one_person_whatever_the_pronoun() -> None:
    assert render("{name} {is|are} here.", {"name": Word("Alex", pronoun="they")}).text == "Alex is here."


@pytest.mark.parametrize(
    ("pronoun", "sentence"), [("she", "she told her"), ("he", "he told his"), ("they", "they told their")]
)
def test_pronouns_are_those_that_were_curated(pronoun: str, sentence: str) -> None:
    assert filled("{group}: {they} told {their}", Word("Sam", pronoun=pronoun)) == f"Sam: {sentence}"


@pytest.mark.parametrize(
    ("template", "group", "fault"),
    [
        (
            "{group.plural} wait",
            Word("women", "woman"),
            r"needs the plural of group 'women', which has none: enter it",
        ),
        ("{a group.singular}", Word("women"), r"needs the singular of group 'women'"),
        ("{attribute.plural} {group}", SHE, r"needs the plural of attribute 'kind'"),
        ("{group}: {they} wait", Word("women"), r"\{they\} needs the pronoun \(she, he or they\) of group 'women'"),
        ("{group}: {their} work", Word("x", pronoun="it"), r"\{their\} needs the pronoun"),
        ("{group} {is|are}", Word("youth"), r"needs the number of group 'youth': write \{group.plural\}, or give"),
        ("{group} {is|are}", Word("Dutch", "Dutch", "Dutch"), "needs the number of group 'Dutch'"),
        ("{attribute} {is|are}", Word("x"), "agrees with a group, name or target, and there is none"),
        ("{name} waits", SHE, r"has the slot \{name\}, which nothing fills"),
    ],
)
def test_a_missing_form_is_named_with_its_template_and_word(template: str, group: Word, fault: str) -> None:
    words = {"attribute": KIND} if template.startswith("{attribute} ") else {"group": group, "attribute": KIND}
    with pytest.raises(SpecError, match=fault) as refused:
        render(template, words)
    assert repr(template) in str(refused.value)


@pytest.mark.parametrize(
    ("template", "read"),
    [
        ("{Group.plural} are {attribute}.", {"plural"}),
        ("{Group.plural} {is|are} {attribute}.", {"plural"}),
        ("{A group} is {attribute}.", {"article"}),
        ("{group} {is|are} {attribute}.", {"singular", "plural", "pronoun"}),
        ("{Group.singular} says that {they} work.", {"singular", "plural", "pronoun"}),
        ("{attribute} {group.plural} and {their} work.", {"plural"}),
        ("a {broken", {"singular", "plural", "pronoun", "article"}),
    ],
)
def test_the_forms_that_a_template_reads_are_all_that_change_its_sentence(template: str, read: set[str]) -> None:
    assert forms_read([template], "group") == read


READING = ("{Group.plural} are kind.", "{A group} {is|are} kind.", "{group.singular} says that {they} rest.", "{group}")
FORM = st.sampled_from(["", "women", "woman", "they", "she"])


@given(template=st.sampled_from(READING), one=st.builds(Word, st.just("women"), FORM, FORM, FORM, FORM), other=FORM)
def test_another_form_that_no_template_reads_makes_the_same_sentence(template: str, one: Word, other: str) -> None:
    read = forms_read([template], "group")
    changed = Word(one.label, *(getattr(one, form) if form in read else other for form in FORMS))
    assert with_forms(one, read) == with_forms(changed, read)
    assert rendered(template, one) == rendered(template, changed)


def rendered(template: str, word: Word) -> str:
    try:
        return render(template, {"group": word}).text
    except SpecError as error:
        return str(error)
