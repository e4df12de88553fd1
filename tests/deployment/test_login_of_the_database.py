"""The login that docs/operators.md describes: it owns its database, makes readers, and is no superuser."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import psycopg
import pytest

from plumbline import embedded
from tests.deployment.conftest import ROOT, folder, installation
from tests.processes import forked

pytestmark = pytest.mark.slow

STATEMENTS = r"An administrator of the\nserver runs this once:\n\n((?:    .*;\n)+)"


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    """That of an installation on a server whose administrator has run the statements of the docs."""
    with folder() as made:
        var = made / "var"
        embedded.start(var)
        server = embedded.database_url(var)
        found = re.search(STATEMENTS, (ROOT / "docs/operators.md").read_text())
        assert found
        try:
            with psycopg.connect(server.replace("/plumbline?", "/postgres?"), autocommit=True) as administrator:
                administrator.execute("DROP DATABASE plumbline")
                for statement in found[1].strip().split("\n"):
                    administrator.execute(statement.strip())
            address = server.replace("postgres@", f"plumbline:{quote('...')}@")
            yield installation(made / "own") | {"DATABASE_URL": address}
        finally:
            embedded.stop(var)


def test_a_login_without_superuser_migrates_makes_a_reader_and_is_told_what_is_left(
    environment: dict[str, str],
) -> None:
    def manage(*arguments: str) -> str:
        ended = forked.run("manage.py", *arguments, env=environment)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout + ended.stderr

    manage("migrate", "--verbosity", "0")
    assert "READER_DATABASE_URL=" in manage("reader", "create")
    assert "REVOKE" in manage("reader", "statements")
    told = forked.run("manage.py", "doctor", env=environment).stdout
    assert "superuser" not in told
    assert re.search(r"migrations\s", told), told
