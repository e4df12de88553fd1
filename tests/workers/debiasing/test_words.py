"""Words of groups: what a sentence names, and what it becomes when it is about another group."""

import pytest

from plumbline.spec.errors import InputError
from workers.debiasing.words import GroupWords

ENTRIES = [
    {"text": "woman", "plural": "women", "category": "adult", "group": "female"},
    {"text": "man", "plural": "men", "category": "adult", "group": "male"},
    {"text": "her", "category": "their; them", "group": "female"},
    {"text": "his", "category": "their", "group": "male"},
    {"text": "him", "category": "them", "group": "male"},
    {"text": "nun", "plural": "", "category": "convent", "group": "female"},
    {"text": "people", "category": "adult", "group": ""},
]


@pytest.fixture
def words() -> GroupWords:
    return GroupWords.of("gender", ENTRIES)


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("The WOMAN left.", {"female"}),
        ("Women and men left.", {"female", "male"}),
        ("A human mankind, people said.", set()),
    ],
)
def test_names_the_groups_of_whole_words_alone(words: GroupWords, sentence: str, named: set[str]) -> None:
    assert words.named_in(sentence) == named


@pytest.mark.parametrize(
    ("sentence", "group", "other"),
    [
        ("The woman lost her hat.", "male", "The man lost his hat."),
        ("Men saw him.", "female", "Women saw her."),
        ("MEN saw his hat.", "female", "WOMEN saw her hat."),
        ("The woman left.", "female", "The woman left."),
    ],
)
def test_exchanges_words_both_ways_with_their_capitals(
    words: GroupWords, sentence: str, group: str, other: str
) -> None:
    assert words.about(sentence, group) == other


def test_a_word_without_counterpart_leaves_no_sentence(words: GroupWords) -> None:
    assert words.about("The nun met a man.", "male") is None


def test_a_list_that_names_one_group_is_refused() -> None:
    with pytest.raises(InputError, match="the words of 'gender' name fewer than two groups"):
        GroupWords.of("gender", ENTRIES[:1])
