"""The bridge explorer of a run that was not asked in the thesis' way: all numbers are there, and it says how."""

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.methods.indirect.card import CENTRED, SCORE, WITHOUT
from plumbline.methods.indirect.choices import choices_of, comparable_runs
from plumbline.methods.indirect.findings import CHAINED, CONTINUED, of_links
from plumbline.methods.indirect.sensitive_links import ties
from plumbline.spec.audit import parse
from tests.plumbline.methods.conftest import MakeRun
from tests.plumbline.methods.indirect.test_cell import MEASURES, SPEC

PARAMS = {"variant": "causal", "split": "chain", "padding": "Once upon a time.", "average": "log"}


def made(make_run: MakeRun, key: str) -> Run:
    """With measures as the summary of such a run writes them."""
    spec = SPEC | {"params": {key: PARAMS[key]}}
    prefix = parse({"name": "x", "probe": "indirect", "model": "path:./m", **spec}).variant
    measures = [one | {"variant": ", ".join(filter(None, (prefix, one.get("variant", ""))))} for one in MEASURES]
    return make_run(spec, [one | {"verdict": "undecided"} if one["statistic"] == SCORE else one for one in measures])


@pytest.mark.parametrize("key", list(PARAMS))
def test_it_offers_every_statistic_under_the_name_that_it_always_has(make_run: MakeRun, key: str) -> None:
    run = made(make_run, key)
    assert {(one.statistic.name, one.variant) for one in choices_of(run)} >= {
        (SCORE, ""), (CENTRED, ""), (WITHOUT, "without:sensitive")
    }  # fmt: skip


@pytest.mark.parametrize("variant", ["", "without:sensitive"])
def test_its_cells_are_read(viewer: Client, make_run: MakeRun, variant: str) -> None:
    run = made(make_run, "variant")
    where = {"statistic": WITHOUT if variant else SCORE, "variant": variant, "list": ""}
    found = viewer.get(reverse("indirect_data", args=[run.pk]), where).json()
    assert found["rows"]
    page = viewer.get(reverse("indirect_cell", args=[run.pk]), where | {"target": "nurse", "feature": "warm"})
    assert page.status_code == 200
    assert ties(run, "", "nurse", "warm")


@pytest.mark.parametrize(("key", "told"), [("variant", CONTINUED), ("split", CHAINED)])
def test_the_page_and_the_findings_say_how_it_was_asked(viewer: Client, make_run: MakeRun, key: str, told: str) -> None:
    run = made(make_run, key)
    page = viewer.get(reverse("indirect", args=[run.pk])).content.decode()
    assert told.replace("'", "&#x27;") in page
    assert told in [sentence for sentence, _ in of_links(run.pk, run.model)]


def test_a_masked_run_is_not_compared_with_a_causal_one(make_run: MakeRun) -> None:
    masked, causal = make_run(SPEC, MEASURES), made(make_run, "variant")
    Run.objects.filter(pk=masked.pk).update(model="bundled:masked-demo")
    same, other = comparable_runs(causal)
    assert [one.run.pk for one in (*same, *other)] == [causal.pk]
