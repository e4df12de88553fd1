"""manage.py bank import-predictions: what others' models answered becomes a run, or nothing at all."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from plumbline.audits.models import Run
from plumbline.results import reading
from plumbline.vocab.banks.importing import create
from plumbline.vocab.banks.reading import Questions
from plumbline.vocab.models import Bank
from tests.workers.management.conftest import Ended
from tests.workers.probes.bbq.made_up import OPTIONS, question

pytestmark = pytest.mark.django_db
Imports = Callable[..., Ended]
TOLD = ("", OPTIONS[0])
SET = [question("1", 0, polarity, who) for polarity in ("neg", "nonneg") for who in TOLD]


@pytest.fixture
def bank() -> Bank:
    items = [one.model_dump(mode="json") for one in SET]
    return create("bbq", Path("made up"), "bbq", Questions(items, "made up", {"title": "Colours"}))[0]


@pytest.fixture
def imports(bank: Bank, capsys: pytest.CaptureFixture[str]) -> Imports:
    """Call `manage.py bank import-predictions bbq ...` in this process."""

    def call(*arguments: object) -> Ended:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            call_command("bank", "import-predictions", "bbq", *map(str, arguments))
        streams = capsys.readouterr()
        return Ended(int(ended.value.code or 0), streams.out, streams.err)

    return call


def predictions(path: Path, outputs: list[Any], field: str = "pred_race") -> Path:
    rows = [{"item": one.id, field: output} for one, output in zip(SET, outputs, strict=False)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def run_of(ended: Ended, items: int) -> Run:
    found = re.fullmatch(rf"run (\d+) done {items} items \d+\.\d s", ended.out.splitlines()[-1])
    assert found, ended
    assert ended.status == 0
    return Run.objects.get(pk=int(found[1]))


def test_outputs_become_answers_and_a_run_with_scores(imports: Imports, tmp_path: Path) -> None:
    path = predictions(tmp_path / "a.jsonl", ["the blue person.", "the blue person", "someone else", "not known"])
    run = run_of(imports(path, "--answers", "pred_race", "--name", "UnifiedQA 11B (RACE)"), 4)
    assert run.model == "answers:UnifiedQA 11B (RACE)"
    assert run.spec["answers"][0]["list"] == "answers-unifiedqa-11b-race"
    records = reading.read(run.pk, "choice").sort("item")
    assert records["chosen"].to_list() == [0, 0, None, 2]
    measures = reading.read(run.pk, "measure")
    left_out = measures.filter(statistic="unmatched_answers", category="Colour", condition="ambig", variant="")
    assert left_out["value"].to_list() == [1.0]
    answers = Bank.objects.get(slug="answers-unifiedqa-11b-race")
    assert (answers.kind, answers.entries.count()) == ("answers", 4)


def test_the_run_covers_what_is_answered_and_says_so(imports: Imports, tmp_path: Path) -> None:
    ended = imports(predictions(tmp_path / "a.jsonl", [0, 1]), "--answers", "pred_race")
    assert run_of(ended, 2).model == "answers:pred_race"
    assert "2 of 4 items of bbq are not answered and not in the run." in ended.err


def test_fields_of_questions_without_context_are_scored_as_such(imports: Imports, tmp_path: Path) -> None:
    path = predictions(tmp_path / "a.jsonl", ["not known"] * 4, "pred_qonly")
    run = run_of(imports(path, "--answers", "pred_qonly"), 2)
    assert run.spec["params"]["question_only"] is True
    accuracy = reading.read(run.pk, "measure").filter(statistic="accuracy", category="Colour", condition="ambig")
    assert set(accuracy["variant"].to_list()) >= {"question_only"}
    assert accuracy.filter(variant="question_only", template="")["value"].to_list() == [1.0]


def test_a_table_of_choices_or_logits_needs_no_field(imports: Imports, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    lines = [f"{one.id},{place},0.5,-1" for place, one in enumerate(SET)]
    path.write_text("\n".join(["item,logit_0,logit_1,logit_2", *lines]) + "\n")
    run = run_of(imports(path), 4)
    assert run.model == "answers:mine"
    records = reading.read(run.pk, "choice")
    assert sorted(records["chosen"].to_list()) == [0, 0, 0, 1]
    preferred = reading.read(run.pk, "measure").filter(statistic="paired_preference", category="Colour", group_a="")
    assert preferred.filter(condition="ambig", attribute="")["value"].to_list() == [pytest.approx(0 - 2)]


def test_the_same_answers_once_more_are_the_same_bank_and_others_need_another_name(
    imports: Imports, tmp_path: Path
) -> None:
    path = predictions(tmp_path / "a.jsonl", [0, 1, 2, 0])
    run_of(imports(path, "--answers", "pred_race"), 4)
    run_of(imports(path, "--answers", "pred_race"), 4)
    ended = imports(predictions(path, [1, 1, 2, 0]), "--answers", "pred_race")
    assert ended.status == 2
    assert "there are other answers of 'pred_race' already (answers-pred_race): choose another --name." in ended.err


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--answers", "pred_arc"], r"a\.jsonl, line 1: it has no field 'pred_arc'"),
        (["--answers", "pred_race", "--bank", "other"], "there is no bank 'other': import it first"),
        (["--answers", "pred_race"], r"a\.jsonl, line 2: pred_race is 3"),
    ],
)
def test_wrong_input_leaves_nothing_behind(imports: Imports, tmp_path: Path, arguments: list[str], fault: str) -> None:
    ended = imports(predictions(tmp_path / "a.jsonl", [0, 3]), *arguments)
    assert ended.status == 2
    assert re.search(fault, ended.err)
    assert ended.err.startswith("error: ")
    assert not Run.objects.exists()
    assert list(Bank.objects.values_list("slug", flat=True)) == ["bbq"]


def test_a_bank_of_another_kind_is_refused(imports: Imports, bank: Bank, tmp_path: Path) -> None:
    Bank.objects.filter(pk=bank.pk).update(kind="gap")
    ended = imports(predictions(tmp_path / "a.jsonl", [0]), "--answers", "pred_race")
    assert "is of the kind gap; predictions answer banks of kind bbq" in ended.err


def test_a_run_that_cannot_be_launched_leaves_no_bank(imports: Imports, tmp_path: Path) -> None:
    # A model cannot be called that: no run can name it.
    ended = imports(predictions(tmp_path / "a.jsonl", [0]), "--answers", "pred_race", "--name", "x" * 600)
    assert ended.status == 2
    assert list(Bank.objects.values_list("slug", flat=True)) == ["bbq"]
