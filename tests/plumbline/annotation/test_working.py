"""Answering: saved one by one, undone, ended once; nobody sees others' answers before."""

import pytest
from django.contrib.auth.models import Group, User

from plumbline.annotation import task_results, working
from plumbline.annotation.models import AnnotationTask, Answer, Participation
from plumbline.spec.errors import InputError


@pytest.fixture
def ann(db: None) -> User:
    user = User.objects.create_user("ann")
    user.groups.add(Group.objects.get(name="reviewer"))
    return user


@pytest.fixture
def own(mapping: AnnotationTask, ann: User) -> Participation:
    return working.joined(mapping, ann)


def answer_all(own: Participation, value: list[str]) -> None:
    while item := working.next_item(own):
        working.save(own, item, value)


def test_items_come_in_the_tasks_order_and_each_save_moves_on(own: Participation) -> None:
    first, second = list(own.task.items.all())[:2]
    assert working.next_item(own) == first
    working.save(own, first, ["cold"])
    assert working.next_item(own) == second
    assert working.progress(own) == working.Progress(1, 4)


def test_the_latest_answer_counts_and_a_repeated_one_is_kept_once(own: Participation) -> None:
    (item, *_) = own.task.items.all()
    for value in (["cold"], ["cold"], [], ["warm"]):
        working.save(own, item, value)
    assert Answer.latest(own.pk) == {item.pk: ["warm"]}
    assert Answer.objects.count() == 3


def test_undoing_goes_back_step_by_step(own: Participation) -> None:
    one, other, *_ = own.task.items.all()
    for item, value in ((one, ["cold"]), (other, []), (one, ["warm"])):
        working.save(own, item, value)
    assert working.undo(own) == one
    assert Answer.latest(own.pk) == {one.pk: ["cold"], other.pk: []}
    assert working.undo(own) == other
    assert working.undo(own) == one
    assert working.undo(own) is None


def test_only_what_is_complete_can_be_ended_and_then_it_stays(own: Participation) -> None:
    working.save(own, own.task.items.all()[0], [])
    with pytest.raises(InputError, match="3 of the items have no answer"):
        working.end(own)
    answer_all(own, ["cold"])
    working.end(own)
    with pytest.raises(InputError, match="this work has ended"):
        working.undo(own)
    with pytest.raises(InputError, match="this work has ended"):
        working.save(own, own.task.items.all()[0], ["warm"])
    with pytest.raises(InputError, match="this work has ended"):
        working.decline(own)


def test_who_annotates_sees_results_after_ending_or_giving_up_alone(own: Participation, ann: User) -> None:
    viewer = User.objects.create_user("vic")
    viewer.groups.add(Group.objects.get(name="viewer"))
    assert not working.may_see_results(own.task, ann)
    assert working.may_see_results(own.task, viewer)
    working.decline(own)
    assert working.may_see_results(own.task, ann)


def test_only_ended_work_counts(own: Participation, maker: User) -> None:
    answer_all(own, ["cold"])
    given_up = working.joined(own.task, maker)
    answer_all(given_up, ["warm"])
    working.decline(given_up)
    assert task_results.people(own.task) == []
    working.end(own)
    (person,) = task_results.people(own.task)
    assert set(map(tuple, person.values())) == {("cold",)}


def test_a_form_may_say_only_what_the_task_asks(mapping: AnnotationTask, rating: AnnotationTask) -> None:
    assert working.value_of(mapping, {"pole": ["warm", "cold", "cold"]}) == ["cold", "warm"]
    assert working.value_of(mapping, {}) == []
    with pytest.raises(InputError, match="'tall' is not a pole"):
        working.value_of(mapping, {"pole": ["tall"]})
    whole = {"grammar": ["5"], "fluency": ["4"], "plausibility": ["1"], "similarity": ["2"]}
    assert working.value_of(rating, whole) == {"grammar": 5, "fluency": 4, "plausibility": 1, "similarity": 2}
    for wrong in ({"grammar": ["5"]}, whole | {"similarity": ["6"]}, whole | {"similarity": [""]}):
        with pytest.raises(InputError, match="has no rating"):
            working.value_of(rating, wrong)
