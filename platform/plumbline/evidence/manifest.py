"""The manifest of a pack: every file with its size and digest, the versions, and what was left out."""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from plumbline.spec.digests import canonical_json
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.spec.json_text import load_json

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
RUN, MEASURES, FINDINGS, SIGN_OFFS = "run.json", "measures.parquet", "findings.json", "sign_offs.json"
RECORDS, SNAPSHOTS, ATTACHMENTS = "records/", "snapshots/", "attachments/"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,199}(/[A-Za-z0-9][A-Za-z0-9_.-]{0,199})?")
"""Names of files: at most one folder, no hidden file, no way out of a folder."""

_Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PackedFile(_Part):
    """The size in bytes and the SHA-256 of one file. `rows`: of a table."""

    bytes: Annotated[int, Field(ge=0)]
    sha256: _Digest
    rows: Annotated[int, Field(ge=0)] | None = None


class Manifest(_Part):
    """What a pack holds. `left_out` has one sentence for each kind of content that it does not hold."""

    format: Literal["plumbline-evidence"] = "plumbline-evidence"
    version: Literal[1] = 1
    run: int
    made_at: str
    versions: dict[str, str]
    people: Literal["pseudonyms", "names"]
    texts: Literal["replaced", "included"]
    changed_snapshots: Annotated[tuple[_Digest, ...], Field(strict=False)] = ()
    """Digests of the snapshots that are not as the run read them, since something was left out."""
    left_out: Annotated[tuple[str, ...], Field(strict=False)]
    files: dict[str, PackedFile]

    @field_validator("files")
    @classmethod
    def _plain_names(cls, files: dict[str, PackedFile]) -> dict[str, PackedFile]:
        if wrong := [name for name in files if not NAME.fullmatch(name) or name in (MANIFEST, SIGNATURE)]:
            raise ValueError(f"{wrong[0]!r} is no name of a file of a pack")
        return files

    def text(self) -> bytes:
        """Return the canonical JSON, whose bytes are signed."""
        return canonical_json(self.model_dump(mode="json", exclude_none=True)).encode()


def parse_manifest(text: bytes) -> Manifest:
    """Return the manifest. Raises InputError."""
    try:
        return Manifest.model_validate(load_json(text.decode()))
    except ValidationError as error:
        raise InputError(f"its {MANIFEST} is faulty: {in_one_line(error)}") from None
    except (InputError, UnicodeDecodeError) as error:
        raise InputError(f"its {MANIFEST} is faulty: {error}") from None
