"""Completeness: a method is a spec, a card and a probe, and every number that it reports is explained."""

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from plumbline.results.tables import RECORD_TABLES
from plumbline.spec.basis import ASPECTS, why_they_may_differ
from plumbline.spec.card import Card, Statistic
from plumbline.spec.registry import FOLDERS, PROBES, Method
from workers.engine.checkpoints.checkpoint import Kind
from workers.probes.protocol import StagedProbe
from workers.probes.registry import PROBES as EXECUTED

PYPROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"
methods = pytest.mark.parametrize("method", PROBES.values(), ids=list(PROBES))
MODEL_KINDS = {str(kind) for kind in Kind}


def test_each_probe_that_can_be_specified_can_be_executed() -> None:
    for probe in PROBES:
        assert callable(EXECUTED[probe].summarise)


@pytest.mark.parametrize("probe", PROBES)
def test_a_probe_of_several_phases_has_a_stage_for_each_phase_of_its_card(probe: str) -> None:
    found, phases = EXECUTED[probe], PROBES[probe].card.phases
    assert isinstance(found, StagedProbe) is (len(phases) > 1)
    assert not isinstance(found, StagedProbe) or tuple(found.stages) == phases


BASED = {"log_probability", "ilps", "ilps_chain", "set", "ceat", "weat", "indirect", "sodapop"}
"""The methods that score groups with words."""


@methods
def test_the_spec_and_the_card_bear_the_same_name(method: Method) -> None:
    assert method.spec.model_fields["probe"].annotation.__args__ == (method.card.probe,)  # type: ignore[union-attr]
    assert PROBES[method.card.probe] is method


@methods
def test_every_field_of_a_card_says_something(method: Method) -> None:
    said = [field.name for field in fields(Card) if field.name not in ("basis", "needs_weights")]
    assert [name for name in said if not getattr(method.card, name)] == []
    assert set(method.card.model_kinds) <= MODEL_KINDS
    assert set(method.card.tables) <= set(RECORD_TABLES)


@methods
def test_the_names_of_the_phases_are_free_for_those_that_every_run_has(method: Method) -> None:
    assert len(set(method.card.phases) | {"planning", "summary", "comparison"}) == len(method.card.phases) + 3


@methods
def test_every_statistic_has_its_unit_sentence_equation_source_and_caveat(method: Method) -> None:
    for statistic in method.card.statistics:
        texts = {field.name: getattr(statistic, field.name) for field in fields(Statistic) if field.type is str}
        assert len(texts) == 6
        assert [name for name, text in texts.items() if not text.strip()] == []
        assert statistic.sentence.endswith(".")
        assert "%" not in statistic.unit


def test_a_statistic_means_the_same_on_every_card() -> None:
    named: dict[str, Statistic] = {}
    for method in PROBES.values():
        for statistic in method.card.statistics:
            assert named.setdefault(statistic.name, statistic) == statistic


@methods
def test_findings_use_statistics_of_the_card(method: Method) -> None:
    names = {statistic.name for statistic in method.card.statistics}
    assert {method.card.score, method.card.difference} <= names
    assert method.card.probe in EXECUTED


def test_the_import_contracts_hold_every_method_of_the_workers_apart() -> None:
    contracts = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    (apart,) = [one["modules"] for one in contracts if one["name"].endswith("on the workers' side")]
    assert sorted(apart) == sorted({folders.workers for folders in FOLDERS.values()})


@methods
def test_each_aspect_of_a_basis_ends_a_sentence_about_the_method(method: Method) -> None:
    card = method.card
    assert (card.basis is not None) == (card.probe in BASED)
    if card.basis is None:
        return
    phrases = [getattr(card.basis, aspect) for aspect in ASPECTS]
    assert [phrase for phrase in phrases if not phrase or phrase[0].isupper() or phrase.endswith(".")] == []
    assert set(card.basis.scores) <= {one.name for one in card.statistics}
    assert why_they_may_differ("This", card.basis, "that", card.basis) == []


def test_why_two_methods_may_differ_names_only_what_differs() -> None:
    bases = {probe: PROBES[probe].card.basis for probe in ("ilps", "ilps_chain", "weat")}
    ilps, chain, weat = (one for one in bases.values() if one)
    assert why_they_may_differ("ILPS", ilps, "Chain", chain) == [
        "ILPS scores the first subword of a word only.",
        "Chain scores all subwords of a word.",
    ]
    assert len(why_they_may_differ("ILPS", ilps, "WEAT", weat)) == 2 * len(ASPECTS)
