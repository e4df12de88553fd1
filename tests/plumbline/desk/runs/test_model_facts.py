"""What pages say of a model besides its audits: its kind, its latest check, and that it is a demonstration."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import ModelCheck, ModelUnderAudit, Run, Variant
from plumbline.audits.states import WorkState
from plumbline.desk.model_facts import UNCHECKED, ModelFacts, model_facts, same_weights
from plumbline.pages.model_names import ModelNames
from plumbline.spec.bundled_models import BUNDLED_MODELS, DEMONSTRATION
from tests.plumbline.desk.runs.conftest import As, Finish

pytestmark = pytest.mark.django_db
WHEN = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def model() -> ModelUnderAudit:
    return ModelUnderAudit.objects.create(reference="hub:org/m")


def checked(model: ModelUnderAudit, **found: Any) -> ModelFacts:
    ModelCheck.objects.create(model=model, state=WorkState.DONE, done_at=WHEN, **found)
    return model_facts(model.reference, model)


def test_a_model_with_the_weights_of_another_one_is_told_as_such(viewer: Client, finish: Finish) -> None:
    first, second, other = finish(), finish(), finish()
    Run.objects.filter(pk=first.pk).update(model="path:/m/own", provenance={"digest": "d1"})
    Run.objects.filter(pk=second.pk).update(model="hub:org/<m>", provenance={"digest": "d1"})
    Run.objects.filter(pk=other.pk).update(model="hub:org/n", provenance={"digest": "d2"})
    assert same_weights("path:/m/own") == ["hub:org/<m>"]
    assert same_weights("hub:org/n") == same_weights("hub:never/audited") == []
    text = " ".join(viewer.get(reverse("model", query={"reference": "path:/m/own"})).content.decode().split())
    assert "Its weights are those of <bdi>hub:org/&lt;m&gt;</bdi>, too." in text


def test_the_latest_check_is_told_in_plain_words(model: ModelUnderAudit) -> None:
    assert model_facts("hub:org/m", model) == ModelFacts("", UNCHECKED, needs_check=True)
    check = ModelCheck.objects.create(model=model, state=WorkState.READY)
    assert model_facts("hub:org/m", model) == ModelFacts("", "Its check waits for a worker.")
    check.delete()
    loaded = ModelFacts("multiple-choice", "The latest check of 2026-03-01 loaded the model.")
    assert checked(model, kind="multiple_choice") == loaded
    failed = checked(model, error="The hub cannot be reached.")
    assert failed.check == "The latest check of 2026-03-01 failed: The hub cannot be reached."
    assert failed.kind == "multiple-choice"
    assert failed.needs_check


def test_who_may_launch_requests_a_check_from_the_page_of_the_model(model: ModelUnderAudit, as_: As) -> None:
    page, button = reverse("model", query={"reference": model.reference}), "check it</button>"
    viewer, auditor, check = as_("viewer"), as_("auditor"), reverse("model_check")
    assert "whether the model loads and which kind it is." in viewer.get(page).content.decode()
    assert button not in viewer.get(page).content.decode()
    assert viewer.post(check, {"reference": model.reference}).status_code == 403
    assert f'action="{check}"' in auditor.get(page).content.decode()
    assert button in auditor.get(page).content.decode()
    asked = auditor.post(check, {"reference": model.reference}, follow=True)
    assert asked.redirect_chain == [(page, 302)]
    assert ModelCheck.objects.get().model == model
    told = asked.content.decode()
    assert "A check is requested. Reload this page to see its answer." in told
    assert "No worker can check it now: " in told
    assert "Its check waits for a worker." in told
    assert button not in told
    again = auditor.post(check, {"reference": model.reference}, follow=True).content.decode()
    assert "This check is already requested." in again
    assert auditor.post(check, {"reference": "hub:never/seen"}).status_code == 404


def test_a_model_that_is_not_under_audit_has_no_check() -> None:
    assert model_facts("bundled:mcq-demo", None) == ModelFacts("multiple-choice", "")


def test_the_demonstrations_are_marked_and_the_published_model_is_not() -> None:
    marked = [name for name, one in BUNDLED_MODELS.items() if one.remark]
    assert marked == ["masked-demo", "mcq-demo"]


def test_what_was_made_of_a_demonstration_is_one_too() -> None:
    for slug, parent in (("made", "bundled:mcq-demo"), ("again", "variant:made"), ("round", "variant:round")):
        Variant.objects.create(slug=slug, method="leace", digest="1", card={"parent": parent})
    names = ModelNames()
    assert names.remark("variant:made") == names.remark("variant:again") == DEMONSTRATION
    assert {names.remark(one) for one in ("variant:round", "variant:unknown", "bundled:smollm2-135m")} == {""}


@pytest.mark.parametrize("model", ["bundled:mcq-demo", "variant:made"])
def test_the_pages_of_a_demonstration_say_so(viewer: Client, finish: Finish, model: str) -> None:
    run = finish()
    Variant.objects.create(slug="made", method="leace", digest="1", card={"parent": "bundled:mcq-demo"})
    pages = [reverse("model", query={"reference": model}), reverse("run", args=[run.pk]), reverse("overview")]
    assert all(DEMONSTRATION not in viewer.get(page).content.decode() for page in pages[1:])
    Run.objects.filter(pk=run.pk).update(model=model)
    for page in pages:
        assert viewer.get(page).content.decode().count(DEMONSTRATION) == 1
