"""manage.py model error-rates: false and true positive rates of a text classifier by group."""

import csv
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import OutputWrapper

from plumbline.audits.models import ErrorRates
from plumbline.findings.error_rates import CHANGE_HEADS, RATE_HEADS, Row, change_rows, rate_rows
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.vocab.cells import escape
from workers.management.console import table

if TYPE_CHECKING:
    from workers.training.error_rates.report import Classified
    from workers.training.error_rates.sentences import Sentences

HEADS = ("template", "kind", "group", "word", "sentence", "label", "predicted")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("model", metavar="REF", help="a classifier of train labels, such as path:DIR/model")
    parser.add_argument("--before", metavar="REF", help="the classifier of the parent: show what changed since")
    parser.add_argument(
        "--templates", default="starter", metavar="FILE", help="CSV with template, label, kind; starter: 48 of ours"
    )
    parser.add_argument(
        "--words", default="starter", metavar="FILE", help="CSV with group, word; starter: women and men in families"
    )
    parser.add_argument("--sentences", type=Path, metavar="FILE", help="write each sentence with its prediction as CSV")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")


def measured(options: Mapping[str, Any], stderr: OutputWrapper) -> list[str]:
    """Return the lines of the tables, and write the card and the sentences. Raises InputError with the remedy."""
    # Imported here: torch takes seconds, which nobody who asks for help should wait.
    from workers.engine.loading import use_threads
    from workers.training.error_rates.report import card_of, classified, write_card
    from workers.training.error_rates.sentences import read_sentences

    use_threads(options["threads"])
    sentences = read_sentences(options["templates"], options["words"])
    before = classified(options["before"], sentences, options["device"]) if options["before"] else None
    found = classified(options["model"], sentences, options["device"])
    card = card_of(found, sentences, before)
    rates = found.rates
    lines = [_asked(sentences), "", *_table(RATE_HEADS, rate_rows(rates.rates, rates.differences))]
    if before:
        warn(before, found, stderr)
        rows = change_rows(before.rates.differences, rates.differences, [Measure(**one) for one in card["changes"]])
        lines += ["", f"From {options['before']} to {options['model']}:", "", *_table(CHANGE_HEADS, rows)]
    if options["sentences"]:
        _write_sentences(options["sentences"], sentences, found)
    kept = ErrorRates.keep(card)
    return [*lines, "", f"written: {write_card(found, card)}", f"shown on the page of {kept.shown_with}"]


def _table(heads: Sequence[str], rows: Sequence[Row]) -> list[str]:
    return table([tuple(one.upper() for one in heads), *rows])


def _asked(sentences: "Sentences") -> str:
    words = ", ".join(f"{len(words)} of {group}" for group, words in sentences.words.items())
    return f"{len(sentences.texts())} sentences: {len(sentences.templates)} templates, words {words}"


def warn(before: "Classified", found: "Classified", stderr: OutputWrapper) -> None:
    """Say if the base is not all in which the two trainings differ."""
    from workers.training.error_rates.report import training_differences

    if differs := training_differences(before, found):
        stderr.write(f"warning: the trainings do not share {' and '.join(differs)}, so the base alone explains nothing")


def _write_sentences(path: Path, sentences: "Sentences", found: "Classified") -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([HEADS, *_rows(sentences, found)])
    except OSError as error:
        raise InputError(f"cannot write {path} ({error}): name another file with --sentences") from error


def _rows(sentences: "Sentences", found: "Classified") -> Iterator[tuple[str | int, ...]]:
    texts = iter(zip(sentences.texts(), found.positive, strict=True))
    for template in sentences.templates:
        for group, words in sentences.words.items():
            for word in words:
                text, positive = next(texts)
                told = map(escape, (template.text, template.kind, group, word.label, text))
                yield (*told, int(template.positive), int(positive))
