"""Copies of the working tree, each with a virtual environment whose programs run the copy's code."""

import compileall
import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

from tests.mutants.entries import ROOT, Mutant

IMPORTS = """\
{copy}/platform
{copy}
import site; site.addsitedir({packages!r})
"""


def make_pristine(folder: Path) -> None:
    """Copy the working tree's tracked files into a folder, with their byte code, which every copy of it then has."""
    for name in tracked_files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    compileall.compile_dir(folder, quiet=2)


def make_copy(pristine: Path, folder: Path, mutant: Mutant | None) -> Path:
    """Copy the pristine files, with the mutant's fault in them; returns the copy's root.

    Some tests read reference data that lies beside the project, so a link to that lies beside the copy.
    """
    copy = folder / "project"
    shutil.copytree(pristine, copy)
    if (shared := ROOT.parent / "shared").exists():
        (folder / "shared").symlink_to(shared.resolve())
    if mutant:
        mutate(copy / mutant.file, mutant)
    _make_environment(copy / ".venv", copy)
    return copy


def tracked_files() -> list[str]:
    """Return the files that git tracks and that are still there, relative to the root."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def mutate(file: Path, mutant: Mutant) -> None:
    file.write_text(mutant.of(file.read_text(encoding="utf-8")), encoding="utf-8")


def _make_environment(place: Path, copy: Path) -> None:
    """Tests start programs of `.venv` without this process's PYTHONPATH: those must import the copy as well."""
    venv.create(place, symlinks=True)
    packages = place / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    text = IMPORTS.format(copy=copy, packages=sysconfig.get_path("purelib"))
    (packages / "copy.pth").write_text(text, encoding="utf-8")
    for script in Path(sysconfig.get_path("scripts")).iterdir():
        _copy_script(script, place / "bin")


def _copy_script(script: Path, to: Path) -> None:
    """Copy a Python script, to be run by the Python of the folder that it goes to."""
    if script.is_symlink() or (to / script.name).exists():
        return
    first, _, rest = script.read_bytes().partition(b"\n")
    if first.startswith(b"#!") and b"python" in first:
        (to / script.name).write_bytes(b"#!" + os.fsencode(to / "python") + b"\n" + rest)
        (to / script.name).chmod(0o755)
