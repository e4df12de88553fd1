"""manage.py audit gate: its exit status and its reports."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from plumbline.audits.models import Run
from plumbline.findings.gate.reports import xml_text
from plumbline.spec.verdicts import Verdict
from tests.plumbline.findings.audited import a_run, difference
from tests.workers.management.conftest import Ended

pytestmark = pytest.mark.django_db

Audit = Callable[..., Ended]
CASES = [
    (0.0, Verdict.ABSENT, 0, "pass"),
    (0.6, Verdict.PRESENT, 1, "breach"),
    (0.6, Verdict.UNDECIDED, 3, "undecided"),
]


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.yaml"
    rule = {"name": '<traits> & "words"', "statistic": "ilps_difference", "smallest_effect": 0.3}
    path.write_text(yaml.safe_dump({"rules": [rule]}))
    return path


def shown(value: float, verdict: str) -> Run:
    return a_run(difference("", value, verdict))


@pytest.mark.parametrize(("value", "verdict", "status", "outcome"), CASES)
def test_the_exit_status_and_the_last_line_say_the_outcome(
    audit: Audit, rules: Path, value: float, verdict: str, status: int, outcome: str
) -> None:
    ended = audit("gate", shown(value, verdict).pk, "--rules", rules)
    assert (ended.status, ended.out.splitlines()[-1], ended.err) == (status, f"gate: {outcome}", "")


def test_wrong_input_is_one_line_and_has_its_own_status(audit: Audit, rules: Path, tmp_path: Path) -> None:
    run = shown(0.6, Verdict.PRESENT)
    for arguments in ((0, "--rules", rules), (run.pk, "--rules", tmp_path / "none.yaml")):
        ended = audit("gate", *arguments)
        assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    ended = audit("gate", run.pk, "--rules", rules, "--out", tmp_path / "no" / "folder.xml")
    assert (ended.status, "name another file" in ended.err) == (2, True)


def test_json_has_every_figure(audit: Audit, rules: Path) -> None:
    run = shown(0.6, Verdict.PRESENT)
    found = json.loads(audit("gate", run.pk, "--rules", rules, "--format", "json").out)
    assert (found["run"], found["outcome"]) == (run.pk, "breach")
    (figure,) = found["rules"][0]["figures"]
    assert (figure["group_a"], figure["effect"], figure["q_value"], figure["outcome"]) == ("women", 0.6, 0.01, "breach")


@pytest.mark.parametrize(("value", "verdict", "status", "outcome"), CASES)
def test_junit_has_a_case_per_rule_with_escaped_texts(
    audit: Audit, rules: Path, tmp_path: Path, value: float, verdict: str, status: int, outcome: str
) -> None:
    out = tmp_path / "gate.xml"
    run = shown(value, verdict)
    assert audit("gate", run.pk, "--rules", rules, "--format", "junit", "--out", out).status == status
    root = ElementTree.fromstring(out.read_bytes())  # noqa: S314 -- our own file
    (suite,) = root
    (case,) = suite
    assert (root.tag, suite.tag, case.tag) == ("testsuites", "testsuite", "testcase")
    assert case.get("name") == '<traits> & "words"'
    tags = {"pass": [], "breach": ["failure"], "undecided": ["error"]}[outcome]
    assert [one.tag for one in case] == tags
    for counted in (root, suite):
        assert (counted.get("tests"), counted.get("failures"), counted.get("errors")) == (
            "1",
            str(tags.count("failure")),
            str(tags.count("error")),
        )


def test_junit_has_no_character_that_xml_forbids() -> None:
    assert xml_text("a\x00b\x0bc\ud800\uffff\n\U0001f600") == "a\ufffdb\ufffdc\ufffd\ufffd\n\U0001f600"
