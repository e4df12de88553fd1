"""The README's example is an audit that runs, and its commands are commands that exist."""

import io
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command, get_commands

from plumbline.audits.models import Run
from plumbline.findings.contrasts import tally_sentences
from plumbline.results.summary import of_run
from plumbline.results.tallies import Side, Tally
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_uncertainty
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
    expected = re.search(r"`run 3 done (\d+) items", README)
    assert expected
    assert re.search(rf"run \d+ done {expected[1]} items", ended.out)
    found = of_run(Run.objects.latest("pk").pk, "ilps_chain_difference")
    verdicts = set(found.values_list("verdict", flat=True))
    assert verdicts & {"present", "absent", "undecided"}


@pytest.mark.django_db
def test_the_schedule_is_added_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("vocab", "starter", stdout=io.StringIO())
    call_command("plans", "starter", stdout=io.StringIO())
    written = re.search(r"manage\.py (schedule add .*)", README)
    assert written
    call_command(*shlex.split(written[1]))
    assert "schedule 1 added" in re.sub(r"\d+", "1", capsys.readouterr().out)


DEMO = re.findall(r"```text\n(.*?)```", README, re.DOTALL)[0]
WOMEN = Side("women", 0, 6, ("secretaries", "businesswomen", "bakers"))
MEN = Side("men", 59, 7, ("egotistic", "opticians", "bookkeepers"))


def _mean(words: str, value: float, low: float, high: float) -> Measure:
    found = Measure("ilps_chain_difference", "kind of sentence", 22, 12, value, low, high, verdict="present")
    return replace(found, group_a="women", group_b="men", category=words)


def test_the_example_of_the_demo_has_the_sentences_and_figures_of_today() -> None:
    means = (_mean("abc-traits", -0.58, -0.97, -0.19), _mean("occupations", -0.67, -1.21, -0.13))
    found = Tally(WOMEN, MEN, 131, 12, means, absent=0, undecided=72, not_testable=0, smallest_effect=0.22)
    sentences = " ".join(tally_sentences("bundled:smollm2-135m", found))
    assert " ".join(DEMO.split("\n\n")[0].split()) == sentences
    captains = Measure("ilps_chain_difference", "kind of sentence", 22, 12, -1.40, -1.93, -0.87, q_value=0.0087)
    assert with_uncertainty(captains) in DEMO


def test_every_command_of_the_readme_exists() -> None:
    named = set(re.findall(r"manage\.py (\w+)", README)) | {"audit", "vocab", "db", "reader", "demo"}
    assert named <= get_commands().keys()


def test_every_link_of_the_readme_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (Path(settings.BASE_DIR) / target).exists()
