"""The SQL page's login on the embedded server: its name, password and address. `migrate` creates it.

Nothing here imports Django, since settings call it first.
"""

import os
from pathlib import Path
from urllib.parse import quote

from plumbline import embedded

NAME = f"{embedded.DATABASE}_sql_page"
SECRET = "reader_password"
"""The file below var/ that holds the password. Only its owner may read it."""


def password(var_dir: Path) -> str:
    """Return the login's password. The first call creates it. Raises InputError if the folder cannot be written."""
    return embedded.local_secret(var_dir, SECRET)


def address(var_dir: Path) -> str:
    """Return the login's address, or "" if another server is used or `migrate` has not created the login yet."""
    if os.environ.get("DATABASE_URL") or not (var_dir / SECRET).exists():
        return ""
    owner, _, place = embedded.database_url(var_dir).partition("@")
    scheme = owner.partition("//")[0]
    return f"{scheme}//{NAME}:{quote(password(var_dir))}@{place}"
