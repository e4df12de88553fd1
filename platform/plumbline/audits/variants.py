"""Entry, lookup and removal of variants. Their files are in the model store, which the workers share."""

import shutil
from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from plumbline.audits import clock
from plumbline.audits.models import ModelUnderAudit, Run, Variant
from plumbline.spec.errors import InputError
from plumbline.spec.reference import ModelReference, Scheme
from plumbline.spec.variant import OWN_WEIGHTS, VariantCard


def check_new(slug: str) -> None:
    """Raise InputError for a name that a variant has, or had: its runs would be taken for the new one's."""
    if old := Variant.objects.filter(slug=slug).first():
        when = f", which was removed on {old.removed_at:%Y-%m-%d}," if old.removed_at else ""
        raise InputError(f"variant:{slug} is the name of a variant{when} already: choose another --name")


@transaction.atomic
def enter(card: VariantCard, parent: str, by: User | None = None) -> Variant:
    """Keep the card of a variant whose files are in the store, with an entry among the models under audit."""
    of, _ = ModelUnderAudit.objects.get_or_create(reference=parent)
    own, _ = ModelUnderAudit.objects.get_or_create(reference=card.reference)
    return Variant.objects.create(
        slug=card.slug,
        model=own,
        parent=of,
        method=card.method,
        digest=card.digest,
        parent_digest=card.parent_digest,
        card=card.model_dump(mode="json"),
        created_by=by,
    )


def with_ancestors(reference: str) -> list[str]:
    """Return the reference of a model and, if it is a variant, those of the models that it was made of, in order.

    The cards of removed variants still name their parents.
    """
    found: list[str] = []
    while reference and reference not in found:
        found.append(reference)
        scheme, _, slug = reference.partition(":")
        cards = Variant.objects.filter(slug=slug).values_list("card__parent", flat=True)
        reference = (cards.first() or "") if scheme == Scheme.VARIANT else ""
    return found


def resting_on(variant: Variant) -> QuerySet[Run]:
    """Return the runs that asked the variant, the latest first."""
    return Run.objects.top_level().filter(model=variant.reference).order_by("-pk")


def made_of(variant: Variant) -> QuerySet[Variant]:
    """Return the variants that cannot be loaded without this one."""
    made = Variant.objects.filter(parent__reference=variant.reference, removed_at=None)
    return made.exclude(method__in=OWN_WEIGHTS)


def remove(variant: Variant, by: User | None = None) -> None:
    """Remove the files; card and runs stay. Raises InputError if another variant is made of it."""
    if needed := made_of(variant).first():
        raise InputError(f"{needed} is made of {variant}: remove it first")
    Variant.objects.filter(pk=variant.pk, removed_at=None).update(removed_at=clock.now(), removed_by=by)
    shutil.rmtree(settings.MODEL_STORE / "variants" / variant.slug, ignore_errors=True)


def check_there(references: Iterable[str]) -> None:
    """Raise InputError for a variant that was removed. Whether a worker finds the others' files, it says itself."""
    slugs = [one.target for one in map(ModelReference.parse, references) if one.scheme is Scheme.VARIANT]
    for gone in Variant.objects.filter(slug__in=slugs).exclude(removed_at=None):
        raise InputError(f"{gone} was removed on {gone.removed_at:%Y-%m-%d}: make it again under another name")
