from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.measure_writing import replace_measures
from plumbline.results.models import Association, Choice, Effect, Measure, ReadOnlyError, Term
from plumbline.results.tables import choice, effect
from plumbline.results.terms import ids_of
from tests.plumbline.results.conftest import CELLS, Load

pytestmark = pytest.mark.django_db

WRITES: list[Callable[[Any], Any]] = [
    lambda model: model().save(),
    lambda model: model(id=1).delete(),
    lambda model: model.objects.create(),
    lambda model: model.objects.get_or_create(id=1),
    lambda model: model.objects.update_or_create(id=1),
    lambda model: model.objects.bulk_create([model()]),
    lambda model: model.objects.bulk_update([model(id=1)], []),
    lambda model: model.objects.all().update(id=1),
    lambda model: model.objects.filter(id=1).delete(),
]


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("model", [Term, Association, Effect, Choice, Measure])
def test_writing_is_refused_and_the_message_names_the_right_place(model: Any, write: Callable[[Any], Any]) -> None:
    with pytest.raises(ReadOnlyError, match=r"plumbline\.results"):
        write(model)


def test_a_record_reads_with_its_labels_in_one_query(load: Load, django_assert_num_queries: Any) -> None:
    load(1, CELLS)
    with django_assert_num_queries(1):
        found = Association.objects.select_related("group", "attribute").filter(run=1).order_by("id")[0]
        assert (found.group.text, found.attribute.text, found.score) == ("women", "powerless", 1.4)


@pytest.fixture
def admin_site(client: Client, load: Load) -> Client:
    client.force_login(User.objects.create_superuser("admin"))
    for run in (1, 2):
        Run.objects.create(pk=run, name=f"run number {run}", probe="ilps", model="path:x", spec={})
        load(run, CELLS)
        replace_measures(run, [{"statistic": "accuracy", "value": run / 8, "n": 4}])
    return client


@pytest.fixture
def records_of_all_kinds(db: None) -> None:
    """An effect size and an answer of run 1, beside its associations."""
    options = '["Ada", "Eve", "NEITHER"]'
    known = ids_of(["", "women", "able-unable", "passage 1", options])
    whose: dict[str, Any] = {"id": record_ids(1, 1, 1), "run": [1], "probe": [known[""]], "group": [known["women"]]}
    cell = {"template": [known[""]], "attribute": [known["able-unable"]], "draw": [0]}
    copy_in(effect, whose | cell | {"effect_size": [0.625], "variance": [0.1], "sentences": [9], "scorable": [True]})
    labels = {name: [known[""]] for name in ("bank", "category", "condition", "polarity", "name")}
    question = {"item": [known["passage 1"]], "options": [known[options]]}
    copy_in(choice, whose | labels | question | {"logits": ["[-1, -2, -0.5]"], "chosen": [2], "gold": [2]})


def test_the_admin_lists_records_by_run(admin_site: Client) -> None:
    page = admin_site.get(reverse("admin:results_association_changelist"), {"run": 1}).content.decode()
    assert "powerless" in page
    assert page.count('class="field-score') == len(CELLS)
    assert "run number 2" in page


def test_twice_the_records_need_no_more_queries(
    admin_site: Client, load: Load, django_assert_max_num_queries: Any
) -> None:
    load(1, [(f"Today {cell[0]}", *cell[1:]) for cell in CELLS], shard=1)
    with django_assert_max_num_queries(7):
        admin_site.get(reverse("admin:results_association_changelist"))


def test_the_admin_lists_measures(admin_site: Client) -> None:
    page = admin_site.get(reverse("admin:results_measure_changelist"), {"run": 2}).content.decode()
    assert "0.25" in page
    assert "0.125" not in page


@pytest.mark.parametrize(("model", "seen"), [(Effect, "0.625"), (Choice, "NEITHER")])
def test_the_admin_lists_effect_sizes_and_answers(
    admin_site: Client, records_of_all_kinds: None, model: Any, seen: str, django_assert_max_num_queries: Any
) -> None:
    address = reverse(f"admin:results_{model._meta.model_name}_changelist")
    with django_assert_max_num_queries(7):
        assert seen in admin_site.get(address, {"run": 1}).content.decode()
    assert seen not in admin_site.get(address, {"run": 2}).content.decode()


@pytest.mark.parametrize("action", ["add", "delete", "change"])
@pytest.mark.parametrize("model", [Association, Effect, Choice, Measure])
@pytest.mark.usefixtures("records_of_all_kinds")
def test_the_admin_changes_nothing(admin_site: Client, model: Any, action: str) -> None:
    name = f"admin:results_{model._meta.model_name}_{action}"
    address = reverse(name) if action == "add" else reverse(name, args=[model.objects.order_by("id")[0].pk])
    assert admin_site.post(address, {"score": "1", "post": "yes"}).status_code == 403
