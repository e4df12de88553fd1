"""Starter data: word lists that come with Plumbline, loaded without a change to what curators edited."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from django.db import transaction
from pydantic import BaseModel, ConfigDict, StringConstraints

from plumbline.spec import yaml_file
from plumbline.spec.digests import digest
from plumbline.vocab.csv_file import read_bytes
from plumbline.vocab.importing import entries_of
from plumbline.vocab.kinds import KINDS, Kind
from plumbline.vocab.listing import metadata_fields, rows_of
from plumbline.vocab.locking import lock
from plumbline.vocab.reading import read
from plumbline.vocab.replacing import replace
from plumbline.vocab.sheet import Row
from plumbline.vocab.template_generation import Spanned, read_grammar, span

FOLDER = Path(__file__).with_name("starter")

Text = Annotated[str, StringConstraints(strip_whitespace=True)]
LATER: Mapping[str, tuple[str, ...]] = {
    "names": ("frequency", "frequency_source"),
    "groups": ("modifier", "postfix", "postfix_plural", "components", "emergent"),
    "attributes": ("article", "group", "family"),
}
"""Columns that were added after the first release. While they are empty, the digest of a loaded list stays the same."""
Outcome = Literal["created", "updated", "unchanged", "kept"]


class Seed(BaseModel):
    """One list of the starter data, as starter.yaml describes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slug: str
    kind: Literal["names", "groups", "traits", "attributes", "templates", "pairings", "ratings"]
    file: str = ""
    texts: tuple[tuple[str, str], ...] = ()
    """Templates that a grammar generates in place of a file: (variation, grammar text)."""
    title: Text
    description: Text
    source: Text
    licence: Text
    origin: Text
    sensitive: bool = False
    frequency_source: Text = ""
    group_list: Text = ""
    trait_list: Text = ""

    def metadata(self) -> dict[str, Any]:
        return {field: getattr(self, field) for field in metadata_fields(KINDS[self.kind])}

    def rows(self) -> list[Row]:
        if self.texts:
            cells = [{"template": text, "variation": variation} for variation, text in self.texts]
            return [Row(number, found, "template") for number, found in enumerate(cells, start=1)]
        return read(KINDS[self.kind], self.file, read_bytes(FOLDER / self.file)).checked()


@dataclass(frozen=True, slots=True)
class Seeded:
    """The outcome for one list. `kept` means that a curator edited it, so that it was left as it is."""

    slug: str
    kind: str
    outcome: Outcome


def seeds() -> list[Seed]:
    """Return all lists of the starter data."""
    index = yaml_file.load((FOLDER / "starter.yaml").read_text(encoding="utf-8"))
    return [*(Seed.model_validate(seed) for seed in index["lists"]), *map(_spanned, span(read_grammar()))]


def _spanned(pair: Spanned) -> Seed:
    told = f"{pair.target.replace('-', ' ')} and {pair.feature.replace('-', ' ')}"
    return Seed(
        slug=pair.slug,
        kind="templates",
        texts=pair.texts,
        title=f"Indirect: {told}",
        description=f"Sentences that hold {told} together, spanned by a grammar of ours (starter/indirect/grammar.yaml)"
        " after the variations of the thesis; slips of its print are repaired.",
        source="Indirect Logarithmic Probability Bias Score (thesis), appendix A.1.2",
        licence="As this project",
        origin="US, English, 2022",
    )


@transaction.atomic
def load() -> list[Seeded]:
    """Create the lists that are missing, update unedited ones, and leave edited ones alone."""
    offered = seeds()
    for kind in KINDS.values():
        lock(kind, slug__in=[seed.slug for seed in offered if seed.kind == kind.name])
    return [Seeded(seed.slug, seed.kind, _load(KINDS[seed.kind], seed)) for seed in offered]


def _load(kind: Kind, seed: Seed) -> Outcome:
    rows = seed.rows()
    offered = _digest(kind, seed.metadata(), [row.cells for row in rows])
    present = kind.list_model.objects.filter(slug=seed.slug).first()
    if present is not None:
        now = _digest(kind, {field: getattr(present, field) for field in metadata_fields(kind)}, rows_of(kind, present))
        if now == offered:
            return "unchanged"
        if now != present.seeded:
            return "kept"
    replace(kind, seed.slug, {**seed.metadata(), "seeded": offered}, entries_of(kind, rows, about=seed.metadata()))
    return "created" if present is None else "updated"


def is_edited(word_list: Any) -> bool:
    """Return whether people edited a list that came with the starter data, so that its source is not that of all."""
    kind = next((one for one in KINDS.values() if one.list_model is type(word_list)), None)
    if kind is None or not word_list.seeded:
        return False
    about = {field: getattr(word_list, field) for field in metadata_fields(kind)}
    return _digest(kind, about, rows_of(kind, word_list)) != str(word_list.seeded)


def _digest(kind: Kind, metadata: Mapping[str, Any], rows: list[dict[str, str]]) -> str:
    """Return the digest of everything that a curator can edit, with notes and licence, unlike the version of a list."""
    new = LATER.get(kind.name, ())
    columns = [column for column in kind.columns if column not in new]
    content: dict[str, Any] = {
        "metadata": {field: value for field, value in metadata.items() if value or field not in new},
        "rows": [[row.get(column, "") for column in columns] for row in rows],
    }
    later = [[row.get(column, "") for column in kind.columns if column in new] for row in rows]
    if any(map(any, later)):
        content["later"] = later
    return digest(content)
