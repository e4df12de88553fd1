"""The measures of a pack, computed again from its records."""

from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from plumbline.evidence.manifest import RECORDS, RUN, SNAPSHOTS
from plumbline.evidence.reading import Opened
from plumbline.results.columns import MEASURE
from plumbline.spec.audit import AuditSpec, parse
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.spec.json_text import load_json
from plumbline.spec.measure import Measure
from plumbline.spec.not_scorable_counts import as_measures, with_totals
from workers.probes.registry import PROBES
from workers.verification.records import PackedRecords

TABLE = "association"
"""The only table whose items without a score are counted as measures."""


@dataclass(frozen=True, slots=True)
class Words:
    """The frozen spec and lists of a pack, and the lists whose content is not what their name says."""

    spec: AuditSpec
    snapshots: dict[str, dict[str, Any]]
    wrong: list[str]


def words_of(pack: Opened) -> Words:
    """Return the words. Raises InputError for a file or a spec that this release cannot read."""
    spec = parse(_object(pack, RUN)[0].get("spec"))
    found = {
        name.removeprefix(SNAPSHOTS).removesuffix(".json"): _object(pack, name)
        for name in pack.files
        if name.startswith(SNAPSHOTS)
    }
    unchanged = set(found) - set(pack.manifest.changed_snapshots)
    wrong = sorted(sha256 for sha256 in unchanged if found[sha256][1] != sha256)
    return Words(spec, {sha256: content for sha256, (content, _) in found.items()}, wrong)


def _object(pack: Opened, name: str) -> tuple[dict[str, Any], str]:
    """Return the object of a JSON file that anybody may have written, and its digest. Raises InputError."""
    try:
        found = load_json(pack.files[name].read_text("utf-8"))
        sha256 = digest(found)
    except (UnicodeError, RecursionError, InputError) as error:
        raise InputError(f"{name} is faulty: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{name} is faulty: it is no JSON object.")
    return found, sha256


def recomputed(pack: Opened, words: Words) -> pl.DataFrame:
    """Return the measures of the run, in the columns of a pack's measures. Raises InputError."""
    files = {
        name.removeprefix(RECORDS).removesuffix(".parquet"): name for name in pack.files if name.startswith(RECORDS)
    }
    read = PackedRecords({table: pack.files[name] for table, name in files.items()})
    try:
        found = PROBES[words.spec.probe].summarise(words.spec, words.snapshots, read)
    except InputError:
        raise
    except Exception as error:  # whatever a summary says about records that somebody may have changed
        raise InputError(f"the summary of {words.spec.probe} failed: {type(error).__name__}: {error}") from error
    return frame_of([*found, *_not_scorable(read)])


def frame_of(measures: list[Measure]) -> pl.DataFrame:
    schema = {key: kind for key, kind in MEASURE.items() if key != "run"}
    return pl.DataFrame([asdict(one) for one in measures], schema=schema, orient="row")


def _not_scorable(read: PackedRecords) -> list[Measure]:
    items = read(TABLE).filter(~pl.col("scorable")).group_by("reason", "group").len()
    return as_measures(with_totals(items.iter_rows()))
