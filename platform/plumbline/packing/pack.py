"""The pack of a run as a stream of bytes, of which only a part is in memory."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from plumbline.audits.clock import now
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.evidence import manifest as parts
from plumbline.evidence.left_out import reduced
from plumbline.evidence.manifest import Manifest
from plumbline.evidence.signature import private_key, sign
from plumbline.evidence.versions import versions
from plumbline.evidence.writing import Archive, Collected
from plumbline.packing.decisions import about_run, findings_of, sign_offs_of
from plumbline.packing.people import People
from plumbline.packing.tables import written_tables
from plumbline.results import replies
from plumbline.spec.digests import canonical_json
from plumbline.spec.errors import InputError, shown
from plumbline.spec.registry import PROBES

TEXTS = (
    "The texts of question banks: each letter is replaced by another, so that lengths, capitals and equality stay. What"
    " a model wrote from such texts, and options that records name, stay as they are."
)
NEEDED = "The topics of passages follow from the texts: without them the measures cannot be computed again."
NAMES = "The names of accounts: people have numbers, the same in the whole pack. Comments and reasons stay as written."
RATERS = "Who rated: they have numbers, and their demographics are left out."
REPLIES = "The whole answers in text ({count}). Their classes and the options that they name stay."
ALWAYS = "E-mail addresses, keys, the activity log, later versions of the lists, the records of other runs."


@dataclass(frozen=True, slots=True)
class Choices:
    """What a pack holds beyond the default, and the files that somebody adds to it."""

    texts: bool = False
    names: bool = False
    attachments: tuple[Path, ...] = ()


def packed(run: Run, choices: Choices) -> Iterator[bytes]:
    """Return the bytes of the run's pack in parts. Raises InputError at once for what cannot be packed."""
    check(run)
    attached = _attachments(choices.attachments)
    key = private_key(settings.EVIDENCE_KEY_FILE, settings.EVIDENCE_KEY)
    return _stream(run, choices, attached, key)


def check(run: Run) -> None:
    """Raise InputError for a run that cannot be packed."""
    if run.state != RunState.DONE:
        raise InputError(f"run {run.pk} is {run.state}; only a finished run can be packed.")
    if run.probe not in PROBES:
        raise InputError(f"run {run.pk} is of the method {run.probe!r}, which this release does not know.")
    base = frozen_spec(run)[0].base()
    if base is not None:
        raise InputError(f"run {run.pk} only adds words to run {base}, whose records it needs; pack run {base}.")


def _stream(run: Run, choices: Choices, attached: Mapping[str, Path], key: Any) -> Iterator[bytes]:
    sink = Collected()
    archive = Archive(sink)
    with _one_state():
        for _ in _written(archive, run, choices, attached):
            yield sink.take()
    made = _manifest(archive, run, choices)
    archive.add(parts.MANIFEST, made.text())
    if key is not None:
        archive.add(parts.SIGNATURE, sign(made.text(), key))
    archive.close()
    yield sink.take()


@contextmanager
def _one_state() -> Iterator[None]:
    """See the database as it is now, whatever others write meanwhile."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _written(archive: Archive, run: Run, choices: Choices, attached: Mapping[str, Path]) -> Iterator[None]:
    people = People(named=choices.names)
    archive.add(parts.RUN, _json(_run(about_run(run), people)))
    archive.add(parts.FINDINGS, _json(people.renamed(findings_of(run))))
    archive.add(parts.SIGN_OFFS, _json(people.renamed(sign_offs_of(run))))
    yield
    for sha256, words in frozen_spec(run)[1].items():
        kept = reduced(words, texts=choices.texts, people=choices.names)
        archive.add(f"{parts.SNAPSHOTS}{sha256}.json", _json(kept))
        yield
    yield from written_tables(archive, run.pk, PROBES[run.probe].card, texts=choices.texts)
    for name, path in attached.items():
        archive.add(name, path.read_bytes())
        yield


def _run(content: Mapping[str, Any], people: People) -> dict[str, Any]:
    """Return the run with its launcher renamed. Its spec stays to the letter."""
    return {**content, "launched_by": people.name(content["launched_by"])}


def _manifest(archive: Archive, run: Run, choices: Choices) -> Manifest:
    snapshots = frozen_spec(run)[1]
    changed = [
        sha256
        for sha256, content in snapshots.items()
        if reduced(content, texts=choices.texts, people=choices.names) is not content
    ]
    left_out = [] if choices.texts else [f"{TEXTS} {NEEDED}" if frozen_spec(run)[0].summary_reads_texts else TEXTS]
    left_out += [] if choices.names else [NAMES, RATERS]
    if kept := replies.count(run.pk):
        left_out.append(REPLIES.format(count=kept))
    return Manifest(
        run=run.pk,
        made_at=now().isoformat(),
        versions=versions(),
        people="names" if choices.names else "pseudonyms",
        texts="included" if choices.texts else "replaced",
        changed_snapshots=tuple(sorted(changed)),
        left_out=(*left_out, ALWAYS),
        files=archive.files,
    )


def _json(content: Any) -> bytes:
    return canonical_json(content).encode()


def _attachments(paths: Sequence[Path]) -> dict[str, Path]:
    """Return the files by their names in the pack. Raises InputError."""
    found: dict[str, Path] = {}
    for path in paths:
        name = f"{parts.ATTACHMENTS}{path.name}"
        if not path.is_file():
            raise InputError(f"{path} is no file that can be attached.")
        if not parts.NAME.fullmatch(name):
            raise InputError(
                f"the name {shown(path.name)} has other characters than letters, digits and _.-; rename it."
            )
        if name in found:
            raise InputError(f"two attachments have the name {shown(path.name)}; rename one.")
        found[name] = path
    return found
