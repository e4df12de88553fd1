"""The product's commands start quickly."""

import pytest
from django.core.management import get_commands, load_command_class

from tests.processes import forked

OWN = sorted(
    name for name, app in get_commands().items() if app.split(".")[0] in ("plumbline", "workers") and name != "migrate"
)
AS_A_WORKER_STARTS = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "plumbline.settings"
from plumbline.celery import app
app.set_default()
app.loader.import_default_modules()
sys.exit("plumbline.urls" in sys.modules)
"""


@pytest.mark.parametrize("name", OWN)
def test_a_command_does_not_load_all_pages_for_the_checks_that_doctor_makes(name: str) -> None:
    command = load_command_class(get_commands()[name], name)
    assert not command.requires_system_checks


@pytest.mark.slow
def test_a_worker_or_scheduler_loads_no_pages() -> None:
    ended = forked.run("-c", AS_A_WORKER_STARTS)
    assert ended.returncode == 0, ended.stderr
