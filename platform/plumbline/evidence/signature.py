"""Ed25519 signatures of manifests, and their keys. A private key lies in a file or a variable, in no database."""

import base64
import json
import os
import stat
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from plumbline.spec.errors import InputError
from plumbline.spec.json_text import load_json

ALGORITHM = "Ed25519"
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_keys(path: Path) -> Path:
    """Write a private key that only its owner may read, and the public key beside it as PATH.pub, which is returned.

    Raises InputError if a file is there already or cannot be written.
    """
    key, public = Ed25519PrivateKey.generate(), path.with_name(f"{path.name}.pub")
    try:
        _write_new(public, public_pem(key.public_key()), 0o644)
        _write_new(path, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), 0o600)
    except FileExistsError as error:
        raise InputError(
            f"{error.filename} exists already, and a key is never overwritten; name another file."
        ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}. Name another file.") from None
    return public


def _write_new(path: Path, content: bytes, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)


def private_key(file: str, text: str) -> Ed25519PrivateKey | None:
    """Return the key in the file, else that of the text (PEM), or None if neither is given. Raises InputError."""
    if not file:
        return _private(text.encode(), "EVIDENCE_KEY") if text else None
    path = Path(file)
    try:
        if path.stat().st_mode & OTHERS:
            raise InputError(f"other users may read the key {path}: run 'chmod 600 {path}' first.")
        return _private(path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(f"the key {path} (EVIDENCE_KEY_FILE) cannot be read: {error.strerror}.") from None


def _private(pem: bytes, where: str) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(pem, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"{where} holds no private Ed25519 key in PEM; 'manage.py audit pack-key' makes one.")
    return key


def public_key(path: Path) -> Ed25519PublicKey:
    """Return the public key of a PEM file. Raises InputError."""
    try:
        key = load_pem_public_key(path.read_bytes())
    except OSError as error:
        raise InputError(f"the key {path} cannot be read: {error.strerror}.") from None
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise InputError(f"{path} holds no public Ed25519 key in PEM; ask the signer for the file that ends with .pub.")
    return key


def public_pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def fingerprint(key: Ed25519PublicKey) -> str:
    """Return the raw public key in base64, 44 characters, by which people compare keys."""
    return base64.b64encode(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def sign(text: bytes, key: Ed25519PrivateKey) -> bytes:
    """Return the signature file of a manifest: JSON with the algorithm, the public key and the signature."""
    signature = base64.b64encode(key.sign(text)).decode()
    found = {"algorithm": ALGORITHM, "public_key": fingerprint(key.public_key()), "signature": signature}
    return json.dumps(found, indent=2).encode()


def signer(text: bytes, signature_file: bytes) -> Ed25519PublicKey | None:
    """Return the key that signed this text, or None if the signature is not of this text.

    Raises InputError for a file that is no signature.
    """
    try:
        found = load_json(signature_file.decode())
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(found["public_key"], validate=True))
        signature = base64.b64decode(found["signature"], validate=True)
        known = found["algorithm"] == ALGORITHM
    except (ValueError, TypeError, KeyError):
        raise InputError("its signature file is faulty. Ask the sender for the original file.") from None
    try:
        key.verify(signature, text)
    except InvalidSignature:
        return None
    return key if known else None
