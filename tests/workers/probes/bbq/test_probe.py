"""BBQ's plan and records, without a database."""

import json
from typing import Any

import polars as pl
import pytest

from plumbline.methods.bbq.spec import BbqSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import ModelError, SpecError
from tests.plumbline.spec.some_questions import OPTIONS, set_of_four
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.loading import load_any, locate
from workers.probes.bbq.probe import BbqProbe

QUESTIONS = [*set_of_four("1"), *set_of_four("2"), *set_of_four("3", label_type="name")]
STORED = "answers:somebody"


@pytest.fixture
def probe() -> BbqProbe:
    return BbqProbe()


def spec_of(answers: list[dict[str, Any]] | None = None, **other: Any) -> BbqSpec:
    own: dict[str, Any] = {"name": "t", "probe": "bbq", "model": "path:./m", "bank": {"inline": QUESTIONS}, **other}
    if answers is not None:
        own |= {"model": STORED, "answers": {"inline": answers}}
    spec = parse(own)
    assert isinstance(spec, BbqSpec)
    return spec


def of_kind(kind: Kind) -> Checkpoint:
    found = locate(STORED)
    return Checkpoint(found.reference, found.folder, kind, "", found.digest, "")


def records(probe: BbqProbe, spec: BbqSpec) -> pl.DataFrame:
    model = load_any(locate(STORED))
    planned = probe.plan(spec, {}, model.checkpoint)
    memo: dict[Any, Any] = {}
    found = [probe.execute(spec, {}, shard.items, model, memo, lambda _: None)["choice"] for shard in planned.shards]
    for shard, rows in zip(planned.shards, found, strict=True):
        assert shard.rows == {"choice": len(rows["item"])}
        texts = {str(value) for name, values in rows.items() if name not in NUMBERS for value in values}
        assert texts <= planned.labels, "a label that planning did not announce"
    return pl.concat([pl.DataFrame(rows, schema_overrides=NUMBERS) for rows in found])


NUMBERS = {
    **dict.fromkeys(("sample", "chosen", "gold", "target", "unknown"), pl.Int16),
    **dict.fromkeys(("logits", "reason"), pl.String),
}


def test_a_template_is_a_shard_and_names_are_apart(probe: BbqProbe) -> None:
    planned = probe.plan(spec_of([{"id": one["id"], "chosen": 0} for one in QUESTIONS]), {}, locate(STORED))
    templates = [shard.items["template"] for shard in planned.shards]
    assert templates == ["Colour 1", "Colour 2", "Colour (names) 3"]


def test_an_edited_question_touches_its_own_shard_only(probe: BbqProbe) -> None:
    answers = [{"id": one["id"], "chosen": 0} for one in QUESTIONS]
    edited = [
        {**one, "context": f"{one['context']} It rained."} if one["template"] == "2" else one for one in QUESTIONS
    ]
    before, after = (
        [shard.inputs for shard in probe.plan(spec_of(answers, bank={"inline": bank}), {}, locate(STORED)).shards]
        for bank in (QUESTIONS, edited)
    )
    assert [one == two for one, two in zip(before, after, strict=True)] == [True, False, True]


def test_another_answer_is_another_shard(probe: BbqProbe) -> None:
    one, two = (
        probe.plan(spec_of([{"id": "Colour 1-0", "chosen": place}]), {}, locate(STORED)).shards[0].inputs
        for place in (0, 1)
    )
    assert one != two


def test_a_record_says_what_was_asked_and_answered(probe: BbqProbe) -> None:
    frame = records(probe, spec_of([{"id": "Colour 1-1", "chosen": 0}, {"id": "Colour 1-2", "output": "nobody"}]))
    told, unmatched = frame.iter_rows(named=True)
    assert {name: told[name] for name in ("item", "template", "condition", "polarity", "group")} == {
        "item": "Colour 1-1",
        "template": "Colour 1",
        "condition": "disambig",
        "polarity": "neg",
        "group": "Blue",
    }
    assert json.loads(told["options"]) == OPTIONS
    assert [told[name] for name in ("chosen", "gold", "target", "unknown", "reason")] == [0, 1, 0, 2, None]
    assert (unmatched["chosen"], unmatched["reason"]) == (None, "the output 'nobody' matches no option")


def test_without_a_context_unknown_is_right(probe: BbqProbe) -> None:
    answers = [{"id": one["id"], "chosen": 0} for one in QUESTIONS]
    frame = records(probe, spec_of(answers, params={"question_only": True}))
    assert frame["condition"].unique().to_list() == ["ambig"]
    assert (frame["gold"] == frame["unknown"]).all()


def test_what_an_endpoint_answers_is_no_other_run_s(probe: BbqProbe) -> None:
    remote = locate("openai:http://host/v1#m")
    one, two = (probe.plan(spec_of(model=remote.reference), {}, remote).shards[0].inputs for _ in range(2))
    assert one["questions"] == two["questions"]
    assert one["once"] != two["once"]


def test_all_orders_are_asked_where_options_are_listed(probe: BbqProbe) -> None:
    planned = probe.plan(spec_of(params={"orders": "all"}), {}, of_kind(Kind.TEXT_TO_TEXT))
    assert [shard.rows["choice"] for shard in planned.shards] == [24, 24, 24]


@pytest.mark.parametrize(
    ("kind", "params", "fault"),
    [
        (Kind.MULTIPLE_CHOICE, {"scoring": "letter"}, "params.scoring is for causal models"),
        (Kind.TEXT_TO_TEXT, {"prompt": "chat"}, "params.prompt is for causal models"),
        (Kind.CAUSAL, {"chat_template_kwargs": {"a": 1}}, "params.chat_template_kwargs is for answers in text"),
        (Kind.CAUSAL, {"prompt": "chat", "system": "s"}, "params.system is for answers in text"),
        (Kind.MULTIPLE_CHOICE, {"generate": True}, "params.generate is for causal models"),
        (Kind.CAUSAL, {"layout": "arc"}, "params.layout is for models that know such layouts"),
        (Kind.CAUSAL, {"orders": "all"}, "is not shown the options together"),
        (Kind.MULTIPLE_CHOICE, {"orders": "cyclic"}, "is not shown the options together"),
    ],
)
def test_a_param_that_means_nothing_to_the_model_is_refused(
    probe: BbqProbe, kind: Kind, params: dict[str, Any], fault: str
) -> None:
    with pytest.raises(SpecError, match=fault):
        probe.check(spec_of(params=params), {}, of_kind(kind))


def test_a_model_that_answers_no_questions_is_refused(probe: BbqProbe) -> None:
    with pytest.raises(ModelError, match="of the kind masked; the probe bbq takes these kinds: multiple_choice"):
        probe.check(spec_of(), {}, of_kind(Kind.MASKED))
