"""manage.py model: variants of models, made, listed and removed."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.core.validators import validate_slug

from plumbline.audits import variants
from plumbline.audits.models import Variant
from plumbline.spec.errors import InputError
from plumbline.spec.reference import ModelReference
from workers.debiasing.recipe import METHODS, Recipe
from workers.management.console import Console, table
from workers.management.debiasing import debias
from workers.management.faults import status_of


class Command(BaseCommand):
    help = "Variants of models: debias makes one, which specs name as variant:SLUG; list; remove."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        maker = actions.add_parser("debias", help="take the directions of groups out of a model's states")
        _add_debias(maker)
        actions.add_parser("list", help="all variants, and what is left in each")
        remover = actions.add_parser("remove", help="remove a variant's files; its card and its runs stay")
        remover.add_argument("slug", metavar="SLUG")
        remover.add_argument("--yes", action="store_true", help="also where runs rest on it")

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        do = {"debias": self._debias, "list": self._list, "remove": self._remove}[action]
        sys.exit(status_of(lambda: do(options), self.stderr))

    def _debias(self, options: dict[str, Any]) -> int:
        given = {name: options[name] for name in Recipe.__dataclass_fields__}
        validate(options["name"])
        ModelReference.parse(options["reference"])
        card = debias(
            options["name"], options["reference"], Recipe(**given), options["words"], options["corpus"],
            sentences=options["sentences"], threads=options["threads"], console=Console(),
        )  # fmt: skip
        before, after = card.found["before"], card.found["after"]
        self.stdout.write(f"{card.reference}: {card.title}")
        self.stdout.write(
            f"a fresh linear classifier names the group of {after['n']} sentences held out: {before['accuracy']:.3f}"
            f" before, {after['accuracy']:.3f} after, {after['majority']:.3f} by chance"
        )
        return 0

    def _list(self, options: dict[str, Any]) -> int:
        heads = ("VARIANT", "METHOD", "MODEL", "BEFORE", "AFTER", "CHANCE", "RUNS", "STATE")
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


def validate(slug: str) -> None:
    """Raise InputError for a name that no reference could hold."""
    from django.core.exceptions import ValidationError

    try:
        validate_slug(slug)
        ModelReference.parse(f"variant:{slug}")
    except (ValidationError, InputError):
        raise InputError(f"{slug!r} is no name: write letters, digits, hyphens and underscores with --name") from None


def _row(one: Variant) -> tuple[str, ...]:
    before, after = (one.made.found.get(part, {}) for part in ("before", "after"))
    shares = (before.get("accuracy"), after.get("accuracy"), after.get("majority"))
    figures = ("-" if share is None else f"{share:.3f}" for share in shares)
    state = f"removed {one.removed_at:%Y-%m-%d}" if one.removed_at else "in the store"
    runs = str(variants.resting_on(one).count())
    return one.reference, one.made.method, one.made.parent, *figures, runs, state


def _add_debias(parser: ArgumentParser) -> None:
    usual = Recipe("leace")
    parser.add_argument("reference", metavar="REF", help="the model, as in specs; a variant, too")
    parser.add_argument("--method", choices=METHODS, required=True)
    parser.add_argument("--words", metavar="LIST", required=True, help="attribute set with group and category")
    parser.add_argument("--corpus", metavar="FILE", type=Path, required=True, help="text, plain or .gz")
    parser.add_argument("--name", metavar="SLUG", required=True, help="of the variant")
    parser.add_argument("--sentences", metavar="LIST", default="", help="templates with {attribute}: sentence_debias")
    parser.add_argument("--layer", type=int, help="from 0 after the embeddings; without it the last")
    parser.add_argument("--most", type=int, default=usual.most, help="sentences of each group")
    parser.add_argument("--classifiers", type=int, default=usual.classifiers, help="inlp")
    parser.add_argument("--logistic", action="store_true", help="inlp with logistic regressions")
    parser.add_argument("--directions", type=int, default=usual.directions, help="sentence_debias")
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--threads", type=int, default=2)
