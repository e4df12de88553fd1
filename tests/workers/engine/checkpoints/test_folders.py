import os
import time
from pathlib import Path

import pytest

from plumbline.spec.errors import ModelError
from tests.processes import forked
from workers.engine.checkpoints.folders import ABANDONED_SECONDS, atomic_folder, var_folder


def test_a_folder_appears_whole(tmp_path: Path) -> None:
    target = tmp_path / "models" / "a"
    with atomic_folder(target) as folder:
        (folder / "weights").write_text("all")
        assert not target.exists()
    assert (target / "weights").read_text() == "all"
    assert list(target.parent.iterdir()) == [target]


def test_after_an_error_nothing_is_left(tmp_path: Path) -> None:
    def broken() -> None:
        with atomic_folder(tmp_path / "a") as folder:
            (folder / "weights").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken()
    assert list(tmp_path.iterdir()) == []


def test_of_two_at_once_the_first_wins_and_both_may_go_on(tmp_path: Path) -> None:
    target = tmp_path / "a"
    with atomic_folder(target) as slow:
        (slow / "weights").write_text("slow")
        with atomic_folder(target) as quick:
            (quick / "weights").write_text("quick")
    assert (target / "weights").read_text() == "quick"
    assert list(tmp_path.iterdir()) == [target]


def test_what_a_killed_process_left_is_removed_later(tmp_path: Path) -> None:
    old, young, other = (tmp_path / name for name in (".a-old", ".a-young", ".b-old"))
    for folder in (old, young, other):
        folder.mkdir()
    for folder in (old, other):
        os.utime(folder, (0, time.time() - ABANDONED_SECONDS - 1))
    with atomic_folder(tmp_path / "a"):
        pass
    assert [folder.exists() for folder in (old, young, other)] == [False, True, True]


@pytest.mark.parametrize(
    "write", ["(folder / 'w').write_bytes(bytes(4_000_000))", "save_file({'w': zeros(10**6)}, folder / 'w')"]
)
def test_a_full_disk_is_reported_in_one_line_and_leaves_nothing(tmp_path: Path, write: str) -> None:
    code = f"""
import resource, sys
from pathlib import Path
from safetensors.torch import save_file
from torch import zeros
from plumbline.spec.errors import ModelError
from workers.engine.checkpoints.folders import atomic_folder
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
try:
    with atomic_folder(Path(sys.argv[1])) as folder:
        {write}
except ModelError as error:
    print(error)
"""
    done = forked.run("-c", code, tmp_path / "a")
    assert "free some space, or set PLUMBLINE_VAR" in done.stdout, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="set PLUMBLINE_VAR"), atomic_folder(tmp_path / "file" / "a"):
        pass


def test_another_error_comes_through(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), atomic_folder(tmp_path / "a"):
        _ = 1 / 0


def test_var_is_the_environments_or_the_projects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", "/somewhere")
    assert var_folder() == Path("/somewhere")
    monkeypatch.delenv("PLUMBLINE_VAR")
    assert var_folder() == Path(__file__).resolve().parents[4] / "var"
