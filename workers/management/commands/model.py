"""manage.py model: variants of models, made, listed and removed; error rates of text classifiers."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.core.validators import validate_slug

from plumbline.audits import variants
from plumbline.audits.models import Variant
from plumbline.spec.errors import InputError
from plumbline.spec.reference import ModelReference
from plumbline.spec.variant import VariantCard, swapped_words
from workers.debiasing.recipe import Recipe
from workers.management import error_rates
from workers.management.console import Console, table
from workers.management.debias_options import add_options, recipe_of
from workers.management.debiasing import debias, retrain
from workers.management.faults import status_of


class Command(BaseCommand):
    help = "Variants of models: debias makes one, which specs name as variant:SLUG; list; remove; error-rates."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        maker = actions.add_parser("debias", help="make a variant by a projection of states, or by training")
        add_options(maker)
        actions.add_parser("list", help="all variants, and what is left in each")
        remover = actions.add_parser("remove", help="remove a variant's files; its card and its runs stay")
        remover.add_argument("slug", metavar="SLUG")
        remover.add_argument("--yes", action="store_true", help="also if runs use it")
        rates = actions.add_parser("error-rates", help="of a text classifier by group, or of two and what changed")
        error_rates.add_options(rates)

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        do = {"debias": self._debias, "list": self._list, "remove": self._remove, "error-rates": self._rates}[action]
        sys.exit(status_of(lambda: do(options), self.stderr))

    def _debias(self, options: dict[str, Any]) -> int:
        validate(options["name"])
        ModelReference.parse(options["reference"])
        recipe, threads = recipe_of(options), options["threads"]
        given = (options["words"], options["corpus"])
        if isinstance(recipe, Recipe):
            beside = {"sentences": options["sentences"], "threads": threads, "console": Console()}
            card = debias(options["name"], options["reference"], recipe, *given, **beside)
        else:
            saved = options["saved"]
            card = retrain(options["name"], options["reference"], recipe, *given, saved=saved, threads=threads)
        self.stdout.write(f"{card.reference}: {card.title}")
        self.stdout.write(_measured(card))
        return 0

    def _list(self, options: dict[str, Any]) -> int:
        heads = ("VARIANT", "METHOD", "MODEL", "BEFORE", "AFTER", "CHANCE", "LOSS", "RUNS", "STATE")
        self.stdout.write("\n".join(table([heads, *(_row(one) for one in Variant.objects.all())])))
        return 0

    def _remove(self, options: dict[str, Any]) -> int:
        variant = Variant.objects.filter(slug=options["slug"], removed_at=None).first()
        if variant is None:
            raise InputError(f"there is no variant:{options['slug']}; `manage.py model list` shows all")
        if (count := variants.resting_on(variant).count()) and not options["yes"]:
            raise InputError(f"{count} runs rest on {variant}, which keep their records: remove its files with --yes")
        variants.remove(variant)
        self.stdout.write(f"{variant} removed; its card stays")
        return 0

    def _rates(self, options: dict[str, Any]) -> int:
        self.stdout.write("\n".join(error_rates.measured(options, self.stderr)))
        return 0


def validate(slug: str) -> None:
    """Raise InputError for a name that no reference could hold."""
    from django.core.exceptions import ValidationError

    try:
        validate_slug(slug)
        ModelReference.parse(f"variant:{slug}")
    except (ValidationError, InputError):
        raise InputError(f"{slug!r} is no name: write letters, digits, hyphens and underscores with --name") from None


def _measured(card: VariantCard) -> str:
    """Return what was measured when the variant was made."""
    swapped = swapped_words(card, most=10)
    return "\n".join(filter(None, (_loss(card), swapped and f"swapped: {swapped}", _left(card))))


def _loss(card: VariantCard) -> str:
    if not (loss := card.found.get("loss")):
        return ""
    return (
        f"loss on {loss['passages']} passages held out ({loss['tokens']:,} tokens): {loss['before']:.3f} before,"
        f" {loss['after']:.3f} after"
    )


def _left(card: VariantCard) -> str:
    """Return how well the groups can be read, or why that is not known."""
    if why := card.found.get("not_measured"):
        return f"what is left of the groups was not measured: {why}"
    if "after" not in card.found:
        return "what is left of the groups was not measured: give --words"
    before, after = card.found["before"], card.found["after"]
    return (
        f"a fresh linear classifier names the group of {after['n']} sentences held out: {before['accuracy']:.3f}"
        f" before, {after['accuracy']:.3f} after, {after['majority']:.3f} by chance"
    )


def _row(one: Variant) -> tuple[str, ...]:
    before, after = (one.made.found.get(part, {}) for part in ("before", "after"))
    shares = (before.get("accuracy"), after.get("accuracy"), after.get("majority"))
    figures = ("-" if share is None else f"{share:.3f}" for share in shares)
    loss = one.made.found.get("loss")
    told = f"{loss['before']:.3f} -> {loss['after']:.3f}" if loss else "-"
    state = f"removed {one.removed_at:%Y-%m-%d}" if one.removed_at else "in the store"
    runs = str(variants.resting_on(one).count())
    return one.reference, one.made.method, one.made.parent, *figures, told, runs, state
