"""Who works: the admin's table of processes, short enough for one screen."""

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from plumbline.audits.models import Run, WorkerProcess


def test_a_process_shows_its_work_in_a_few_columns(admin_client: Client) -> None:
    run = Run.objects.create(name="x", probe="ilps", model="path:x", spec={})
    moment = timezone.now().replace(2026, 3, 4, 5, 6, 7)
    times = {"started_at": moment, "seen_at": moment, "doing_since": moment}
    WorkerProcess.objects.create(
        name="busy", role="worker", device="cpu", state="working", run=run, doing="shard 4", items=1200, **times
    )
    WorkerProcess.objects.create(name="keeper", role="scheduler", state="idle", **times)
    text = admin_client.get(reverse("admin:audits_workerprocess_changelist")).content.decode()
    assert text.count('<th class="') <= 8
    assert f"run {run.pk}, shard 4: 1,200 items" in text
    assert "worker (cpu)" in text
    assert "2026-03-04 05:06:07" in text
