"""Two SODAPOP runs of a parent and a variant, compared name by name."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.methods.sodapop.card import FEW
from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.errors import InputError
from workers.probes.protocol import Audited
from workers.probes.sodapop.comparison import compare, measure_changes

NAMES = [(f"{group}{number}", group) for group in ("women", "men") for number in range(10)]
SHOWN = 200
RANDOM = np.random.default_rng(4)


def spec(**changed: Any) -> SodapopSpec:
    names = [{"name": name, "group": group} for name, group in NAMES]
    contexts = [{"id": "a", "context": "{name} ran.", "question": "?", "prompt": "{name} is", "answer": "fast"}]
    given = {
        "name": "test", "probe": "sodapop", "model": "path:./model", "generator": "path:./masked",
        "names": {"inline": names}, "contexts": {"inline": contexts}, "definitional": {"inline": ["wife"]},
    }  # fmt: skip
    return SodapopSpec.model_validate(given | changed)


def run(
    rates: dict[str, tuple[float, float]], given: SodapopSpec | None = None, names: int = 20
) -> Audited[SodapopSpec]:
    """A run with these success rates by word, of women and of men."""
    found = [
        (name, group, word, SHOWN, int(RANDOM.binomial(SHOWN, rate[group == "men"])), 0.0)
        for word, rate in rates.items()
        for name, group in NAMES[:names]
    ]
    rows = pl.DataFrame(found, schema=["name", "group", "word", "shown", "chosen", "expected"], orient="row")

    def read(table: str, *, group_by: Sequence[str] = (), **where: Any) -> pl.DataFrame:
        assert (table, tuple(group_by), where) == ("tally", ("name", "group", "word"), {})
        return rows

    return Audited(given or spec(), {}, read)


def changes_of(first: Audited[SodapopSpec], second: Audited[SodapopSpec]) -> dict[tuple[str, str], Any]:
    return {(one.condition, one.attribute): one for one in measure_changes(first, second)}


def test_a_word_that_lost_its_difference_has_a_change_that_is_present() -> None:
    before, after = {"kind": (0.5, 0.2), "calm": (0.4, 0.4)}, {"kind": (0.3, 0.3), "calm": (0.4, 0.4)}
    found = changes_of(run(before), run(after))
    gone = found["relative_difference", "kind"]
    assert (gone.statistic, gone.verdict, gone.unit, gone.n_units) == (
        "difference_in_differences", "present", "name", 20,
    )  # fmt: skip
    assert gone.value == pytest.approx(-0.86, abs=0.1)
    assert gone.smallest_effect == 0.1
    assert found["relative_difference", "calm"].verdict != "present"


def test_all_words_of_a_comparison_are_one_family_and_separate_words_their_own() -> None:
    words = dict.fromkeys(("kind", "calm", "wife"), (0.4, 0.3))
    found = changes_of(run(words), run(words))
    assert found["relative_difference", "wife"].category == "definitional"
    assert found["relative_difference", "kind"].category == ""


def test_a_word_that_hardly_misleads_after_is_apart_and_not_tested() -> None:
    found = changes_of(run({"kind": (0.4, 0.3)}), run({"kind": (0.0005, 0.0)}))
    change = found.get(("relative_difference", "kind"))
    assert change is None or (change.category == FEW and change.p_value is None)


def test_the_accuracy_of_clusters_has_its_change_by_pair_of_groups() -> None:
    words = [f"word{number}" for number in range(30)]
    before = {word: (0.5, 0.2) if place % 2 else (0.2, 0.5) for place, word in enumerate(words)}
    found = changes_of(run(before), run(dict.fromkeys(words, (0.35, 0.35))))
    change = found["kmeans_accuracy", ""]
    assert (change.group_a, change.group_b, change.n, change.n_units) == ("women", "men", 30, 20)
    assert change.value < -0.2
    assert change.smallest_effect == 0.05


def test_runs_of_another_definition_say_so_in_the_condition() -> None:
    given = spec(params={"min_occurrences": 10})
    found = changes_of(run({"kind": (0.4, 0.3)}, given), run({"kind": (0.4, 0.3)}, given))
    assert set(found) == {
        ("relative_difference: min_occurrences 10", "kind"),
        ("kmeans_accuracy: min_occurrences 10", ""),
    }


def test_the_success_rate_of_each_group_has_its_change() -> None:
    found = compare(run({"kind": (0.5, 0.2)}), run({"kind": (0.3, 0.2), "new": (0.2, 0.2)}))
    assert [(one.group_a, one.attribute) for one in found.measures] == [("women", "kind"), ("men", "kind")]
    assert found.measures[0].value == pytest.approx(-0.2, abs=0.03)
    assert found.measures[0].verdict == "present"
    assert (found.only_first, found.only_second, found.not_scorable) == (0, 2, 0)


def test_names_of_one_run_only_do_not_count() -> None:
    found = changes_of(run({"kind": (0.5, 0.2)}), run({"kind": (0.3, 0.3)}, names=15))
    assert found["relative_difference", "kind"].n_units == 15


@pytest.mark.parametrize(
    "other", [spec(generator="path:./another"), spec(params={"k": 2}), spec(params={"ask": False})]
)
def test_runs_with_other_questions_are_refused(other: SodapopSpec) -> None:
    with pytest.raises(InputError):
        measure_changes(run({"kind": (0.4, 0.3)}), run({"kind": (0.4, 0.3)}, other))


def test_a_name_that_a_curator_moved_to_another_group_is_not_compared() -> None:
    rates = {"kind": (0.4, 0.4)}
    first, *others = NAMES
    names = [{"name": name, "group": group} for name, group in ((first[0], "men"), *others)]
    moved = spec(names={"inline": names})
    found = compare(run(rates), run(rates, moved))
    assert {one.group_a: one.n_units for one in found.measures} == {"women": 9, "men": 10}
    assert measure_changes(run(rates), run(rates, moved))
