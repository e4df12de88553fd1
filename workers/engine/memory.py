"""Whether a model's weights fit into the free memory, checked before they are loaded.

Without this check, a system without swap ends the process that loads them, and nobody learns why.
"""

from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from plumbline.spec.errors import ModelError
from workers.engine.loading import Device, Dtype, resolved_device

WIDTHS: dict[Dtype, int] = {"float32": 4, "bfloat16": 2}
"""Bytes of a number by dtype. The first is the default of audits."""
_CGROUPS, _JOINED = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
_NAMES = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""A control group's limit, use, and file cache within its figures, in versions 2 and 1 (cgroups(7), Linux's manual)."""


def fitting_dtype(reference: str, parameters: int, device: Device = "auto") -> tuple[Dtype, str]:
    """Return the first dtype in which the weights fit, and a note for the reader, which is empty for float32.

    Raises ModelError with the needed and the free memory if none fits. Activations come on top of the weights.
    """
    target = resolved_device(device)
    free = free_memory(target)
    needed = {dtype: parameters * width for dtype, width in WIDTHS.items()}
    dtype = next((dtype for dtype, size in needed.items() if size <= free), None)
    if dtype == "float32":
        return dtype, ""
    why = f"as float32 it needs {_gigabytes(needed['float32'])}, and {_gigabytes(free)} are free"
    if dtype:
        return dtype, f"loaded as {dtype}: {why}"
    raise ModelError(
        f"{reference} does not fit into the memory of this worker ({target}): {why}, as bfloat16"
        f" {_gigabytes(needed['bfloat16'])}: give the worker more memory, or choose a smaller model"
    )


def free_memory(target: str) -> int:
    """Return the bytes that a model may take in this process's container and machine, and on its GPU."""
    here = min([int(psutil.virtual_memory().available), *_left_in_container()])
    if target != "cuda":
        return here
    import torch

    # Memory that PyTorch holds from earlier models is free too. Weights pass through the machine's own memory.
    torch.cuda.empty_cache()
    return min(here, int(torch.cuda.mem_get_info()[0]))


def _left_in_container(mounted: Path = _CGROUPS, joined: Path = _JOINED) -> list[int]:
    """Return the free bytes of each control group above this process, of both versions; empty without groups."""
    found = (_left_in(group, *names) for group in _groups(mounted, joined) for names in _NAMES)
    return [left for left in found if left is not None]


def _groups(mounted: Path, joined: Path) -> set[Path]:
    """Return the folders of this process's groups up to their mount point, because a limit above also holds below.

    A container may name its group as the machine does, and yet see it as the mounted one.
    """
    groups = {mounted, mounted / "memory"}
    with suppress(OSError):
        for line in joined.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers in ("", "memory"):
                own = mounted / controllers / path.lstrip("/")
                groups |= {group for group in (own, *own.parents) if group.is_relative_to(mounted)}
    return groups


def _left_in(group: Path, most: str, used: str, cached: str) -> int | None:
    """Return the free bytes of a group, with the file cache as free; None if the group sets no limit."""
    with suppress(OSError, ValueError, KeyError):
        limit, taken = (int((group / name).read_text()) for name in (most, used))
        figures = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        return max(0, limit - taken + int(figures[cached]))
    return None


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB"
