"""Published scores of GEST, imported by the command, give the published aggregates to 1e-9."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command

from plumbline.results import reading
from plumbline.vocab.banks.importing import import_bank

pytestmark = pytest.mark.django_db
GEST = Path(__file__).resolve().parents[4] / "../shared/data/gest"
EXPECTED = json.loads((GEST / "expected.json").read_text()) if GEST.is_dir() else {"none": {}}
# They are stored and read alike: the first one shows that another server gives the aggregates too.
NAMES = [pytest.param(name, marks=[pytest.mark.any_server] * (number > 0)) for number, name in enumerate(EXPECTED)]


@pytest.mark.skipif(not GEST.is_dir(), reason="GEST is not beside the project (../shared/data/gest)")
@pytest.mark.parametrize("name", NAMES)
def test_aggregates_of_published_scores_are_the_published_ones(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    model, number = name.split(" template ")
    import_bank("pairs", GEST / "gest.csv.gz", "gest", format_name="gest")
    path = GEST / f"predictions/{model}_template-{number}.txt.gz"
    with pytest.raises(SystemExit) as ended:
        call_command(
            "bank", "import-predictions", "pairs", str(path), "--bank", "gest", "--template", number, "--name", model
        )
    done = re.fullmatch(r"run (\d+) done 3565 items \d+\.\d s", capsys.readouterr().out.splitlines()[-1])
    assert done, ended.value.code
    found = reading.read(int(done[1]), "measure").filter(variant="")
    of = {(one["statistic"], one["attribute"]): one["value"] for one in found.iter_rows(named=True)}
    expected = EXPECTED[name]
    assert [of["gest_r", str(at)] for at in range(1, 17)] == pytest.approx([*expected["r"].values()], abs=1e-9)
    rates = [of[f"gest_{statistic}", ""] for statistic in ("r_f", "r_m", "g_s")]
    assert rates == pytest.approx([expected[key] for key in ("r_f", "r_m", "g_s")], abs=1e-9)
