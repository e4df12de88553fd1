"""The life of the installation whose database is dumped, from its first words to its last run."""

import tempfile
from contextlib import nullcontext
from pathlib import Path

from django.contrib.sessions.models import Session
from django.core.management import call_command

from plumbline.audits.models import Run
from plumbline.vocab.models import BankItem
from tests.release.making import exploring, people, reviewing, running, schedules, words
from workers.management.console import Console
from workers.management.predictions import Predictions, run_over
from workers.probes.predictions import importers

LARGE = ("Skills and pronouns", "Questions about people")
"""Plans whose records lie in a partition of their own."""
UNUSED = "Words that nobody collected"
"""The plan that cannot be launched."""


def tell() -> None:
    call_command("migrate", verbosity=0)
    people.add_people()
    words.bring_in_words()
    words.edit_words()
    runs = _run_all(running.make_plans())
    _explore(runs)
    _end_otherwise()
    _come_due()
    _leave()


def _run_all(plans: list[str]) -> dict[str, Run]:
    runs = {}
    for name in plans:
        with running.in_its_own_partition() if name in LARGE else nullcontext():
            if name != UNUSED:
                runs[name] = running.execute_plan(name)
    return runs


def _explore(runs: dict[str, Run]) -> None:
    exploring.look_into_models()
    bridge, discovery = runs["Countries and beverages"], runs["Discovered words"]
    exploring.expect(bridge)
    exploring.add_words(bridge)
    exploring.map_targets(bridge)
    again = running.execute_plan("Questions about people")
    exploring.compare(runs["Questions about people"], again)
    reviewing.keep_queries()
    reviewing.annotate(discovery)
    _score_predictions()


def _score_predictions() -> None:
    """Somebody else's answers to two thirds of the questions about age."""
    items = BankItem.objects.filter(bank__slug="release-questions").order_by("position")
    ids = list(items.values_list("content__id", flat=True))
    path = words.predictions(Path(tempfile.mkdtemp()), ids[: len(ids) * 2 // 3])
    options = {"answers": "chosen"}
    run_over(Predictions(importers()["bbq"], path, "release-questions", "first option", options), Console(), str)


def _end_otherwise() -> None:
    assert running.fail_for_the_users_fault().state == "failed"
    assert running.fail_for_our_fault().state == "failed"
    assert running.cancel_midway().state == "cancelled"


def _come_due() -> None:
    """Twice with the same words and once with others: a run that is new, one that is not made, one that moved."""
    schedules.make_schedules()
    schedules.come_due(weeks=2)
    words.edit_words_later()
    schedules.come_due(weeks=1)


def _leave() -> None:
    exploring.leave_a_worker(running.leave_waiting())
    people.log_in()
    people.remove_the_gone()
    Session.objects.all().delete()
