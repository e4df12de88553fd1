"""Whether weights fit is known before they are loaded."""

from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from plumbline.spec.errors import ModelError
from workers.engine import memory
from workers.engine.memory import fitting_dtype, free_memory

SEVEN_BILLION = 7_000_000_000


def given(free: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda _: int(free))


def test_what_fits_is_loaded_as_audits_do(monkeypatch: pytest.MonkeyPatch) -> None:
    given(28e9, monkeypatch)
    assert fitting_dtype("hub:a/b", SEVEN_BILLION) == ("float32", "")


def test_what_fits_in_half_says_what_the_whole_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    given(16e9, monkeypatch)
    dtype, remark = fitting_dtype("hub:a/b", SEVEN_BILLION)
    assert dtype == "bfloat16"
    assert remark == "loaded as bfloat16: as float32 it needs 28.0 GB, and 16.0 GB are free"


def test_what_does_not_fit_names_the_sizes_and_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    given(8e9, monkeypatch)
    with pytest.raises(ModelError, match=r"28.0 GB, and 8.0 GB are free, as bfloat16 14.0 GB: give the worker more"):
        fitting_dtype("hub:a/b", SEVEN_BILLION, "cpu")


def test_free_is_what_the_machine_has_at_most() -> None:
    assert 0 < free_memory("cpu") <= psutil.virtual_memory().total


V2 = ("memory.max", "memory.current", "inactive_file")
V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


def group(folder: Path, names: tuple[str, str, str], most: object, used: int = 900, cached: int = 300) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / names[0]).write_text(f"{most}\n")
    (folder / names[1]).write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon 5\n{names[2]} {cached}\n")


def left(mounted: Path, *joined: str) -> list[int]:
    """What the groups under `mounted` leave to a process that joined these, smallest first."""
    said = mounted / "joined"
    said.write_text("".join(f"{line}\n" for line in joined))
    return sorted(memory._left_in_container(mounted, said))


def test_a_container_has_what_its_limit_leaves_with_its_file_cache(tmp_path: Path) -> None:
    group(tmp_path, V2, 1000)
    assert left(tmp_path, "0::/") == [400]
    group(tmp_path, V2, 500)
    assert left(tmp_path, "0::/") == [0]


def test_without_a_limit_or_control_groups_nothing_is_known(tmp_path: Path) -> None:
    group(tmp_path, V2, "max")
    assert left(tmp_path, "0::/") == []
    assert memory._left_in_container(tmp_path / "none", tmp_path / "none") == []


def test_the_limits_of_this_process_and_of_all_groups_above_it_count(tmp_path: Path) -> None:
    group(tmp_path / "system.slice", V2, 5000)
    group(tmp_path / "system.slice" / "worker.service", V2, "max")
    group(tmp_path / "system.slice" / "worker.service" / "job", V2, 2000)
    group(tmp_path / "user.slice", V2, 1000)
    assert left(tmp_path, "0::/system.slice/worker.service/job") == [1400, 4400]


def test_a_container_that_is_named_as_on_its_machine_is_what_is_mounted(tmp_path: Path) -> None:
    group(tmp_path, V2, 1000)
    assert left(tmp_path, "0::/docker/0123abcd") == [400]
    assert left(tmp_path, "0::/../../docker/0123abcd") == [400]


def test_version_1_counts_where_it_is_mounted(tmp_path: Path) -> None:
    group(tmp_path / "memory", V1, 9_223_372_036_854_771_712)
    group(tmp_path / "memory" / "docker" / "a:b", V1, 1000)
    group(tmp_path / "docker" / "a:b", V1, 950)  # of another controller
    joined = ("5:cpu,cpuacct:/docker/a:b", "4:memory:/docker/a:b", "1:name=systemd:/", "0::/")
    assert left(tmp_path, *joined)[0] == 400
    assert left(tmp_path, "4:memory:/elsewhere")[0] > 1e18
