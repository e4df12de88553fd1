"""Validation of templates: what is drawn, what passes, what an edit voids and another name keeps."""

import pytest
from django.contrib.auth.models import User

from plumbline.annotation import working
from plumbline.annotation.template_texts import CONDITIONS, texts
from plumbline.annotation.validation import State, ValidationStatus, states
from plumbline.spec.errors import InputError
from plumbline.vocab.models import Bank
from tests.plumbline.annotation.questions import KEYS, contents, make_bank, make_task, rate

pytestmark = pytest.mark.django_db

RATERS = ("ann", "bob", "cem", "dee", "eve")
WRONG = ("S2", "ambig", "neg")


def standings(bank: Bank, leave_out: bool = False) -> list[ValidationStatus]:
    found = states(bank, leave_out)
    return [found[key].status for key in KEYS]


def test_one_question_of_each_condition_is_drawn_by_the_seed_and_fillers_are_between() -> None:
    bank = make_bank(items=[*contents("S1", 20), *contents("S2", 20)])
    task = make_task(bank)
    origins = list(task.items.values_list("origin", flat=True))
    asked = [(one["template"], one["condition"], one["polarity"]) for one in origins if "filler" not in one]
    assert sorted(asked) == sorted((template, *one) for _, template in KEYS for one in CONDITIONS)
    assert len(origins) == 8 + 2
    assert {one["filler"] for one in origins if "filler" in one} == {"short", "long"}
    ids = [one.get("id") for one in origins]
    assert ids == [one.get("id") for one in make_task(bank).items.values_list("origin", flat=True)]
    assert ids != [one.get("id") for one in make_task(bank, seed=4).items.values_list("origin", flat=True)]
    alone = make_task(bank, KEYS[:1]).items.values_list("origin", flat=True)
    assert {one.get("id") for one in alone} - {None} == {one["id"] for one in origins if one.get("template") == "S1"}


def test_what_is_shown_says_nothing_of_what_is_right() -> None:
    for item in make_task(make_bank()).items.all():
        assert set(item.content) == {"context", "question", "options"}


def test_a_template_passes_when_four_of_five_agree_on_all_of_its_questions() -> None:
    task = make_task(bank := make_bank())
    assert standings(bank) == [ValidationStatus.NONE, ValidationStatus.NONE]
    for name in RATERS[:4]:
        rate(task, name, [WRONG] if name == "ann" else [])
    found = states(bank)[KEYS[0]]
    assert (found.status, found.label) == (ValidationStatus.NONE, "not validated: 4 of 5 raters so far")
    rate(task, "eve", [WRONG])
    assert standings(bank) == [ValidationStatus.PASSED, ValidationStatus.FAILED]
    assert [cell.right for cell in states(bank)[KEYS[1]].verdict.cells] == [3, 5, 5, 5]  # type: ignore[union-attr]


def test_another_threshold_and_number_of_raters() -> None:
    task = make_task(bank := make_bank(), raters=3, threshold=0.6)
    for name in RATERS[:3]:
        rate(task, name, [WRONG] if name == "ann" else [])
    assert standings(bank) == [ValidationStatus.PASSED, ValidationStatus.PASSED]


def test_a_rater_who_stops_midway_counts_for_nothing() -> None:
    task = make_task(bank := make_bank())
    for name in RATERS[:4]:
        rate(task, name)
    own = working.joined(task, User.objects.create(username="eve"))
    for item in task.items.all()[:5]:
        working.save(own, item, 0)
    assert states(bank)[KEYS[0]].raters == 4
    assert working.progress(own) == working.Progress(5, 10)
    assert working.next_item(own) == task.items.all()[5]


def test_without_a_flagged_rater_another_one_is_needed() -> None:
    task = make_task(bank := make_bank())
    for name in RATERS:
        rate(task, name, [WRONG] if name in ("ann", "bob") else [], fillers_wrong=1 if name == "ann" else 0)
    assert standings(bank) == [ValidationStatus.PASSED, ValidationStatus.FAILED]
    assert states(bank, leave_out=True)[KEYS[1]].label == "not validated: 4 of 5 raters so far"
    rate(task, "fay")
    assert standings(bank, leave_out=True) == [ValidationStatus.PASSED, ValidationStatus.PASSED]
    assert standings(bank) == [ValidationStatus.PASSED, ValidationStatus.FAILED]


def validated(slug: str = "own") -> Bank:
    task = make_task(bank := make_bank(slug), raters=1)
    rate(task, "ann")
    assert standings(bank) == [ValidationStatus.PASSED, ValidationStatus.PASSED]
    return bank


@pytest.mark.parametrize("key", ["context", "question", "options", "gold"])
def test_an_edit_of_any_text_or_right_answer_voids_that_template_alone(key: str) -> None:
    validated()
    edited = contents("S2")
    other = {"context": "Changed.", "question": "Changed?", "options": ["A", "B", "C"], "gold": 0}[key]
    edited[7][key] = other  # of the second set, which may not have been drawn
    found = states(make_bank(items=[*contents("S1"), *edited]))
    assert found[KEYS[0]].status is ValidationStatus.PASSED
    assert found[KEYS[1]].status is ValidationStatus.VOID
    assert found[KEYS[1]].label == "void: edited since"
    assert standings(make_bank()) == [ValidationStatus.PASSED, ValidationStatus.PASSED]


def test_an_edited_template_passes_again_once_it_is_validated_again() -> None:
    validated()
    bank = make_bank(items=[*contents("S1"), *contents("S2", told="both wide awake")])
    again = make_task(bank, KEYS[1:], raters=1)
    assert standings(bank) == [ValidationStatus.PASSED, ValidationStatus.VOID]
    rate(again, "bob")
    assert standings(bank) == [ValidationStatus.PASSED, ValidationStatus.PASSED]
    assert states(bank)[KEYS[1]].task == again.pk


def test_the_same_texts_under_another_name_in_another_order_keep_it() -> None:
    validated()
    renumbered = [one | {"id": f"other {place}", "set": 9} for place, one in enumerate(contents("S2"))]
    twin = make_bank("twin", [*reversed(renumbered), *contents("S1")])
    assert standings(twin) == [ValidationStatus.PASSED, ValidationStatus.PASSED]
    stranger = make_bank("stranger", [*contents("S1"), *contents("S2", told="dreaming")])
    assert standings(stranger) == [ValidationStatus.PASSED, ValidationStatus.NONE]


def test_a_bank_that_is_deleted_and_imported_again_keeps_it() -> None:
    validated().delete()
    assert standings(make_bank()) == [ValidationStatus.PASSED, ValidationStatus.PASSED]


def test_the_latest_whole_task_counts() -> None:
    bank = validated()
    again = make_task(bank, raters=1, seed=9)
    assert standings(bank) == [ValidationStatus.PASSED, ValidationStatus.PASSED]
    rate(again, "bob", [WRONG])
    assert standings(bank) == [ValidationStatus.PASSED, ValidationStatus.FAILED]


def test_a_template_that_lacks_a_condition_is_refused_and_so_are_too_few_fillers() -> None:
    bank = make_bank(items=[*contents("S1"), *(one for one in contents("S2") if one["condition"] == "ambig")])
    assert [own.whole for own in texts(bank).values()] == [True, False]
    with pytest.raises(InputError, match="template S2 of Age lacks questions"):
        make_task(bank)
    with pytest.raises(InputError, match="0 templates are chosen"):
        make_task(bank, ())
    many = make_bank("many", [one for number in range(41) for one in contents(f"T{number}", 1)])
    with pytest.raises(InputError, match="25 fillers are needed, but there are 24: choose fewer"):
        make_task(many, tuple(texts(many)))


def test_a_bank_of_another_kind_has_no_templates() -> None:
    assert states(Bank.objects.create(slug="gap", title="GAP", kind="gap", digest="x")) == {}
    assert State(ValidationStatus.NONE).label == "not validated"
