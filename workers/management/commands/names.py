"""manage.py names: the actions of the vocabulary's command, and generate, which asks a model for names."""

import sys
from pathlib import Path
from typing import Any

from plumbline.audits.models import Run
from plumbline.methods.indirect.score_agreement import Agreement, bridges_of, rank_agreements
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import counted
from plumbline.spec.numbers import number as figure
from plumbline.vocab import csv_file
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.management.commands import names
from plumbline.vocab.management.output import write_export
from workers.management.console import table
from workers.management.faults import status_of
from workers.management.name_generation import Generated, sentences_of

GENERATE, AGREEMENT = "generate", "agreement"
MOST_SHOWN = 20
FAINT = 0.05
"""The share of probability on names below which the sentences hardly ask for one."""


class Command(names.Command):
    """The command on a machine with workers."""

    help = "Names: propose some from a table of births or from a model's predictions; do two lists give like scores?"

    def add_actions(self, actions: Any) -> None:
        super().add_actions(actions)
        maker = actions.add_parser(GENERATE, help="names that a masked model predicts, as CSV for vocab import names")
        maker.add_argument("model", metavar="MODEL", help="a masked model, such as bundled:masked-demo")
        templates = "lists of templates, or single ones, with the slot {name}"
        maker.add_argument("--templates", nargs="+", required=True, metavar="SLUG", help=templates)
        maker.add_argument("--targets", nargs="+", default=[], metavar="SLUG", help="lists of words for {target}")
        maker.add_argument("--least", type=float, required=True, metavar="P", help="least probability, 0 to 1")
        maker.add_argument("--compare", metavar="SLUG", default="bridge-names", help="the fixed list, or ''")
        unknown = "also capitalised words that no list has; models with capitals only"
        maker.add_argument("--unknown", action="store_true", help=unknown)
        maker.add_argument("--out", type=Path, help="a file; otherwise the standard output")
        maker.add_argument("--threads", type=int, default=2)
        ranker = actions.add_parser(AGREEMENT, help="do two indirect runs order their scores alike, with other names?")
        ranker.add_argument("runs", type=int, nargs=2, metavar="RUN")

    def handle(self, *args: Any, **options: Any) -> None:
        do = {GENERATE: self.generate, AGREEMENT: self.agreement}.get(options["action"])
        if do is None:
            super().handle(*args, **options)
        elif status := status_of(lambda: do(options), self.stderr):
            sys.exit(status)

    def generate(self, options: dict[str, Any]) -> int:
        """Write the predicted names as CSV, and on stderr how they compare with the fixed list."""
        if not 0 < options["least"] <= 1:
            raise InputError(f"--least is {options['least']:g}; give a probability from 0 to 1.")
        sentences = sentences_of(options["templates"], options["targets"])
        found = Generated(_predicted(options, sentences), options["least"], options["compare"], options["unknown"])
        if found.unknown and not found.predictions.keeps_case:
            raise InputError(f"{options['model']} has no capitals, which show unknown names: leave --unknown out.")
        self.stderr.write("\n".join(_told(found, sentences)))
        if not found.rows:
            raise InputError(f"no name has a probability of {found.least:g} or more: lower --least.")
        cells = [row.cells(found.slug) for row in found.rows]
        write_export(csv_file.write(KINDS["names"].columns, cells), options["out"], self.stdout, "names generate")
        return 0

    def agreement(self, options: dict[str, Any]) -> int:
        """Print the rank correlation of the scores of two runs, by list of features."""
        first, second = (_run(number) for number in options["runs"])
        found, names = rank_agreements(first, second), bridges_of(first, second)
        self.stdout.write(
            f"run {first.pk} has {counted(len(names.first), 'name')}, run {second.pk}"
            f" {counted(len(names.second), 'name')}, {names.common:,} of them in common"
        )
        heads = ("FEATURES", "CELLS", "OVER ALL CELLS", "OVER TARGETS (MEDIAN)", "FEATURES COMPARED")
        self.stdout.write("\n".join(table([heads, *map(_row, found)])))
        return 0


def _run(number: int) -> Run:
    run = Run.objects.filter(pk=number).first()
    if run is None:
        raise InputError(f"there is no run {number}; 'audit list' shows the latest.")
    return run


def _row(one: Agreement) -> tuple[str, ...]:
    cells = (f"{one.cells:,}", figure(one.over_cells), figure(one.over_targets), f"{one.features:,}")
    return (one.category or "inline", *cells)


def _predicted(options: dict[str, Any], sentences: Any) -> Any:
    # Imported here: torch takes seconds, which nobody who asks for help should wait.
    from workers.engine.loading import load, locate, use_threads
    from workers.engine.masked import MaskedModel
    from workers.probes.indirect.name_predictions import predict

    checkpoint = locate(options["model"])
    if checkpoint.kind != "masked":
        raise InputError(f"{options['model']} is of the kind {checkpoint.kind}: names are predicted by a masked model.")
    use_threads(options["threads"])
    model = load(checkpoint)
    assert isinstance(model, MaskedModel)  # noqa: S101 -- the kind says so
    return predict(model, sentences)


def _told(found: Generated, sentences: Any) -> list[str]:
    targets = f" about {counted(len(sentences), 'word')}" if "" not in sentences else ""
    asked = counted(sum(map(len, sentences.values())), "sentence")
    lines = [
        f"{asked}{targets}. On average {found.share:.2%} of the probability is on known names.",
        *(["The sentences hardly make this model predict names: read the list with care."] * (found.share < FAINT)),
        *_compared(found),
        *_beside(found),
    ]
    return [*lines, "", *_shown(found)]


def _compared(found: Generated) -> list[str]:
    chosen = {row.name for row in found.rows}
    both, split = chosen & set(found.fixed), len(set(found.fixed) - set(found.known))
    if not found.slug:
        return [f"{counted(len(chosen), 'name')} of a probability of at least {found.least:g}."]
    genders: dict[str, int] = {}
    for name in both:
        gender = found.fixed[name].gender or "no code"
        genders[gender] = genders.get(gender, 0) + 1
    coded = ", ".join(f"{gender} {count:,}" for gender, count in sorted(genders.items()))
    return [
        f"{counted(len(chosen), 'name')} of a probability of at least {found.least:g}; {len(both):,} of them are in"
        f" {found.slug}{f' (gender: {coded})' if coded else ''}.",
        f"Of the {len(found.fixed):,} names of {found.slug} the model splits {split:,}, and"
        f" {len(found.fixed) - split - len(both):,} are less likely.",
    ]


def _beside(found: Generated) -> list[str]:
    """Return the words that are likely but no known names, so that a reader sees how explicit the sentences are."""
    taken = {word.text for word in found.known.values()}
    others = found.capitalised if found.predictions.keeps_case else found.predictions.words.values()
    words = [one for one in others if one.text not in taken and one.highest >= found.least][:MOST_SHOWN]
    return [f"Likely words in no list of names: {', '.join(one.text for one in words)}."] if words else []


def _shown(found: Generated) -> list[str]:
    rows = [("NAME", "P", "MEAN", "FOR", f"IN {found.slug}".upper() if found.slug else "")]
    for row in found.rows[:MOST_SHOWN]:
        listed = ("yes" if row.fixed else "no") if found.slug else ""
        rows.append((row.name, f"{row.word.highest:.6f}", f"{row.word.mean:.6f}", row.word.target, listed))
    more = len(found.rows) - MOST_SHOWN
    return [*table(rows), *([f"and {more:,} more"] if more > 0 else [])]
