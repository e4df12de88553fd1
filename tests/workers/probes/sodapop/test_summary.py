"""Measures from tallies: the authors' own numbers, a hand-worked case, what is left out, confounds and warnings."""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.methods.sodapop.needed_names import Needs
from plumbline.methods.sodapop.spec import CARD, SodapopSpec
from plumbline.spec.answers.classes import BY_CLASS
from plumbline.spec.content import Name
from plumbline.spec.measure import Measure
from plumbline.spec.registry import Method
from plumbline.spec.verdicts import Verdict
from workers.probes.sodapop.summary import summarise
from workers.probes.sodapop.summary_confounds import with_warnings
from workers.probes.sodapop.words import tokens_of, words_of

SCHEMA = {
    "context": pl.String,
    "name": pl.String,
    "group": pl.String,
    "word": pl.String,
    "shown": pl.Int64,
    "chosen": pl.Int64,
    "expected": pl.Float64,
}
Row = tuple[str, str, str, str, int, int, float]


def told(
    rows: Iterable[Row], names: Sequence[Name], *, of: dict[str, Any] | None = None, alpha: float = 0.05, **params: Any
) -> list[Measure]:
    """The measures of these tallies, read as a run's are; their variants without the params that all share."""
    tallies = pl.DataFrame(list(rows), schema=SCHEMA, orient="row")
    contexts = sorted(set(tallies["context"]))
    inline = [
        {"id": one, "context": "{name} ran.", "question": "?", "prompt": "{name} is", "answer": "fast"}
        for one in contexts
    ]
    spec = SodapopSpec.model_validate(
        {
            "name": "test",
            "probe": "sodapop",
            "model": "path:./model",
            "generator": "path:./masked",
            "alpha": alpha,
            "names": {"inline": [one.model_dump(exclude_none=True) for one in names]},
            "contexts": {"inline": inline},
            "params": {"permutations": 999, "restarts": 1, "resamples": 200, **params},
        }
    )

    def read(table: str, *, group_by: Sequence[str] = (), **where: Any) -> pl.DataFrame:
        assert table == "tally"
        found = tallies.filter(*(pl.col(key).is_in(list(wanted)) for key, wanted in where.items()))
        sums = pl.col("shown", "chosen", "expected").sum()
        return found.group_by(*group_by).agg(sums, pl.len().alias("n")) if group_by else found

    found = summarise(spec, names, spec.contexts_of({}), read, **(of or {}))
    assert all(one.variant.startswith(spec.variant) for one in found)
    return [replace(one, variant=one.variant.removeprefix(spec.variant).removeprefix(", ")) for one in found]


def one(measures: Iterable[Measure], statistic: str, **labels: Any) -> Measure:
    """The only one with these labels; those not named are empty."""
    wanted = {"variant": "", "condition": "", "template": "", **labels}
    found = [
        measure
        for measure in measures
        if measure.statistic == statistic and all(getattr(measure, key) == value for key, value in wanted.items())
    ]
    assert len(found) == 1, found
    return found[0]


def names_of(groups: dict[str, Sequence[str]], frequency: Callable[[str], float] | None = None) -> list[Name]:
    return [
        Name(name=name, group=group, frequency=frequency(name) if frequency else None)
        for group, members in groups.items()
        for name in members
    ]


FOUR = names_of({"A": ["Ann", "Amy"], "B": ["Bob", "Ben"]})
TEN = names_of({"A": ["Ann", "Amy", "Ada", "Ava", "Ami"], "B": ["Bob", "Ben", "Bo", "Bud", "Bert"]})


def rates(word: str, chosen: Sequence[int], shown: int = 10, context: str = "c") -> list[Row]:
    """A word that each of the four names was asked about `shown` times."""
    return [
        (context, name.name, name.group, word, shown, hits, hits / 2) for name, hits in zip(FOUR, chosen, strict=True)
    ]


def of_ten(word: str, a: Sequence[int], b: Sequence[int], shown: int = 10) -> list[Row]:
    """A word that each of the ten names was asked about `shown` times."""
    return [("c", name.name, name.group, word, shown, hits, hits / 2) for name, hits in zip(TEN, [*a, *b], strict=True)]


@pytest.fixture(scope="module")
def predictions(reference: Path) -> list[dict[str, Any]]:
    with gzip.open(reference / "sodapop_synthetic_predictions.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def tallied(predictions: Iterable[dict[str, Any]], words: Callable[[str], Iterable[str]]) -> list[Row]:
    """As the authors count: the different distractors of a name and context, and those that were ever chosen."""
    shown: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    chosen: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for row in predictions:
        cell = (str(row["context"]), row["name"], row["group"])
        shown[cell] |= {text for place, text in enumerate(row["answers"]) if place != row["label"]}
        answered = int(np.argmax(row["p"]))
        chosen[cell] |= {row["answers"][answered]} - {row["answers"][row["label"]]}
    rows = []
    for cell, texts in shown.items():
        every, hits = (Counter(word for text in some for word in words(text)) for some in (texts, chosen[cell]))
        rows += [(*cell, word, count, hits[word], float(hits[word])) for word, count in every.items()]
    return rows


@pytest.mark.parametrize(
    ("variant", "words", "counting"),
    [
        ("paper", words_of, "success_rate_counting_a_distractor_once_per_word"),
        ("released_code", tokens_of, "success_rate_counting_words_with_multiplicity"),
    ],
)
def test_rates_and_relative_differences_are_the_authors_own(
    reference: Path, predictions: list[dict[str, Any]], variant: str, words: Any, counting: str
) -> None:
    known = json.loads((reference / "sodapop_success_rates.json").read_text())
    groups = {group: known["groups"][group] for group in ("AA_female", "EA_female")}
    own = [row for row in predictions if row["group"] in groups]
    found = told(tallied(own, words), names_of(groups), variant=variant)
    of_words = {one.attribute: one for one in found if one.statistic == "relative_difference" and not one.template}
    assert sorted(of_words) == known["vocabulary"]
    for word in known["vocabulary"]:
        by_name = {group: [known[counting][name][word] for name in members] for group, members in groups.items()}
        means = {group: float(np.mean(values)) for group, values in by_name.items()}
        for group, mean in means.items():
            rate = one(found, "success_rate", group_a=group, attribute=word)
            assert rate.value == pytest.approx(mean, abs=1e-9)
        a, b = means.values()
        expected = (a - b) / ((a + b) / 2)
        if variant == "released_code":
            expected = known["relative_difference_released_code"]["AA_female | EA_female"][word]
        relative = one(found, "relative_difference", attribute=word)
        assert relative.value == pytest.approx(expected, abs=1e-9)


def test_a_hand_worked_word() -> None:
    found = told(rates("loud", [6, 4, 1, 1]), FOUR, min_occurrences=10)
    assert one(found, "success_rate", group_a="A", attribute="loud").value == pytest.approx(0.5)
    assert one(found, "success_rate", group_a="A", attribute="loud", variant="expected").value == pytest.approx(0.25)
    difference = one(found, "success_rate_difference", attribute="loud")
    assert difference.value == pytest.approx(0.4)
    relative = one(found, "relative_difference", attribute="loud")
    # 0.4 / ((0.5 + 0.1) / 2); of the six splits of four names two are as extreme, none more so.
    assert relative.value == pytest.approx(4 / 3)
    assert relative.p_value == pytest.approx(1 / 3)
    assert (relative.n, relative.n_units, relative.unit) == (40, 4, "name")
    strict = one(found, "relative_difference", attribute="loud", variant="strict")
    assert strict.p_value is None
    assert "no split of 6" in strict.reason


def test_rare_words_and_stop_words_are_left_out_and_counted() -> None:
    rows = [*rates("loud", [6, 4, 1, 1]), *rates("The", [1, 1, 1, 1]), *rates("odd", [1, 1, 1, 1], shown=9)]
    found = told(rows, FOUR, min_occurrences=10)
    assert {one.attribute for one in found if one.statistic == "relative_difference"} == {"loud"}
    words = one(found, "distractor_words")
    assert (words.value, words.n, words.reason) == (1, 3, "too rare, left out: 1; stop words, left out: 1")
    kept = told(rows, FOUR, min_occurrences=36, per="total", stop_words=False)
    assert {one.attribute for one in kept if one.statistic == "relative_difference"} == {"loud", "odd", "The"}


def test_no_word_that_occurs_often_enough_is_said_with_what_to_do() -> None:
    found = told(rates("loud", [6, 4, 1, 1]), FOUR)
    assert one(found, "distractor_words").value == 0
    assert "lower min_occurrences" in one(found, "distractor_words").reason
    assert one(found, "kmeans_accuracy").reason.startswith("no word")


def test_a_name_without_the_word_is_out_and_a_group_without_it_has_no_difference() -> None:
    rows = [row for row in rates("loud", [6, 4, 1, 1]) if row[1] != "Amy"]
    rows += [row for row in rates("calm", [6, 4, 1, 1]) if row[2] == "A"]
    found = told(rows, FOUR, min_occurrences=1, per="total")
    assert one(found, "relative_difference", attribute="loud").n_units == 3
    assert one(found, "success_rate_difference", attribute="loud").value == pytest.approx(0.5)
    calm = one(found, "relative_difference", attribute="calm")
    assert calm.value is calm.p_value is None
    assert "no name of one of the groups" in calm.reason


def test_a_word_that_never_misled_has_no_relative_difference() -> None:
    found = told(rates("loud", [0, 0, 0, 0]), FOUR, min_occurrences=10)
    relative = one(found, "relative_difference", attribute="loud")
    assert relative.value is None
    assert "was chosen" in relative.reason
    assert one(found, "success_rate_difference", attribute="loud").value == 0


def test_a_name_without_an_answer_is_named_and_does_not_silence_the_others() -> None:
    found = told(rates("loud", [6, 4, 1, 1]), [*FOUR, Name(name="Zed", group="B")], min_occurrences=10)
    assert one(found, "distractor_words").reason == "names without an answer, left out: Zed"
    assert one(found, "relative_difference", attribute="loud").n_units == 4


def test_several_contexts_are_measured_together_and_each_alone() -> None:
    rows = [*rates("loud", [6, 4, 1, 1], context="c"), *rates("loud", [1, 1, 6, 4], context="d")]
    found = told(rows, FOUR, min_occurrences=10)
    assert one(found, "success_rate_difference", attribute="loud").value == pytest.approx(0)
    assert one(found, "success_rate_difference", attribute="loud", template="c").value == pytest.approx(0.4)
    assert one(found, "success_rate_difference", attribute="loud", template="d").value == pytest.approx(-0.4)
    assert one(found, "distractor_words", template="d").value == 1


def test_definitional_words_are_shown_apart_and_are_a_family_of_their_own() -> None:
    rows = [*of_ten("Girl", [9] * 5, [1] * 5), *of_ten("loud", [6, 5, 4, 3, 2], [2, 1, 1, 1, 1])]
    found = told(rows, TEN, min_occurrences=10, of={"apart": {"girl": "definitional"}})
    girl, loud = (one(found, "relative_difference", attribute=word) for word in ("Girl", "loud"))
    assert (girl.category, loud.category) == ("definitional", "")
    assert loud.q_value == pytest.approx(loud.p_value)


def test_a_word_with_fewer_than_five_successes_is_marked_and_has_no_verdict() -> None:
    rows = [*of_ten("cheerful", [1, 0, 0, 0, 0], [0] * 5), *of_ten("loud", [6, 5, 4, 3, 2], [2, 1, 1, 1, 1])]
    found = told(rows, TEN, min_occurrences=10)
    cheerful, loud = (one(found, "relative_difference", attribute=word) for word in ("cheerful", "loud"))
    assert (cheerful.category, loud.category) == ("few successes", "")
    assert cheerful.value == cheerful.ci_high == 2
    assert cheerful.ci_low is not None
    assert cheerful.ci_low < 0
    assert loud.q_value == pytest.approx(loud.p_value)


def test_verdicts_are_on_the_level_whatever_the_width_of_the_interval() -> None:
    rows = of_ten("loud", [9, 8, 7, 6, 5], [1] * 5)
    for level in (0.9, 0.99):
        loud = one(told(rows, TEN, min_occurrences=10, level=level), "relative_difference", attribute="loud")
        assert (loud.verdict, loud.smallest_effect) == (Verdict.PRESENT, 0.1)
        # 2 of the 252 splits of ten names.
        assert loud.p_value == loud.least_p == loud.reachable_q == pytest.approx(2 / 252)
    strict = one(told(rows, TEN, min_occurrences=10, alpha=0.003), "relative_difference", attribute="loud")
    assert strict.verdict == Verdict.NOT_TESTABLE


def test_four_names_are_not_testable() -> None:
    loud = one(told(rates("loud", [9, 9, 1, 1]), FOUR, min_occurrences=10), "relative_difference", attribute="loud")
    assert (loud.verdict, loud.q_value) == (Verdict.NOT_TESTABLE, None)


def test_clusters_are_judged_by_what_random_labels_give_and_not_by_a_half() -> None:
    rows = [*of_ten("loud", [9, 1, 9, 1, 9], [1, 9, 1, 9, 1]), *of_ten("calm", [8, 2, 8, 2, 8], [2, 8, 2, 8, 2])]
    found = told(rows, TEN, min_occurrences=10)
    accuracy, chance = (one(found, "kmeans_accuracy", condition=condition) for condition in ("", "chance"))
    assert accuracy.value == 0.6
    assert chance.value is not None
    # Farther from a half than the margin of 0.05, and below what random labels give.
    assert chance.value > 0.6
    assert accuracy.verdict == Verdict.UNDECIDED
    assert not chance.verdict
    apart = told(of_ten("loud", [9] * 5, [1] * 5), TEN, min_occurrences=10)
    assert one(apart, "kmeans_accuracy").verdict == Verdict.PRESENT


def many(mean: Callable[[str, int], float]) -> tuple[list[Name], list[Row]]:
    """Two groups of 30 names; B's are longer. The word's rate is a function of the group and the name's length."""
    groups: dict[str, Sequence[str]] = {"A": [f"A{'a' * (place % 3)}{place}" for place in range(30)]}
    groups["B"] = [f"B{'b' * (1 + place % 3)}{place}" for place in range(30)]
    noise = np.random.default_rng(0).normal(0, 10, 60)
    names = names_of(groups, lambda name: 1.0)
    rows = [
        ("c", one.name, one.group, "loud", 1000, round(1000 * mean(one.group, length(one.name)) + noise[place]), 0.0)
        for place, one in enumerate(names)
    ]
    return names, rows


def length(name: str) -> int:
    return name.count("a") + name.count("b")


@pytest.mark.parametrize("condition", ["matched", "adjusted"])
def test_a_difference_that_is_the_names_length_vanishes_and_says_so(condition: str) -> None:
    names, rows = many(lambda group, subwords: 0.2 + 0.1 * subwords)
    found = told(rows, names, of={"subwords": {one.name: length(one.name) for one in names}})
    primary = one(found, "success_rate_difference", attribute="loud")
    left = one(found, "success_rate_difference", attribute="loud", condition=condition)
    assert primary.value == pytest.approx(-0.1, abs=0.01)
    assert left.value == pytest.approx(0, abs=0.01)
    assert left.confounds == condition
    for whole in (primary, one(found, "relative_difference", attribute="loud")):
        assert (whole.confounds, whole.verdict) == ("matched, adjusted", Verdict.PRESENT)
    assert "vanishes" not in left.reason


@pytest.mark.parametrize("condition", ["matched", "adjusted"])
def test_a_difference_of_the_groups_stays(condition: str) -> None:
    names, rows = many(lambda group, subwords: 0.3 + 0.1 * (group == "A"))
    found = told(rows, names, of={"subwords": {one.name: length(one.name) for one in names}})
    left = one(found, "success_rate_difference", attribute="loud", condition=condition)
    assert left.value == pytest.approx(0.1, abs=0.01)
    assert left.p_value is not None
    assert left.p_value < 0.01
    assert not left.confounds
    assert not one(found, "relative_difference", attribute="loud").confounds


TOTAL: dict[str, Any] = {"per": "total", "min_occurrences": 20}
SEVEN = names_of({"A": ["Ann", "Amy", "Ada", "Ava"], "B": ["Bob", "Ben", "Bo"]})


def of_seven(chosen: Mapping[str, int]) -> list[Row]:
    """A word that each of seven names was shown with three times."""
    return [("c", one.name, one.group, "loud", 3, chosen.get(one.name, 0), 0.0) for one in SEVEN]


@pytest.mark.parametrize(("chosen", "long"), [({"Bob": 1}, ["Ben", "Bo"]), ({"Bob": 1}, ["Bob"]), ({}, ["Ben", "Bo"])])
def test_a_difference_that_the_regression_fits_exactly_is_not_scorable(chosen: dict[str, int], long: list[str]) -> None:
    """One success with the only short name of a group: the fit left no residual, and was called present or absent."""
    lengths = {one.name: 1 + (one.name in long) for one in SEVEN}
    found = told(of_seven(chosen), SEVEN, of={"subwords": lengths}, **TOTAL)
    left = one(found, "success_rate_difference", attribute="loud", condition="adjusted")
    assert (left.value, left.p_value, left.least_p, left.equivalence_p, left.verdict) == (None, None, None, None, "")
    assert (left.ci_low, left.ci_high, left.n, left.n_units) == (None, None, 21, 7)
    assert left.reason.startswith("nothing is left to test with")
    assert left.reason.endswith("subword count")


def test_an_adjusted_difference_of_few_names_reaches_no_smaller_p_than_their_orders() -> None:
    found = told(of_seven({"Ann": 1, "Bob": 2}), SEVEN, of={"subwords": {one.name: 1 for one in SEVEN}}, **TOTAL)
    left = one(found, "success_rate_difference", attribute="loud", condition="adjusted")
    assert left.least_p == pytest.approx(1 / 35)


def test_a_matched_difference_that_no_pair_has_says_so() -> None:
    rows = [row for row in of_seven({"Ann": 1}) if row[1] != "Bob"]
    lengths = {one.name: 1 if one.name in ("Ann", "Bob") else 2 + (one.group == "A") for one in SEVEN}
    others = [("c", "Bob", "B", "calm", 30, 3, 0.0), ("c", "Ann", "A", "calm", 30, 3, 0.0)]
    found = told([*rows, *others], SEVEN, of={"subwords": lengths}, per="total", min_occurrences=10)
    left = one(found, "success_rate_difference", attribute="loud", condition="matched")
    assert (left.value, left.n_units) == (None, 0)
    assert left.reason == "the word was not shown with both names of a pair, of 1 pair of names alike in subword count"


def measured(condition: str = "", **changed: Any) -> Measure:
    whole = {"verdict": Verdict.UNDECIDED if condition else Verdict.PRESENT, "condition": condition, "n_units": 20}
    given: dict[str, Any] = {"value": 0.2, "p_value": 0.4 if condition else 0.001, "attribute": "loud", **whole}
    return Measure("success_rate_difference", "name", 40, **(given | changed))


@pytest.mark.parametrize(
    ("changed", "confounds"),
    [
        ({}, "matched"),
        ({"p_value": 0.01}, ""),
        # One pair of names alike: no test can be made.
        ({"p_value": None, "n_units": 1, "verdict": ""}, ""),
        # Four pairs: p cannot fall below 0.125.
        ({"p_value": 0.125, "n_units": 4, "verdict": Verdict.NOT_TESTABLE}, ""),
    ],
)
def test_only_a_test_that_can_be_made_takes_a_difference_away(changed: dict[str, Any], confounds: str) -> None:
    whole, matched = with_warnings([measured(), measured("matched", **changed)], 0.05)
    assert (whole.confounds, matched.confounds) == (confounds, confounds)


@pytest.mark.parametrize(("alpha", "confounds"), [(0.05, ""), (0.01, "matched")])
def test_the_level_of_the_verdicts_decides_what_vanishes(alpha: float, confounds: str) -> None:
    whole, _ = with_warnings([measured(), measured("matched", p_value=0.03)], alpha)
    assert whole.confounds == confounds


def test_a_difference_that_is_not_present_has_nothing_to_lose() -> None:
    whole, matched = with_warnings([measured(verdict=Verdict.UNDECIDED), measured("matched")], 0.05)
    assert whole.confounds == matched.confounds == ""


def test_traits_that_are_not_known_leave_one_row_with_the_reason() -> None:
    found = told(rates("loud", [6, 4, 1, 1]), FOUR, min_occurrences=10)
    for condition in ("matched", "adjusted"):
        unknown = one(found, "success_rate_difference", condition=condition)
        assert unknown.value is None
        assert unknown.reason.startswith("neither subword counts nor frequencies")


def test_every_name_has_a_place_on_the_map_and_every_statistic_is_on_the_card() -> None:
    rows = [*rates("loud", [6, 4, 1, 1]), *rates("calm", [1, 2, 5, 7])]
    found = told(rows, FOUR, min_occurrences=10)
    for name in FOUR:
        for axis in "xy":
            place = one(found, "success_rate_projection", attribute=name.name, condition=axis)
            assert place.group_a == name.group
            assert place.value is not None
    assert {one.statistic for one in found} == {
        *(statistic.name for statistic in Method(SodapopSpec, CARD).card.statistics),
    } - {BY_CLASS}


@pytest.mark.parametrize(("size", "verdict"), [(8, Verdict.PRESENT), (7, Verdict.UNDECIDED)])
def test_one_word_in_a_hundred_is_found_with_as_many_names_as_the_plan_says(size: int, verdict: Verdict) -> None:
    """`Needs` says 8: a word that each name of one group beats becomes significant among 99 alike, and not with 7."""
    names = names_of({group: [f"{group}{one}" for one in range(size)] for group in "AB"})
    assert Needs({"A": size, "B": size}, 100, 0.05, 20_000).names(100) == 8
    hits = {f"word{number}": [10 + (one + number) % 5 for one in range(2 * size)] for number in range(99)}
    hits["clear"] = [20 + one for one in range(size)] + [1 + one for one in range(size)]
    rows = [
        ("c", name.name, name.group, word, 60, count, float(count))
        for word, counts in hits.items()
        for name, count in zip(names, counts, strict=True)
    ]
    found = one(told(rows, names, permutations=20_000), "relative_difference", attribute="clear")
    assert found.verdict == verdict
