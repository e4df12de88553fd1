"""A classifier is fine-tuned on labelled texts, stopped, resumed; a planted bias is in its error rates by group."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from safetensors.torch import load_file

from plumbline.audits.models import ErrorRates
from plumbline.spec.errors import InputError
from tests.workers.engine.conftest import SMALL, save_model
from tests.workers.training.planted_labels import write_templates, write_texts, write_words
from workers.engine.loading import load_any, load_classifier, locate
from workers.engine.projection import INSIDE, Projection, write_projection
from workers.training.error_rates.report import CARD
from workers.training.labelled_texts import read_labelled, split_labelled
from workers.training.mcq import MODEL, RECORD

Told = pytest.CaptureFixture[str]
LEARNS = ("--epochs", "3", "--rate", "3e-3", "--batch", "8", "--device", "cpu", "--threads", "1")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Without dropout, which in a wide random model of this size drowns everything."""
    calm = {**SMALL, "initializer_range": 0.1, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    return save_model(tmp_path_factory.mktemp("calm"), "BertForMaskedLM", "wordpiece", calm)


@pytest.fixture(scope="module")
def trained(base: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """By whether a bias was planted."""
    root = tmp_path_factory.mktemp("labels")
    for planted in (True, False):
        data = write_texts(root / f"{planted}.csv", planted=planted)
        train(data, base, root / str(planted))
    return {planted: root / str(planted) for planted in (True, False)}


def train(data: Path, base: Path, out: Path, *more: str) -> None:
    call_command("train", "labels", "--data", str(data), "--base", f"path:{base}", "--out", str(out), *LEARNS, *more)


def measure(tmp_path: Path, out: Path, *more: str) -> int:
    files = ("--templates", str(write_templates(tmp_path / "t.csv")), "--words", str(write_words(tmp_path / "w.csv")))
    with pytest.raises(SystemExit) as ended:
        call_command("model", "error-rates", f"path:{out / MODEL}", *files, "--device", "cpu", "--threads", "1", *more)
    return int(ended.value.code or 0)


def card_of(out: Path) -> dict[str, list[dict[str, object]]]:
    return dict(json.loads((out / MODEL / CARD).read_text(encoding="utf-8")))


@pytest.mark.django_db
def test_a_planted_bias_is_a_difference_of_false_positives_and_a_balanced_file_gives_none(
    trained: dict[bool, Path], tmp_path: Path, capsys: Told
) -> None:
    assert [measure(tmp_path, trained[planted]) for planted in (True, False)] == [0, 0]
    planted, balanced = (card_of(trained[one])["differences"][0] for one in (True, False))
    assert planted["statistic"] == "false_positive_rate_difference"
    assert (planted["group_a"], planted["verdict"]) == ("women", "present")
    assert float(str(planted["value"])) > 0.8
    assert (balanced["value"], balanced["verdict"]) == (0.0, "undecided")
    assert "false positive rate  women - men" in capsys.readouterr().out


@pytest.mark.django_db
def test_a_parent_and_its_variant_stand_beside_each_other_with_the_change(
    trained: dict[bool, Path], base: Path, tmp_path: Path, capsys: Told
) -> None:
    before = ("--before", f"path:{trained[True] / MODEL}", "--sentences", str(tmp_path / "s.csv"))
    assert measure(tmp_path, trained[False], *before) == 0
    told = capsys.readouterr()
    assert "warning: the trainings do not share texts" in told.err
    kept = ErrorRates.objects.get()
    assert (kept.classifier, kept.base) == (f"path:{trained[False] / MODEL}", f"path:{base}")
    assert kept.before == f"path:{trained[True] / MODEL}"
    assert f"shown on the page of path:{base}" in told.out
    changed = told.out.partition("From path:")[2].splitlines()
    assert [line.split()[0] for line in changed if line.endswith("present")] == ["false", "true"]
    change = card_of(trained[False])["changes"][0]
    assert float(str(change["value"])) < -0.8
    assert change["verdict"] == "present"
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 2 * 48
    assert {(row["word"], row["predicted"]) for row in rows if row["label"] == "0"} == {("women", "0"), ("men", "0")}


def test_the_record_says_what_the_model_was_made_from(trained: dict[bool, Path], base: Path) -> None:
    record = json.loads((trained[False] / MODEL / RECORD).read_text(encoding="utf-8"))
    assert (record["base_digest"], record["format"]) == (locate(f"path:{base}").digest, "labels")
    assert record["texts"] + record["held_out"]["texts"] == 192
    assert record["held_out"]["right"] == record["held_out"]["texts"]
    assert record["held_out"]["low"] > record["held_out"]["chance"]


def test_a_stopped_training_ends_with_the_same_weights_and_has_no_accuracy_before(
    trained: dict[bool, Path], base: Path, tmp_path: Path, capsys: Told
) -> None:
    data = write_texts(tmp_path / "texts.csv", planted=True)
    train(data, base, tmp_path / "out", "--minutes", "0")
    assert "held out: " not in capsys.readouterr().out
    train(data, base, tmp_path / "out", "--resume")
    assert capsys.readouterr().out.splitlines()[-1].startswith("held out: 1.000 of ")
    expected, found = (load_file(out / MODEL / "model.safetensors") for out in (trained[True], tmp_path / "out"))
    assert all(bool((expected[name] == found[name]).all()) for name in expected)


def test_a_variant_keeps_its_projection_through_the_fine_tuning(base: Path, tmp_path: Path) -> None:
    variant = shutil.copytree(base, tmp_path / "variant")
    (variant / INSIDE).mkdir()
    size = int(str(SMALL["hidden_size"]))
    map_ = Projection(np.zeros((size, size), np.float32), np.ones(size, np.float32), None)
    write_projection(variant / INSIDE / "00.safetensors", map_, locate(f"path:{base}").digest, "all states are 1")
    train(write_texts(tmp_path / "texts.csv", planted=True), variant, tmp_path / "out", "--epochs", "1")
    model = load_classifier(locate(f"path:{tmp_path / 'out' / MODEL}"), "cpu")
    logits = model.logits(["all women are warm a.", "men"])
    assert logits[0] == pytest.approx(logits[1]), "a state without information gives one answer"


def test_no_probe_loads_a_classifier_and_no_other_model_is_one(trained: dict[bool, Path], base: Path) -> None:
    with pytest.raises(InputError, match="is of the kind classifier: this probe needs"):
        load_any(locate(f"path:{trained[True] / MODEL}"), device="cpu")
    with pytest.raises(InputError, match="is of the kind masked: make a classifier"):
        load_classifier(locate(f"path:{base}"), "cpu")


def test_a_text_gives_the_same_logits_in_any_batch_and_a_long_one_is_cut(trained: dict[bool, Path]) -> None:
    model = load_classifier(locate(f"path:{trained[True] / MODEL}"), "cpu")
    texts = ["all women are warm a.", "most men are poor b, poor c and poor d.", "men"]
    alone = np.stack([model.logits([text])[0] for text in texts])
    assert model.logits([*texts, *texts])[:3] == pytest.approx(alone, abs=1e-6)
    long = ["poor " * 200, "poor " * 300]
    assert len(model.encoded(long)[0]) == model.tokenizer.model_max_length
    assert model.logits(long)[0] == pytest.approx(model.logits(long)[1])


def test_equal_texts_are_on_one_side_of_the_split(tmp_path: Path) -> None:
    texts = read_labelled(write_texts(tmp_path / "texts.csv", planted=True, each=48))
    learnt, held_out = split_labelled(texts, 5)
    assert not {one.text for one in learnt} & {one.text for one in held_out}
    assert len(learnt) + len(held_out) == len(texts) == 384


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("words,label\na,1\n", "has no column text: name a CSV file in UTF-8"),
        ("text,label\na,1\nb,spam\n", "line 3 has the label 'spam': write 1 for positive"),
        ("text,label\na,1\n,0\n", "line 3 has an empty text"),
        ("text,label\na,1\nb,1\n", "holds texts of one label"),
        ("text,label\n", "holds texts of no label"),
    ],
)
def test_a_fault_in_the_file_is_one_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "texts.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read_labelled(tmp_path / "texts.csv")


def test_another_kind_of_base_is_refused_by_the_command(trained: dict[bool, Path], base: Path, capsys: Told) -> None:
    data = trained[True].parent / "True.csv"
    with pytest.raises(SystemExit) as ended:
        train(data, base, trained[True], "--evaluate")
    assert ended.value.code == 2
    assert "choose a trained classifier as --base" in capsys.readouterr().err
    train(data, trained[True] / MODEL, trained[True], "--evaluate")
    assert "held out: 1.000" in capsys.readouterr().out
