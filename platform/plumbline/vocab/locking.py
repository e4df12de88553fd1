"""Locks on lists.

Whoever writes entries locks their lists first, in one order; otherwise two writers could deadlock.
"""

from typing import Any

from plumbline.vocab.history import Past


def lock(kind: Past, **which: Any) -> None:
    """Lock these lists of the kind, or all of them, until the transaction ends. Read what you write after this call.

    `which` is a filter of lists, such as `slug__in`.
    """
    list(kind.list_model.objects.select_for_update().filter(**which).order_by("pk").values_list("pk"))
