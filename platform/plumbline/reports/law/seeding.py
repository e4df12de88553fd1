"""Stores the laws and standards of law.yaml after a migration. What people edited stays as they left it."""

from datetime import date
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from plumbline.reports.models import Framework, Provision
from plumbline.spec import yaml_file
from plumbline.spec.digests import digest

FILE = Path(__file__).with_name("law.yaml")


class Seeded(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Point(Seeded):
    """One point of law.yaml."""

    number: str
    title: str
    at_most: Literal["covered", "partly", "not covered"]
    needs: list[str] = []
    supports: list[str] = []
    lacks: str


class Text(Seeded):
    """One law or standard of law.yaml."""

    slug: str
    title: str
    issuer: str
    as_of: date
    source: str
    note: str
    points: list[Point]


def read_seed() -> list[Text]:
    """Return the content of law.yaml. Raises pydantic's ValidationError if the file has another form."""
    return [Text.model_validate(one) for one in yaml_file.read_yaml(FILE)]


def store_seed(apps: Any = None, **_: Any) -> None:
    """Create what is missing and update what nobody edited. A migration that goes back has no tables for it."""
    if apps is not None and "provision" not in apps.all_models["reports"]:
        return
    for place, one in enumerate(read_seed()):
        values = one.model_dump(exclude={"slug", "points"}) | {"position": place}
        framework = _stored(Framework, {"slug": one.slug}, values)
        for at, point in enumerate(one.points):
            own = point.model_dump(exclude={"number"}) | {"position": at}
            _stored(Provision, {"framework": framework, "number": point.number}, own)


def _stored(model: Any, key: dict[str, Any], values: dict[str, Any]) -> Any:
    row, is_new = model.objects.get_or_create(**key, defaults=values | {"seeded": _digest(values)})
    if not is_new and row.seeded == _digest({name: getattr(row, name) for name in values}) != _digest(values):
        for name, value in (values | {"seeded": _digest(values)}).items():
            setattr(row, name, value)
        row.save()
    return row


def _digest(values: dict[str, Any]) -> str:
    return digest({name: f"{value}" for name, value in values.items()})
