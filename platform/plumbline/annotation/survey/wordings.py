"""Wordings: those that an installation begins with, and new versions."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from django.db import transaction

from plumbline.annotation.survey.models import SurveyWording
from plumbline.spec.errors import InputError

STARTER = Path(__file__).with_name("wordings.yaml")
TEXTS = ("consent", "instruction", "familiarity", "question")
SLOT = "{group}"


def ensure_starter() -> None:
    """Create each starter wording that is missing, and the next version of one that is as an earlier release had it."""
    present = {one.slug: one for one in latest()}
    offered: dict[str, dict[str, Any]] = yaml.safe_load(STARTER.read_text(encoding="utf-8"))
    for slug, texts in offered.items():
        known = present.get(slug)
        if known is None or digest({name: getattr(known, name) for name in TEXTS}) in texts["earlier"]:
            version = known.version + 1 if known else 1
            SurveyWording.objects.create(slug=slug, version=version, **{name: texts[name].strip() for name in TEXTS})


def digest(texts: Mapping[str, str]) -> str:
    """Return the SHA-256 of a wording's texts, by which a later release knows it."""
    return hashlib.sha256("\n\n".join(texts[name].strip() for name in TEXTS).encode()).hexdigest()


@transaction.atomic
def save_version(slug: str, texts: Mapping[str, str], author: Any) -> SurveyWording:
    """Save the next version of a wording, or its first one. An unchanged text makes no version.

    Raises InputError for a text that should name the group and does not.
    """
    for name in ("familiarity", "question"):
        if SLOT not in texts[name]:
            raise InputError(f"{name}: {SLOT} is missing, where the group's name will stand.")
    last = SurveyWording.objects.select_for_update().filter(slug=slug).order_by("-version").first()
    if last and all(getattr(last, name) == texts[name] for name in TEXTS):
        return last
    version = last.version + 1 if last else 1
    return SurveyWording.objects.create(slug=slug, version=version, created_by=author, **texts)


def latest() -> list[SurveyWording]:
    """Return the latest version of each wording."""
    return list(SurveyWording.objects.order_by("slug", "-version").distinct("slug"))
