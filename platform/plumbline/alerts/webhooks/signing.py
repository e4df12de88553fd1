"""The signature of a request, and the secrets that sign: kept sealed with the installation's own secret."""

import base64
import hashlib
import hmac
import secrets

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from plumbline.spec.errors import InputError

HEADER = "Plumbline-Signature"


def new_secret() -> str:
    """Return 256 random bits as text."""
    return secrets.token_urlsafe(32)


def seal(secret: str) -> str:
    """Return the secret encrypted, so that a copy of the database alone signs nothing."""
    return _box().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """Return the secret. Raises InputError if the installation's secret is another one by now."""
    try:
        return _box().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise InputError(
            "the secret of this webhook cannot be read: SECRET_KEY changed; make the webhook anew"
        ) from None


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return `t=TIMESTAMP,v1=HEX`: HMAC-SHA256, keyed with the secret, of the timestamp, a full stop and the body."""
    signed = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={signed}"


def _box() -> Fernet:
    key = hashlib.sha256(b"webhook secrets:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
