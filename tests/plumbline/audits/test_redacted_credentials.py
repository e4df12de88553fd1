"""Credentials in the address of an endpoint are refused by every way in, and taken out of what is stored."""

from importlib import import_module
from typing import Any

import pytest
from django.db import connection

from plumbline.audits.forms import ModelForm, PlanForm
from plumbline.audits.models import ModelUnderAudit, Plan, Run
from plumbline.spec.errors import SpecError
from plumbline.spec.several_models import parse_each

SECRET = "hunter2"
SPEC: dict[str, Any] = {
    "name": "traits",
    "probe": "bbq",
    "bank": {"bank": "bbq"},
    "model": f"openai:https://ada:{SECRET}@host/v1#gpt",
}
REDACT = import_module("plumbline.audits.migrations.0014_redact_credentials").REDACT


@pytest.mark.parametrize("named", [{}, {"models": [SPEC["model"]]}])
def test_a_spec_with_credentials_is_refused_without_repeating_them(named: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match="OPENAI_API_KEY") as refused:
        parse_each(SPEC | named)
    assert SECRET not in str(refused.value)


@pytest.mark.django_db
def test_the_forms_refuse_credentials(settings: Any) -> None:
    settings.OPENAI_HOSTS = [f"ada:{SECRET}@host", "host"]
    for form, field in ((ModelForm({"reference": SPEC["model"]}), "reference"), (PlanForm(_plan()), "spec")):
        assert "OPENAI_API_KEY" in str(form.errors[field])
        assert SECRET not in str(form.errors)


def _plan() -> dict[str, Any]:
    return {
        "name": "plan",
        "spec": f'{{"name": "a", "probe": "bbq", "bank": {{"bank": "b"}}, "model": "{SPEC["model"]}"}}',
    }


@pytest.mark.django_db
def test_the_migration_redacts_what_was_stored() -> None:
    models = [ModelUnderAudit.objects.create(reference=SPEC["model"].replace("ada", user)) for user in ("ada", "ben")]
    plain = ModelUnderAudit.objects.create(reference="openai:https://other/v1#@cf/gpt")
    plan = Plan.objects.create(name="plan", spec=SPEC | {"models": [SPEC["model"]]})
    run = Run.objects.create(name="a", probe="bbq", model=SPEC["model"], spec=SPEC)
    with connection.cursor() as cursor:
        cursor.execute(REDACT)
    for one in (*models, plain, plan, run):
        one.refresh_from_db()
    assert [one.reference for one in (*models, plain)] == [
        "openai:https://host/v1#gpt",
        f"openai:https://host/v1#gpt-{models[1].pk}",
        "openai:https://other/v1#@cf/gpt",
    ]
    assert run.model == run.spec["model"] == plan.spec["models"][0] == "openai:https://host/v1#gpt"
