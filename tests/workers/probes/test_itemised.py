"""Each probe whose records earlier runs may hold: what it says of its items holds for the numbers that it gives."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.spec.audit import AuditSpec, parse
from tests.plumbline.spec.some_questions import set_of_four
from tests.workers.engine.conftest import save_model
from tests.workers.tiny import save_tiny_bert, save_tiny_multiple_choice
from workers.engine.loading import load_any, locate
from workers.execution.sources import same_contents
from workers.execution.stages import itemised, stages_of
from workers.probes.protocol import AnyModel, Columns, Contents, Itemised, Stage

GPT2 = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64, "initializer_range": 0.4}
Models = dict[str, AnyModel]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    root = tmp_path_factory.mktemp("itemised")
    vectors = root / "words.txt"
    vectors.write_text("women 1 2\nmen 2 1\npeople 3 1\nperson 1 3\npoor 1 0\nwarm 0 1\n")
    (root / CORPUS).write_text("\n".join(LINES))
    folders = {
        "masked": save_tiny_bert(root / "masked", 0),
        "causal": save_model(root / "causal", "GPT2LMHeadModel", "bytes_plain", GPT2),
        "choice": save_tiny_multiple_choice(root / "choice", 1),
        "static": vectors,
    }
    return {name: load_any(locate(f"path:{folder}"), device="cpu") for name, folder in folders.items()}


def inline(*words: Any) -> dict[str, Any]:
    return {"inline": list(words)}


def grid(probe: str, **changes: Any) -> dict[str, Any]:
    """12 items of an association probe."""
    return {
        "probe": probe,
        "groups": inline({"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}),
        "attributes": inline("poor", "warm", "self-reliant"),
        "templates": inline("All {group.plural} are {attribute}.", "Most {group.plural} should be {attribute}."),
        **changes,
    }


def groups(*labels: str) -> dict[str, Any]:
    return inline(*({"label": label, "plural": label} for label in labels))


MORE = {
    "groups": groups("women", "people", "men"),
    "attributes": inline("wealthy", "warm", "poor", "self-reliant"),
    "templates": inline(
        "All {group.plural} are {attribute}.",
        "Why {group.plural} so {attribute}?",
        "Most {group.plural} should be {attribute}.",
    ),
}
PRIOR = {"prior": {"plural": "people"}}
MEAN = {"prior": {"mean": True}}
ASKED = {"self_debias": inline("most men are poor {text}")}


def words(**changes: Any) -> dict[str, Any]:
    """WEAT over 4 x 4 words in two templates."""
    return {
        "probe": "weat",
        "targets": {"x": inline("women", "warm"), "y": inline("men", "poor")},
        "attributes": {"a": inline("people", "be"), "b": inline("person", "all")},
        "templates": inline("{target} are {attribute}.", "most {attribute} should be {target}"),
        **changes,
    }


VECTORS = {
    "targets": {"x": inline("women"), "y": inline("men")},
    "attributes": {"a": inline("people"), "b": inline("poor")},
    "templates": None,
}


def indirect(**changes: Any) -> dict[str, Any]:
    """2 x 2 x 10 and 2 x 10 x 2 records over the names, 4 direct ones, 10 of a sensitive word."""
    return {
        "probe": "indirect",
        "targets": inline("women", "person"),
        "features": inline("warm", "poor"),
        "bridge": inline(*"abcdefghij"),
        "templates": {
            "target_bridge": ["{name} is {target}.", "{name} should be {target}."],
            "bridge_feature": ["[all|most] {name} are {feature}."],
            "target_feature": ["{target} are {feature}."],
        },
        "sensitive": [{"attributes": inline("men"), "bridge_feature": ["{name} should be {feature}."]}],
        **changes,
    }


TEMPLATES = indirect()["templates"]
ANOTHER = {"templates": {**TEMPLATES, "bridge_feature": [*TEMPLATES["bridge_feature"], "{name} is {feature}."]}}
CAUSAL = {"params": {"variant": "causal"}}
CHAIN = {"params": {"split": "chain"}}


CORPUS = "corpus.txt"
LINES = [
    f"{who} are {what}." for who in ("women", "men", "people", "poor women") for what in ("poor", "warm", "in", "be")
]
POOR_WARM = ({"text": "poor", "pole": "left", "pair": "p"}, {"text": "warm", "pole": "right", "pair": "p"})
BE_IN = ({"text": "be", "pole": "left", "pair": "b"}, {"text": "in", "pole": "right", "pair": "b"})


def ceat(labels: tuple[str, ...] = ("women", "men"), attributes: Any = POOR_WARM) -> dict[str, Any]:
    """3 items a group: two attributes and their pair."""
    return {
        "probe": "ceat",
        "groups": groups(*labels),
        "attributes": inline(*attributes),
        "params": {"samples": 3},
    }


def bbq(questions: list[Any], **changes: Any) -> dict[str, Any]:
    return {"probe": "bbq", "bank": {"inline": questions}, **changes}


QUESTIONS = set_of_four("1")
TWO_SETS = [*set_of_four("1", 1, context="A Blue person and a Green person sat."), *QUESTIONS]

CASES = {
    "ilps, group": ("masked", grid("ilps", **PRIOR), grid("ilps", **PRIOR, groups=MORE["groups"]), 6),
    "ilps, word": ("masked", grid("ilps", **PRIOR), grid("ilps", **PRIOR, attributes=MORE["attributes"]), 4),
    "ilps, all": ("masked", grid("ilps", **PRIOR), grid("ilps", **PRIOR, **MORE), 36 - 12),
    "ilps, fewer": ("masked", grid("ilps", **PRIOR, **MORE), grid("ilps", **PRIOR), 0),
    "ilps_chain, mask": (
        "masked",
        grid("ilps_chain", prior={"mask": "one"}),
        grid("ilps_chain", prior={"mask": "one"}, **MORE),
        36 - 12,
    ),
    "ilps, self_debias": ("masked", grid("ilps", **PRIOR, **ASKED), grid("ilps", **PRIOR, **ASKED, **MORE), 36 - 12),
    "ilps, mean, word": ("masked", grid("ilps", **MEAN), grid("ilps", **MEAN, attributes=MORE["attributes"]), 4),
    "ilps, mean, group": ("masked", grid("ilps", **MEAN), grid("ilps", **MEAN, groups=MORE["groups"]), 18),
    "set": ("masked", grid("set", **PRIOR), grid("set", **PRIOR, **MORE), 36 - 12),
    "log_probability": ("masked", grid("log_probability"), grid("log_probability", **MORE), 36 - 12),
    "ilps, causal": ("causal", grid("ilps", **PRIOR), grid("ilps", **PRIOR, **MORE), 36 - 12),
    "mean, causal": ("causal", grid("log_probability"), grid("log_probability", attributes=MORE["attributes"]), 4),
    "mean, causal, group": ("causal", grid("log_probability"), grid("log_probability", groups=MORE["groups"]), 18),
    "weat": (
        "masked",
        words(),
        words(targets={"x": inline("women", "warm", "were"), "y": inline("men", "poor")}),
        2 * 4,
    ),
    "weat, template": (
        "masked",
        words(),
        words(templates=inline("{target} are {attribute}.", "{attribute} {target}")),
        16,
    ),
    "weat, vectors": (
        "static",
        words(**VECTORS),
        words(**{**VECTORS, "targets": {"x": inline("women", "person"), "y": inline("men")}}),
        2,
    ),
    "indirect, name": ("masked", indirect(), indirect(bridge=inline(*"abcdekfghij")), 2 * 2 + 2 * 2 + 1),
    "indirect, target": ("masked", indirect(), indirect(targets=inline("women", "were", "person")), 2 * 10 + 2),
    "indirect, feature": ("masked", indirect(), indirect(features=inline("warm", "are", "poor")), 2 * 10 + 2),
    "indirect, template": ("masked", indirect(), indirect(**ANOTHER), 10 * 2),
    "indirect, chain": (
        "masked",
        indirect(**CHAIN, bridge=inline(*"abcdefghi", "anna")),
        indirect(**CHAIN, bridge=inline("ab", *"abcdefghi", "anna")),
        2 * 2 + 2 * 2 + 1,
    ),
    "indirect, causal, feature": (
        "causal",
        indirect(**CAUSAL),
        indirect(**CAUSAL, features=inline("warm", "kind", "poor")),
        2 * 10 + 2,
    ),
    "indirect, causal, target": (
        "causal",
        indirect(**CAUSAL),
        indirect(**CAUSAL, targets=inline("women", "kind", "person")),
        2 * 10 + 3 * 2,
    ),
    "ceat, group": ("masked", ceat(), ceat(("people", "women", "men")), 3),
    "ceat, pair": ("masked", ceat(), ceat(attributes=(*BE_IN, *POOR_WARM)), 2 * 3),
    # In "poor women" neither "poor" nor "women" is found: what rests on either is another item.
    "ceat, a group of both": ("masked", ceat(), ceat(("women", "men", "poor women")), 3 + 3 + 2),
    "bbq": ("choice", bbq(QUESTIONS), bbq(TWO_SETS), 4),
    "bbq, causal": ("causal", bbq(QUESTIONS), bbq(TWO_SETS), 4),
}


def spec_of(model: AnyModel, data: dict[str, Any]) -> AuditSpec:
    given = {key: value for key, value in data.items() if value is not None}
    if data["probe"] == "ceat":
        given["corpus"] = f"path:{model.checkpoint.folder.parent / CORPUS}"
    found = parse({"name": "test", "model": model.checkpoint.reference, **given})
    found.check({})
    return parse(found.dump())


def by_item(spec: AuditSpec) -> tuple[Stage[Any], Itemised[Any]]:
    (stage,) = stages_of(spec).values()
    found = itemised(stage)
    assert found is not None
    return stage, found


def contents(spec: AuditSpec, model: AnyModel) -> Contents | None:
    stage, items = by_item(spec)
    return items.contents(spec, {}, model.checkpoint, stage.plan(spec, {}, model.checkpoint, []).shards[0].items)


def asked(stage: Stage[Any], spec: AuditSpec, items: Any, model: AnyModel, memo: Any) -> pl.DataFrame:
    tables = stage.execute(spec, {}, items, model, memo, lambda _: None, lambda *_, **__: pl.DataFrame())
    return pl.concat([frame(columns) for columns in tables.values() if columns["probe"]], how="diagonal_relaxed")


def frame(columns: Columns) -> pl.DataFrame:
    values = {name: one if isinstance(one, list) else list(one) for name, one in columns.items()}
    return pl.DataFrame(values, infer_schema_length=None).fill_nan(None)


def shards(spec: AuditSpec, model: AnyModel) -> list[tuple[Any, pl.DataFrame, pl.DataFrame]]:
    """Items, labels and records of each shard."""
    stage, items = by_item(spec)
    memo: dict[Any, Any] = {}
    plans = stage.plan(spec, {}, model.checkpoint, []).shards
    return [(one.items, items.labels(spec, {}, one.items), asked(stage, spec, one.items, model, memo)) for one in plans]


def assert_same(one: pl.DataFrame, other: pl.DataFrame, labels: list[str]) -> None:
    """The same records, numbers within 1e-6, whatever the order."""
    assert len(one) == len(other)
    one = pl.concat([other.clear(), one], how="diagonal_relaxed")
    texts = [name for name, kind in other.schema.items() if not kind.is_float() and not kind.is_(pl.Null)]
    first, second = (rows.sort(labels, maintain_order=True) for rows in (one, other))
    assert first.select(texts).equals(second.select(texts))
    for name in set(other.columns) - set(texts):
        assert first[name].to_list() == pytest.approx(second[name].to_list(), abs=1e-6, nan_ok=True)


@pytest.mark.parametrize(("kind", "data"), [(kind, after) for kind, _, after, _ in CASES.values()], ids=list(CASES))
def test_some_items_alone_have_the_records_that_they_have_in_the_whole_shard(
    models: Models, kind: str, data: dict[str, Any]
) -> None:
    model = models[kind]
    spec = spec_of(model, data)
    stage, items = by_item(spec)
    draw = np.random.default_rng(0)
    for shard, labels, records in shards(spec, model):
        names = labels.columns
        assert records.select(names).unique(maintain_order=True).equals(labels.unique(maintain_order=True))
        assert labels.is_unique().all()
        some = labels.filter(pl.Series(draw.random(len(labels)) < 0.5))
        if len(some):
            alone = asked(stage, spec, items.only(spec, {}, shard, some), model, {}).join(some, on=names, how="semi")
            assert_same(alone, records.join(some, on=names, how="semi"), names)


@pytest.mark.parametrize(("kind", "before", "after", "new"), list(CASES.values()), ids=list(CASES))
def test_equal_items_of_two_runs_have_the_same_records(
    models: Models, kind: str, before: dict[str, Any], after: dict[str, Any], new: int
) -> None:
    model = models[kind]
    one, other = spec_of(model, before), spec_of(model, after)
    theirs, own = (contents(spec, model) for spec in (one, other))
    assert own is not None
    assert theirs is not None
    assert own.rest == theirs.rest
    same = same_contents(own, theirs)
    earlier, missing = [(labels.columns, records) for _, labels, records in shards(one, model)], 0
    for _, labels, records in shards(other, model):
        names = labels.columns
        wanted = labels.filter(pl.col(name).is_in(list(same[name])) for name in names)
        held = [rows.join(wanted, on=names, how="semi") for columns, rows in earlier if columns == names]
        missing += len(labels) - sum(len(rows.unique(names)) for rows in held)
        known = pl.concat([rows for rows in held if len(rows)], how="vertical_relaxed") if any(map(len, held)) else None
        if known is not None:
            assert_same(known, records.join(known, on=names, how="semi"), names)
    assert missing == new


def test_nothing_of_an_endpoint_is_taken_from_another_run() -> None:
    remote = locate("openai:http://host/v1#m")
    spec = parse({"name": "test", "model": remote.reference, **bbq(QUESTIONS)})
    assert by_item(spec)[1].contents(spec, {}, remote, {}) is None
