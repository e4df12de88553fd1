"""The provider of single sign-on (OpenID Connect), as the settings SSO_... describe it. allauth speaks with it.

Stricter than allauth: the signature of the ID token is always checked, only with keys of the provider's document, and
so is the nonce. The issuer of the discovery document must be SSO_ISSUER.
https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation
"""

import secrets
from typing import Any

import jwt
import requests
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.internal import statekit
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

ALGORITHMS = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
"""Those with a public key. A token that names `none` or a shared key is refused."""
NEEDED = ("issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")


class ProviderError(Exception):
    """The provider does not answer, or its answer cannot be trusted."""


def is_set() -> bool:
    return bool(settings.SSO_ISSUER and settings.SSO_CLIENT_ID)


class Adapter(OpenIDConnectOAuth2Adapter):
    def get_provider(self) -> "Provider":
        return provider_for(self.request)

    @property
    def openid_config(self) -> dict[str, Any]:
        """The discovery document. Raises ProviderError if it lacks an entry or is another issuer's."""
        return checked_document(super().openid_config)

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return request.build_absolute_uri(reverse("single_sign_on_callback"))

    def verified(self, app: SocialApp, token: str) -> dict[str, Any]:
        """Return the claims of an ID token after the checks of signature, issuer, audience and time."""
        config, header = self.openid_config, jwt.get_unverified_header(token)
        if header.get("alg") not in ALGORITHMS:
            raise ProviderError("the ID token is not signed with a public key")
        with get_adapter().get_requests_session() as session:
            answer = session.get(config["jwks_uri"])
            answer.raise_for_status()
        return jwt.decode(
            token,
            _key(jwt.PyJWKSet.from_dict(answer.json()), header.get("kid")),
            algorithms=[header["alg"]],
            issuer=config["issuer"],
            audience=app.client_id,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )


def _key(known: jwt.PyJWKSet, name: str | None) -> jwt.PyJWK:
    """Return the key that a token names. A token may name none if the provider has only one."""
    found = [key for key in known.keys if name is None or key.key_id == name]
    if len(found) != 1:
        raise ProviderError("the ID token names no key of the provider")
    return found[0]


class Provider(OpenIDConnectProvider):
    oauth2_adapter_class = Adapter


def provider_for(request: HttpRequest) -> Provider:
    """Return the provider of the settings. No row of the database can name another one."""
    app = SocialApp(
        provider=Provider.id,
        provider_id="single-sign-on",
        name=settings.SSO_NAME,
        client_id=settings.SSO_CLIENT_ID,
        secret=settings.SSO_CLIENT_SECRET,
        settings={"server_url": settings.SSO_ISSUER.rstrip("/"), "oauth_pkce_enabled": True},
    )
    return Provider(request, app=app)


def checked_document(config: Any) -> dict[str, Any]:
    """Return a discovery document. Raises ProviderError if it lacks an entry or is another issuer's."""
    missing = [name for name in NEEDED if not isinstance(config, dict) or not config.get(name)]
    if missing:
        raise ProviderError(f"the discovery document lacks {', '.join(missing)}")
    if str(config["issuer"]).rstrip("/") != settings.SSO_ISSUER.rstrip("/"):
        raise ProviderError(f"the discovery document is of {config['issuer']}, which is not SSO_ISSUER")
    return dict(config)


def begin(request: HttpRequest, to: str) -> HttpResponse:
    """Lead to the provider. State, nonce and the PKCE secret stay in the session. Raises ProviderError."""
    nonce = secrets.token_urlsafe(24)
    try:
        answer: HttpResponse = provider_for(request).redirect(
            request, AuthProcess.LOGIN, to, auth_params={"nonce": nonce}, nonce=nonce
        )
    except (requests.RequestException, ValueError) as error:
        raise ProviderError(str(error)) from error
    return answer


def stashed_state(request: HttpRequest) -> dict[str, Any] | None:
    """Return what `begin` left in this session for the state of the request, once; None if there is nothing."""
    provider, state_id = provider_for(request), request.GET.get("state", "")
    found: dict[str, Any] | None = statekit.unstash_state(request, provider_id=provider.sub_id, state_id=state_id)
    return found


def claims_of(request: HttpRequest, state: dict[str, Any]) -> dict[str, Any]:
    """Exchange the code of the request for the claims about the person. Raises ProviderError."""
    try:
        return _claims(request, state)
    except (requests.RequestException, OAuth2Error, jwt.PyJWTError, LookupError, TypeError, ValueError) as error:
        raise ProviderError(str(error)) from error


def _claims(request: HttpRequest, state: dict[str, Any]) -> dict[str, Any]:
    adapter = Adapter(request, "single-sign-on")
    app = adapter.get_provider().app
    client = adapter.get_client(request, app)
    answer = adapter.get_access_token_data(request, app, client, pkce_code_verifier=state["pkce_code_verifier"])
    claims = adapter.verified(app, answer["id_token"])
    if not secrets.compare_digest(str(claims.get("nonce", "")), state["nonce"]):
        raise ProviderError("the ID token has another nonce")
    info = adapter._fetch_user_info(answer["access_token"])
    if info.get("sub") != claims["sub"]:
        raise ProviderError("the user information is about somebody else than the ID token")
    return {**info, **claims}
