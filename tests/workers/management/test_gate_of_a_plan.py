"""manage.py audit gate --plan: a pipeline that launches, waits and judges, and the jobs that docs/gate.md shows."""

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import torch
import yaml
from django.conf import settings
from transformers import AutoModelForMaskedLM, AutoTokenizer

from plumbline.audits.models import Plan, Run
from tests.workers.management.conftest import Ended

pytestmark = pytest.mark.django_db

Audit = Callable[..., Ended]
DOCS = Path(settings.BASE_DIR) / "docs" / "gate.md"
ATTRIBUTES = ["poor", "wealthy", "dominant", "warm", "cold", "kind", "rude", "honest", "clever", "proud"]
VERBS = ("are", "seem", "look", "stay", "feel", "sound", "act", "become", "remain", "appear")
TEMPLATES = [f"{{Group.plural}} {verb} {{attribute}}." for verb in VERBS]


@pytest.fixture
def model(tmp_path: Path, tiny_folders: tuple[Path, Path]) -> Path:
    return Path(shutil.copytree(tiny_folders[0], tmp_path / "model"))


@pytest.fixture
def plan(model: Path) -> Plan:
    spec: dict[str, Any] = {
        "name": "release",
        "probe": "ilps_chain",
        "model": f"path:{model}",
        "groups": {"inline": [{"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}]},
        "prior": {"singular": "person", "plural": "people"},
        "attributes": {"inline": ATTRIBUTES},
        "templates": {"inline": TEMPLATES},
    }
    return Plan.objects.create(name="release", spec=spec)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.yaml"
    rule = {
        "name": "no worse than before",
        "statistic": "ilps_chain_difference",
        "against": "last run",
        "smallest_effect": 0.5,
        "no_baseline": "pass",
    }
    path.write_text(yaml.safe_dump({"rules": [rule]}))
    return path


def train_a_stereotype(folder: Path) -> None:
    """Fine-tune the model in its folder: the attributes go with one group, another word with the other."""
    torch.manual_seed(0)
    model, tokenizer = AutoModelForMaskedLM.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    texts = [
        f"{group} {verb} {word}."
        for verb in VERBS
        for attribute in ATTRIBUTES
        for group, word in (("women", attribute), ("men", "people"))
    ]
    batch = tokenizer(texts, return_tensors="pt", padding=True)
    word = batch["attention_mask"].sum(1) - 3  # before the full stop and the last mark
    inputs = batch["input_ids"].clone()
    inputs[torch.arange(len(texts)), word] = tokenizer.mask_token_id
    wanted = batch["input_ids"].masked_fill(inputs != tokenizer.mask_token_id, -100)
    optimiser = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(40):
        model(input_ids=inputs, attention_mask=batch["attention_mask"], labels=wanted).loss.backward()
        optimiser.step()
        optimiser.zero_grad()
    model.save_pretrained(folder)


def test_a_pipeline_passes_on_the_same_model_and_fails_on_a_planted_regression(
    audit: Audit, plan: Plan, model: Path, rules: Path
) -> None:
    command = ("gate", "--plan", "release", "--rules", rules, "--format", "json", "--inline")
    first, same = audit(*command), audit(*command)
    assert (first.status, same.status) == (0, 0)
    assert json.loads(same.out)["rules"][0]["against_run"] == json.loads(first.out)["run"]
    train_a_stereotype(model)
    worse = audit(*command)
    assert (worse.status, json.loads(worse.out)["outcome"]) == (1, "breach")
    assert set(Run.objects.values_list("plan", "state")) == {(plan.pk, "done")}


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ((), "give the number of a finished run, or --plan NAME"),
        (("3", "--plan", "release"), "and not both"),
        (("--plan", "relaese"), "did you mean 'release'?"),
        (("--plan", "release", "--model", "path:/nowhere"), "/nowhere"),
        (("--plan", "release", "--as", "nobody"), "no active account"),
        (("--plan", "release", "--rules", "wrong"), "has no statistic 'wrong'"),
    ],
)
def test_wrong_input_launches_nothing(
    audit: Audit, plan: Plan, rules: Path, arguments: tuple[str, ...], fault: str
) -> None:
    if "wrong" in arguments:
        arguments = arguments[:2]
        rules.write_text(rules.read_text().replace("ilps_chain_difference", "wrong"))
    ended = audit("gate", *arguments, "--rules", rules, "--inline")
    assert (ended.status, ended.out) == (2, "")
    assert fault in ended.err
    assert not Run.objects.exists()


def test_the_rules_and_jobs_of_the_docs_work_as_written(
    audit: Audit, plan: Plan, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Plan.objects.update(name="weekly audit", spec=plan.spec | {"probe": "ilps", "prior": {"mask": "one"}})
    blocks = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", DOCS.read_text(), re.DOTALL)]
    (example,) = [one for one in blocks if "rules" in one]
    (github,) = [one for one in blocks if "jobs" in one]
    (gitlab,) = [one for one in blocks if "stereotypes" in one]
    job = github["jobs"]["stereotypes"]
    monkeypatch.chdir(tmp_path)
    Path("rules.yaml").write_text(yaml.safe_dump(example))
    for command in (*(step["run"] for step in job["steps"] if "run" in step), *gitlab["stereotypes"]["script"]):
        named = command.replace("$PLAN", job["env"]["PLAN"]).replace("$MODEL", f"path:{model}")
        words = shlex.split(named)
        ended = audit(*words[words.index("audit") + 1 :])
        assert (ended.status, "error:" in ended.err) == (1, False), ended  # no run is signed off yet
        cases = ElementTree.parse("gate.xml").getroot().iter("testcase")  # noqa: S314 -- our own file
        assert [case.get("name") for case in cases] == [rule["name"] for rule in example["rules"]]
        Path("gate.xml").unlink()
