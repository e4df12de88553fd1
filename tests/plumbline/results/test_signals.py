import pytest

from plumbline.audits.models import Run
from plumbline.results.measure_writing import replace_measures
from plumbline.results.partitions import OWN_PARTITION_FROM, prepare
from plumbline.results.reading import read
from tests.plumbline.results.conftest import CELLS, Load

pytestmark = pytest.mark.django_db


def run_with_records(load: Load, planned: int = 0) -> Run:
    run = Run.objects.create(name="traits", probe="ilps", model="path:x", spec={})
    prepare(run.pk, {"association": planned})
    load(run.pk, CELLS)
    replace_measures(run.pk, [{"statistic": "ilps", "value": 0.5, "n": 4}])
    return run


def heights(number: int) -> tuple[int, int]:
    return read(number).height, read(number, "measure").height


@pytest.mark.parametrize("planned", [0, OWN_PARTITION_FROM], ids=["small", "large"])
def test_the_deletion_of_a_run_removes_its_records_and_measures(load: Load, planned: int) -> None:
    run, other = run_with_records(load, planned), run_with_records(load)
    number = run.pk
    run.delete()
    assert heights(number) == (0, 0)
    assert heights(other.pk) == (len(CELLS), 1)


def test_so_does_the_deletion_of_many_at_once(load: Load) -> None:
    numbers = [run_with_records(load).pk for _ in range(2)]
    Run.objects.filter(pk__in=numbers).delete()
    assert [heights(number) for number in numbers] == [(0, 0), (0, 0)]
