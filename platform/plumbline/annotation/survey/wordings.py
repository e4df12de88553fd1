"""Wordings: those that an installation begins with, and new versions."""

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
    """Create the first version of each starter wording that is missing."""
    present = set(SurveyWording.objects.values_list("slug", flat=True))
    offered: dict[str, dict[str, str]] = yaml.safe_load(STARTER.read_text(encoding="utf-8"))
    for slug, texts in offered.items():
        if slug not in present:
            SurveyWording.objects.create(slug=slug, version=1, **{name: texts[name].strip() for name in TEXTS})


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
