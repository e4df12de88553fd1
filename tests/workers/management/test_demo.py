"""manage.py demo: each bundled model is audited, and each answer is printed."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from plumbline.audits.models import Plan, Run
from plumbline.spec.audit import parse
from plumbline.spec.reference import BUNDLED
from plumbline.spec.yaml_file import read_yaml
from workers.management.commands import demo

WriteSpec = Callable[..., Path]


def test_every_bundled_language_model_is_audited() -> None:
    asked = [f"bundled:{name}" for name in BUNDLED if name != "mcq-demo"]
    assert [parse(read_yaml(path)).model for path in demo.SPECS] == asked


@pytest.mark.django_db
def test_each_answer_is_printed(
    write_spec: WriteSpec, tiny_folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    specs = []
    for folder, probe in zip(tiny_folders, ("ilps_chain", "ilps"), strict=True):
        path = write_spec(model=f"path:{folder}", probe=probe)
        specs.append(path.rename(tmp_path / f"{probe}.yaml"))
    monkeypatch.setattr(demo, "SPECS", specs)
    status, told = run_demo()
    assert status == 0
    assert told.count("could not have been found with 2 kinds of sentence") == 2
    assert told.count("Largest differences towards women (women minus men, natural log):") == 2
    assert [run.probe for run in Run.objects.order_by("pk")] == ["ilps_chain", "ilps"]
    assert told.endswith("Open the desk on these findings: make up\n")


@pytest.mark.django_db
@pytest.mark.parametrize("is_changed", [False, True])
def test_its_runs_belong_to_their_plan_unless_people_changed_it(
    write_spec: WriteSpec, tiny_folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, is_changed: bool
) -> None:
    path = write_spec(model=f"path:{tiny_folders[0]}", probe="ilps_chain")
    spec = read_yaml(path)
    plan = Plan.objects.create(name=spec["name"], spec=spec | ({"seed": 7} if is_changed else {}))
    monkeypatch.setattr(demo, "SPECS", [path])
    assert run_demo()[0] == 0
    assert Run.objects.get().plan == (None if is_changed else plan)


@pytest.mark.django_db
def test_what_fails_ends_it(write_spec: WriteSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SPECS", [write_spec(model=f"path:{tmp_path / 'nowhere'}")] * 2)
    status, told = run_demo()
    assert (status, told) == (2, "")
    assert not Run.objects.exists()


def run_demo() -> tuple[int, str]:
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("demo", stdout=out, stderr=io.StringIO())
    return int(ended.value.code or 0), out.getvalue()
