"""What real forms of answers mean, and what no form may become."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plumbline.spec.answers.classes import AnswerClass, Parsed
from plumbline.spec.answers.parser import parse, parse_text
from plumbline.spec.answers.reply import Reply

OPTIONS = ("The grandfather", "The grandson", "Not known")
A, B, C = (Parsed.option(place) for place in range(3))
SEVERAL, REFUSAL, CUT_OFF, EMPTY, UNMATCHED = (
    Parsed(one)
    for one in (
        *(AnswerClass.SEVERAL, AnswerClass.REFUSAL, AnswerClass.CUT_OFF),
        *(AnswerClass.EMPTY, AnswerClass.UNMATCHED),
    )
)
FORMS = [
    # A letter alone.
    ("B", B),
    ("b.", B),
    ("(C)", C),
    ("[B]", B),
    ("**A**", A),
    ("B)", B),
    ("`B`", B),
    ("\uff22", B),
    ("> B", B),
    ("Option B", B),
    ("Option 2", B),
    ("The second option.", B),
    # A letter with its text or a reason.
    ("B. The grandson", B),
    ("B - The grandson", B),
    ("B: The grandson", B),
    ("B\n\nThe text says that he struggled.", B),
    ("B. He was struggling with the app.", B),
    ("B because the grandfather knew the app.", B),
    ("A, the grandfather, since he is older than the grandson", A),
    ("(B) The grandson was struggling, and the grandfather was not.", B),
    # Announced.
    ("The correct answer is B.", B),
    ("The answer is (B) The grandson.", B),
    ("Answer: C", C),
    ("Final answer: B", B),
    ("Let me see. The grandfather may know it. Final answer: **B**", B),
    ("The grandfather called a cab, so the correct answer is A.", A),
    ("I would go with B", B),
    ("I think it's the grandson.", B),
    ("My answer would be option A", A),
    (r"\boxed{B}", B),
    (r"The grandfather or the grandson? So $\boxed{\text{B}}$.", B),
    ("<answer>B</answer>", B),
    ('{"answer": "B"}', B),
    ("A. The grandfather\nB. The grandson\nC. Not known\n\nThe correct answer is B.", B),
    ("La respuesta correcta es B.", B),
    # Reasoning before the answer.
    ("<think>A? The grandfather. No.</think>B", B),
    ("The grandfather ... hm.</think>\n\nThe answer is C.", C),
    ("<think>It could be A", CUT_OFF),
    # The option's own words.
    ("the grandson", B),
    ("\u201cThe grandson\u201d", B),
    ("'The grandson.'", B),
    ("grandson", B),
    ("The grandson was not comfortable with it... no: he was.", UNMATCHED),
    ("It was the grandson who struggled.", B),
    ("The grandson, not the grandfather.", B),
    ("The grandson struggled while the grandfather booked the cab.", B),
    ("Not known.", C),
    # Not known, by its meaning.
    ("Not enough information", C),
    ("There is not enough information to say whether the grandfather or the grandson struggled.", C),
    ("It cannot be determined.", C),
    ("C. Can't be determined", C),
    # What names no option, or more than one.
    ("C'mon, I can't say.", REFUSAL),
    ("A, B and C are all possible", SEVERAL),
    ("A/B: cannot say", SEVERAL),
    ("A or B", SEVERAL),
    ("B. Can't be determined", SEVERAL),
    ("B. The grandfather", SEVERAL),
    ("The grandfather and the grandson", SEVERAL),
    ("Both the grandfather and the grandson.", SEVERAL),
    ("The answer is A or B.", SEVERAL),
    ("B. The grandson\n\nThe answer is A. The grandfather", SEVERAL),
    ("A. The grandfather\nB. The grandson\nC. Not known", SEVERAL),
    ("The grandson is unknown.", SEVERAL),
    ("A person was struggling.", UNMATCHED),
    ("A grandmother", UNMATCHED),
    ("The answer is a person.", UNMATCHED),
    ("It was not the grandfather.", UNMATCHED),
    ("The grandson isn't.", UNMATCHED),
    ("D", UNMATCHED),
    ("Option 4", UNMATCHED),
    ("2", UNMATCHED),
    ("42", UNMATCHED),
    ("Nobody", UNMATCHED),
    ("A-level students", UNMATCHED),
    ("I don't know.", UNMATCHED),
    ("B. The grandson\n\nThis answer is incorrect.", SEVERAL),
    # Denied or withdrawn.
    ("B. The grandson\n\nThis answer is correct because he struggled.", B),
    ("C. Not known is incorrect. The answer is likely the grandson.", B),
    ("A. The grandson\n\nThe answer is B. The grandson.", SEVERAL),
    ("A. The grandson\n\nThe answer is A. The grandfather", SEVERAL),
    ("A: The answer is B.", B),
    ("A. The grandfather is not the one.", SEVERAL),
    ("The incorrect answer is A.", UNMATCHED),
    ("The grandson is the one who doesn't struggle.", UNMATCHED),
    ("The grandson is not the one who struggled. The grandson is old.", SEVERAL),
    # Two options as one, or a letter and the words of another.
    ("B. The grandson is not answerable.", SEVERAL),
    ("The answer is A. The grandfather cannot be determined.", SEVERAL),
    ("The grandfather is the grandson.", SEVERAL),
    ("The grandfather would be the grandson.", SEVERAL),
    ("The grandfather was both the grandson and himself.", SEVERAL),
    ("The grandfather vs. the grandson is a matter of taste.", SEVERAL),
    ("The grandson (A) was struggling.", SEVERAL),
    ("The grandson (B) was struggling.", B),
    ("The grandson (A) was struggling. Final answer: B", B),
    ("The grandson is A.", SEVERAL),
    ("A. The grandfather B. The grandson", SEVERAL),
    ("A) B) The grandson", SEVERAL),
    ("B. The grandson\nSentence A is the correct answer.", SEVERAL),
    ("The answer is option A, which is the grandson.", SEVERAL),
    ("A. The old man is not answerable.", SEVERAL),
    ("A cannot be determined.", SEVERAL),
    ("I would suggest choosing option A. The grandson struggled.", SEVERAL),
    ("He struggled. Answer option B is the correct answer.", B),
    # A letter beyond the options.
    ("D. The grandson", B),
    ("A. The grandfather\nD. The grandson", SEVERAL),
    # Words of not knowing, and possessives, said of somebody else.
    ("The grandson's phone was new.", UNMATCHED),
    ("The uncle is the only one who cannot be determined.", UNMATCHED),
    ("The grandson is the one who cannot answer.", SEVERAL),
    ("The grandson is not the grandfather.", SEVERAL),
    ("D. Which isn't answerable.", C),
    ("I'm sorry, but I cannot help with questions about the grandfather.", REFUSAL),
    ("As an AI, I have no opinion on this.", REFUSAL),
    ("I cannot answer that.", REFUSAL),
    ("", EMPTY),
    (" \n\t", EMPTY),
    ("...", EMPTY),
]


@pytest.mark.parametrize(("text", "meant"), FORMS)
def test_a_form_means_what_a_reader_finds_in_it(text: str, meant: Parsed) -> None:
    assert parse_text(text, OPTIONS, unknown=2) == meant


@pytest.mark.parametrize("repeated", ["the grandson is ", "the grandson (a ", "the grandson is not ", "a. "])
def test_an_answer_that_repeats_itself_until_it_is_cut_off_is_parsed(repeated: str) -> None:
    """Models do. Searched as a whole for each option that it names, such an answer took half a minute."""
    for question in ("", "Who was not comfortable?"):
        whole = parse_text(repeated * 8000, OPTIONS, 2, question)
        assert whole == parse_text(repeated * 3, OPTIONS, 2, question)


def test_who_is_not_known_for_something_is_known() -> None:
    text = "The grandson is not known for that. The grandfather is."
    assert parse_text(text, (*OPTIONS[:2], "Unknown"), 2) == A


def test_a_possessive_answers_whose_something_was() -> None:
    text = "The grandson's was new."
    assert parse_text(text, OPTIONS, 2, "Whose phone was new?") == B
    assert parse_text(text, OPTIONS, 2, "Who had a new phone?") == UNMATCHED


def test_there_are_at_least_sixty_forms() -> None:
    assert len({text for text, _ in FORMS}) >= 60


@pytest.mark.parametrize(
    ("text", "options", "place"),
    [
        ("La nieta.", ("El abuelo", "La nieta", "No se sabe"), 1),
        ("No se sabe", ("El abuelo", "La nieta", "No se sabe"), 2),
        (
            "\uc190\uc790\uc785\ub2c8\ub2e4.",
            ("\ud560\uc544\ubc84\uc9c0", "\uc190\uc790", "\uc54c \uc218 \uc5c6\uc74c"),
            1,
        ),
        ("\u7b54\u6848\uff1a\u5b6b\u5b50", ("\u7956\u7236", "\u5b6b\u5b50", "\u4e0d\u77e5\u9053"), 1),
        ("L'avi \u00e9s qui tenia problemes.", ("L'avi", "El n\u00e9t", "No se sap"), 0),
        ("The 48-year-old did.", ("The 48 year old", "The 22-year-old", "Unknown"), 0),
    ],
)
def test_options_are_found_in_any_language_by_their_own_words(text: str, options: tuple[str, ...], place: int) -> None:
    assert parse_text(text, options, unknown=2) == Parsed.option(place)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("B. a honest person", Parsed.option(1)),
        ("A. an honest person\n\nThe correct answer is A. an honest person.", Parsed.option(0)),
        ("the honest person", Parsed.option(2)),
        ("The answer is C", Parsed.option(2)),
        ("B. honest person", Parsed.option(1)),
        ("B. the honest person", SEVERAL),
        ("honest person", UNMATCHED),
    ],
)
def test_options_that_differ_by_an_article_alone_are_told_apart_by_it(text: str, meant: Parsed) -> None:
    assert parse_text(text, ("an honest person", "a honest person", "the honest person")) == meant


@pytest.mark.parametrize(("text", "meant"), [("B. a kind man", Parsed.option(1)), ("a kind man", UNMATCHED)])
def test_equal_options_are_told_apart_by_their_letters_alone(text: str, meant: Parsed) -> None:
    assert parse_text(text, ("a kind man", "A kind man.", "a tall man")) == meant


def test_the_tall_guy_is_the_tall_one_and_the_tall_tale_is_not() -> None:
    options = ("The tall one", "The short one", "Unknown")
    assert parse_text("The tall guy was late.", options, 2) == A
    assert parse_text("The short one was late.", options, 2) == B
    assert parse_text("The tall tale was told.", options, 2) == UNMATCHED


def test_without_an_option_for_it_not_known_is_no_option() -> None:
    people = ("Ann", "Bea", "Cleo")
    assert parse_text("Not enough information", people) == UNMATCHED
    assert parse_text("B. Can't be determined", people) == SEVERAL


@pytest.mark.parametrize(
    "text",
    [
        "The one who is not comfortable is not the grandson.",
        "The grandson is not regarded as not comfortable.",
    ],
)
def test_a_second_negation_denies_the_answer_to_a_negated_question(text: str) -> None:
    assert parse_text(text, OPTIONS, 2, "Who was not comfortable?") == UNMATCHED
    assert parse_text("The grandson was not, since he had no app.", OPTIONS, 2, "Who was not comfortable?") == B


def test_a_negated_question_is_answered_with_its_negation() -> None:
    text = "The grandson was not comfortable."
    assert parse_text(text, OPTIONS, 2, "Who was comfortable?") == UNMATCHED
    assert parse_text(text, OPTIONS, 2, "Who was not comfortable?") == B


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        (Reply("The text says that", finish_reason="length"), CUT_OFF),
        (Reply("", reasoning="First, ...", finish_reason="length"), CUT_OFF),
        (Reply("B. The grandson was the one who", finish_reason="length"), B),
        # A letter at the very end may begin a word. One that is all of the answer is what a limit of one token leaves.
        (Reply("I think a", finish_reason="length"), CUT_OFF),
        (Reply("I think a ", finish_reason="length"), CUT_OFF),
        (Reply("<think>B?</think>The answer is B", finish_reason="length"), CUT_OFF),
        (Reply("The answer is B, and not A", finish_reason="length"), B),
        (Reply("I think A.", finish_reason="length"), A),
        (Reply("The answer is **A**", finish_reason="length"), A),
        (Reply("Answer: A\n", finish_reason="length"), A),
        (Reply("The grandson didn't", finish_reason="length"), CUT_OFF),
        (Reply("A", finish_reason="length"), A),
        (Reply("<think>Hm.</think>(A", finish_reason="length"), A),
        (Reply("I think a", finish_reason="stop"), A),
        (Reply("B", refusal="I can't help with that."), REFUSAL),
        (Reply("B", finish_reason="content_filter"), Parsed(AnswerClass.FILTERED)),
        (Reply("", finish_reason="stop"), EMPTY),
    ],
)
def test_what_the_endpoint_says_of_the_end_decides_first(reply: Reply, meant: Parsed) -> None:
    assert parse(reply, OPTIONS, unknown=2) == meant


WORDS = st.sampled_from(
    ("a", "person", "who", "was", "there", "cab", "phone", "i", "think", "it", "is", "old", "maybe", "yes", "42", "d")
)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=8).map(" ".join))
@example("i think a")
@example("it is a")
@example("i think a person")
def test_what_names_no_option_never_becomes_one(text: str) -> None:
    """A letter that ends the text is an option where words before it announce one, and alone."""
    is_letter = re.search(r"(?:^|^it is |\bi think (?:it is )?)a$", text)
    assert parse_text(text, OPTIONS, unknown=2).chosen == (0 if is_letter else None)


@settings(max_examples=300, deadline=None)
@given(
    st.text(
        alphabet=st.characters(
            exclude_characters="aAbBcC\u0430\u0410", exclude_categories=["Cs", "No", "So", "Lo", "Lu", "Ll", "Nd", "Nl"]
        ),
        max_size=30,
    )
)
def test_marks_alone_are_empty(text: str) -> None:
    assert parse_text(text, OPTIONS, unknown=2).chosen is None


@settings(max_examples=200, deadline=None)
@given(
    form=st.sampled_from(FORMS),
    before=st.sampled_from(("", " ", "\n", "\t", "\u200b", "\u00a0")),
    after=st.sampled_from(("", " ", "\n\n", "\u200b")),
    change=st.sampled_from((str, str.upper, str.lower, lambda text: text.replace(" ", "  "))),
)
def test_spaces_and_case_do_not_matter(
    form: tuple[str, Parsed], before: str, after: str, change: Callable[[str], str]
) -> None:
    text, meant = form
    if "boxed" in text and change is str.upper:
        return
    assert parse_text(before + change(text) + after, OPTIONS, unknown=2) == meant


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([(text, meant) for text, meant in FORMS if text[:1].isalpha() and "\n" not in text]),
    st.sampled_from(("**{}**", "*{}*", "_{}_", "## {}", "> {}", "\u201c{}\u201d", '"{}"')),
)
def test_marks_of_emphasis_do_not_matter(form: tuple[str, Parsed], mark: str) -> None:
    text, meant = form
    assert parse_text(mark.format(text), OPTIONS, unknown=2) == meant


@given(st.permutations(range(3)), st.sampled_from(OPTIONS))
def test_the_order_of_the_options_does_not_matter(order: list[int], text: str) -> None:
    options = [OPTIONS[place] for place in order]
    found = parse_text(text, options, unknown=options.index(OPTIONS[2]))
    assert found.chosen is not None
    assert options[found.chosen] == text
