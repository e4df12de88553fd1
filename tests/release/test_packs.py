"""The measures of each method's runs follow from an evidence pack alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from plumbline.audits import life
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.packing.pack import Choices, packed
from plumbline.spec.errors import InputError
from tests.release.conftest import Release
from tests.release.test_again import Unwatched, Watched
from workers.execution import drive
from workers.verification.verifying import Outcome, verify

pytestmark = [pytest.mark.any_server, pytest.mark.xdist_group("release")]
Verified = Callable[[Run, Choices], Outcome]


def summarised_again(run: Run) -> Run:
    """By today's rules."""
    life.summarise_again(run.pk)
    drive(run.pk, Watched("again", Unwatched(), owner=""))
    run.refresh_from_db()
    return run


@pytest.fixture
def verified(tmp_path: Path) -> Verified:
    def outcome(run: Run, choices: Choices) -> Outcome:
        path = tmp_path / "pack.zip"
        path.write_bytes(b"".join(packed(run, choices)))
        return verify(path)

    return outcome


def test_every_measure_of_a_run_follows_from_its_pack(release: Release, number: str, verified: Verified) -> None:
    """A run that adds words to another one needs that one's records, so it cannot be packed."""
    run = Run.objects.get(pk=number)
    if run.state != RunState.DONE:
        pytest.skip(f"the run is {run.state}")
    finished = summarised_again(run)
    spec = frozen_spec(finished)[0]
    if spec.base() is not None:
        with pytest.raises(InputError, match="only adds words to run"):
            packed(finished, Choices())
        return
    outcome = verified(finished, Choices(texts=spec.summary_reads_texts))
    assert outcome.holds, f"{finished.probe}: {[*outcome.differences, *outcome.not_recomputed]}"
    assert outcome.recomputed


def test_a_pack_without_the_texts_that_measures_follow_from_says_so(release: Release, verified: Verified) -> None:
    [run] = Run.objects.filter(probe="gap", state=RunState.DONE)
    outcome = verified(summarised_again(run), Choices())
    assert not outcome.holds
    assert not outcome.differences
    assert "Ask the sender for a pack made with --texts" in outcome.not_recomputed[0]
    assert any("without them the measures cannot be computed again" in line for line in outcome.about)
