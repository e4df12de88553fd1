"""The generating phase: its shards, its records, and what it refuses before any is made."""

from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import polars as pl
import pytest

from plumbline.methods.sodapop.sizes import sentences
from plumbline.methods.sodapop.spec import SodapopParams, SodapopSpec
from plumbline.results import ids
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError, ModelError
from workers.engine.checkpoints.checkpoint import Kind
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.probes.protocol import Planned
from workers.probes.sodapop import generating_plan
from workers.probes.sodapop.generating import distractors
from workers.probes.sodapop.generating_plan import in_shards
from workers.probes.sodapop.generating_stage import Generating
from workers.probes.sodapop.generating_words import PaperWriting

CONTEXTS = [
    {
        "id": "soup",
        "context": "{name} is in. all people were warm.",
        "question": "how is {name}?",
        "prompt": "{name} is",
        "answer": "warm",
    },
    {
        "id": "men",
        "context": "{name} should be in.",
        "question": "how is {name}?",
        "prompt": "{name} is",
        "answer": "poor men.",
    },
]
NAMES = [{"name": name, "group": group} for name, group in (("ann", "A"), ("bea", "A"), ("cy", "B"), ("di", "B"))]
STAGE = Generating()


@pytest.fixture(scope="module")
def model(tiny_folders: tuple[Path, Path]) -> MaskedModel:
    return cast("MaskedModel", load(locate(f"path:{tiny_folders[0]}"), device="cpu"))


Entries = list[dict[str, str]]


def spec_of(contexts: Entries = CONTEXTS, names: Entries = NAMES, **params: Any) -> SodapopSpec:
    return cast(
        "SodapopSpec",
        parse(
            {
                "name": "test",
                "probe": "sodapop",
                "generator": "path:./model",
                "names": {"inline": names},
                "contexts": {"inline": contexts},
                "params": {"k": 2, "top": 3, "ask": False, **params},
            }
        ),
    )


def ran(model: MaskedModel, spec: SodapopSpec) -> tuple[Planned, pl.DataFrame]:
    planned = STAGE.plan(spec, {}, model.checkpoint, [])
    frames = []
    for shard in planned.shards:
        told: list[int] = []
        columns = STAGE.execute(spec, {}, shard.items, model, {}, told.append, cast("Any", None))["distractor"]
        assert 0 < sum(told) <= shard.size
        frames.append(pl.DataFrame(columns))
    return planned, pl.concat(frames)


def test_every_name_gets_its_own_distractors_in_every_context(model: MaskedModel) -> None:
    planned, found = ran(model, spec_of())
    cells = found.select("context", "name", "group").unique()
    assert len(cells) == len(CONTEXTS) * len(NAMES)
    assert {(row["name"], row["group"]) for row in cells.iter_rows(named=True)} == {
        (one["name"], one["group"]) for one in NAMES
    }
    assert found.select("context", "name", "text").is_unique().all()
    assert set(found.columns) == {"probe", "context", "name", "group", "text", "distance", "log_p"}
    assert found["distance"].is_between(1, 2).all()
    assert (found["log_p"] < 0).all()
    for column in ("probe", "context", "name", "group"):
        assert set(found[column]) <= planned.labels


def test_the_generator_is_the_model_that_is_asked() -> None:
    spec = spec_of()
    assert STAGE.reference(spec) == spec.generator
    assert "scoring" not in STAGE.params(spec)
    assert STAGE.params(spec)["top"] == 3


def test_how_cells_fall_into_shards_changes_no_record(model: MaskedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    planned, expected = ran(model, spec_of())
    monkeypatch.setattr(generating_plan, "SENTENCES_PER_SHARD", 8)
    split, found = ran(model, spec_of())
    assert len(split.shards) > len(planned.shards)
    order = ["context", "name", "text"]
    whole = ["context", "name", "group", "text", "distance"]
    assert found.sort(order).select(whole).equals(expected.sort(order).select(whole))
    assert (found.sort(order)["log_p"] - expected.sort(order)["log_p"]).abs().max() < 1e-5  # type: ignore[operator]


def test_the_cap_holds_for_several_contexts_and_not_for_one(model: MaskedModel) -> None:
    _, capped = ran(model, spec_of(max_distractors=2))
    assert capped.group_by("context", "name").len()["len"].max() == 2
    _, alone = ran(model, spec_of(CONTEXTS[1:], max_distractors=2))
    assert cast("int", alone.group_by("name").len()["len"].min()) > 2


def test_the_released_variant_runs_too_and_keeps_shorter_ways(model: MaskedModel) -> None:
    _, found = ran(model, spec_of(variant="released_code"))
    assert len(found)
    _, one = ran(model, spec_of(variant="released_code", k=1))
    assert set(one.select("context", "name", "text").rows()) <= set(found.select("context", "name", "text").rows())


def test_a_change_of_one_context_leaves_the_shards_of_others(
    model: MaskedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generating_plan, "SENTENCES_PER_SHARD", 1)
    changed = [CONTEXTS[0], {**CONTEXTS[1], "context": "{name} should be people."}]
    before, after = (STAGE.plan(spec_of(one), {}, model.checkpoint, []) for one in (CONTEXTS, changed))
    same = [shard.inputs for shard in after.shards if shard.inputs in [other.inputs for other in before.shards]]
    assert sum(len(inputs["labels"]) for inputs in same) == len(NAMES)


def test_what_decides_the_distractors_decides_the_inputs(model: MaskedModel) -> None:
    def inputs(spec: SodapopSpec) -> list[Any]:
        return [shard.inputs for shard in STAGE.plan(spec, {}, model.checkpoint, []).shards]

    assert inputs(spec_of()) == inputs(spec_of())
    assert inputs(spec_of()) != inputs(spec_of(names=[{**NAMES[0], "group": "B"}, *NAMES[1:]]))
    assert inputs(spec_of()) != inputs(spec_of(max_distractors=5))


@pytest.mark.parametrize(
    ("context", "fault"),
    [
        ({"answer": "女"}, "'soup' with the name 'ann': the text is spelled with the unknown token"),
        ({"context": "{name} is [MASK]"}, r"contains \[MASK\], a special token"),
        ({"context": "{name} is in. " * 40}, "longer than the model's 128 tokens"),
        ({"answer": "all " * 40}, "'soup': 3 of the 40 words in .* lower k or top"),
    ],
)
def test_what_cannot_be_generated_is_reported_before_the_first_record(
    model: MaskedModel, context: dict[str, str], fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        STAGE.check(spec_of([{**CONTEXTS[0], **context}], k=3, top=10), {}, model.checkpoint)


def test_a_name_that_the_tokenizer_cannot_spell_is_reported(model: MaskedModel) -> None:
    names = [*NAMES, {"name": "Ωmega", "group": "A"}]
    with pytest.raises(InputError, match="'soup' with the name 'Ωmega': the name is spelled with the unknown token"):
        STAGE.check(spec_of(names=names), {}, model.checkpoint)


def test_only_a_masked_model_can_generate(model: MaskedModel) -> None:
    with pytest.raises(ModelError, match=r"kind causal; the generator of a sodapop audit is a masked model"):
        STAGE.check(spec_of(), {}, replace(model.checkpoint, kind=Kind.CAUSAL))


def test_more_distractors_than_a_shard_holds_are_refused(model: MaskedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    assert generating_plan.MOST_ROWS == ids.ROWS
    monkeypatch.setattr("workers.probes.sodapop.generating_stage.MOST_ROWS", 5)
    with pytest.raises(InputError, match=r"more than the 5 that fit: lower k or top"):
        ran(model, spec_of(CONTEXTS[1:], NAMES[:1]))


def test_the_cost_of_a_cell_is_never_underestimated(model: MaskedModel) -> None:
    writing = PaperWriting(model.tokenizer)
    for answer in ("warm", "warm men", "all poor men"):
        asked: list[int] = []
        distractors(model, [writing.start("people are", answer)], writing, k=3, top=3, asked=asked.append)
        assert sum(asked) <= sentences(len(answer.split()), SodapopParams(k=3, top=3))


def test_no_shard_costs_too_much_unless_one_cell_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generating_plan, "SENTENCES_PER_SHARD", 10)
    costs = [number % 13 + 1 for number in range(100)]
    shards = in_shards([str(number) for number in range(100)], costs)
    assert sorted(item for shard in shards for item in shard) == list(range(100))
    assert all(len(shard) == 1 or sum(costs[item] for item in shard) <= 10 for shard in shards)
