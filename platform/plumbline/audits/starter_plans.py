"""Plans that come with Plumbline: the audit specs in starter/, each by its own name."""

from itertools import takewhile
from pathlib import Path

from plumbline.audits.models import Plan
from plumbline.spec.audit import parse, read_yaml

STARTER = Path(__file__).parent / "starter"


def load_starter() -> list[str]:
    """Make a plan of each starter spec whose name no plan bears yet; the names of the new ones.

    A plan that is there stays as people edited it.
    """
    created = []
    for path in sorted(STARTER.glob("*.yaml")):
        data = read_yaml(path)
        name = parse(data).name
        if Plan.objects.get_or_create(name=name, defaults={"spec": data, "description": _opening(path)})[1]:
            created.append(name)
    return created


def _opening(path: Path) -> str:
    """The comment at the top of the file, which says what the audit is about."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return " ".join(line.removeprefix("#").strip() for line in takewhile(lambda line: line.startswith("#"), lines))
