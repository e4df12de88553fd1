"""The command `api`: the OpenAPI document, the Python client, and tokens of machines."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from plumbline.api import tokens
from plumbline.api.client_source import client_source
from plumbline.api.models import Token
from plumbline.api.scopes import Scope
from plumbline.api.v1 import api
from plumbline.spec.digests import pretty_json


class Command(BaseCommand):
    help = "Write the API's document or its Python client, and make, list and revoke tokens"
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        chosen = parser.add_subparsers(dest="action", required=True)
        for name, what in (("schema", "the OpenAPI document"), ("client", "the Python client")):
            chosen.add_parser(name, help=f"write {what}").add_argument("--out", type=Path, help="without it: stdout")
        token = chosen.add_parser("token", help="make a token of a machine; stdout has its secret, only this once")
        token.add_argument("name", help="what uses it")
        token.add_argument("--scope", action="append", required=True, choices=Scope.values, dest="scopes")
        token.add_argument("--days", type=int, default=90, help="its life (90)")
        chosen.add_parser("tokens", help="list all tokens")
        chosen.add_parser("revoke", help="revoke a token").add_argument("number", type=int)

    def handle(self, *_: Any, action: str, **options: Any) -> None:
        getattr(self, f"_{action}")(**options)

    def _schema(self, out: Path | None, **_: Any) -> None:
        self._write(pretty_json(api.get_openapi_schema()), out)

    def _client(self, out: Path | None, **_: Any) -> None:
        self._write(client_source(api.get_openapi_schema()), out)

    def _write(self, text: str, out: Path | None) -> None:
        if out is None:
            self.stdout.write(text, ending="")
            return
        try:
            out.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}. Choose another --out.") from None

    def _token(self, name: str, scopes: list[str], days: int, **_: Any) -> None:
        if not 1 <= days <= tokens.MOST_DAYS:
            raise CommandError(f"--days {days}: give from 1 to {tokens.MOST_DAYS} days.")
        if not 1 <= len(name.strip()) <= 100:
            raise CommandError("the name is empty or longer than 100 characters.")
        token, secret = tokens.make(name.strip(), set(scopes), days, person=None)
        self.stderr.write(f"token {token.pk}, for {days} days. Its secret is shown only this once:")
        self.stdout.write(secret)

    def _tokens(self, **_: Any) -> None:
        for one in Token.objects.select_related("person"):
            owner = one.person.get_username() if one.person else "a machine"
            state = "revoked" if one.revoked_at else f"until {one.expires_at:%Y-%m-%d}"
            used = f"used {one.last_used_at:%Y-%m-%d %H:%M}" if one.last_used_at else "never used"
            self.stdout.write(f"{one.pk}  {one.name}  {owner}  {','.join(one.scopes)}  {state}  {used}")

    def _revoke(self, number: int, **_: Any) -> None:
        token = Token.objects.filter(pk=number).first()
        if token is None:
            raise CommandError(f"there is no token {number}: 'api tokens' lists them.")
        self.stdout.write(f"token {number} {'is revoked' if tokens.revoke(token) else 'was revoked before'}")
