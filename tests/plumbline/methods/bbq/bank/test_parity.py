"""The generator against the published examples: their counts, their pairs, and their text letter for letter."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from plumbline.methods.bbq.bank import folder, generated, lines, templates
from plumbline.methods.bbq.bank.lines import UNKNOWN, Line
from plumbline.methods.bbq.bank.set_of_questions import texts_of, words_of
from plumbline.methods.bbq.bank.sets import in_sets
from plumbline.methods.bbq.bank.templates import Template
from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG, NEGATIVE, NON_NEGATIVE, Question

REAL = Path(__file__).resolve().parents[5] / "../shared/data/bbq"
TABLE_3 = {
    "Age": 3680,
    "Disability_status": 1556,
    "Gender_identity": 5672,
    "Nationality": 3080,
    "Physical_appearance": 1576,
    "Race_ethnicity": 6880,
    "Religion": 1200,
    "Sexual_orientation": 864,
    "SES": 6864,
    "Race_x_gender": 15960,
    "Race_x_SES": 11160,
}
"""Source: Parrish et al. 2022, Table 3."""
EXACT = ("Age", "Disability_status", "Physical_appearance", "Sexual_orientation")
DRAWN = ("Nationality", "Religion")

pytestmark = pytest.mark.skipif(not REAL.exists(), reason="BBQ's files are not here")


@pytest.fixture(scope="module")
def made() -> list[Question]:
    return [Question.model_validate(item) for item in generated.questions(REAL, seed=1, original=True).items]


@pytest.fixture(scope="module")
def sets() -> list[list[Line]]:
    """The published ones."""
    files = folder.example_files(REAL)
    return [[line for _, line in four] for name, file in files.items() for four in in_sets(lines.read(file, name))]


def test_every_count_of_the_paper_comes_out(made: list[Question]) -> None:
    assert Counter(item.category for item in made) == TABLE_3


def test_a_correct_parser_makes_more_of_two_templates() -> None:
    found = generated.questions(REAL, categories=["Disability_status"]).items
    more = Counter(item["template"] for item in found)
    assert (len(found), more["4"], more["19"]) == (1600, 48, 16)


def test_no_rule_decides_only_where_both_people_have_one_gender(made: list[Question]) -> None:
    undecided = [item for item in made if item.target is None]
    assert Counter(item.cluster for item in undecided) == {"Gender_identity 13": 16}


def test_wrong_golds_are_flagged_where_the_templates_have_them(made: list[Question]) -> None:
    assert Counter(item.cluster for item in made if "wrong gold" in item.flags) == {
        "Physical_appearance 6": 50,
        "Physical_appearance 10": 18,
    }


Key = tuple[str, str, str, str, str]


def keys_made(made: list[Question], category: str) -> Counter[Key]:
    """Template, version, and who answers which question: the same pair in the same roles, order of mention included."""
    chosen = [item for item in made if item.category == category and item.condition == DISAMBIG]
    return Counter(
        (item.template, item.version, item.polarity, *_people(item.context, item.labels, item.unknown))
        for item in chosen
    )


def keys_published(sets: list[list[Line]], category: str) -> Counter[Key]:
    chosen = [
        line for four in sets if four[0].category == category for line in four if line.context_condition == DISAMBIG
    ]
    found = []
    for line in chosen:
        labels = tuple(label.removeprefix("other ") for label in line.labels)
        people = _people(line.context, labels, line.codes.index(UNKNOWN))
        found.append((line.question_index, line.version, line.question_polarity, *people))
    return Counter(found)


def _people(context: str, labels: tuple[str, ...], unknown: int) -> tuple[str, str]:
    """Both labels by the alphabet: the version of a template tells which fills which slot."""
    first, second = sorted(label for place, label in enumerate(labels) if place != unknown)
    return first, second


@pytest.mark.parametrize("category", EXACT)
def test_the_pairs_are_the_published_ones(made: list[Question], sets: list[list[Line]], category: str) -> None:
    assert keys_made(made, category) == keys_published(sets, category)


@pytest.mark.parametrize("category", DRAWN)
def test_drawn_pairs_are_of_the_same_sizes_and_admissible(
    made: list[Question], sets: list[list[Line]], category: str
) -> None:
    def sizes(keys: Counter[Key]) -> dict[str, list[int]]:
        """How many sets each target of a template has; targets are drawn, and each pair has exactly one."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for (template, _, _, *people), count in keys.items():
            (target,) = groups[template] & set(people)
            found[template][target] += count
        return {template: sorted(counts.values()) for template, counts in found.items()}

    groups = {item.template: set(item.groups) for item in made if item.category == category}
    ours, theirs = keys_made(made, category), keys_published(sets, category)
    assert sizes(ours) == sizes(theirs)
    assert set(ours.values()) == set(theirs.values()) == {2}  # both orders


def test_every_published_set_comes_out_letter_for_letter_once_its_draws_are_read_back(sets: list[list[Line]]) -> None:
    rows, _ = templates.read(folder.template_files(REAL))
    by_number: dict[tuple[str, str], list[Template]] = {}
    for _, row in rows:
        by_number.setdefault((row.category, row.number), []).append(row)
    missing = [
        four[0].example_id
        for four in sets
        if not any(
            _text(four) == made
            for row in by_number[four[0].category, four[0].question_index]
            for made in _made(row, four[0])
        )
    ]
    assert (len(sets), missing) == (2989, [])


Text = tuple[str, str, str, str, str, str]


def _text(four: list[Line]) -> Text:
    """Both contexts, both questions, and what answers each."""
    answers = four[1].options[four[1].label], four[3].options[four[3].label]
    return four[0].context, four[1].context, four[0].question, four[2].question, *answers


def _made(row: Template, line: Line) -> Iterator[Text]:
    """With each choice of filler words and each order of the two labels."""
    people = [label.removeprefix("other ") for label in line.labels if label != line.labels[line.codes.index(UNKNOWN)]]
    words = words_of(row)
    for first, second in (people, people[::-1]):
        for chosen in product(*words.values()):
            texts = texts_of(row, {"NAME1": first, "NAME2": second, **dict(zip(words, chosen, strict=True))})
            shown = texts[AMBIG], texts[DISAMBIG], texts[NEGATIVE].strip(), texts[NON_NEGATIVE].strip()
            yield *shown, texts["negative answer"], texts["non-negative answer"]
