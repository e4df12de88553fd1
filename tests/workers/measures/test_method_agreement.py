"""Pairs of methods: which runs are taken, what they share, and where they contradict each other."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plumbline.findings.method_agreement import equal_scores, too_little
from plumbline.spec.basis import Basis
from plumbline.spec.method_scores import Estimate, MethodScores
from workers.measures.contradictions import contradiction, contradictions
from workers.measures.method_agreement import method_agreements

BASIS = Basis(asks="asks", prior="has no prior", words="has words", groups="has groups", is_signed=True)
WORDS = [f"w{chr(97 + n)}" for n in range(12)]


def estimate(value: float, reach: float = 0.1, verdict: str = "present") -> Estimate:
    return Estimate(value, value - reach, value + reach, verdict, 8)


def scores(probe: str, differences: Mapping[str, float], run: int = 1, basis: Basis = BASIS) -> MethodScores:
    """A method whose women have half of each word's difference and men minus half."""
    cells = {(g, w): estimate(s * d / 2) for w, d in differences.items() for g, s in (("woman", 1), ("man", -1))}
    names = {name: name.upper() for name in ("woman", "man", *differences)}
    return MethodScores(
        run, probe, probe.title(), "score", "natural log", basis, cells, {}, frozenset(), "difference", names
    )


def rising(words: list[str] = WORDS, sign: int = 1) -> dict[str, float]:
    return {word: sign * (1.0 + at) for at, word in enumerate(words)}


def test_the_words_that_both_have_are_compared() -> None:
    noisy = {word: value + (3 if at % 4 == 0 else 0.25) for at, (word, value) in enumerate(rising().items())}
    (row,) = method_agreements([scores("a", rising()), scores("b", noisy | {"other": 4.0}, 2)])
    assert (row["groups"], row["shared_words"], row["families"], row["words"]) == (["WOMAN", "MAN"], 12, 12, 12)
    # Three words jump over two others each: 60 pairs agree, 6 do not.
    assert row["tau"] == pytest.approx(54 / 66)
    assert (row["verdict"], row["q_value"]) == ("present", row["p_value"])
    assert (row["a"]["run"], row["b"]["run"]) == (1, 2)


def test_words_with_the_very_same_scores_are_left_out_since_their_agreement_is_no_evidence() -> None:
    alike = {f"alike {at}": 20.0 + at for at in range(9)}
    falling = {word: -value for word, value in rising().items()}
    (row,) = method_agreements([scores("a", rising() | alike), scores("b", falling | alike, 2)])
    assert (row["equal"], row["shared_words"], row["words"], row["tau"]) == (9, 21, 12, -1.0)
    assert equal_scores(row).endswith("These words are left out, since they are no second evidence.")
    earlier = {name: value for name, value in row.items() if not name.startswith("equal")}
    assert equal_scores(earlier) == ""
    assert "are left out" not in equal_scores(earlier | {"equal": 9})


def test_methods_that_compute_the_same_of_all_words_have_no_agreement() -> None:
    (row,) = method_agreements([scores("a", rising()), scores("b", rising(), 2)])
    assert (row["tau"], row["compared"]) == (None, 0)
    assert too_little(row) == "they compute the very same scores of all 12 words that they share."


def test_q_counts_the_pairs_of_methods() -> None:
    random = np.random.default_rng(0)
    sides = [
        scores(name, {word: at + random.normal() * 3 for at, word in enumerate(WORDS)}, run)
        for run, name in enumerate("abc")
    ]
    rows = method_agreements(sides)
    assert len(rows) == 3
    assert max(row["q_value"] / row["p_value"] for row in rows) > 1.2


@pytest.mark.parametrize("words", [WORDS[:9], []])
def test_too_few_shared_words_have_no_correlation(words: list[str]) -> None:
    (row,) = method_agreements([scores("a", rising()), scores("b", rising(words), 2)])
    assert (row["shared_words"], row["tau"], row["verdict"], row["q_value"]) == (len(words), None, "", None)


def test_methods_with_the_same_groups_and_no_common_word_have_no_correlation() -> None:
    falling = rising(sign=-1)
    rows = method_agreements([scores("a", rising()), scores("b", {"other": 4.0}, 2), scores("c", falling, 3)])
    assert [(row["shared_words"], row["tau"] is None) for row in rows] == [(12, False), (0, True), (0, True)]
    assert rows[1]["groups"] == ["WOMAN", "MAN"]
    assert (rows[1]["families"], rows[1]["compared"]) == (0, 0)


def test_of_several_runs_the_two_that_share_most_words_are_taken() -> None:
    few, many = scores("b", rising(WORDS[:10]), 2), scores("b", rising(), 3)
    for sides in ([scores("a", rising()), few, many], [many, few, scores("a", rising())]):
        (row,) = method_agreements(sides)
        assert (row["b"]["run"], row["shared_words"]) == (3, 12)


def test_a_method_that_takes_two_words_alike_is_turned_round() -> None:
    other = scores("b", rising(), 2, replace(BASIS, either_side=True)).turned()
    assert other.groups == WORDS
    (row,) = method_agreements([scores("a", rising()), other])
    assert (row["groups"], row["shared_words"]) == (["WOMAN", "MAN"], 12)
    fixed = replace(other, basis=BASIS)
    assert method_agreements([scores("a", rising()), fixed])[0]["shared_words"] == 0


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (estimate(0.5), estimate(-0.5), "opposed"),
        (estimate(0.5), estimate(0.4), ""),
        (estimate(0.5), estimate(-0.5, verdict="undecided"), ""),
        (estimate(0.5), estimate(0.05, verdict="absent"), "absent"),
        (estimate(0.01, verdict="absent"), estimate(-0.5), "absent"),
        (estimate(0.01, verdict="absent"), estimate(-0.01, verdict="absent"), ""),
        (estimate(0.5, verdict=""), estimate(-0.5), "intervals"),
        (estimate(0.5, verdict=""), estimate(-0.5, 0.6), ""),
        (estimate(0.5, verdict=""), estimate(-0.5, verdict="absent"), ""),
        (estimate(0.5, verdict=""), estimate(-0.5, verdict=""), "intervals"),
        (estimate(0.5, verdict="")._replace(low=None, high=None), estimate(-0.5), ""),
    ],
)
def test_what_counts_as_a_contradiction(a: Estimate, b: Estimate, kind: str) -> None:
    assert contradiction(a, b) == kind == contradiction(b, a)


def test_contradictions_name_group_word_and_both_values() -> None:
    a = replace(scores("a", rising()), differences={("woman", "man", "wa"): estimate(0.5)})
    b = replace(scores("b", {}, 2), differences={("man", "woman", "wa"): estimate(0.4)})
    found: dict[str, Any] = contradictions(a, b)
    assert (found["compared"], found["opposite"]) == (1, 1)
    assert found["kinds"] == {"opposed": 1, "intervals": 0, "absent": 0}
    (one,) = found["contradictions"]
    assert (one["kind"], one["groups"], one["word"]) == ("opposed", ["WOMAN", "MAN"], "WA")
    assert (one["a"]["value"], one["b"]["value"]) == (0.5, -0.4)
    assert (one["b"]["low"], one["b"]["high"]) == (pytest.approx(-0.5), pytest.approx(-0.3))


def test_scores_contradict_only_if_the_zero_of_both_means_no_link() -> None:
    a, b = scores("a", rising()), scores("b", rising(sign=-1), 2)
    assert contradictions(a, b)["kinds"]["opposed"] == 24
    assert contradictions(a, replace(b, basis=replace(BASIS, is_signed=False)))["compared"] == 0
