"""The README's example is an audit that runs, and its commands are commands that exist."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command, get_commands

from tests.workers.management.conftest import Ended

README = (Path(settings.BASE_DIR) / "README.md").read_text(encoding="utf-8")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("empty_results")
def test_the_audit_of_an_own_model_runs_as_written(
    audit: Callable[..., Ended], tmp_path: Path, tiny_folders: tuple[Path, Path]
) -> None:
    call_command("vocab", "starter", stdout=io.StringIO())
    (tmp_path / "audit.yaml").write_text(re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)[0])
    ended = audit("run", tmp_path / "audit.yaml", "--inline", "--model", f"path:{tiny_folders[0]}")
    expected = re.search(r"`run 1 done (\d+) items", README)
    assert expected
    assert re.search(rf"run \d+ done {expected[1]} items", ended.out)


def test_every_command_of_the_readme_exists() -> None:
    named = set(re.findall(r"manage\.py (\w+)", README)) | {"audit", "vocab", "db", "reader", "demo"}
    assert named <= get_commands().keys()


def test_every_link_of_the_readme_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (Path(settings.BASE_DIR) / target).exists()
