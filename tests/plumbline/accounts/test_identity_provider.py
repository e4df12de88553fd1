"""Which ID tokens are believed: a server of our own signs them, rightly and wrongly."""

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from allauth.socialaccount.models import SocialApp
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import RequestFactory
from jwt.algorithms import RSAAlgorithm
from pytest_django import Settings

from plumbline.accounts.identity_provider import Adapter, ProviderError, provider_for
from tests.serving import served

OWN, OTHER = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))
PUBLIC = OWN.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


class Keys(BaseHTTPRequestHandler):
    """The discovery document and the public key."""

    def do_GET(self) -> None:
        server = f"http://127.0.0.1:{self.server.server_address[1]}"  # type: ignore[index]
        ends = ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")
        key = json.loads(RSAAlgorithm.to_jwk(OWN.public_key())) | {"kid": "one", "use": "sig", "alg": "RS256"}
        about = dict.fromkeys(ends, f"{server}/keys") | {"issuer": server}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"keys": [key]} if self.path == "/keys" else about).encode())

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with served(ThreadingHTTPServer(("127.0.0.1", 0), Keys)) as server:
        yield f"http://127.0.0.1:{server.server_address[1]}"


@pytest.fixture
def verified(issuer: str, settings: Settings) -> Any:
    settings.SSO_ISSUER, settings.SSO_CLIENT_ID = issuer, "plumbline"
    request = RequestFactory().get("/")
    app: SocialApp = provider_for(request).app
    return lambda token: Adapter(request, "single-sign-on").verified(app, token)


def claims(issuer: str, **changed: Any) -> dict[str, Any]:
    now = int(time.time())
    return {"iss": issuer, "aud": "plumbline", "sub": "s1", "iat": now, "exp": now + 60} | changed


@pytest.mark.parametrize("name", ["one", None])
def test_a_token_of_the_provider_is_believed(verified: Any, issuer: str, name: str | None) -> None:
    token = jwt.encode(claims(issuer), OWN, "RS256", headers={"kid": name} if name else None)
    assert verified(token)["sub"] == "s1"


@pytest.mark.parametrize(
    "changed", [{"aud": "another"}, {"iss": "https://another.example"}, {"exp": 1}, {"sub": None}, {"iat": None}]
)
def test_a_token_for_others_of_others_or_of_the_past_is_refused(
    verified: Any, issuer: str, changed: dict[str, Any]
) -> None:
    told = {key: value for key, value in claims(issuer, **changed).items() if value is not None}
    with pytest.raises(jwt.PyJWTError):
        verified(jwt.encode(told, OWN, "RS256", headers={"kid": "one"}))


def test_a_token_of_another_key_is_refused(verified: Any, issuer: str) -> None:
    with pytest.raises(jwt.InvalidSignatureError):
        verified(jwt.encode(claims(issuer), OTHER, "RS256", headers={"kid": "one"}))
    with pytest.raises(ProviderError, match="names no key of the provider"):
        verified(jwt.encode(claims(issuer), OTHER, "RS256", headers={"kid": "two"}))


def test_a_token_without_a_signature_or_with_a_shared_key_is_refused(verified: Any, issuer: str) -> None:
    """With the public key as a shared one anybody could sign."""
    unsigned = jwt.encode(claims(issuer), "", "none", headers={"kid": "one"})
    head, told, _ = jwt.encode(claims(issuer), "x" * 40, "HS256", headers={"kid": "one"}).split(".")
    signed = jwt.get_algorithm_by_name("HS256").sign(f"{head}.{told}".encode(), PUBLIC)
    for token in (unsigned, f"{head}.{told}.{jwt.utils.base64url_encode(signed).decode()}"):
        with pytest.raises(ProviderError, match="not signed with a public key"):
            verified(token)
