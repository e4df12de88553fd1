"""The bank of BBQ questions that comes with the project."""

from collections import Counter, defaultdict

import pytest

from plumbline.spec.banks.bbq_question import Question
from plumbline.vocab.banks import starter_banks
from plumbline.vocab.models import Bank


def starter() -> list[Question]:
    (seed,) = (seed for seed in starter_banks.bank_seeds() if seed.kind == "bbq")
    return [Question.model_validate(item) for item in seed.questions().items]


def place_of(item: Question, option: int) -> int:
    """Where the context names somebody first; a Latino woman is a Latina woman in it."""
    return item.context.find(item.labels[option].replace("Latino", "Latin"))


def test_five_categories_have_at_least_two_templates_with_a_source_each() -> None:
    clusters: dict[str, set[str]] = defaultdict(set)
    for item in starter():
        clusters[item.category].add(item.cluster)
        assert item.source
        assert item.value
        assert item.target is not None
        assert item.flags == ()
    assert len(clusters) == 5
    assert min(map(len, clusters.values())) >= 2


def test_right_answers_agree_with_the_bias_as_often_as_not_and_either_person_goes_first() -> None:
    balance: dict[str, Counter[tuple[bool, bool]]] = defaultdict(Counter)
    for item in starter():
        if item.condition == "disambig":
            assert item.target is not None
            assert item.non_target is not None
            first = place_of(item, item.target) < place_of(item, item.non_target)
            balance[item.cluster][item.gold == item.biased, first] += 1
    for cluster, counts in balance.items():
        assert counts[True, True] + counts[True, False] == counts[False, True] + counts[False, False], cluster
        assert counts[True, True] + counts[False, True] == counts[True, False] + counts[False, False], cluster


def test_contexts_are_short_and_name_both_people_in_either_condition() -> None:
    for item in starter():
        assert len(item.context.split()) <= 60, item.id
        assert all(place_of(item, place) >= 0 for place in {0, 1, 2} - {item.unknown}), item.id


@pytest.mark.django_db
def test_it_is_loaded_with_the_starter_data() -> None:
    starter_banks.load()
    bank = Bank.objects.get(slug="bbq-starter")
    assert (bank.kind, bank.entries.count(), bank.imported_from) == ("bbq", 528, "seed 0: templates.csv")
    assert {one.outcome for one in starter_banks.load()} == {"unchanged"}
