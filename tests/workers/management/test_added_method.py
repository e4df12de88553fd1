"""The example of CONTRIBUTING.md: a method in two folders, registered by one line, is run, stored, judged and shown."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.results.reading import read
from plumbline.results.summary import measures, of_run
from plumbline.spec.registry import FOLDERS, Folders
from tests.workers.management.conftest import Ended

pytestmark = pytest.mark.django_db

CONTRIBUTING = Path(__file__).resolve().parents[3] / "CONTRIBUTING.md"
FILE = re.compile(r"```python\n# (\S+\.py)\n(.*?)```", re.DOTALL)
VERBS = ("sing", "walk", "read", "cook", "vote", "swim", "write", "paint")
TEMPLATES = [f"All {{group}} {verb}." for verb in VERBS]


@pytest.fixture
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The files of the example in a folder of their own, and the one line that registers them."""
    for name, text in FILE.findall(CONTRIBUTING.read_text(encoding="utf-8")):
        file = tmp_path / "methods" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "methods")
    monkeypatch.setitem(FOLDERS, "sentence_length", Folders("sentence_length.platform", "sentence_length.workers"))
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "sentence_length"]:
        del sys.modules[name]


@pytest.fixture
def run(registered: None, audit: Callable[..., Ended], tmp_path: Path, tiny_folders: tuple[Path, Path]) -> Run:
    spec: dict[str, Any] = {
        "name": "lengths",
        "probe": "sentence_length",
        "model": f"path:{tiny_folders[0]}",
        "groups": {"inline": [{"label": "men"}, {"label": "women and men who like women and men"}]},
        "templates": {"inline": TEMPLATES},
    }
    file = tmp_path / "lengths.yaml"
    file.write_text(yaml.safe_dump(spec), encoding="utf-8")
    ended = audit("run", file, "--inline")
    assert ended.status == 0, ended
    return Run.objects.get()


LONGER = "needs more tokens for sentences about women and men who like women and men than for those about men."


def test_its_records_and_verdicts_are_stored(run: Run) -> None:
    records = read(run.pk)
    assert len(records) == 2 * len(TEMPLATES)
    (difference,) = measures(of_run(run.pk, "log_length_difference"))
    assert (difference.verdict, difference.n_units, difference.group_a) == ("present", len(TEMPLATES), "men")
    assert difference.value is not None
    assert difference.value < 0


def test_its_present_difference_is_a_finding_to_judge(run: Run) -> None:
    assert [one.latest.sentence for one in Finding.objects.all() if one.latest] == [f"{run.model} {LONGER}"]


def test_the_command_shows_what_it_found(run: Run, audit: Callable[..., Ended]) -> None:
    assert LONGER in audit("show", run.pk).out


def test_its_pages_show_the_finding_the_measures_and_the_items(run: Run, client: Client, admin_user: User) -> None:
    client.force_login(admin_user)
    assert LONGER in client.get(reverse("run", args=[run.pk])).content.decode()
    for page, text in (
        ("run_measures", "Log length"),
        ("items", "All {group} sing."),
        ("run_provenance", "sentence_length"),
    ):
        assert text in client.get(reverse(page, args=[run.pk])).content.decode()


def test_its_page_says_what_it_measures(run: Run, client: Client, admin_user: User) -> None:
    client.force_login(admin_user)
    shown = " ".join(client.get(reverse("run", args=[run.pk])).content.decode().split())
    assert "It measures how many tokens the model needs for sentences about each group." in shown


def test_the_yaml_of_the_example_runs_as_written(
    registered: None, audit: Callable[..., Ended], tmp_path: Path, tiny_folders: tuple[Path, Path]
) -> None:
    (written,) = re.findall(r"```yaml\n(.*?)```", CONTRIBUTING.read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path / "lengths.yaml"
    file.write_text(written, encoding="utf-8")
    assert audit("run", file, "--inline", "--model", f"path:{tiny_folders[0]}").status == 0
    difference = of_run(Run.objects.get().pk, "log_length_difference").get()
    assert difference.n_units == len(TEMPLATES)


def test_where_nothing_is_shown_the_sentence_says_so(
    registered: None, audit: Callable[..., Ended], tmp_path: Path, tiny_folders: tuple[Path, Path]
) -> None:
    spec = {
        "name": "alike",
        "probe": "sentence_length",
        "model": f"path:{tiny_folders[0]}",
        "groups": {"inline": [{"label": "men"}, {"label": "women"}]},
        "templates": {"inline": TEMPLATES[:2]},
    }
    file = tmp_path / "alike.yaml"
    file.write_text(yaml.safe_dump(spec), encoding="utf-8")
    assert audit("run", file, "--inline").status == 0
    assert "than for women (not testable)." in audit("show", Run.objects.get().pk).out
