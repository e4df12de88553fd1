"""Keys and signatures of manifests."""

import json
import stat
from pathlib import Path

import pytest

from plumbline.evidence.signature import fingerprint, make_keys, private_key, public_key, sign, signer
from plumbline.spec.errors import InputError

TEXT = b'{"a":1}'


def test_only_the_owner_may_read_a_new_key_and_no_key_is_overwritten(tmp_path: Path) -> None:
    public = make_keys(tmp_path / "key")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    with pytest.raises(InputError, match="exists already"):
        make_keys(tmp_path / "key")
    assert b"PRIVATE" not in public.read_bytes()


def test_a_signature_belongs_to_one_key_one_text_and_one_algorithm(tmp_path: Path) -> None:
    public = public_key(make_keys(tmp_path / "key"))
    key = private_key(str(tmp_path / "key"), "")
    assert key is not None
    made = sign(TEXT, key)
    found = signer(TEXT, made)
    assert found is not None
    assert fingerprint(found) == fingerprint(public)
    assert signer(b'{"a":2}', made) is None
    assert signer(TEXT, json.dumps(json.loads(made) | {"algorithm": "none"}).encode()) is None
    for faulty in (b"", b"[]", b'{"public_key":"x"}'):
        with pytest.raises(InputError, match="signature file is faulty"):
            signer(TEXT, faulty)


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    make_keys(tmp_path / "key")
    (tmp_path / "key").chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        private_key(str(tmp_path / "key"), "")


def test_the_key_comes_from_a_file_or_from_a_text_or_there_is_none(tmp_path: Path) -> None:
    public = make_keys(tmp_path / "key")
    assert private_key("", "") is None
    assert private_key("", (tmp_path / "key").read_text()) is not None
    with pytest.raises(InputError, match="no private Ed25519 key"):
        private_key("", public.read_text())
    with pytest.raises(InputError, match="cannot be read"):
        private_key(str(tmp_path / "none"), "")
    with pytest.raises(InputError, match="no public Ed25519 key"):
        public_key(tmp_path / "key")
