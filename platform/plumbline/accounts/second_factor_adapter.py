"""How the secrets of second factors are stored: encrypted with a key from the installation's SECRET_KEY."""

import base64
import hashlib

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings

PURPOSE = b"plumbline second factor "


class EncryptedSecrets(DefaultMFAAdapter):
    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the secret. Raises InvalidToken if it was encrypted with a key that is no longer known."""
        return _cipher().decrypt(encrypted_text.encode()).decode()


def _cipher() -> MultiFernet:
    """Encrypt with SECRET_KEY, and decrypt with it or with one of SECRET_KEY_FALLBACKS."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    digests = (hashlib.sha256(PURPOSE + str(key).encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(one)) for one in digests])
