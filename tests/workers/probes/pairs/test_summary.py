"""The measures of pairs, by hand: shares by type and direction, ties, flags, and GEST's ratios."""

import math
from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from plumbline.methods.pairs.spec import PairsSpec
from plumbline.spec.audit import parse
from plumbline.spec.measure import WITHOUT_FLAGGED, Measure
from workers.probes.pairs.families import families
from workers.probes.pairs.summary import summarise

Row = tuple[str, str, float | None]
SCHEMA = {
    "item": pl.String,
    "category": pl.String,
    "scoring": pl.String,
    "template": pl.String,
    "first": pl.Float64,
    "second": pl.Float64,
    "score": pl.Float64,
    "scorable": pl.Boolean,
    "reason": pl.String,
}


def measures(entries: Sequence[dict[str, Any]], rows: Sequence[tuple[str, str, str, float | None]]) -> list[Measure]:
    """Of rows of item, scoring, template and score."""
    spec = parse({"name": "t", "probe": "pairs", "model": "bundled:none", "bank": {"list": "b", "sha256": "0"}})
    assert isinstance(spec, PairsSpec)
    items = spec.items({"0": {"entries": entries}})
    types = {item.id: item.category for item in items}
    told = [
        (item, types[item], scoring, template, score, score and 0.0, score, score is not None, _why(score))
        for item, scoring, template, score in rows
    ]
    records = pl.DataFrame(told, schema=SCHEMA, orient="row")
    return summarise(spec, items, records)


def _why(score: float | None) -> str | None:
    return "why" if score is None else None


def pair(name: str, **changes: Any) -> dict[str, Any]:
    return {"id": name, "category": "work", "more": f"He {name}.", "less": f"She {name}.", **changes}


def crows(entries: Sequence[dict[str, Any]], scores: Sequence[float | None]) -> list[Measure]:
    return measures(entries, [(one["id"], "crows", "", score) for one, score in zip(entries, scores, strict=True)])


def value(found: Sequence[Measure], statistic: str, **labels: str) -> float | None:
    wanted = {"category": "", "condition": "", "variant": "", "attribute": "", "template": "", **labels}
    (one,) = [
        one
        for one in found
        if one.statistic == statistic and all(getattr(one, key) == text for key, text in wanted.items())
    ]
    return one.value


def test_shares_count_ties_as_half_by_type_and_direction() -> None:
    entries = [
        pair("cooks"),
        pair("sings", category="art"),
        pair("digs", direction="antistereo"),
        pair("reads", category="art"),
    ]
    found = crows(entries, [1.0, -2.0, 3.0, 1e-9])
    assert value(found, "crows_share") == 2.5 / 4
    assert value(found, "crows_share", category="art") == 0.5 / 2
    assert value(found, "crows_share", condition="antistereo") == 1.0
    assert value(found, "pair_ties", attribute="crows") == 0.25
    # The script of CrowS-Pairs counts a tie as no preference.
    assert value(found, "crows_share", variant="as published") == 0.5


def test_each_score_has_a_statistic_of_its_own_name() -> None:
    rows = [("cooks", "crows", "", 1.0), ("cooks", "aul", "", -1.0), ("cooks", "pll_l2r", "", -1.0)]
    found = measures([pair("cooks")], rows)
    shares = {one.statistic: one.value for one in found if one.statistic.endswith("_share") and one.unit != "item"}
    assert shares == {"crows_share": 1.0, "aul_share": 0.0, "pll_l2r_share": 0.0}


def test_the_verdict_on_all_pairs_does_not_depend_on_how_many_types_there_are() -> None:
    entries = [pair(f"{place}", category=f"type {place % 4}") for place in range(40)]
    scores = [1.0 if place % 3 else -1.0 for place in range(40)]
    one_type = crows([{**one, "category": ""} for one in entries], scores)
    four = crows(entries, scores)
    assert q_value(four) == q_value(one_type)


def q_value(found: Sequence[Measure]) -> float | None:
    """Of the share over all pairs."""
    return next(one.q_value for one in found if one.statistic == "crows_share" and not (one.category or one.condition))


def test_flagged_pairs_are_left_out_once_more() -> None:
    found = crows([pair("cooks", flags=["odd"]), pair("sings")], [1.0, -1.0])
    assert value(found, "crows_share") == 0.5
    assert value(found, "crows_share", variant=WITHOUT_FLAGGED) == 0.0


def test_pairs_without_a_score_are_counted_with_their_reason_and_in_no_share() -> None:
    found = crows([pair("cooks"), pair("sings")], [1.0, None])
    (share,) = [one for one in found if one.statistic == "crows_share" and one.category == "work"]
    assert (share.value, share.n) == (1.0, 1)
    (missing,) = [one for one in found if one.statistic == "not_scorable" and not one.group_a]
    assert (missing.value, missing.reason) == (1, "why")


def test_pairs_that_share_a_text_or_a_family_are_one_family() -> None:
    spec, *_ = [parse({"name": "t", "probe": "pairs", "model": "bundled:none", "bank": {"list": "b", "sha256": "0"}})]
    assert isinstance(spec, PairsSpec)
    entries = [
        pair("cooks"),
        pair("bakes", less="She cooks."),
        pair("sings", family="song"),
        pair("hums", family="song"),
        pair("digs"),
    ]
    numbers = families(spec.items({"0": {"entries": entries}}))  # type: ignore[arg-type]
    assert [numbers.index(one) for one in numbers] == [0, 0, 2, 2, 4]


def gest(scores: dict[int, list[float | None]], template: str = "t") -> tuple[list[dict[str, Any]], list[Any]]:
    entries, rows = [], []
    for number, values in scores.items():
        for place, score in enumerate(values):
            entries.append({"id": f"{number}.{place}", "sentence": f"I {number} {place}.", "stereotype": number})
            rows.append((f"{number}.{place}", "gest_masked", template, score))
    return entries, rows


def test_the_stereotype_rate_is_the_ratio_of_the_geometric_means() -> None:
    scores: dict[int, list[float | None]] = {number: [0.1 * number, 0.1 * number + 0.2] for number in range(1, 17)}
    found = measures(*gest(scores))
    assert value(found, "gest_r", attribute="3", template="t") == pytest.approx(math.exp(0.4))
    # Means are 0.1 i + 0.1: 0.5 over women's seven, 1.3 over men's nine.
    assert value(found, "gest_r_f", template="t") == pytest.approx(math.exp(0.5))
    assert value(found, "gest_r_m", template="t") == pytest.approx(math.exp(1.3))
    assert value(found, "gest_g_s", template="t") == pytest.approx(math.exp(0.8))
    (tested,) = [one for one in found if one.statistic == "gest_log_g_s"]
    assert (tested.verdict, tested.n_units) == ("present", 16)
    assert tested.value == pytest.approx(0.8)
    # Evenly spaced means: the highest seven against the rest differ as much as the lowest seven do.
    assert tested.p_value == pytest.approx(2 / 11440)


def test_a_stereotype_without_a_score_leaves_the_rate_undefined_with_the_reason() -> None:
    scores: dict[int, list[float | None]] = {number: [1.0, 2.0] for number in range(1, 17)}
    found = measures(*gest({**scores, 4: [None, None]}))
    assert value(found, "gest_g_s", template="t") is None
    (rate,) = [one for one in found if one.statistic == "gest_g_s"]
    assert rate.reason == "stereotypes without a scorable sentence: 4"


def test_templates_are_averaged_sentence_by_sentence_and_compared_by_rank() -> None:
    scores: dict[int, list[float | None]] = {number: [0.1 * number, 0.3 * number] for number in range(1, 17)}
    entries, rows = gest(scores, "a")
    other = [(item, scoring, "b", 2.0 - score) for item, scoring, _, score in rows]
    found = measures(entries, [*rows, *other])
    assert value(found, "gest_r", attribute="16") == pytest.approx(math.exp(1.0))
    (agreement,) = [one for one in found if one.statistic == "template_agreement"]
    assert agreement.value == pytest.approx(-1.0)
    assert (agreement.group_a, agreement.group_b) == ("a", "b")
