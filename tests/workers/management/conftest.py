"""The command line as its users call it: a spec file, an exit status, two streams."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str


SPEC: dict[str, Any] = {
    "name": "test",
    "probe": "ilps_chain",
    "groups": {"inline": [{"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}]},
    "prior": {"singular": "person", "plural": "people"},
    "attributes": {"inline": ["poor", "wealthy", "dominant"]},
    "templates": {"inline": ["[All|Most] {group.plural} are {attribute}.", "{Group.plural} should be {attribute}."]},
}


@pytest.fixture
def write_spec(tmp_path: Path, tiny_folders: tuple[Path, Path]) -> Callable[..., Path]:
    """A spec file on the tiny masked model; a change to None takes the key out."""

    def write(**changes: Any) -> Path:
        data = copy.deepcopy(SPEC) | {"model": f"path:{tiny_folders[0]}"} | changes
        path = tmp_path / "spec.yaml"
        path.write_text(yaml.safe_dump({key: value for key, value in data.items() if value is not None}))
        return path

    return write


@pytest.fixture
def audit(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Call `manage.py audit ...` in this process."""

    def call(*arguments: object) -> Ended:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            call_command("audit", *map(str, arguments))
        streams = capsys.readouterr()
        return Ended(int(ended.value.code or 0), streams.out, streams.err)

    return call
