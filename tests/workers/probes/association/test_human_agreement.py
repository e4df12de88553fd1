"""From association records to pair scores and agreement with people, in the summary of a run."""

from collections import Counter
from typing import Any, cast

import polars as pl
import pytest

from plumbline.methods.association.ilps import CARD
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.measure import Measure
from plumbline.spec.robustness import ROBUSTNESS
from plumbline.spec.verdicts import Verdict
from workers.measures.families import family_by
from workers.probes.association.summary import summarise

GROUPS, PAIRS = ["g0", "g1", "g2"], [("cold", "warm"), ("poor", "rich"), ("dull", "keen")]
TEMPLATES = [f"{{Group}} in {year} {{is|are}} {{attribute}}." for year in range(2001, 2009)]
# What the model and, on a scale to 100, all people say: rows are groups, columns pairs.
TRUTH = [[1.0, 2.0, 4.5], [3.0, 0.5, 4.0], [2.5, 3.5, 1.5]]


def summarised(gender: dict[str, str] | None = None, **changes: Any) -> list[Measure]:
    ends = [
        {"text": word, "pole": pole, "pair": " - ".join(pair), "dimension": "Agency"}
        for pair in PAIRS
        for pole, word in zip(("left", "right"), pair, strict=True)
    ]
    judged = [
        {"annotator": f"a{rater}", "group": group, "left": left, "right": right, "rating": 20 * TRUTH[row][column]}
        | ({"gender": gender[f"a{rater}"]} if gender else {})
        for rater in range(12)
        for row, group in enumerate(GROUPS)
        for column, (left, right) in enumerate(PAIRS)
    ]
    spec = parse(
        {
            "name": "test",
            "probe": "ilps",
            "model": "path:./model",
            "groups": {"inline": [{"label": group, "pilot": group == "g0"} for group in GROUPS]},
            "prior": {"singular": "person", "plural": "people"},
            "attributes": {"inline": ends},
            "templates": {"inline": TEMPLATES},
            "human": {"inline": judged},
            "params": {"resamples": 100, "permutations": 99},
            **changes,
        }
    )
    own = cast("AssociationSpec", spec)
    rows = [
        # Templates differ by a lot, which cancels between the poles of a pair.
        (template, group, word, 10.0 * number + (TRUTH[row][column] if pole else 0.0))
        for number, template in enumerate(TEMPLATES)
        for row, group in enumerate(GROUPS)
        for column, pair in enumerate(PAIRS)
        for pole, word in enumerate(pair)
    ]
    records = pl.DataFrame(rows, schema=["template", "group", "attribute", "score"], orient="row")
    told = records.with_columns(scorable=pl.lit(True), reason=pl.lit(None, pl.String))
    return summarise(own, own.materials({}), told, CARD, own.judgements({}))


def found(measures: list[Measure], **labels: str) -> list[Measure]:
    return [one for one in measures if all(getattr(one, key) == label for key, label in labels.items())]


def test_a_pair_score_is_right_minus_left() -> None:
    (score,) = found(summarised(), statistic="pair_score", group_a="g1", attribute="poor - rich")
    assert score.value == pytest.approx(0.5)
    assert (score.ci_low, score.reason) == (None, "all units agree: no interval")
    assert (score.category, score.unit, score.n, score.n_units) == ("Agency", "kind of sentence", 8, 8)
    assert score.p_value is not None
    assert score.q_value is not None


def test_the_model_is_held_against_people() -> None:
    (tau,) = found(summarised(), statistic="kendall_tau", condition="model", variant="", group_a="")
    assert tau.value == pytest.approx(1.0)
    assert (tau.n, tau.n_units, tau.prior != "") == (9, 3, True)


def test_the_choice_of_templates_is_reported_where_groups_are_pilots() -> None:
    pilot = found(summarised(), condition="pilot")
    assert len(pilot) == 8 + 28
    assert len(found(pilot, variant="chosen")) == 1


def test_without_judgements_there_are_pair_scores_alone() -> None:
    measures = summarised(human=None)
    assert len(found(measures, statistic="pair_score")) == 9
    assert not found(measures, statistic="kendall_tau", condition="model")


def test_choices_that_change_numbers_are_next_to_the_own_variant() -> None:
    variants = {one.variant for one in summarised(dtype="bfloat16") if one.statistic == "kendall_tau"}
    assert {"bfloat16", "mirrored, bfloat16"} <= variants


def test_all_raters_and_parts_of_them_are_families_apart_and_the_papers_own_p_is_in_none() -> None:
    told = {f"a{rater}": "woman" if rater < 6 else "man" for rater in range(12)}
    measures = summarised(gender=told)
    (beside,) = found(measures, statistic="kendall_tau", variant="independent_cells")
    assert (beside.p_value is not None, beside.q_value) == (True, None)
    excess = found(measures, statistic="kendall_tau_excess")
    families = Counter(family_by(("statistic",))(one) for one in excess if not one.variant)
    assert sorted(families.values()) == [1, 2]
    assert {one.verdict for one in excess if not one.variant} == {Verdict.NOT_TESTABLE}  # of three groups


def test_another_dtype_keeps_its_q_values() -> None:
    plain, half = (
        {one.q_value for one in found(summarised(dtype=dtype), statistic="pair_score")}
        for dtype in ("float32", "bfloat16")
    )
    assert plain == half != {None}


def test_every_measure_is_on_the_card() -> None:
    assert {one.statistic for one in summarised()} <= {statistic.name for statistic in (*CARD.statistics, *ROBUSTNESS)}
