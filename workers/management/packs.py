"""manage.py audit pack, verify and pack-key: evidence packs on the command line."""

import os
from pathlib import Path
from typing import Any

from plumbline.audits.models import Run
from plumbline.evidence.signature import fingerprint, make_keys, public_key
from plumbline.packing.pack import Choices, packed
from plumbline.spec.errors import InputError
from plumbline.vocab.management.output import record_export


def pack_arguments(actions: Any) -> None:
    """Add the three actions to the parser of `audit`."""
    pack = actions.add_parser("pack", help="a finished run as a file that can be verified without this installation")
    pack.add_argument("run", type=int)
    pack.add_argument("--out", type=Path, required=True, help="the ZIP file")
    pack.add_argument("--texts", action="store_true", help="include the texts of question banks: check their licences")
    pack.add_argument("--names", action="store_true", help="include the names of accounts and raters")
    pack.add_argument("--attach", type=Path, action="append", default=[], help="add this file, such as a report")
    verify = actions.add_parser("verify", help="verify a pack: 0 verified, 1 differs, 2 wrong input")
    verify.add_argument("file", type=Path)
    verify.add_argument("--key", type=Path, help="the signer's public key (PEM)")
    verify.add_argument("--all", action="store_true", help="print every difference")
    key = actions.add_parser("pack-key", help="make a pair of keys that signs packs")
    key.add_argument("--out", type=Path, required=True, help="the private key; the public one gets the ending .pub")


def pack(run: Run, options: dict[str, Any]) -> list[str]:
    """Write the pack and record the export. Returns what to print. Raises InputError."""
    out: Path = options["out"]
    content = packed(run, Choices(options["texts"], options["names"], tuple(options["attach"])))
    record_export(f"audit pack {run.pk}", out)
    size = _write(out, content)
    return [f"run {run.pk} packed in {out}, {size:,} bytes; 'audit verify {out}' verifies it"]


def _write(out: Path, content: Any) -> int:
    """Write to a temporary file and rename it, so that the pack is complete or absent."""
    draft = out.resolve().with_name(f".{out.name}.{os.getpid()}.part")
    try:
        with draft.open("xb") as file:
            size = sum(file.write(part) for part in content)
        draft.replace(out)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror or error}. Choose another --out.") from None
    finally:
        draft.unlink(missing_ok=True)
    return size


def new_key(path: Path) -> list[str]:
    public = make_keys(path)
    return [
        f"private key: {path}; keep it secret, and set EVIDENCE_KEY_FILE={path.resolve()} where packs are made",
        f"public key: {public}; give it to whoever verifies packs ({fingerprint(public_key(public))})",
    ]
