"""A word, group or template that is added asks only what it adds: the items of earlier runs are found one by one."""

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.audits import life
from plumbline.audits.launching import launch
from plumbline.audits.models import Shard
from plumbline.audits.states import RunState
from plumbline.results import copying
from plumbline.spec.audit import parse
from tests.workers.execution.conftest import Silent
from tests.workers.execution.reused import assert_same_records, counts, done
from tests.workers.execution.spec import ilps
from workers.execution import Worker, drive, worker_loop
from workers.probes.cell_scores import cells

pytestmark = pytest.mark.django_db

GROUPS = ("women", "men", "people")
WORDS = ("poor", "wealthy", "dominant", "warm")
TEMPLATES = (
    "All {group.plural} are {attribute}.",
    "Most {group.plural} are {attribute}.",
    "Why {group.plural} so {attribute}",
)
ITEM = ["template", "group", "attribute"]
Item = tuple[str, str, str]
seeds = itertools.count(1_000)


@pytest.fixture(autouse=True)
def several_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "ITEMS_PER_SHARD", 8)


def audit(model: Path, groups: Iterable[str], words: Iterable[str], templates: Iterable[str], **changes: Any) -> Any:
    lists = {"attributes": {"inline": list(words)}, "templates": {"inline": list(templates)}}
    return ilps(model, groups={"inline": [{"label": one, "plural": one} for one in groups]}, **lists, **changes)


@pytest.mark.parametrize(
    ("groups", "words", "templates", "new"),
    [
        (GROUPS, WORDS[:3], TEMPLATES[:2], 3 * 2),
        (GROUPS[:2], WORDS, TEMPLATES[:2], 2 * 2),
        (GROUPS[:2], WORDS[:3], TEMPLATES, 2 * 3),
        (GROUPS, WORDS, TEMPLATES, 36 - 12),
        (GROUPS[:1], WORDS[:2], TEMPLATES[:1], 0),
        (GROUPS[1::-1], WORDS[2::-1], TEMPLATES[1::-1], 0),
    ],
    ids=["group", "word", "template", "all three", "fewer", "another order"],
)
def test_only_new_items_are_asked(
    tiny_folders: tuple[Path, Path], groups: Any, words: Any, templates: Any, new: int
) -> None:
    done(audit(tiny_folders[0], GROUPS[:2], WORDS[:3], TEMPLATES[:2]))
    spec = audit(tiny_folders[0], groups, words, templates)
    run = done(spec)
    assert counts(run) == (new, len(groups) * len(words) * len(templates) - new)
    assert_same_records(run, done(spec, reuse=False))


lists = st.tuples(*(st.lists(st.sampled_from(one), min_size=1, unique=True) for one in (GROUPS, WORDS, TEMPLATES)))


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=st.lists(lists, min_size=2, max_size=3))
def test_whatever_comes_and_goes_each_item_is_asked_once(tiny_folders: tuple[Path, Path], edits: list[Any]) -> None:
    """A new seed for each example keeps them apart: runs of one never hold items of another."""
    known, seed = set[Item](), next(seeds)
    for groups, words, templates in edits:
        spec = audit(tiny_folders[0], groups, words, templates, seed=seed)
        items = set(itertools.product(templates, groups, words))
        run = done(spec)
        assert counts(run) == (len(items - known), len(items & known))
        known |= items
    assert_same_records(run, done(spec, reuse=False))


def test_what_a_mean_prior_is_taken_over_is_part_of_an_item(tiny_folders: tuple[Path, Path]) -> None:
    mean = {"prior": {"mean": True}}
    done(audit(tiny_folders[0], GROUPS[:2], WORDS[:3], TEMPLATES[:2], **mean))
    word = done(audit(tiny_folders[0], GROUPS[:2], WORDS, TEMPLATES[:2], **mean))
    assert counts(word) == (4, 12)
    spec = audit(tiny_folders[0], GROUPS, WORDS, TEMPLATES[:2], **mean)
    group = done(spec)
    assert counts(group) == (24, 0)
    assert_same_records(group, done(spec, reuse=False))


@pytest.mark.parametrize(
    "changes", [{"prior": {"plural": "women"}}, {"seed": 1}, {"dtype": "bfloat16"}, {"probe": "ilps_chain"}], ids=str
)
def test_nothing_is_taken_from_a_run_that_asked_otherwise(
    tiny_folders: tuple[Path, Path], changes: dict[str, Any]
) -> None:
    done(audit(tiny_folders[0], GROUPS[:2], WORDS, TEMPLATES))
    assert counts(done(audit(tiny_folders[0], GROUPS, WORDS, TEMPLATES, **changes)))[1] == 0


def test_another_form_of_a_group_is_another_group(tiny_folders: tuple[Path, Path]) -> None:
    done(audit(tiny_folders[0], GROUPS, WORDS, TEMPLATES))
    spec = audit(tiny_folders[0], GROUPS, WORDS, TEMPLATES)
    spec["groups"]["inline"][2]["plural"] = "men"
    run = done(spec)
    assert counts(run) == (12, 24)
    assert_same_records(run, done(spec, reuse=False))


def test_another_model_is_asked_all(tiny_folders: tuple[Path, Path]) -> None:
    done(audit(tiny_folders[0], GROUPS[:2], WORDS, TEMPLATES))
    assert counts(done(audit(tiny_folders[1], GROUPS, WORDS, TEMPLATES))) == (36, 0)


def test_a_run_keeps_its_records_and_counts_when_its_source_runs_are_deleted(tiny_folders: tuple[Path, Path]) -> None:
    first = done(audit(tiny_folders[0], GROUPS[:2], WORDS, TEMPLATES))
    spec = audit(tiny_folders[0], GROUPS, WORDS, TEMPLATES)
    second = done(spec)
    first.delete()
    assert counts(second) == (12, 24)
    assert_same_records(second, done(spec, reuse=False))


def test_when_the_earlier_run_goes_in_between_the_rest_is_asked(tiny_folders: tuple[Path, Path]) -> None:
    """The worker has looked for earlier runs before."""
    first = done(audit(tiny_folders[0], GROUPS[:2], WORDS, TEMPLATES))
    spec = audit(tiny_folders[0], GROUPS, WORDS, TEMPLATES)
    run, worker = launch(parse(spec), owner=""), Worker("test", Silent(), owner="")
    while not Shard.objects.filter(run=run, rows_reused__gt=0).exists():
        assert worker_loop._pursue(run.pk, worker)
    first.delete()
    drive(run.pk, worker)
    run.refresh_from_db()
    asked, reused = counts(run)
    assert (run.state, asked + reused) == (RunState.DONE, 36)
    assert 0 < reused < 24
    assert_same_records(run, done(spec, reuse=False))


def test_a_run_that_failed_amid_known_items_goes_on_to_the_same_records_and_counts(
    tiny_folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    done(audit(tiny_folders[0], GROUPS[:2], WORDS, TEMPLATES))
    spec = audit(tiny_folders[0], GROUPS, WORDS, TEMPLATES)
    run, loads, original = launch(parse(spec), owner="test"), itertools.count(), copying.copy_in

    def second_fails(*arguments: Any) -> int:
        loaded = original(*arguments)
        if next(loads) == 1:
            raise ZeroDivisionError
        return loaded

    with monkeypatch.context() as sick:
        sick.setattr(copying, "copy_in", second_fails)
        drive(run.pk, Worker("test", Silent()))
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    life.resume(run.pk)
    drive(run.pk, Worker("test", Silent()))
    assert counts(run) == (12, 24)
    assert_same_records(run, done(spec, reuse=False))


def indirect(model: Path, names: str, features: Iterable[str], **changes: Any) -> dict[str, Any]:
    return {
        "name": "test",
        "probe": "indirect",
        "model": f"path:{model}",
        "targets": {"inline": ["women", "person"]},
        "features": {"inline": list(features)},
        "bridge": {"inline": list(names)},
        "templates": {
            "target_bridge": ["{name} is {target}."],
            "bridge_feature": ["[all|most] {name} are {feature}."],
            "target_feature": ["{target} are {feature}."],
        },
        "params": {"resamples": 100, "permutations": 99},
        **changes,
    }


def test_a_name_and_a_feature_more_ask_their_own_pairs(tiny_folders: tuple[Path, Path]) -> None:
    """Names are predicted on one side and given on the other, so no shard stays as it was."""
    first = done(indirect(tiny_folders[0], "abcdefghijklmnopqrst", ["warm", "poor"]))
    spec = indirect(tiny_folders[0], "abcdefghijklmnopqrstu", ["warm", "in", "poor"])
    run = done(spec)
    assert counts(run) == ((run.planned_items or 0) - (first.planned_items or 0), first.planned_items)
    assert_same_records(run, done(spec, reuse=False))
