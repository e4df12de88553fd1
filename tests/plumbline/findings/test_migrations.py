"""What migrations of findings leave to be written anew."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from plumbline.findings import pending
from plumbline.findings.models import Observation, Outcome
from plumbline.findings.updating import update
from tests.plumbline.findings.audited import a_plan, a_run, asking, difference, outcomes_of

pytestmark = pytest.mark.django_db
LISTS = import_module("plumbline.findings.migrations.0007_words_of_lists")
FORMS = import_module("plumbline.findings.migrations.0008_forms_of_words")


def test_findings_in_other_words_are_written_again_with_the_forms_that_their_sentences_have() -> None:
    """As an earlier release left them: a pronoun that no template reads was another form."""
    for pronoun in ("he", ""):
        groups = [{"label": name, "plural": name, "pronoun": pronoun} for name in ("women", "men")]
        run = a_run(difference("kind", 0.6), plan=a_plan(), spec=asking("women") | {"groups": {"inline": groups}})
        update(run)
        Observation.objects.filter(run=run).update(words=f"digest-with-{pronoun}")
    Observation.objects.filter(run=run).update(outcome=Outcome.OTHER_WORDS)
    FORMS.forget(apps, connection.schema_editor())
    assert list(pending.due()) == [run]
    pending.write_due()
    assert outcomes_of("kind") == [Outcome.NEW, Outcome.STILL]


def test_what_an_earlier_release_noted_of_deleted_runs_stays() -> None:
    for plural in ("women", "ladies", "women"):
        run = a_run(difference("kind", 0.6), plan=a_plan(), spec=asking(plural))
        update(run)
        Observation.objects.filter(run_number=run.pk).update(words=f"digest-of-{plural}", run=None)
    FORMS.forget(apps, connection.schema_editor())
    update(a_run(difference("kind", 0.6), plan=a_plan(), spec=asking("women")))
    assert outcomes_of("kind") == [Outcome.NEW, Outcome.OTHER_WORDS, Outcome.STILL, Outcome.STILL]


def test_findings_over_a_list_are_written_again_with_all_words_of_the_list() -> None:
    """As an earlier release left them: it did not look at the words of a list."""
    for words in (["warm", "kind"], ["warm"]):
        spec = asking("women") | {"attributes": {"inline": words}}
        run = a_run(difference("", -0.5, category=""), plan=a_plan(), spec=spec)
        update(run)
    alone = a_run(difference("kind", 0.6), plan=a_plan("other"))
    update(alone)
    Observation.objects.update(words="same")
    Observation.objects.filter(outcome=Outcome.OTHER_WORDS).update(outcome=Outcome.STILL)
    assert not pending.due().exists()
    LISTS.forget(apps, connection.schema_editor())
    assert list(pending.due()) == [run]
    pending.write_due()
    of_lists = Observation.objects.filter(finding__attribute="").order_by("run_number")
    assert list(of_lists.values_list("outcome", flat=True)) == [Outcome.NEW, Outcome.OTHER_WORDS]
    assert Observation.objects.get(finding__attribute="kind").words == "same"
