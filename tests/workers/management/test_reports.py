"""What the console tells of a run, from its measures."""

import pytest

from plumbline.audits.models import AddedWord, Run
from plumbline.audits.states import RunState
from plumbline.results.measure_writing import replace_measures
from workers.management.reports import MOST_CONTRASTS, MOST_GROUPS, about, latest_runs


def covered(groups: int) -> list[str]:
    """What is told of a run in which more could be scored the higher the number of a group."""
    run = Run.objects.create(name="many", probe="ilps", model="bundled:none", spec={}, state=RunState.DONE)
    shares = [
        {"statistic": "scorable_share", "group_a": f"g{number}", "value": number / groups, "n": 1000}
        for number in reversed(range(groups))
    ]
    replace_measures(run.pk, shares)
    return about(run)


@pytest.mark.django_db
def test_of_many_groups_those_with_the_lowest_coverage_are_reported() -> None:
    lines = covered(1000)
    told = [line for line in lines if line.endswith("items scorable")]
    assert len(told) == MOST_GROUPS
    assert told[0] == "  g0: 0.0% of 1,000 items scorable"
    assert "  940 more groups, of which at least as much could be scored" in lines


@pytest.mark.django_db
def test_a_few_groups_are_all_reported() -> None:
    told = [line for line in covered(3) if line.endswith("items scorable")]
    assert [line.split(":")[0].strip() for line in told] == ["g0", "g1", "g2"]


@pytest.mark.django_db
def test_of_many_comparisons_those_with_the_most_differences_are_reported() -> None:
    run = Run.objects.create(name="many", probe="ilps", model="bundled:none", spec={}, state=RunState.DONE)
    one = {"statistic": "ilps_difference", "group_b": "(other groups)", "value": 0.5, "verdict": "present", "n": 9}
    groups = MOST_CONTRASTS + 3
    replace_measures(
        run.pk,
        [one | {"group_a": f"g{size}", "attribute": f"a{of}"} for size in range(groups) for of in range(size + 1)],
    )
    lines = about(run)
    told = [line for line in lines if line.startswith("Largest differences towards g")]
    assert [line.split()[3] for line in told] == [f"g{size}" for size in reversed(range(3, groups))]
    assert any(line.startswith("3 more comparisons, none of which has more differences") for line in lines)


@pytest.mark.django_db
@pytest.mark.parametrize("probe", ["weat", "ceat"])
def test_effect_sizes_of_sets_of_words_are_reported(probe: str) -> None:
    run = Run.objects.create(name="sets", probe=probe, model="bundled:none", spec={}, state=RunState.DONE)
    sets = {"group_a": "flowers", "group_b": "insects", "category": "pleasant - unpleasant"}
    replace_measures(
        run.pk, [{"statistic": "effect_size", "value": 1.5, "p_value": 0.001, "verdict": "present", "n": 50, **sets}]
    )
    assert any("bundled:none links flowers more strongly to pleasant than to unpleasant" in line for line in about(run))


@pytest.mark.django_db
def test_the_command_ends_with_the_notes_of_the_page() -> None:
    run = Run.objects.create(name="texts", probe="perplexity", model="bundled:none", spec={}, state=RunState.DONE)
    assert not any("nothing about groups" in line for line in about(run))
    replace_measures(run.pk, [{"statistic": "perplexity", "value": 20.0, "n": 90, "n_units": 9, "unit": "text"}])
    *_, figures, caveat = about(run)
    assert figures.startswith("The figures in brackets are 95% intervals.")
    assert caveat == "This says how well the model predicts these texts. It says nothing about groups of people."


@pytest.mark.django_db
def test_the_small_runs_of_added_words_are_not_among_the_latest() -> None:
    run, small = (Run.objects.create(name=name, probe="indirect", model="m", spec={}) for name in ("whole", "small"))
    AddedWord.objects.create(run=run, small=small, kind="feature", word="clerk")
    assert [line.split()[0] for line in latest_runs()] == ["run", str(run.pk)]
    assert len(latest_runs(most=1)) == 2
