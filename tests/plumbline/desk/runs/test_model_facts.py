"""What pages say of a model besides its audits: its kind, its latest check, and that it is a demonstration."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import ModelCheck, ModelUnderAudit, Run
from plumbline.audits.states import WorkState
from plumbline.desk.model_facts import ModelFacts, model_facts
from plumbline.spec.bundled_models import BUNDLED_MODELS, DEMONSTRATION
from tests.plumbline.desk.runs.conftest import Finish

pytestmark = pytest.mark.django_db
WHEN = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.fixture
def model() -> ModelUnderAudit:
    return ModelUnderAudit.objects.create(reference="hub:org/m")


def checked(model: ModelUnderAudit, **found: Any) -> ModelFacts:
    ModelCheck.objects.create(model=model, state=WorkState.DONE, done_at=WHEN, **found)
    return model_facts(model.reference, model)


def test_the_latest_check_is_told_in_plain_words(model: ModelUnderAudit) -> None:
    assert model_facts("hub:org/m", model) == ModelFacts("", "No worker has checked this model yet.", "")
    check = ModelCheck.objects.create(model=model, state=WorkState.READY)
    assert model_facts("hub:org/m", model).check == "Its check waits for a worker."
    check.delete()
    loaded = ModelFacts("multiple-choice", "The latest check of 2026-03-01 loaded the model.", "")
    assert checked(model, kind="multiple_choice") == loaded
    failed = checked(model, error="The hub cannot be reached.")
    assert failed.check == "The latest check of 2026-03-01 failed: The hub cannot be reached."
    assert failed.kind == "multiple-choice"


def test_a_model_that_is_not_under_audit_has_no_check() -> None:
    assert model_facts("bundled:mcq-demo", None) == ModelFacts("multiple-choice", "", DEMONSTRATION)


def test_the_demonstrations_are_marked_and_the_published_model_is_not() -> None:
    marked = [name for name, one in BUNDLED_MODELS.items() if one.remark]
    assert marked == ["masked-demo", "mcq-demo"]


def test_the_pages_of_a_demonstration_say_so(viewer: Client, finish: Finish) -> None:
    run = finish()
    pages = [reverse("model", query={"reference": "bundled:mcq-demo"}), reverse("run", args=[run.pk])]
    pages.append(reverse("overview"))
    assert all(DEMONSTRATION not in viewer.get(page).content.decode() for page in pages[1:])
    Run.objects.filter(pk=run.pk).update(model="bundled:mcq-demo")
    for page in pages:
        assert viewer.get(page).content.decode().count(DEMONSTRATION) == 1
    assert "Kind of model: multiple-choice." in viewer.get(pages[0]).content.decode()
