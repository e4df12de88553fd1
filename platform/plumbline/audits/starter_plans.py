"""The plans that are part of Plumbline: the audit specs in starter/."""

from itertools import takewhile
from pathlib import Path

from plumbline.audits.models import Plan
from plumbline.spec.audit import parse
from plumbline.spec.yaml_file import read_yaml

STARTER = Path(__file__).parent / "starter"


def load_starter() -> list[str]:
    """Create a plan for each starter spec with a new name. Returns the new names.

    Existing plans keep people's edits.
    """
    created = []
    for path in sorted(STARTER.glob("*.yaml")):
        data = read_yaml(path)
        name = parse(data).name
        if Plan.objects.get_or_create(name=name, defaults={"spec": data, "description": _opening(path)})[1]:
            created.append(name)
    return created


def _opening(path: Path) -> str:
    """Return the comment at the top of the file, which describes the audit."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return " ".join(line.removeprefix("#").strip() for line in takewhile(lambda line: line.startswith("#"), lines))
