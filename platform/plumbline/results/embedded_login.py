"""The login of the SQL page on the embedded server, which needs nobody at a console."""

import os

from django.db.backends.base.base import BaseDatabaseWrapper

from plumbline import embedded, embedded_reader
from plumbline.results import fence, reader_role


def create_or_renew(django: BaseDatabaseWrapper) -> None:
    """Create the login with the rights of every reader, or give an existing one the password that var/ holds.

    Other databases, such as one on a server of the operator's own, get no login that nobody asked for.
    """
    if os.environ.get("DATABASE_URL") or django.settings_dict["NAME"] != embedded.DATABASE:
        return
    password = embedded_reader.password(embedded.used_var_dir())
    if reader_role.role_exists(django, embedded_reader.NAME):
        reader_role.set_password(django, embedded_reader.NAME, password)
    else:
        reader_role.create_reader(django, embedded_reader.NAME, password)
    fence.close_databases(django)
