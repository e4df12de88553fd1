"""CEAT whole: groups against pairs, two sets, words that do not occur, and what is refused."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl
import pytest
from scipy import stats

from plumbline.methods.ceat.spec import CeatSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError, ModelError, SpecError
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Verdict
from workers.engine.loading import load_any, locate
from workers.probes.ceat.effects import group_effect, set_effects
from workers.probes.ceat.probe import PROBES
from workers.probes.ceat.summary import TOO_FEW, UNTESTED, _tested
from workers.probes.protocol import AnyModel
from workers.statistics import effect_size

SCHEMA = {
    "score": pl.Float64, "reason": pl.String, "effect_size": pl.Float64, "variance": pl.Float64, "n_tokens": pl.Int16,
    "log_p_target": pl.Float64, "log_p_prior": pl.Float64,
}  # fmt: skip
PAIR = {"pair": "poor - warm", "dimension": "Communion"}
OF_GROUPS: dict[str, Any] = {
    "groups": {"inline": [{"label": "women", "plural": "women"}, {"label": "men"}, {"label": "people"}]},
    "attributes": {"inline": [{"text": "poor", "pole": "left", **PAIR}, {"text": "warm", "pole": "right", **PAIR}]},
}
OF_SETS: dict[str, Any] = {
    "targets": {"x": {"inline": ["women", "person"]}, "y": {"inline": ["men", "nobody"]}},
    "attributes": {"a": {"inline": ["warm"]}, "b": {"inline": ["poor"]}},
}
LINES = [
    f"{who} number {n} are {what} in all." for n in range(9) for who in ("women", "men") for what in ("poor", "warm")
]


@pytest.fixture(scope="module")
def model(tiny_folders: tuple[Path, Path]) -> AnyModel:
    return load_any(locate(f"path:{tiny_folders[0]}"), device="cpu")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join([*LINES, "a person should be in all."]))
    return path


def frames(
    model: AnyModel, corpus: Path, samples: int = 12, **spec: Any
) -> tuple[dict[str, pl.DataFrame], list[Measure]]:
    params = {"samples": samples, **spec.pop("params", {})}
    data = {"name": "test", "probe": "ceat", "model": "path:./m", "corpus": f"path:{corpus}", "params": params, **spec}
    parsed = parse(data)
    parsed.check({})
    parsed, probe, memo = parse(parsed.dump()), PROBES["ceat"], dict[Any, Any]()
    planned = probe.plan(parsed, {}, model.checkpoint)
    found: dict[str, list[pl.DataFrame]] = {"association": [], "effect": []}
    for shard in planned.shards:
        records = probe.execute(parsed, {}, shard.items, model, memo, lambda _: None)
        for name, rows in shard.rows.items():
            frame = pl.DataFrame(
                records[name], schema_overrides={k: v for k, v in SCHEMA.items() if k in records[name]}
            )
            assert frame.height == rows
            assert set(frame["group"]) | set(frame["attribute"]) | {""} <= planned.labels
            found[name].append(frame)
    joined = {name: pl.concat(parts) for name, parts in found.items()}
    return joined, probe.summarise(parsed, {}, lambda table, **_: joined[table])


def test_groups_are_held_against_the_poles(model: AnyModel, corpus: Path) -> None:
    records, measures = frames(model, corpus, **OF_GROUPS)
    cosines = {(row["group"], row["attribute"]): row["score"] for row in records["association"].iter_rows(named=True)}
    of = {one.group_a: one for one in measures if one.statistic == "ceat"}
    women = of["women"]
    assert women.value is not None
    assert (women.value > 0) == (cosines["women", "warm"] > cosines["women", "poor"])
    assert (women.attribute, women.category, women.unit, women.n_units) == ("poor - warm", "Communion", "sentence", 12)
    assert women.ci_low is not None
    assert women.ci_high is not None
    assert women.ci_low < women.value < women.ci_high
    difference = next(one for one in measures if one.statistic == "ceat_difference" and one.group_a == "women")
    assert of["men"].value is not None
    assert difference.value == pytest.approx(women.value - of["men"].value)


def test_two_groups_are_compared_once_and_three_each_with_the_mean_of_the_others(model: AnyModel, corpus: Path) -> None:
    def compared(*groups: str) -> list[tuple[str, str]]:
        _, measures = frames(model, corpus, **OF_GROUPS | {"groups": {"inline": list(groups)}})
        return [(one.group_a, one.group_b) for one in measures if one.statistic == "ceat_difference"]

    assert compared("women", "men") == [("women", "men")]
    assert compared("women", "men", "person") == [(group, "(other groups)") for group in ("women", "men", "person")]


def test_a_corpus_that_is_no_path_is_refused_with_what_to_write(model: AnyModel, corpus: Path) -> None:
    with pytest.raises(SpecError, match=r"corpus: 'texts/news' names no text: write path:FILE or path:DIR"):
        parse({"name": "t", "probe": "ceat", "model": "path:./m", "corpus": "texts/news", **OF_GROUPS})


def test_a_group_that_does_not_occur_is_not_scorable_and_says_so(model: AnyModel, corpus: Path) -> None:
    records, measures = frames(model, corpus, **OF_GROUPS)
    people = records["association"].filter(pl.col("group") == "people")
    assert people["reason"].to_list() == ["'people' does not occur in the corpus"] * 2
    of = next(one for one in measures if one.statistic == "ceat" and one.group_a == "people")
    assert (of.value, of.reason) == (None, "'people' does not occur in the corpus")
    shares = {one.group_a: one.value for one in measures if one.statistic == "scorable_share"}
    assert shares == {"women": 1, "men": 1, "people": 0}


def test_fewer_sentences_than_draws_are_repeated_and_flagged(model: AnyModel, corpus: Path) -> None:
    _, measures = frames(model, corpus, samples=50, **OF_GROUPS)
    women = next(one for one in measures if one.statistic == "ceat")
    told = "drawn with replacement: the rarest of its words has 18 sentences in the corpus"
    assert women.reason == f"{told}; {TOO_FEW}"


def test_the_seed_decides_the_sentences(model: AnyModel, corpus: Path) -> None:
    first, again, other = (frames(model, corpus, samples=5, seed=seed, **OF_GROUPS)[0]["effect"] for seed in (0, 0, 1))
    assert first.equals(again)
    assert not first.equals(other)


def test_groups_are_held_against_people_who_judged_them(model: AnyModel, corpus: Path) -> None:
    pairs = [("poor", "warm"), ("all", "number"), ("in", "are")]
    poles = [
        {"text": word, "pole": pole, "pair": " - ".join(pair)}
        for pair in pairs
        for word, pole in zip(pair, ("left", "right"), strict=True)
    ]
    # On pair number p, the first group stands at 20 p + 10, the second at 90 - 20 p; "people" occurs nowhere.
    judged = [
        {"annotator": f"a{rater}", "group": group, "left": left, "right": right, "rating": rating}
        for rater in range(5)
        for place, (left, right) in enumerate(pairs)
        for group, rating in (("women", 20 * place + 10), ("men", 90 - 20 * place), ("people", 50))
    ]
    _, measures = frames(
        model, corpus, groups=OF_GROUPS["groups"], attributes={"inline": poles}, human={"inline": judged}
    )
    ceat = {(one.group_a, one.attribute): one.value for one in measures if one.statistic == "ceat"}
    told = {one.group_a: one for one in measures if one.statistic == "kendall_tau" and one.condition == "model"}
    names = [" - ".join(pair) for pair in pairs]
    for group, people in (("women", [10, 30, 50]), ("men", [90, 70, 50])):
        expected = stats.kendalltau([ceat[group, name] for name in names], people).statistic
        assert told[group].value == pytest.approx(expected)
    assert told["people"].value is None
    assert told["people"].reason == "no scorable pair"


def test_two_sets_are_combined_over_draws(model: AnyModel, corpus: Path) -> None:
    pytest.importorskip("statsmodels")
    corpus.write_text("\n".join([*LINES, *(line.replace("women", "person") for line in LINES)]))
    records, measures = frames(model, corpus, **OF_SETS)
    assert records["effect"]["draw"].to_list() == list(range(1, 13))
    two_sided, one_sided = (one for one in measures if one.statistic == "combined_effect_size")
    assert two_sided.value is not None
    assert records["effect"]["effect_size"].min() <= two_sided.value <= records["effect"]["effect_size"].max()  # type: ignore[operator]
    assert (two_sided.variant, one_sided.variant, two_sided.n_units) == ("", "one-sided", 12)
    released = frames(model, corpus, params={"variant": "released_code"}, **OF_SETS)[1]
    (only,) = (one for one in released if one.statistic == "combined_effect_size")
    assert only.variant == "released_code"


def test_a_group_effect_by_hand() -> None:
    # Means 0.7 and 0.3; 0.6, 0.8, 0.2, 0.4 about 0.5: squares 0.01, 0.09, 0.09, 0.01, so variance 0.2 / 3.
    value, variance = group_effect(np.array([0.6, 0.8]), np.array([0.2, 0.4]), [np.arange(2)] * 3)
    assert value == pytest.approx(0.4 / np.sqrt(0.2 / 3))
    assert variance >= 0


def test_the_variance_of_a_group_effect_is_that_of_other_samples() -> None:
    random, new = np.random.default_rng(0), [np.arange(80)] * 3
    values, variances = zip(
        *(group_effect(random.normal(0.1, 1, 80), random.normal(0, 1, 80), new) for _ in range(400)), strict=True
    )
    assert np.mean(variances) == pytest.approx(np.var(values), rel=0.2)


@pytest.mark.parametrize("sentences", [30, 50])
def test_sentences_that_are_drawn_again_and_again_are_no_new_evidence(sentences: int) -> None:
    """Words that do not differ, each in so many sentences, drawn 200 times: p < 0.05 in about 5% of cases."""
    data = {"name": "t", "probe": "ceat", "model": "path:./m", "corpus": "path:./c", **OF_GROUPS}
    spec, random, small = cast("CeatSpec", parse(data)), np.random.default_rng(1), 0
    for _ in range(300):
        drawn = [random.integers(sentences, size=200) for _ in range(3)]
        vectors = np.array([1.0, 0, 0, 0]) + random.normal(size=(3, sentences, 4))
        vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
        group, right, left = (own[order] for own, order in zip(vectors, drawn, strict=True))
        value, variance = group_effect((group * right).sum(1), (group * left).sum(1), drawn)
        small += _tested(spec, value, variance, {"sentences": sentences, "reason": ""})["p_value"] < 0.05
    assert 0.02 <= small / 300 <= 0.09


def test_two_sets_whose_draws_repeat_sentences_have_no_interval_and_no_test(model: AnyModel, corpus: Path) -> None:
    pytest.importorskip("statsmodels")
    _, measures = frames(model, corpus, samples=50, **OF_SETS)
    (only,) = (one for one in measures if one.statistic == "combined_effect_size")
    assert only.value is not None
    assert (only.ci_low, only.p_value, only.q_value) == (None, None, None)
    assert "the rarest of its words has 1 in the corpus; take a larger corpus" in only.reason


def test_of_one_sentence_there_is_no_test(model: AnyModel, corpus: Path) -> None:
    groups = {"inline": ["person", "women"]}
    _, measures = frames(model, corpus, **{**OF_GROUPS, "groups": groups})
    person, women = (one for one in measures if one.statistic == "ceat")
    assert person.value is not None
    assert (person.ci_low, person.p_value) == (None, None)
    assert person.reason == f"drawn with replacement: the rarest of its words has 1 sentence in the corpus; {UNTESTED}"
    assert (women.ci_low is None, women.p_value) == (False, None)
    assert women.verdict == Verdict.NOT_TESTABLE
    assert women.reason.endswith(TOO_FEW)
    # The difference rests on the rarer of the two.
    assert {one.p_value for one in measures if one.statistic == "ceat_difference"} == {None}


def test_a_draw_of_two_sets_is_weat() -> None:
    cosines = np.random.default_rng(1).normal(size=(3, 7, 4))
    effects, variances = set_effects(cosines, 4, 2, released=True)
    s = cosines[1, :, :2].mean(1) - cosines[1, :, 2:].mean(1)
    assert effects[1] == pytest.approx(float(effect_size(s[:4], s[4:])))
    assert variances[1] == pytest.approx(s.var(ddof=1))


def test_a_corpus_that_changed_is_refused(model: AnyModel, corpus: Path) -> None:
    spec = parse({"name": "t", "probe": "ceat", "model": "path:./m", "corpus": f"path:{corpus}", **OF_GROUPS})
    planned = PROBES["ceat"].plan(spec, {}, model.checkpoint)
    corpus.write_text("women are warm")
    with pytest.raises(InputError, match="changed since the run was planned"):
        PROBES["ceat"].execute(spec, {}, planned.shards[0].items, model, {}, lambda _: None)


def test_what_cannot_be_is_reported(model: AnyModel, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="give groups and attributes"):
        frames(model, corpus, groups=OF_GROUPS["groups"])
    with pytest.raises(SpecError, match="compares the poles of pairs"):
        frames(model, corpus, **{**OF_GROUPS, "attributes": {"inline": ["poor"]}})
    with pytest.raises(SpecError, match="applies to the two-set form"):
        frames(model, corpus, params={"variant": "released_code"}, **OF_GROUPS)
    with pytest.raises(SpecError, match="path:DIR, a file or folder of text"):
        parse({"name": "t", "probe": "ceat", "model": "path:./m", "corpus": "bundled:text", **OF_GROUPS})
    vectors = tmp_path / "words.txt"
    vectors.write_text("women 1 0\n")
    with pytest.raises(ModelError, match="of the kind static"):
        frames(load_any(locate(f"path:{vectors}")), corpus, **OF_GROUPS)
