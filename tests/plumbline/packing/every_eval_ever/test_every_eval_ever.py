"""A run as Every Eval Ever: valid by the JSON schemas of version 0.3.0, and nothing undefined as a number."""

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from jsonschema import Draft7Validator

from plumbline.audits.models import Run
from plumbline.packing.every_eval_ever.model import model_id
from plumbline.packing.every_eval_ever.writing import Evaluator, write
from plumbline.spec.errors import InputError
from tests.plumbline.methods.conftest import MakeRun, make_run, measured
from tests.plumbline.results.conftest import _load

__all__ = ["make_run"]
SCHEMAS = Path(__file__).parent / "schemas"
TEMPLATE = "Most {group} are {attribute}."
SPEC = {
    "name": "an audit",
    "probe": "ilps",
    "model": "hub:org/tiny@0123abc",
    "groups": {"inline": [{"label": "women"}, {"label": "men"}]},
    "prior": {"mask": "one"},
    "attributes": {"inline": ["kind", "cold"]},
    "templates": {"inline": [TEMPLATE]},
}
BOTH = {"group_a": "women", "group_b": "men"}
EVALUATOR = Evaluator("An audit office", "third_party")


def schema(name: str) -> Draft7Validator:
    return Draft7Validator(json.loads((SCHEMAS / name).read_text()))


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    made = make_run(
        SPEC,
        [
            measured("ilps_difference", 0.42, **BOTH, category="jobs", q_value=0.003),
            measured("ilps_difference", None, **BOTH, category="traits", reason="no <word> could be scored"),
            measured("scorable_share", 1.0, group_a="women"),
            measured("split_half_reliability", 0.8),
        ],
    )
    scored = [("women", "kind", 0.5, None), ("men", "kind", -0.25, None), ("women", "cold", None, "split in two")]
    _load(made.pk, [(TEMPLATE, *one) for one in scored])
    return made


def written(run: Run, out: Path) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    """The figures, the samples and what was left out."""
    samples, log, left = (out / path for path in write(run, EVALUATOR, out))
    return (
        json.loads(log.read_text()),
        [json.loads(line) for line in samples.read_text().splitlines()],
        json.loads(left.read_text()),
    )


def test_figures_and_samples_are_valid_by_the_published_schemas(run: Run, tmp_path: Path) -> None:
    log, samples, _ = written(run, tmp_path)
    schema("eval.schema.json").validate(log)
    for sample in samples:
        schema("instance_level_eval.schema.json").validate(sample)
    assert schema("eval.schema.json").schema["version"] == log["schema_version"] == "0.3.0"
    assert {sample["evaluation_id"] for sample in samples} == {log["evaluation_id"]}
    assert {sample["model_id"] for sample in samples} == {log["model_info"]["id"]} == {"org/tiny"}


def test_a_figure_keeps_its_interval_n_q_verdict_and_that_no_direction_is_better(run: Run, tmp_path: Path) -> None:
    difference = written(run, tmp_path)[0]["evaluation_results"][0]
    assert difference["score_details"]["score"] == 0.42
    assert difference["score_details"]["details"]["q_value"] == "0.003"
    assert difference["score_details"]["details"]["verdict"] == "present"
    assert difference["score_details"]["uncertainty"]["confidence_interval"]["lower"] == pytest.approx(-0.08)
    assert difference["score_details"]["uncertainty"]["num_samples"] == 12
    assert (difference["metric_config"]["min_score"], difference["metric_config"]["max_score"]) == (
        "-Infinity",
        "Infinity",
    )
    assert (
        "Neither a higher nor a lower value is better" in difference["metric_config"]["additional_details"]["direction"]
    )


def test_a_share_has_the_bounds_of_its_unit(run: Run, tmp_path: Path) -> None:
    share = next(one for one in written(run, tmp_path)[0]["evaluation_results"] if "share" in one["evaluation_name"])
    assert (share["metric_config"]["min_score"], share["metric_config"]["max_score"]) == (0.0, 1.0)


def test_undefined_figures_and_items_without_a_score_are_listed_apart_and_never_zero(run: Run, tmp_path: Path) -> None:
    log, samples, left = written(run, tmp_path)
    assert "traits" not in json.dumps(log["evaluation_results"])
    assert left["undefined_results"] == [
        {"evaluation_result_id": "ilps_difference.traits.women.men", "reason": "no <word> could be scored"}
    ]
    assert left["items_without_score"] == 1
    assert [sample["evaluation"]["score"] for sample in samples] == [0.5, -0.25]


def test_an_infinite_figure_counts_as_undefined(make_run: MakeRun, tmp_path: Path) -> None:
    endless = make_run(SPEC, [measured("ilps_difference", math.inf, **BOTH, category="jobs", q_value=0.003)])
    log, left = (json.loads((tmp_path / path).read_text()) for path in write(endless, EVALUATOR, tmp_path))
    assert log["evaluation_results"] == []
    assert len(left["undefined_results"]) == 1


def test_a_sample_is_the_sentence_that_was_scored(run: Run, tmp_path: Path) -> None:
    sample = written(run, tmp_path)[1][0]
    assert sample["input"] == {"raw": "Most women are kind.", "reference": []}
    assert (sample["metadata"]["group"], sample["metadata"]["attribute"]) == ("women", "kind")
    text = json.dumps({"raw": "Most women are kind.", "reference": []}, sort_keys=True, separators=(",", ":"))
    assert sample["sample_hash"] == hashlib.sha256(text.encode()).hexdigest()


def test_the_figures_name_the_file_of_samples_by_place_digest_and_lines(run: Run, tmp_path: Path) -> None:
    log, samples, _ = written(run, tmp_path)
    detailed = log["detailed_evaluation_results"]
    file = tmp_path / detailed["file_path"]
    assert detailed["file_path"].startswith("data/plumbline/org/tiny/")
    assert detailed["checksum"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert detailed["total_rows"] == len(samples) == 2
    assert (file.parent / file.name.replace("_samples.jsonl", ".json")).exists()
    written(run, tmp_path)
    assert len([*tmp_path.rglob("*.json")]) == 2


@pytest.mark.parametrize(
    ("reference", "wanted"),
    [
        ("hub:org/name@abc", "org/name"),
        ("bundled:masked-demo", "local/bundled-masked-demo"),
        ("path:./a b/../c", "local/path-.-a-b-..-c"),
        ("openai:https://host/v1#gpt", "local/openai-https-host-v1-gpt"),
        ("hub:../../etc", "local/hub-..-..-etc"),
    ],
)
def test_the_id_of_a_model_is_two_names_that_any_file_system_takes(reference: str, wanted: str) -> None:
    assert model_id(reference) == wanted


def test_the_command_asks_who_publishes_and_writes_below_the_folder(run: Run, tmp_path: Path) -> None:
    asked = ["audit", "export", str(run.pk), "--format", "every-eval-ever", "--out", str(tmp_path)]
    with pytest.raises(SystemExit) as ended:
        call_command(*asked)
    assert ended.value.code == 2
    assert not [*tmp_path.iterdir()]
    with pytest.raises(SystemExit) as ended:
        call_command(*asked, "--organization", "An audit office")
    assert not ended.value.code
    assert len([*tmp_path.rglob("*.json*")]) == 3


def test_a_run_that_is_not_done_is_refused(run: Run, tmp_path: Path) -> None:
    Run.objects.filter(pk=run.pk).update(state="failed")
    with pytest.raises(InputError, match="only a finished run"):
        write(Run.objects.get(pk=run.pk), EVALUATOR, tmp_path)
