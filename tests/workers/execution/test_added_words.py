"""Words added to a finished run: a small run asks about the word alone, and reads the rest where it was recorded."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from plumbline.audits.launching import launch
from plumbline.audits.models import AddedWord, Run, Shard
from plumbline.audits.states import RunState
from plumbline.methods.indirect import added_words
from plumbline.methods.indirect.added_word_spec import Kind
from plumbline.methods.indirect.added_words import add_word, present_words, remove_word, restore_word
from plumbline.methods.indirect.bridge_links import links
from plumbline.methods.indirect.card import CENTRED, DIRECT, SCORE, WITHOUT
from plumbline.results import grid, reading
from plumbline.spec.audit import parse
from plumbline.spec.content import Attribute
from plumbline.spec.errors import InputError
from tests.workers.execution.conftest import execute

NAMES = [*"abcdefghijklmnopqrstu"]
TARGETS, FEATURES = ["women", "person"], ["warm", "poor"]
Add = Callable[..., AddedWord]


def spec(model: Path, **changes: Any) -> dict[str, Any]:
    return {
        "name": "test",
        "probe": "indirect",
        "model": f"path:{model}",
        "targets": {"inline": TARGETS},
        "features": {"inline": FEATURES},
        "bridge": {"inline": NAMES},
        "templates": {
            "target_bridge": ["{name} is {target}.", "{name} should be {target}."],
            "bridge_feature": ["[all|most] {name} are {feature}."],
            "target_feature": ["{target} are {feature}."],
        },
        "sensitive": [{"attributes": {"inline": ["men"]}, "bridge_feature": ["{name} should be {feature}."]}],
        "params": {"resamples": 100},
        **changes,
    }


@pytest.fixture(scope="module")
def shared_model(tiny_folders: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(tiny_folders[0], tmp_path_factory.mktemp("added") / "model")


@pytest.fixture
def model(shared_model: Path, tiny_folders: tuple[Path, Path]) -> Iterator[Path]:
    """The model of the run, which a test may exchange for its own time."""
    yield shared_model
    shutil.rmtree(shared_model)
    shutil.copytree(tiny_folders[0], shared_model)


@pytest.fixture(scope="module")
def number(module_rows: None, shared_model: Path) -> int:
    return executed(launch(parse(spec(shared_model)))).pk


@pytest.fixture
def run(number: int, model: Path, db: None) -> Run:
    return Run.objects.get(pk=number)


@pytest.fixture
def add(run: Run) -> Add:
    by = User.objects.create_user("auditor")

    def added(kind: Kind, word: str, category: str = "", **forms: str) -> AddedWord:
        return add_word(run, kind, category, Attribute(text=word, **forms), by)

    return added


def executed(run: Run) -> Run:
    execute(run)
    run.refresh_from_db()
    return run


def scores(run: Run, statistic: str, variant: str | None = None, **where: str) -> list[float | None]:
    found = grid.cells(run.pk, statistic, variant)
    for column, wanted in where.items():
        found = found.filter(found[column] == wanted)
    return found["value"].to_list()


def test_a_target_is_scored_as_if_the_run_had_had_it(run: Run, add: Add, model: Path) -> None:
    small = executed(add("target", "people").small)
    assert (small.state, small.error) == (RunState.DONE, "")
    whole = executed(launch(parse(spec(model, targets={"inline": [*TARGETS, "people"]}))))
    for statistic in (SCORE, DIRECT, WITHOUT):
        own = scores(small, statistic, group_a="people")
        assert own == pytest.approx(scores(whole, statistic, group_a="people"), abs=1e-6)
        assert any(value is not None for value in own)
    assert set(reading.read(small.pk, "bridge")["side"]) == {"target_bridge"}
    assert set(reading.read(small.pk)["group"]) == {"people"}


def test_a_feature_is_scored_as_if_the_run_had_had_it(run: Run, add: Add, model: Path) -> None:
    small = executed(add("feature", "z").small)
    assert (small.state, small.error) == (RunState.DONE, "")
    whole = executed(launch(parse(spec(model, features={"inline": [*FEATURES, "z"]}))))
    for statistic in (SCORE, CENTRED, DIRECT, WITHOUT):
        own = scores(small, statistic, attribute="z")
        assert own == pytest.approx(scores(whole, statistic, attribute="z"), abs=1e-6)
        assert len(own) == len(TARGETS)
    assert set(reading.read(small.pk, "bridge")["word"]) == {"z"}


def test_a_sensitive_word_is_asked_about_in_the_sentences_of_its_list(run: Run, add: Add) -> None:
    small = executed(add("feature", "z", "sensitive").small)
    assert (small.state, small.error) == (RunState.DONE, "")
    assert set(reading.read(small.pk, "bridge")["template"]) == {"{name} should be {feature}."}


def test_the_names_under_a_cell_are_found_on_both_sides(run: Run, add: Add) -> None:
    target, feature = (executed(add(kind, "people").small) for kind in ("target", "feature"))
    assert [one.name for one in links(target.pk, "people", "warm")] == NAMES
    assert [one.name for one in links(feature.pk, "women", "people")] == NAMES
    ours = {one.name: one.feature for one in links(run.pk, "women", "warm")}
    assert {one.name: one.feature for one in links(target.pk, "people", "warm")} == ours


def test_why_a_lone_target_has_no_centred_score_is_reported(add: Add) -> None:
    small = executed(add("target", "people").small)
    found = grid.cells(small.pk, CENTRED)
    assert found["value"].null_count() == found.height
    assert "one target alone" in found["reason"][0]


def test_a_feature_that_splits_is_reported_before_anything_is_asked(add: Add) -> None:
    small = executed(add("feature", "warmest").small)
    assert (small.state, small.expected) == (RunState.FAILED, True)
    assert "'warmest' cannot be scored as a feature: split into" in small.error
    assert not Shard.objects.filter(run=small).exists()


def test_a_word_that_failed_may_be_added_again(add: Add) -> None:
    failed = add("feature", "warmest")
    executed(failed.small)
    assert add("feature", "warmest") != failed
    assert present_words(failed.run).count() == 1


def test_a_model_that_changed_answers_for_no_other(add: Add, exchange: Callable[[int], None]) -> None:
    exchange(1)
    small = executed(add("target", "people").small)
    assert "digest of" in small.error
    assert "changed since run" in small.error


@pytest.mark.parametrize(
    ("kind", "word", "category", "fault"),
    [
        ("target", "Women", "", "'women' is one of the run's targets already"),
        ("feature", "warm", "sensitive", "'warm' is one of the run's features already"),
        ("feature", "z", "drinks", "has no features of the list 'drinks'"),
        ("target", "a\u200bb", "", "a word of printable characters"),
        ("target", "x" * 201, "", "at most 200"),
    ],
)
def test_what_is_wrong_is_reported_before_anything_is_written(
    add: Add, kind: Kind, word: str, category: str, fault: str
) -> None:
    with pytest.raises(InputError, match=fault):
        add(kind, word, category)
    assert Run.objects.count() == 1


def test_a_word_without_the_form_that_the_sentences_need_is_refused(run: Run, add: Add, model: Path) -> None:
    templates = {"target_bridge": ["{name} likes {target.plural}."], "bridge_feature": ["{name} is {feature}."]}
    targets = {"inline": [{"text": "women", "plural": "women"}]}
    needy = executed(launch(parse(spec(model, targets=targets, templates=templates))))
    with pytest.raises(InputError, match="needs the plural of target 'person'"):
        add_word(needy, "target", "", Attribute(text="person"), User.objects.get())


def test_a_word_is_taken_away_and_comes_back_without_a_question(add: Add) -> None:
    word = add("target", "people")
    with pytest.raises(InputError, match="was added already"):
        add("target", "people")
    executed(word.small)
    remove_word(word)
    assert not present_words(word.run).exists()
    assert add("target", "people") == word
    assert present_words(word.run).get().small.state == RunState.DONE


def test_taking_a_word_away_stops_its_run_and_giving_it_back_goes_on(add: Add) -> None:
    word = add("target", "people")
    remove_word(word)
    word.small.refresh_from_db()
    assert word.small.state == RunState.CANCELLED
    assert executed(restore_word(word).small).state == RunState.DONE


def test_a_run_takes_so_many_words_at_once(add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(added_words, "MOST_OPEN", 1)
    add("target", "people")
    with pytest.raises(InputError, match="are in progress"):
        add("target", "men")
    monkeypatch.setattr(added_words, "MOST_WORDS", 1)
    with pytest.raises(InputError, match="launch a plan with your words"):
        add("target", "men")


def test_a_word_cannot_be_added_to_the_small_run_of_another(add: Add) -> None:
    small = executed(add("target", "people").small)
    with pytest.raises(InputError, match="add the word there"):
        add_word(small, "target", "", Attribute(text="men"), User.objects.get())


def test_small_runs_are_gone_with_the_run_that_they_add_to(run: Run, add: Add) -> None:
    small = executed(add("target", "people").small)
    run.delete()
    assert not Run.objects.exists()
    assert reading.read(small.pk, "bridge").is_empty()
